"""The last layer is computed only where it is read, by the library's own code."""

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.core.model.batches import STEP
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed.vocabulary_projector import TopLayer

KINDS = ("bert", "electra", "roberta", "xlmr")
TEXTS = ["The old driver was slow and the young clerk was rude.", "He is a nurse.", "She sang."]


def opened(kind, folder):
    return open_model(resolve(str(build(kind, folder))), Options(device="cpu"))


def last_layer(model):
    return model._loaded.model.base_model.encoder.layer[-1]


def watched(model):
    """Shapes of what the last layer's feed-forward part is given."""
    shapes = []
    last_layer(model).intermediate.register_forward_hook(
        lambda _, given, __: shapes.append(tuple(given[0].shape[:2]))
    )
    return shapes


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_is_read_is_computed(kind, tmp_path, monkeypatch):
    model = opened(kind, tmp_path)
    encoded = model.encode(TEXTS)
    requests = [Blanked(t.ids, (i,), (i,)) for t in encoded for i in range(1, len(t.ids) - 1)]
    shapes = watched(model)
    found = model.blank_logprobs(requests)
    assert len(requests) <= sum(rows for rows, _ in shapes) < len(requests) + STEP * len(shapes)
    assert {reads for _, reads in shapes} == {1}
    monkeypatch.setattr(TopLayer, "read", lambda _, places, __: places)
    shapes.clear()
    whole = model.blank_logprobs(requests)
    assert {reads for _, reads in shapes} != {1}
    np.testing.assert_allclose(np.concatenate(found), np.concatenate(whole), rtol=1e-5, atol=1e-5)


def test_rows_may_read_different_numbers_of_places(tmp_path):
    model = opened("bert", tmp_path)
    long, short, _ = model.encode(TEXTS)
    asked = [
        Blanked(long.ids, (1, 5), (1, 5, 7)),
        Blanked(short.ids, (2,), (2,)),
        Blanked(long.ids, (), (3,)),
        Blanked(long.ids, (4,), ()),
    ]
    shapes = watched(model)
    together = model.blank_logprobs(asked)
    assert max(reads for _, reads in shapes) == 3
    for request, found in zip(asked, together, strict=True):
        (alone,) = model.blank_logprobs([request])
        np.testing.assert_allclose(found, alone, rtol=1e-5, atol=1e-5)


def test_a_last_row_of_which_nothing_is_read(tmp_path):
    model = opened("bert", tmp_path)
    long, short, _ = model.encode(TEXTS)
    (alone,) = model.blank_logprobs([Blanked(long.ids, (2,), (2,))])
    found, nothing = model.blank_logprobs(
        [Blanked(long.ids, (2,), (2,)), Blanked(short.ids, (1,), ())]
    )
    np.testing.assert_allclose(found, alone, rtol=1e-5, atol=1e-5)
    assert nothing.shape == (0,)


def test_where_most_is_read_all_is_computed(tmp_path):
    model = opened("bert", tmp_path)
    (tokens, *_) = model.encode(TEXTS)
    shapes = watched(model)
    model.blank_logprobs([Blanked(tokens.ids, (), tuple(range(len(tokens.ids))))])
    assert shapes == [(1, len(tokens.ids))]


def test_attention_is_that_of_all_positions(tmp_path):
    model = opened("bert", tmp_path)
    (tokens, *_) = model.encode(TEXTS)
    shapes = watched(model)
    (both,) = model.attended_logprobs([Blanked(tokens.ids, (), (1, 2))])
    assert shapes == [(1, len(tokens.ids))]
    (whole,) = model.attended_logprobs([Blanked(tokens.ids, (), tuple(range(len(tokens.ids))))])
    np.testing.assert_allclose(both, whole[:, 1:3], rtol=1e-5, atol=1e-6)


def test_a_layer_that_is_called_otherwise_is_left_alone():
    class Layer:
        def forward(self, states, *, attention_mask=None):
            return states, attention_mask

    layer = Layer()
    TopLayer(layer)
    assert layer.forward(1, attention_mask=2) == (1, 2)  # as Longformer and ESM call theirs
