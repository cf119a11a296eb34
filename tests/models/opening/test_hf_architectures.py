"""Every architecture against one-at-a-time obvious code: no batch, no padding, no shortcut."""

import numpy as np
import pytest
import torch

from support.architectures import CAUSAL, MASKED, SEQ2SEQ, build, opened
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import Attends, Continues, FillsBlanks
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She was late again",
    "My grandmother fixed the car well at night, nobody knows why.",
    "He is a nurse.",
]
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module")
def get():
    return opened


def plain(model):
    """The transformers model inside; its hooks do nothing unless the back-end sets rows."""
    return model._loaded.model


@torch.no_grad()
def slow_blank(model, request):
    ids = torch.tensor([request.ids])
    ids[0, list(request.hidden)] = model._mask
    table = plain(model)(input_ids=ids).logits[0].double().log_softmax(-1)
    return np.array([float(table[i, request.ids[i]]) for i in request.read])


@torch.no_grad()
def slow_causal(model, request):
    whole = [*([model._start] if request.start else []), *request.context, *request.ids]
    table = plain(model)(input_ids=torch.tensor([whole])).logits[0].double().log_softmax(-1)
    first = len(whole) - len(request.ids)
    return np.array([float(table[i - 1, whole[i]]) for i in range(first, len(whole))])


def blanks(model):
    tokens = model.encode(TEXTS)
    one = [Blanked(t.ids, (i,), (i,)) for t in tokens for i in range(1, len(t.ids) - 1, 2)]
    many = [Blanked(t.ids, (1, 2), (1, 2, 3)) for t in tokens]
    none = [Blanked(t.ids, (), tuple(range(len(t.ids)))) for t in tokens]
    return [*one, *many, *none]


def continuations(model):
    tokens = model.encode(TEXTS)
    return [
        *(Continuation((), t.ids) for t in tokens),
        *(Continuation(t.ids[:3], t.ids[3:]) for t in tokens),
    ]


def same(answers, expected):
    assert len(answers) == len(expected)
    for answer, right in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, right, **CLOSE)


@pytest.mark.parametrize("kind", MASKED)
def test_masked_equals_obvious_code(get, kind):
    model = get(kind)
    assert isinstance(model, FillsBlanks)
    assert isinstance(model, Attends)
    requests = blanks(model)
    expected = [slow_blank(model, r) for r in requests]
    assert max(np.ptp(np.concatenate(expected)), 0) > 1  # the model distinguishes tokens
    same(model.blank_logprobs(requests), expected)
    assert model.about["projection"].startswith("only positions that are read")


@pytest.mark.parametrize("kind", MASKED)
def test_attention_equals_obvious_code(get, kind):
    model = get(kind)
    requests = [r for r in blanks(model) if not r.hidden]
    answers = model.attended_logprobs(requests)
    usual = plain(model).config._attn_implementation
    plain(model).set_attn_implementation("eager")
    try:
        for request, answer in zip(requests, answers, strict=True):
            with torch.no_grad():
                maps = plain(model)(
                    input_ids=torch.tensor([request.ids]), output_attentions=True
                ).attentions
            weights = torch.cat(maps).mean((0, 1)).mean(0)  # (t,)
            np.testing.assert_allclose(answer[1], weights, **CLOSE)
            np.testing.assert_allclose(answer[1].sum(), 1, atol=1e-5)
            np.testing.assert_allclose(answer[0], slow_blank(model, request), **CLOSE)
    finally:
        plain(model).set_attn_implementation(usual)


@pytest.mark.parametrize("kind", CAUSAL)
def test_causal_equals_obvious_code(get, kind):
    model = get(kind)
    assert isinstance(model, Continues)
    requests = continuations(model)
    requests += [Continuation(t.ids[:1], t.ids[1:], start=False) for t in model.encode(TEXTS)]
    same(model.continuation_logprobs(requests), [slow_causal(model, r) for r in requests])
    assert model.about["projection"].startswith("only positions that are read")
    assert model.about["start token"]


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_seq2seq_equals_obvious_code(get, kind):
    model = get(kind)
    tokenizer = model._loaded.tokenizer
    blank = "<mask>" if kind == "bart" else "<extra_id_0>"
    for request in continuations(model):
        context = tokenizer.decode(request.context)
        (source,) = [tokenizer(f"{context}")["input_ids"]]
        tail = source[-1:]
        lead = source[:1] if kind == "bart" else []
        source = [*lead, *request.context, tokenizer.convert_tokens_to_ids(blank), *tail]
        start = plain(model).config.decoder_start_token_id
        prefix = [
            start,
            tokenizer.bos_token_id if kind == "bart" else tokenizer.convert_tokens_to_ids(blank),
        ]
        target = [*prefix, *request.ids]
        with torch.no_grad():
            table = (
                plain(model)(
                    input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target])
                )
                .logits[0]
                .double()
                .log_softmax(-1)
            )
        expected = [float(table[i - 1, target[i]]) for i in range(2, len(target))]
        np.testing.assert_allclose(model.continuation_logprobs([request])[0], expected, **CLOSE)
    assert blank in str(model.about["asked by"])
    same(
        model.continuation_logprobs(continuations(model)),
        [model.continuation_logprobs([r])[0] for r in continuations(model)],
    )


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ])
def test_batch_size_and_order_change_nothing(get, kind):
    answers = {}
    for size in (1, 40, 100_000):
        model = get(kind, batch_tokens=size)
        asked = (blanks(model) if kind in MASKED else continuations(model))[::2]
        ask = model.blank_logprobs if kind in MASKED else model.continuation_logprobs
        answers[size] = ask(asked)
        if size > 1:  # each alone comes in no order
            same(ask(asked[::-1])[::-1], answers[size])
    same(answers[1], answers[100_000])
    same(answers[1], answers[40])


@pytest.mark.parametrize("kind", MASKED)
def test_special_tokens_and_words_are_marked(get, kind):
    (tokens,) = get(kind).encode(["He is a nurse"])
    assert tokens.special[0] and tokens.special[-1]
    assert not any(tokens.special[1:-1])
    assert tokens.words[0] == tokens.words[-1] == -1
    assert tokens.words[1] == 0
    assert len(set(tokens.words)) == 5
    assert get(kind).encode([]) == []


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ])
def test_the_longest_input_fits_and_the_limit_is_honest(get, kind):
    model = get(kind)
    if model.limit is None:
        assert kind in {"t5", "mt5"}
        return
    word = model.encode(["night"])[0].ids
    middle = [i for i in word if i not in {0, 1, 2}][-1:] or list(word[:1])
    if kind in MASKED:
        ids = (word[0], *(middle * (model.limit - 2)), word[-1])
        answer = model.blank_logprobs([Blanked(ids, (5,), (5,))])[0]
    else:
        ids = tuple(middle * model.limit)
        answer = model.continuation_logprobs([Continuation((), ids)])[0]
    assert len(ids) == model.limit
    assert np.isfinite(answer).all()


def test_case(get):
    assert not get("bert").cased
    assert get("roberta").cased


def test_start_token(get):
    assert get("gpt2").about["start token"] == "<s> (beginning of text)"
    assert "end of text" in str(get("qwen2").about["start token"])
    other = get("gpt2", start_token="</s>")
    assert other.about["start token"] == "</s> (as asked)"
    assert other.fingerprint != get("gpt2").fingerprint
    request = Continuation((), other.encode(["he"])[0].ids)
    assert other._start != get("gpt2")._start
    np.testing.assert_allclose(
        other.continuation_logprobs([request])[0], slow_causal(other, request), **CLOSE
    )
    with pytest.raises(BadInput, match="not a token of its vocabulary"):
        get("gpt2", start_token="<nothing like it>")


def test_a_continuation_from_nothing_needs_a_start(get):
    with pytest.raises(BadInput, match="needs a context"):
        get("gpt2").continuation_logprobs([Continuation((), (5,), start=False)])
    with pytest.raises(BadInput, match="start token"):
        get("t5").continuation_logprobs([Continuation((5,), (5,), start=False)])


def test_fingerprints_tell_models_and_precisions_apart(get):
    names = [get("bert"), get("roberta"), get("bert", precision="bfloat16")]
    assert len({m.fingerprint for m in names}) == 3
    assert get("bert", batch_tokens=7).fingerprint == get("bert").fingerprint


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_fingerprints_tell_releases_of_the_libraries_apart(library, tmp_path, monkeypatch):
    where = resolve(str(build("gpt2", tmp_path)))
    before = open_model(where, Options(device="cpu")).fingerprint
    monkeypatch.setattr(f"{library}.__version__", "5.22.0")
    assert open_model(where, Options(device="cpu")).fingerprint != before


def test_bfloat16_is_close_but_not_the_same(get):
    exact, rough = get("bert"), get("bert", precision="bfloat16")
    requests = blanks(exact)[:20]
    a, b = (np.concatenate(m.blank_logprobs(requests)) for m in (exact, rough))
    assert np.abs(a - b).max() > 0
    assert np.abs(a - b).mean() < 0.2 * np.abs(a).mean()
    assert rough.about["precision"] == "bfloat16"


def test_a_token_beyond_the_model_is_refused(tmp_path):
    from transformers import AutoTokenizer

    folder = build("bert", tmp_path / "bert")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["zebra"])
    tokenizer.save_pretrained(folder)
    model = open_model(resolve(str(folder)))
    with pytest.raises(CannotAnswer, match="do not belong together"):
        model.encode(["a zebra"])


def test_projection_falls_back_where_the_head_needs_more(monkeypatch, get, tmp_path):
    """If cutting the hidden states gave other numbers, the plain pass would be used."""
    from tiltmeter.models.speed import vocabulary_projector

    monkeypatch.setattr(vocabulary_projector.Projector, "check", lambda *_: False)
    folder = build("bert", tmp_path / "bert")
    model = open_model(resolve(str(folder)))
    assert model.about["projection"] == "all positions"
    same(model.blank_logprobs(blanks(model)), get("bert").blank_logprobs(blanks(model)))


def test_large_projections_are_done_in_parts(monkeypatch, get):
    from tiltmeter.models.reading import token_logprobs

    model = get("bert")
    whole = model.blank_logprobs(blanks(model))
    monkeypatch.setattr(token_logprobs, "LOGITS", 3 * int(model.about["vocabulary"]))
    same(model.blank_logprobs(blanks(model)), whole)


@pytest.mark.parametrize(
    ("kind", "has"),
    [("bert", True), ("albert", True), ("llama", True), ("t5", True), ("gpt2", False)],
)
def test_what_is_not_in_the_vocabulary_is_told(get, kind, has):
    model = get(kind)
    known, foreign = model.encode(["He is a nurse.", "雪"])
    assert model.unknown not in known.ids
    assert (model.unknown in foreign.ids) == has
    assert (model.unknown is None) == (not has)
