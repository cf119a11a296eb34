"""What a causal model's last layer gives, against all logits of one text at a time."""

from functools import cache

import numpy as np
import pytest
import torch

from support.architectures import CAUSAL, SIZE, build, opened
from support.least_logit_changes import logit_change
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import ReadsNext
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.hf import quiet
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import readout

TEXTS = ["He is a nurse and he was", "The old driver was slow and the young clerk", "She was"]
CLOSE = {"rtol": 1e-4, "atol": 1e-4}


@pytest.fixture(scope="module")
def get():
    return opened


@cache
def plain(folder):
    """The library's own model, which no back-end has touched."""
    from transformers import AutoModelForCausalLM

    with quiet():
        return AutoModelForCausalLM.from_pretrained(folder).eval()


def requests(model):
    """Traits of one and more pieces after the same texts, some of which begin alike; no context; no start."""
    asked = []
    for tokens in model.encode(TEXTS):
        ids = tokens.ids
        asked += [Continuation(ids, (token,)) for token in range(5, 12)]
        asked += [Continuation(ids, (7, token)) for token in (5, 6, 7)]
        asked += [Continuation(ids, (7, 8, 9)), Continuation(ids[:-1], (ids[-1], 7, 8))]
        asked += [Continuation((), ids), Continuation(ids[:1], ids[1:], start=False)]
    return asked


@torch.no_grad()
def slow(model, request, margin=1.0):
    """(distance of the logits, length of h) at each place."""
    inner = plain(model._loaded.folder)
    whole = [*([model._start] if request.start else []), *request.context, *request.ids]
    states = []
    layer = inner.get_output_embeddings()
    hook = layer.register_forward_pre_hook(lambda _, given: states.append(given[0][0].double()))
    logits = inner(input_ids=torch.tensor([whole])).logits[0].double().numpy()
    hook.remove()
    at = np.arange(len(whole) - len(request.ids), len(whole))
    distances = logit_change(logits[at - 1], np.array(whole)[at], margin=margin)
    return np.array([distances, states[0].norm(dim=-1).numpy()[at - 1]])


def same(answers, expected, **near):
    for answer, right in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, right, **(near or CLOSE))


@pytest.mark.parametrize("kind", CAUSAL)
def test_every_causal_model_equals_all_logits_one_text_at_a_time(get, kind):
    model = get(kind)
    assert isinstance(model, ReadsNext)
    asked = requests(model)
    expected = [slow(model, r) for r in asked]
    same(model.next_readout(asked), expected)
    assert np.ptp(np.concatenate(expected, axis=1)[0]) > 1  # tokens differ
    same(model.next_readout(asked, margin=4.0), [slow(model, r, 4.0) for r in asked])
    with pytest.raises(BadInput, match="not above 0"):
        model.next_readout(asked, margin=0)


def test_batch_size_order_and_sharing_change_nothing(get, monkeypatch):
    model = get("gpt2")
    asked = requests(model)
    usual = get("gpt2", batch_tokens=100_000).next_readout(asked)
    one_by_one = get("gpt2", batch_tokens=1).next_readout(asked)
    turned = model.next_readout(asked[::-1])[::-1]
    alone = [model.next_readout([r])[0] for r in asked]
    assert model.shared_row
    monkeypatch.setattr(model, "shared_row", 0)
    unshared = model.next_readout(asked)
    for others in (one_by_one, turned, alone, unshared):
        same(others, usual, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shared", [True, False])
def test_traits_after_one_text_share_a_row_of_logits(get, monkeypatch, shared):
    model = get("gpt2")
    if not shared:
        monkeypatch.setattr(model, "shared_row", 0)
    (tokens,) = model.encode(TEXTS[:1])
    asked = [Continuation(tokens.ids, (token,)) for token in range(5, 37)]
    asked += [Continuation(tokens.ids, (9, token)) for token in range(5, 20)]
    rows, shapes = [], []
    model.next_readout(asked[:1])  # the first time, a row is read once more: are the logits Ah + b?
    inner, real = model._loaded.model, readout.distances
    hook = inner.register_forward_pre_hook(
        lambda _, __, given: rows.append(given["input_ids"].shape), with_kwargs=True
    )
    monkeypatch.setattr(
        readout, "distances", lambda *given: shapes.append(given[0].shape) or real(*given)
    )
    model.next_readout(asked)
    hook.remove()
    length = 1 + len(tokens.ids)  # the start token; after it, one of the texts goes on by a piece
    assert rows == ([(1, model._loaded.filled(length + 1))] if shared else [(2, length + 1)])
    assert shapes == [(2, inner.config.vocab_size)]


def test_nothing_asked_is_nothing_answered(get):
    model = get("gpt2")
    asked = [Continuation((5, 6), ids) for ids in ((), (7,), ())]
    assert [a.shape for a in model.next_readout(asked)] == [(2, 0), (2, 1), (2, 0)]
    assert [a.shape for a in model.next_readout(asked[:1])] == [(2, 0)]
    assert model.next_readout([]) == []


def test_likelihoods_are_answered_as_before(get):
    model = get("qwen2")
    asked = requests(model)
    before = model.continuation_logprobs(asked)
    model.next_readout(asked)
    for answer, right in zip(model.continuation_logprobs(asked), before, strict=True):
        np.testing.assert_array_equal(answer, right)


def test_what_stands_behind_a_gap_is_refused(get):
    asked = [Continuation((5, 6), (7,), after=(8,))]
    for ask in (get("gpt2").next_readout, get("gpt2").continuation_logprobs):
        with pytest.raises(CannotAnswer, match="from left to right"):
            ask(asked)


def made(kind, folder):
    """A model whose logits are more than Ah, with the Llama tokenizer of the others."""
    import transformers as t

    wide = {
        "vocab_size": len(t.AutoTokenizer.from_pretrained(build("llama", folder))),
        "hidden_size": SIZE,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "intermediate_size": 48,
        "max_position_embeddings": 64,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }
    torch.manual_seed(3)
    if kind == "gemma2":
        model = t.Gemma2ForCausalLM(t.Gemma2Config(**wide, head_dim=16))
    elif kind == "cohere":
        model = t.CohereForCausalLM(t.CohereConfig(**wide))
    else:
        model = t.PhiForCausalLM(t.PhiConfig(**wide))
        torch.nn.init.uniform_(model.lm_head.bias, -2, 2)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(10)
    with quiet():
        model.eval().save_pretrained(folder)
    return open_model(resolve(str(folder)))


@pytest.mark.parametrize("kind", ["gemma2", "cohere"])
def test_logits_that_are_squashed_or_scaled_are_refused(kind, tmp_path):
    model = made(kind, tmp_path / kind)
    asked = requests(model)
    assert len(model.continuation_logprobs(asked)) == len(asked)
    with pytest.raises(CannotAnswer, match="not defined"):
        model.next_readout(asked)


def test_a_bias_is_part_of_the_logits(tmp_path):
    model = made("phi", tmp_path / "phi")
    asked = requests(model)
    same(model.next_readout(asked), [slow(model, r) for r in asked])


def test_reduced_precision_is_near_enough_for_the_check(get):
    asked = requests(get("llama"))
    exact = np.concatenate(get("llama").next_readout(asked), axis=1)
    rough = np.concatenate(get("llama", precision="bfloat16").next_readout(asked), axis=1)
    np.testing.assert_allclose(rough, exact, rtol=0.1, atol=0.5)


def test_answers_are_remembered_for_each_margin(get):
    from tiltmeter.run.stored_answers.cached_model import CachedModel
    from tiltmeter.run.stored_answers.store import Store

    model, store = get("gpt2"), Store(None)
    asked = requests(model)
    first = CachedModel(model, store)
    assert isinstance(first, ReadsNext)
    same(first.next_readout(asked), model.next_readout(asked), rtol=1e-5, atol=1e-5)
    again = CachedModel(model, store)
    for answer, right in zip(again.next_readout(asked), first.next_readout(asked), strict=True):
        np.testing.assert_array_equal(answer, right)
    assert (again.asked, again.recalled) == (0, len(set(asked)))
    wider = again.next_readout(asked, margin=2)
    assert again.asked == len(set(asked))
    assert all((b[0] >= a[0]).all() for a, b in zip(first.next_readout(asked), wider, strict=True))
    assert again.continuation_logprobs(asked[:1])[0].shape == (1,)


def test_the_fake_model_answers_too():
    from tiltmeter.models import fake

    for location in ("", "causal", "level"):
        model = fake.load(location)
        assert isinstance(model, ReadsNext)
        assert ReadsNext in fake.answers(location)
        asked = [Continuation(t.ids[:1], t.ids[1:3]) for t in model.encode(TEXTS)]
        found = zip(model.next_readout(asked), model.continuation_logprobs(asked), strict=True)
        for answer, row in found:
            np.testing.assert_array_equal(answer, [1 - row, [10] * len(row)])
    assert not isinstance(fake.load("masked"), ReadsNext)


def test_models_in_one_file_are_causal_models():
    from tiltmeter.models import gguf

    assert ReadsNext in gguf.answers("any.gguf")


def test_logits_of_all_places_are_made_of_one_row_only(tmp_path):
    """Of a whole batch, with a large vocabulary, they would not fit into the memory."""
    model = open_model(resolve(str(build("gpt2", tmp_path / "gpt2"))), Options())
    asked = requests(model)
    seen = []
    layer = model._loaded.model.get_output_embeddings()
    hook = layer.register_forward_hook(lambda _, __, logits: seen.append(logits.shape[:-1]))
    model.next_readout(asked)
    hook.remove()
    checked, _, *batches = seen
    assert checked[0] == 1
    assert batches[0] == (1, 1)
