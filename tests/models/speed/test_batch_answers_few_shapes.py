"""Batches are filled up to shapes of which there are few, and that changes nothing."""

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import packed_weights

TEXTS = [
    f"the old man {'and the boy ' * (k % 3)}sang {'slowly ' * (k % 2)}again" for k in range(19)
]


@pytest.mark.parametrize("kind", ["bert", "albert", "gpt2", "t5", "xlnet"])
def test_the_numbers_stay_the_same(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(packed_weights, "no_float32", lambda: "")  # oneDNN, on any processor
    model = open_model(resolve(str(build(kind, tmp_path))), Options(device="cpu"))
    encoded = model.encode(TEXTS)
    if hasattr(model, "blank_logprobs"):
        ask = model.blank_logprobs
        asked = [Blanked(t.ids, (k % 4,), (k % 4,)) for k, t in enumerate(encoded)]
    else:
        ask = model.continuation_logprobs
        asked = [Continuation((), t.ids[: 4 + k % 5]) for k, t in enumerate(encoded)]
    rows = []
    model._loaded.model.register_forward_hook(
        lambda _, __, given, ___: rows.append(given["input_ids"].shape[0]), with_kwargs=True
    )
    found = ask(asked)
    assert all(n % 16 == 0 or n & (n - 1) == 0 for n in rows)
    monkeypatch.setattr(model._loaded, "few_shapes", False)
    rows.clear()
    for before, after in zip(found, ask(asked), strict=True):
        np.testing.assert_allclose(before, after, rtol=1e-5, atol=1e-5)
