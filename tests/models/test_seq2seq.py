"""Gaps with something behind them, in sequence-to-sequence models: against one text at a time."""

import json

import numpy as np
import pytest
import torch

from support.architectures import SEQ2SEQ, opened
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import (
    Chooses,
    Continues,
    EmbedsTokens,
    FillsGaps,
    Writes,
    WritesBeams,
)
from tiltmeter.core.model.questions import QUESTIONS
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models import fake, seq2seq
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

TEXTS = ["The old driver was slow and rude.", "She is a nurse; he is a pilot.", "He is late again"]
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module")
def get():
    return opened


def requests(model):
    """Each text with gaps of one and of two tokens, at its beginning, inside it, and at its end."""
    asked = []
    for tokens in model.encode(TEXTS):
        ids = tokens.ids
        for at, end in ((3, 4), (2, 4), (0, 1), (1, 3), (len(ids) - 1, len(ids))):
            asked.append(Continuation(ids[:at], ids[at:end], after=ids[end:]))
            asked.append(Continuation(ids[:at], (7, 8), after=ids[end:]))
    return asked


@torch.no_grad()
def slow(model, request):
    """The encoder's and the decoder's tokens written out."""
    inner, tokenizer = model._loaded.model, model._loaded.tokenizer
    named = tokenizer.convert_tokens_to_ids
    start, end = inner.config.decoder_start_token_id, named("</s>")
    if inner.config.model_type == "bart":
        before = request.context if request.after else ()
        source = [named("<s>"), *request.context, named("<mask>"), *request.after, end]
        target = [start, named("<s>"), *before, *request.ids]
    else:
        gap = named("<extra_id_0>")
        source = [*request.context, gap, *request.after, end]
        target = [start, gap, *request.ids]
    logits = inner(
        input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target])
    ).logits
    table = logits[0].double().log_softmax(-1)
    return [
        float(table[i - 1, target[i]]) for i in range(len(target) - len(request.ids), len(target))
    ]


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_gaps_equal_obvious_code_whatever_the_batch(get, kind):
    model = get(kind)
    assert isinstance(model, FillsGaps)
    asked = requests(model)
    expected = [slow(model, r) for r in asked]
    together = model.continuation_logprobs(asked)
    turned = model.continuation_logprobs(asked[::-1])[::-1]
    one_by_one = get(kind, batch_tokens=1).continuation_logprobs(asked)
    for answers in (together, turned, one_by_one):
        for answer, right in zip(answers, expected, strict=True):
            np.testing.assert_allclose(answer, right, **CLOSE)
    assert np.ptp(np.concatenate(expected)) > 0.5


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_what_stands_behind_matters(get, kind):
    model = get(kind)
    (tokens,) = model.encode(TEXTS[:1])
    asked = [Continuation(tokens.ids[:3], (7,), after=after) for after in ((9,), (11,))]
    one, other = model.continuation_logprobs(asked)
    assert abs(one[0] - other[0]) > 1e-4


def test_the_limit_counts_both_sides_of_the_gap(get):
    model = get("bart")
    half = model.limit // 2
    fits = Continuation((7,) * half, (8,), after=(9,) * (model.limit - half))
    assert np.isfinite(model.continuation_logprobs([fits])[0]).all()
    with pytest.raises(CannotAnswer, match="reads at most"):
        model.continuation_logprobs([Continuation((7,) * half, (8,), after=(9,) * (half + 2))])


def test_only_models_with_a_blank_for_it_fill_gaps(get, tmp_path):
    from tiltmeter.models import causal

    assert FillsGaps in resolve(str(get("t5")._loaded.folder)).answers
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "marian"}))
    assert seq2seq.answers(str(tmp_path)) == (Continues, EmbedsTokens, Writes, WritesBeams, Chooses)
    assert FillsGaps not in causal.answers(str(tmp_path))
    assert FillsGaps in fake.answers("")


def test_a_model_without_a_blank_says_so(get, monkeypatch):
    model = get("t5")
    monkeypatch.setattr(model, "_way", model._way._replace(blank=()))
    with pytest.raises(CannotAnswer, match="has no blank"):
        model.continuation_logprobs([Continuation((5,), (6,), after=(7,))])


def test_the_store_tells_gaps_apart_and_keeps_the_old_names():
    bare = Continuation((1, 2), (3,))
    question = QUESTIONS["continuation"]
    query = question.query()
    assert query.keys([bare])[0].hex() == "7d908c4399ffb17744e56406dc25aa70"
    others = [Continuation((1, 2), (3,), after=after) for after in ((4,), (5,), (4, 4))]
    assert len(set(query.keys([bare, *others]))) == 4
    assert question.sizes(None, [bare, *others]) == [4, 5, 5, 6]


def test_gaps_are_stored(get):
    model, store = get("mt5"), Store(None)
    asked = requests(model)
    first = CachedModel(model, store)
    assert isinstance(first, FillsGaps)
    found = first.continuation_logprobs(asked)
    for answer, r in zip(found, asked, strict=True):
        np.testing.assert_allclose(answer, slow(model, r), **CLOSE)
    again = CachedModel(model, store)
    for answer, right in zip(again.continuation_logprobs(asked), found, strict=True):
        np.testing.assert_array_equal(answer, right)
    assert again.asked == 0
