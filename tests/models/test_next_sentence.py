"""Models that judge pairs of sentences, against one pair at a time and obvious code."""

import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from support.architectures import CAUSAL, MASKED, PERMUTATION
from support.next_heads import by_topic, reading_pairs
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.model.protocols import Attends, Continues, FillsBlanks, JudgesNext
from tiltmeter.core.model.requests import Passage
from tiltmeter.models import causal
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.train.next_sentence import NextSentenceConfig, train

PAIRS = [
    ("He is a nurse.", "She was late."),
    ("The old driver was slow and the young clerk was rude.", "Men sang."),
    ("She sang", "My grandmother fixed the car well at night, nobody knows why."),
    ("He is a nurse.", "She was late."),
]
CLOSE = {"atol": 1e-5, "rtol": 1e-5}
HEAD = "next_sentence_head.safetensors"


@pytest.fixture(scope="module")
def heads(tmp_path_factory):
    """Heads with weights large enough to tell pairs apart; what they were trained on does not matter."""
    folder = tmp_path_factory.mktemp("n")
    text = by_topic(folder / "topics.txt", documents=8)

    def one(kind):
        out = folder / f"{kind}-next"
        if not out.exists():
            model = reading_pairs(kind, folder / kind)
            train(
                NextSentenceConfig(str(model), str(text), str(out), epochs=1, pairs=8, device="cpu")
            )
            generator = torch.Generator().manual_seed(3)
            weights = {
                k: torch.randn(v.shape, generator=generator) / 4 for k, v in _load(out).items()
            }
            save_file(weights, out / HEAD)
        return out

    return one


def _load(folder):
    return load_file(folder / HEAD)


@pytest.fixture
def copy(heads, tmp_path):
    return shutil.copytree(heads("bert"), tmp_path / "copy")


@pytest.fixture(scope="module")
def berts_own(tmp_path_factory):
    """A checkpoint with BERT's own head."""
    from transformers import AutoTokenizer, BertConfig, BertForNextSentencePrediction

    folder = reading_pairs("bert", tmp_path_factory.mktemp("b") / "own")
    torch.manual_seed(1)
    vocabulary = len(AutoTokenizer.from_pretrained(folder))
    model = BertForNextSentencePrediction(
        BertConfig(vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2,
                   num_attention_heads=2, intermediate_size=48, max_position_embeddings=64)
    )  # fmt: skip
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(6 if parameter.dim() > 1 else 1)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder)
    return folder


@torch.no_grad()
def slow_encoder(folder, first, second):
    """Token by token as written down; no batch, no padding."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    a, b = (tokenizer(t, add_special_tokens=False)["input_ids"] for t in (first, second))
    mark, end = tokenizer.cls_token_id, tokenizer.sep_token_id
    middle = [end, end] if tokenizer.cls_token == "<s>" else [end]
    closed = (
        model.config.model_type == "xlnet"
    )  # its mark stands behind the pair, in a third segment
    ids = [*a, end, *b, end, mark] if closed else [mark, *a, *middle, *b, end]
    given = {"input_ids": torch.tensor([ids])}
    if model.config.model_type in {"bert", "electra", "albert"}:
        given["token_type_ids"] = torch.tensor([[0] * (len(a) + 2) + [1] * (len(b) + 1)])
    if closed:
        types = [0] * (len(a) + 1) + [1] * (len(b) + 1) + [2]
        given["token_type_ids"] = torch.tensor([types])
    state = model.eval()(**given).last_hidden_state[0, -1 if closed else 0]
    return _judged(folder, state)


@torch.no_grad()
def slow_causal(folder, first, second):
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    ids = tokenizer(first + " " + second)["input_ids"]
    states = model.eval()(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return _judged(folder, sum(states) / len(ids))


def _judged(folder, state):
    head = _load(folder)
    state = (state - state.mean()) / (state.var(unbiased=False) + 1e-5).sqrt()
    logits = (head["weight"] @ state + head["bias"]).double()
    return float(logits.log_softmax(0)[0])


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *PERMUTATION])
def test_equals_obvious_code(heads, kind):
    folder = heads(kind)
    model = open_model(resolve(str(folder)))
    assert isinstance(model, JudgesNext)
    slow = slow_causal if kind in CAUSAL else slow_encoder
    expected = np.array([slow(folder, *pair) for pair in PAIRS])
    assert np.ptp(expected) > 1e-3
    np.testing.assert_allclose(model.next_logprobs(PAIRS), expected, **CLOSE)


@torch.no_grad()
def test_berts_own_head_equals_obvious_code(berts_own):
    from transformers import AutoTokenizer, BertForNextSentencePrediction

    where = resolve(str(berts_own))
    assert (where.scheme, where.answers) == ("next_sentence", (JudgesNext,))
    tokenizer = AutoTokenizer.from_pretrained(berts_own)
    plain = BertForNextSentencePrediction.from_pretrained(berts_own).eval()
    expected = []
    for first, second in PAIRS:
        a, b = (tokenizer(t, add_special_tokens=False)["input_ids"] for t in (first, second))
        ids = torch.tensor(
            [[tokenizer.cls_token_id, *a, tokenizer.sep_token_id, *b, tokenizer.sep_token_id]]
        )
        types = torch.tensor([[0] * (len(a) + 2) + [1] * (len(b) + 1)])
        logits = plain(input_ids=ids, token_type_ids=types).logits[0].double()
        expected.append(float(logits[0] - logits.logsumexp(0)))
    assert np.ptp(expected) > 1e-3
    model = open_model(where)
    np.testing.assert_allclose(model.next_logprobs(PAIRS), expected, **CLOSE)
    assert model.about["next-sentence head"] == "the checkpoint's own"


@pytest.mark.parametrize("kind", ["bert", "gpt2", "xlnet"])
def test_batches_and_padding_change_nothing(heads, kind):
    answers = [
        open_model(where, options).next_logprobs(PAIRS)
        for options in (Options(batch_tokens=1), Options(batch_tokens=40), Options())
        for where in [resolve(str(heads(kind)), options)]
    ]
    for other in answers[1:]:
        np.testing.assert_allclose(other, answers[0], **CLOSE)
    model = open_model(resolve(str(heads(kind))))
    np.testing.assert_allclose(model.next_logprobs(PAIRS[::-1]), answers[2][::-1], **CLOSE)
    assert model.next_logprobs([]).shape == (0,)


def test_lengths_are_those_of_the_whole_pair(heads):
    bert, gpt2 = (open_model(resolve(str(heads(kind)))) for kind in ("bert", "gpt2"))
    assert bert.pair_lengths([("He is late.", "She sang.")]) == [3 + 1 + 2 + 1 + 3]
    whole = gpt2._loaded.encode(["He is late. She sang."], special=False)[0].ids
    assert gpt2.pair_lengths([("He is late.", "She sang.")]) == [len(whole)]
    assert (bert.pair_limit, gpt2.pair_limit) == (64, 64)
    assert bert.pair_lengths([]) == []


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_pairs_that_are_too_long_are_refused_and_not_cut(heads, kind):
    model = open_model(resolve(str(heads(kind))))
    with pytest.raises(CannotAnswer, match="reads at most 64 tokens at once, and a request has"):
        model.next_logprobs([*PAIRS, ("He is " * 30, "She is " * 30)])


def test_in_training_long_pairs_are_cut_at_the_longer_sentence(heads):
    for kind in ("bert", "gpt2"):
        model = open_model(resolve(str(heads(kind))))
        reader = model._judge.reader
        pair = ("He is late and " * 20, "She sang.")
        (row,) = reader.read([pair], most=30)
        (whole,) = reader.read([pair])
        tail = model._loaded.encode(
            ["She sang." if kind == "bert" else " She sang."], special=False
        )
        assert len(row.ids) == 30
        assert row.ids[:20] == whole.ids[:20]
        end = row.ids[:-1] if kind == "bert" else row.ids
        assert end[-len(tail[0].ids) :] == tail[0].ids


def test_near_certain_answers_keep_their_order(heads, copy):
    weights = _load(copy)
    weights["bias"] += torch.tensor([25.0, 0.0])
    save_file(weights, copy / HEAD)
    sure = open_model(resolve(str(copy))).next_logprobs(PAIRS)
    usual = open_model(resolve(str(heads("bert")))).next_logprobs(PAIRS)
    assert (sure > -1e-6).all()
    assert (np.argsort(sure[:3]) == np.argsort(usual[:3])).all()
    assert len(set(sure[:3])) == 3


def test_the_fingerprint_knows_the_head(heads, copy):
    before = open_model(resolve(str(copy))).fingerprint
    assert open_model(resolve(str(heads("bert")))).fingerprint == before
    weights = _load(copy)
    weights["bias"] += 0.5
    save_file(weights, copy / HEAD)
    assert open_model(resolve(str(copy))).fingerprint != before


def test_the_card_says_where_the_head_comes_from(heads):
    about = open_model(resolve(str(heads("gpt2")))).about
    assert about["kind"] == "next_sentence"
    assert (
        about["next-sentence head"]
        == "trained on pooled states (mean, standardised), reads running text"
    )
    assert about["head trained on"] == "topics.txt"
    assert about["head trained from"] == "gpt2"
    assert about["head's pairs"] == 6
    assert about["head's held-out pairs"] == 2
    assert 0 <= about["head's held-out accuracy"] <= 1
    trunk = load_file(heads("gpt2") / "model.safetensors")
    assert about["parameters"] == sum(value.numel() for value in trunk.values())


# ── What is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scheme", ["masked", "causal", "seq2seq"])
def test_a_head_is_never_asked_as_a_language_model(heads, scheme):
    with pytest.raises(CannotAnswer, match=r"trained next-sentence head.*next_sentence:"):
        resolve(f"{scheme}:{heads('bert')}")


def test_a_language_model_is_no_next_sentence_model(heads):
    with pytest.raises(CannotAnswer, match=r"is a causal language model.*causal:"):
        resolve(f"next_sentence:{heads('gpt2').parent / 'gpt2'}")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "not of format 1"),
        ({"pooling": "mean"}, "reads and pooling must be"),
        ({"reads": "aloud"}, "reads and pooling must be"),
        ({"labels": ["does not follow", "follows"]}, "labels"),
        (None, "cannot be read"),
    ],
)
def test_a_description_that_says_something_else_is_refused(copy, changes, says):
    path = copy / "next_sentence.json"
    said = json.loads(path.read_text())
    path.write_text("{" if changes is None else json.dumps(said | changes))
    with pytest.raises(BadInput, match=rf"next_sentence\.json: .*{says}"):
        open_model(resolve(str(copy)))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.unlink(), "cannot be read"),
        (lambda path: path.write_bytes(b"nonsense"), "cannot be read"),
        (lambda path: save_file({"weight": torch.zeros(2, 5)}, path), "not the weights of this"),
        (
            lambda path: save_file(
                {"weight": torch.full((2, 32), torch.nan), "bias": torch.zeros(2)}, path
            ),
            "not a finite number",
        ),
    ],
)
def test_a_head_that_is_damaged_is_refused(copy, spoil, says):
    spoil(copy / HEAD)
    with pytest.raises(Unavailable, match=says):
        open_model(resolve(str(copy)))


def test_a_trunk_without_its_weights_is_refused(copy):
    weights = load_file(copy / "model.safetensors")
    weights.pop("encoder.layer.0.output.dense.weight")
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(TiltmeterError, match="1 weights are not in its files"):
        open_model(resolve(str(copy)))


# ── headed:MODEL,HEAD ────────────────────────────────────────────────────────────────────────────


def test_a_headed_model_answers_what_both_do(heads):
    base, head = heads("gpt2").parent / "gpt2", heads("gpt2")
    where = resolve(f"headed:{base},{head}")
    assert where.answers == (*causal.ANSWERS, JudgesNext)
    assert where.name == "headed:gpt2,gpt2-next"
    both = open_model(where)
    assert both.embed([Passage("He was late.")], pooling="last").shape == (1, 32)
    model, judge = open_model(resolve(str(base))), open_model(resolve(str(head)))
    assert isinstance(both, Continues)
    assert isinstance(both, JudgesNext)
    assert not isinstance(both, FillsBlanks)
    from tiltmeter.core.model.requests import Continuation

    asked = [Continuation((), t.ids) for t in model.encode([a for a, _ in PAIRS])]
    for one, other in zip(
        both.continuation_logprobs(asked), model.continuation_logprobs(asked), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(both.next_logprobs(PAIRS), judge.next_logprobs(PAIRS))
    assert both.pair_lengths(PAIRS) == judge.pair_lengths(PAIRS)
    assert (both.limit, both.pair_limit) == (model.limit, judge.pair_limit)
    assert both.name == where.name
    assert both.about["start token"] == model.about["start token"]
    assert both.about["head"] == "gpt2-next"
    assert both.about["head: kind"] == "next_sentence"
    assert 0 <= both.about["head: held-out accuracy"] <= 1


def test_a_heads_own_judgments_stand_before_the_models(heads):
    both = open_model(resolve(f"headed:fake,{heads('bert')}"))
    judge = open_model(resolve(str(heads("bert"))))
    np.testing.assert_array_equal(both.next_logprobs(PAIRS), judge.next_logprobs(PAIRS))
    assert isinstance(both, FillsBlanks)
    assert isinstance(both, Attends)
    assert isinstance(both, Continues)


def test_its_fingerprint_knows_both(heads):
    prints = {
        open_model(resolve(f"headed:{model},{head}")).fingerprint
        for model in ("fake:masked", "fake:level")
        for head in ("fake:next", heads("bert"))
    }
    assert len(prints) == 4


@pytest.mark.parametrize(
    ("reference", "error", "says"),
    [
        ("headed:gpt2", BadInput, "does not name a model and a head; write headed:MODEL,HEAD"),
        ("headed", BadInput, "headed:MODEL,HEAD"),
        ("headed:fake,", BadInput, "headed:MODEL,HEAD"),
        ("headed:,fake", BadInput, "headed:MODEL,HEAD"),
        ("headed:fake,fake:causal", CannotAnswer, "does not judge.*tiltmeter train next-sentence"),
        ("headed:fake,./nowhere", BadInput, "no such folder"),
        ("headed:./nowhere,fake:next", BadInput, "no such folder"),
    ],
)
def test_what_is_no_model_with_a_head_is_refused(reference, error, says):
    with pytest.raises(error, match=says):
        resolve(reference)
