"""A causal model reads what texts have in common once, and says what it says of each alone."""

import numpy as np
import pytest

from architectures import CAUSAL, build
from tiltmeter.core.asks import Continuation
from tiltmeter.models import _rows, causal
from tiltmeter.models._open import Options, open_model, resolve

TEXTS = [
    "The old driver was slow and the young clerk was rude.",
    "The old driver was slow and the young clerk was late again.",
    "The old driver was slow",
    "The old driver sang.",
    "He is a nurse.",
    "She is a pilot.",
    "The",
]


def opened(kind, folder, precision="float32"):
    return open_model(resolve(str(build(kind, folder))), Options(device="cpu", precision=precision))


def requests_of(model):
    tokens = [t.ids for t in model.encode(TEXTS)]
    whole = [Continuation((), ids) for ids in tokens]
    later = [Continuation(ids[:2], ids[2:]) for ids in tokens]
    bare = [Continuation(ids[:1], ids[1:], start=False) for ids in tokens]
    return [*whole, *later, *bare]


@pytest.mark.parametrize("kind", CAUSAL)
def test_shared_equals_alone(kind, tmp_path):
    model = opened(kind, tmp_path)
    assert model.shared_row > 0
    asked = requests_of(model)
    together = model.continuation_logprobs(asked)
    model.shared_row = 0
    for request, found in zip(asked, together, strict=True):
        (alone,) = model.continuation_logprobs([request])
        assert found.shape == (len(request.ids),)
        np.testing.assert_allclose(found, alone, rtol=1e-4, atol=1e-4)


def test_fewer_tokens_are_read(tmp_path, monkeypatch):
    model = opened("gpt2", tmp_path)
    read = []
    real = _rows.Rows.__init__

    def counting(self, *given):
        real(self, *given)
        read.append(self.ids.size)

    monkeypatch.setattr(_rows.Rows, "__init__", counting)
    asked = requests_of(model)[:2]
    model.continuation_logprobs(asked)
    lengths = [len(request.ids) for request in asked]
    common = next(
        i for i, (a, b) in enumerate(zip(asked[0].ids, asked[1].ids, strict=False)) if a != b
    )
    assert sum(read) == 1 + sum(lengths) - common - 2  # the start token; no last token is read


def test_what_stands_beside_is_not_seen():
    row = _rows.Rows(
        [(0, 1, 2, 3, 9), (0, 1, 4, 5, 9)], causal.families([(0, 1, 2, 3, 9), (0, 1, 4, 5, 9)], 99)
    )
    assert row.ids.tolist() == [[0, 1, 2, 3, 4, 5]]
    assert row.positions.tolist() == [[0, 1, 2, 3, 2, 3]]
    assert row.sight()[0].astype(int).tolist() == [
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0],
        [1, 1, 1, 1, 0, 0],
        [1, 1, 0, 0, 1, 0],
        [1, 1, 0, 0, 1, 1],
    ]
    assert row.before == [(0, [0, 1, 2, 3]), (0, [0, 1, 4, 5])]


@pytest.mark.parametrize("fault", ["positions", "sight"])
def test_a_model_that_answers_otherwise_reads_each_alone(fault, tmp_path, monkeypatch):
    def wrong(self):
        width = self.ids.shape[1]
        return np.broadcast_to(np.tri(width, dtype=bool), (len(self.ids), width, width))

    if fault == "sight":
        monkeypatch.setattr(_rows.Rows, "sight", wrong)
    else:
        real = _rows.Rows.__init__

        def shifted(self, *given):
            real(self, *given)
            self.positions = self.positions * 0 + np.arange(self.ids.shape[1])

        monkeypatch.setattr(_rows.Rows, "__init__", shifted)
    assert opened("gpt2", tmp_path).shared_row == 0


def test_reduced_precision_shares_too(tmp_path):
    assert opened("llama", tmp_path, "bfloat16").shared_row > 0


def test_a_window_bounds_the_row():
    class Config:
        def to_dict(self):
            return {"sliding_window": 48, "hidden_size": 8, "use_sliding_window": True}

    assert causal._longest_shared(Config(), 100) == 48
    assert causal._longest_shared(Config(), 20) == 20
