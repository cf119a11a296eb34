"""Models that judge pairs of sentences, against one pair at a time and obvious code."""

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from models.pairs_of_texts import HEAD, PAIRS, _load
from support.architectures import CAUSAL, MASKED, PERMUTATION
from support.next_heads import reading_pairs
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import JudgesNext
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

CLOSE = {"atol": 1e-5, "rtol": 1e-5}


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


def test_near_certain_answers_keep_their_order(heads, copied_head):
    weights = _load(copied_head)
    weights["bias"] += torch.tensor([25.0, 0.0])
    save_file(weights, copied_head / HEAD)
    sure = open_model(resolve(str(copied_head))).next_logprobs(PAIRS)
    usual = open_model(resolve(str(heads("bert")))).next_logprobs(PAIRS)
    assert (sure > -1e-6).all()
    assert (np.argsort(sure[:3]) == np.argsort(usual[:3])).all()
    assert len(set(sure[:3])) == 3


def test_the_fingerprint_knows_the_head(heads, copied_head):
    before = open_model(resolve(str(copied_head))).fingerprint
    assert open_model(resolve(str(heads("bert")))).fingerprint == before
    weights = _load(copied_head)
    weights["bias"] += 0.5
    save_file(weights, copied_head / HEAD)
    assert open_model(resolve(str(copied_head))).fingerprint != before


# ── What is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scheme", ["masked", "causal", "seq2seq"])
def test_a_head_is_never_asked_as_a_language_model(heads, scheme):
    with pytest.raises(CannotAnswer, match=r"trained next-sentence head.*next_sentence:"):
        resolve(f"{scheme}:{heads('bert')}")


def test_a_language_model_is_no_next_sentence_model(heads):
    with pytest.raises(CannotAnswer, match=r"is a causal language model.*causal:"):
        resolve(f"next_sentence:{heads('gpt2').parent / 'gpt2'}")


# ── headed:MODEL,HEAD ────────────────────────────────────────────────────────────────────────────
