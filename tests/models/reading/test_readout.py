"""What the last layer gives, against the published way: the whole matrix, one sentence at a time."""

from functools import cache

import numpy as np
import pytest
import torch

from support.architectures import MASKED, build
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import ReadsOut
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models.opening.hf import quiet
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import readout
from tiltmeter.models.reading.readout import distances

TEXTS = ["He is a nurse.", "The old driver was slow and the young clerk was rude.", "She was late"]


@pytest.fixture(scope="module")
def get(tmp_path_factory):
    opened = {}

    def one(kind, **options):
        key = (kind, *sorted(options.items()))
        if key not in opened:
            folder = tmp_path_factory.getbasetemp() / f"readout-{kind}"
            if not folder.exists():
                build(kind, folder)
                add_bias(folder)
            made = Options(**options)
            opened[key] = open_model(resolve(str(folder), made), made)
        return opened[key]

    return one


@cache
def plain(folder):
    """The library's own model, which no back-end has touched."""
    from transformers import AutoModelForMaskedLM

    with quiet():
        return AutoModelForMaskedLM.from_pretrained(folder).eval()


def add_bias(folder):
    """New models have a bias of 0, which would hide a mistake in how it is treated."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    vocabulary = max(len(w) for w in weights.values())
    for name, values in weights.items():
        if "bias" in name and len(values) == vocabulary:
            weights[name] = torch.linspace(-2, 2, vocabulary)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def requests(model):
    """One blank and several candidates for it; two blanks; nothing hidden; several places read."""
    asked = []
    for tokens in model.encode(TEXTS):
        ids = tokens.ids
        asked += [Blanked((*ids[:2], token, *ids[3:]), (2,), (2,)) for token in range(5, 12)]
        asked.append(Blanked(ids, (1, 2), (1,)))
        asked.append(Blanked(ids, (), tuple(range(len(ids)))))
        asked.append(Blanked(ids, (3, 1), (3, 2)))
    return asked


def squished(values):
    """The projection in a loop: values[0] meets the others, which stand in falling order."""
    level, k = values[0], 1
    while k < len(values) and values[k] > level:
        level = (level * k + values[k]) / (k + 1)
        k += 1
    return np.array([level] * k + [*values[k:]])


def changed(weights, state, target, margin=1.0):
    """The nearest matrix under which `target` leads by the margin."""
    logits = weights @ state
    over = (logits - logits[target] + margin) / (state @ state)
    over[target] = 0
    others = [j for j in np.argsort(-over) if j != target]
    order = [target, *others]
    moves = np.zeros(len(over))
    moves[order] = squished(over[order]) - over[order]
    return weights + np.outer(moves, state)


@torch.no_grad()
def slow(model, request, margin=1.0):
    """(distance of the logits, length of h) at each place, from explicit weights and bias."""
    inner = plain(model._loaded.folder)
    ids = torch.tensor([request.ids])
    ids[0, list(request.hidden)] = model._mask
    seen = []
    layer = inner.get_output_embeddings()
    hook = layer.register_forward_pre_hook(lambda _, given: seen.append(given[0][0].double()))
    logits = inner(input_ids=ids).logits[0].double().numpy()
    hook.remove()
    states = seen[0].numpy()
    both = torch.cat([layer.weight, layer.bias[:, None]], dim=1).double().numpy()
    assert np.ptp(both[:, -1]) > 3
    found = []
    for at in request.read:
        state = np.append(states[at], 1)
        np.testing.assert_allclose(both @ state, logits[at], atol=1e-4)
        new = changed(both, state, request.ids[at], margin)
        led = np.delete(new @ state, request.ids[at])
        assert (new @ state)[request.ids[at]] >= led.max() + margin - 1e-9
        distance = np.linalg.norm(new - both) * np.linalg.norm(state)
        found.append((distance, np.linalg.norm(states[at])))
    return np.array(found).T


@pytest.mark.parametrize("kind", MASKED)
def test_every_masked_model_equals_the_published_way(get, kind):
    model = get(kind)
    assert isinstance(model, ReadsOut)
    asked = requests(model)
    expected = [slow(model, r) for r in asked]
    for answer, right in zip(model.readout(asked), expected, strict=True):
        np.testing.assert_allclose(answer, right, rtol=1e-4, atol=1e-4)
    assert np.ptp(np.concatenate(expected, axis=1)[0]) > 1  # tokens differ


def test_the_margin_is_the_one_given(get):
    model = get("bert")
    asked = requests(model)[:4]
    for margin in (0.1, 5.0):
        for answer, r in zip(model.readout(asked, margin=margin), asked, strict=True):
            np.testing.assert_allclose(answer, slow(model, r, margin), rtol=1e-4)
    with pytest.raises(BadInput, match="not above 0"):
        model.readout(asked, margin=0)


def test_batch_size_order_and_blocks_change_nothing(get, monkeypatch):
    asked = requests(get("roberta"))
    usual = get("roberta", batch_tokens=100_000).readout(asked)
    one_by_one = get("roberta", batch_tokens=1).readout(asked)
    turned = get("roberta").readout(asked[::-1])[::-1]
    monkeypatch.setattr(readout, "LOGITS", {})
    monkeypatch.setattr(readout, "FEWEST", 1)
    in_blocks = get("roberta").readout(asked)
    monkeypatch.setattr(readout, "PROJECTED", 1)
    row_by_row = get("roberta").readout(asked)
    for others in (one_by_one, turned, in_blocks, row_by_row):
        for answer, right in zip(others, usual, strict=True):
            np.testing.assert_allclose(answer, right, rtol=1e-5, atol=1e-5)


def test_candidates_for_one_blank_share_a_row_of_logits(get, monkeypatch):
    model = get("bert")
    (tokens,) = model.encode(TEXTS[:1])
    asked = [Blanked((*tokens.ids[:2], t, *tokens.ids[3:]), (2,), (2,)) for t in range(5, 40)]
    rows, shapes = [], []
    model.readout(asked[:1])  # the first time, a row is read once more: are the logits Ah + b?
    inner = model._loaded.model
    hook = inner.register_forward_pre_hook(
        lambda _, __, given: rows.append(given["input_ids"].shape), with_kwargs=True
    )
    real = readout.distances
    monkeypatch.setattr(
        readout, "distances", lambda *given: shapes.append(given[0].shape) or real(*given)
    )
    model.readout(asked)
    hook.remove()
    assert rows == [(1, len(tokens.ids))]
    assert shapes == [(1, inner.config.vocab_size)]


def test_nothing_read_is_nothing_answered(get):
    model = get("bert")
    (tokens,) = model.encode(TEXTS[:1])
    asked = [Blanked(tokens.ids, (1,), read) for read in ((), (1,), ())]
    assert [answer.shape for answer in model.readout(asked)] == [(2, 0), (2, 1), (2, 0)]
    assert [answer.shape for answer in model.readout(asked[:1])] == [(2, 0)]
    assert model.readout([]) == []


def test_other_questions_are_answered_as_before(get):
    model = get("bert")
    asked = requests(model)
    before = model.blank_logprobs(asked)
    model.readout(asked)
    for answer, right in zip(model.blank_logprobs(asked), before, strict=True):
        np.testing.assert_array_equal(answer, right)


def test_logits_that_are_not_linear_in_h_are_refused(tmp_path):
    model = open_model(resolve(str(build("bert", tmp_path / "bert"))))
    layer = model._loaded.model.get_output_embeddings()
    layer.register_forward_hook(lambda _, __, logits: logits)
    assert len(model.readout(requests(model)[:1])) == 1
    model = open_model(resolve(str(tmp_path / "bert")))
    head = model._loaded.model.cls
    head.register_forward_hook(lambda _, __, logits: 30 * torch.tanh(logits / 30))
    with pytest.raises(CannotAnswer, match="not defined"):
        model.readout(requests(model)[:1])
    model._last_layer._layer = None
    with pytest.raises(CannotAnswer, match="no last layer"):
        model.readout(requests(model)[:1])


@pytest.mark.parametrize("width", [1, 2, 3, 17])
@pytest.mark.parametrize("margin", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("highest", [1, 2, 5, 512])
def test_sorting_once_equals_solving_each_row(width, margin, highest, monkeypatch):
    from support.least_logit_changes import logit_change

    monkeypatch.setattr(readout, "HIGHEST", highest)
    rng = np.random.default_rng(width)
    logits = rng.normal(scale=3, size=(6, width)).astype(np.float32)
    logits[:3] = logits[:3].round()  # ties
    at = np.repeat(np.arange(6), width)
    true = np.tile(np.arange(width), 6)
    found = distances(*map(torch.from_numpy, (logits, at, true)), margin)
    np.testing.assert_allclose(found, logit_change(logits[at], true, margin=margin), atol=1e-12)


@pytest.mark.parametrize("scale", [0.0, 0.01, 3.0])
def test_the_highest_logits_give_the_same_bits_as_all(scale, monkeypatch):
    """Nearly equal logits come down in hundreds, so that some need all of them."""
    rng = np.random.default_rng(0)
    logits = torch.from_numpy(rng.normal(scale=scale, size=(4, 3000)).astype(np.float32))
    true = torch.from_numpy(rng.integers(0, 3000, 40))
    args = (logits, torch.arange(40) % 4, true, 1.0)
    sorted_widths, real = [], readout._descending
    monkeypatch.setattr(
        readout, "_descending", lambda *given: sorted_widths.append(given[1]) or real(*given)
    )
    few = distances(*args)
    assert sorted_widths == [512] if scale == 3.0 else [512, 3000]
    monkeypatch.setattr(readout, "HIGHEST", 3000)
    np.testing.assert_array_equal(few, distances(*args))


def test_impossible_tokens_count_for_nothing():
    logits = torch.tensor([[2.0, 1.0, 0.5, -1.0, -torch.inf, -torch.inf]])
    args = (torch.zeros(4, dtype=torch.long), torch.arange(4), 1.0)
    np.testing.assert_array_equal(distances(logits, *args), distances(logits[:, :4], *args))


def test_answers_are_remembered_for_each_margin(get):
    from tiltmeter.run.stored_answers.cached_model import CachedModel
    from tiltmeter.run.stored_answers.store import Store

    model, store = get("bert"), Store(None)
    asked = requests(model)
    first = CachedModel(model, store)
    assert isinstance(first, ReadsOut)
    for answer, right in zip(first.readout(asked), model.readout(asked), strict=True):
        np.testing.assert_allclose(answer, right, rtol=1e-5, atol=1e-5)
    again = CachedModel(model, store)
    for answer, right in zip(again.readout(asked), first.readout(asked), strict=True):
        np.testing.assert_array_equal(answer, right)
    assert (again.asked, again.recalled) == (0, len(set(asked)))
    wider = again.readout(asked, margin=2)
    assert again.asked == len(set(asked))
    assert all((b[0] >= a[0]).all() for a, b in zip(first.readout(asked), wider, strict=True))
    assert again.blank_logprobs(asked[:1])[0].shape == (1,)


def test_the_fake_model_answers_too():
    from tiltmeter.models import fake

    for location in ("", "masked", "level"):
        model = fake.load(location)
        assert isinstance(model, ReadsOut)
        assert ReadsOut in fake.answers(location)
        asked = [Blanked(t.ids, (1,), (1, 2)) for t in model.encode(TEXTS)]
        for answer, row in zip(model.readout(asked), model.blank_logprobs(asked), strict=True):
            np.testing.assert_array_equal(answer, [1 - row, [10, 10]])
    assert not isinstance(fake.load("causal"), ReadsOut)
