"""Batches that the memory does not hold are halved; the answers are the same."""

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.core.errors import Unavailable
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

TEXTS = [f"the old man {'and the boy ' * k}sang" for k in range(5)]


def opened(kind, folder):
    return open_model(resolve(str(build(kind, folder))), Options())


def small(model, most, error):
    """As if only batches of so many requests fitted."""
    whole = model._batch

    def batch(requests):
        if len(requests) > most:
            raise error
        return whole(requests)

    model._batch = batch


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"),
        MemoryError(),
    ],
    ids=["cuda", "cpu", "numpy"],
)
@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_halved_batches_give_the_same_answers(kind, error, tmp_path):
    model = opened(kind, tmp_path)
    encoded = model.encode(TEXTS)
    if kind == "bert":
        ask = model.blank_logprobs
        requests = [Blanked(t.ids, (i,), (i,)) for t in encoded for i in range(1, len(t.ids) - 1)]
    else:
        ask = model.continuation_logprobs
        requests = [Continuation((), t.ids) for t in encoded]
    expected = ask(requests)
    assert "batches" not in model.about
    small(model, 2, error)
    for found, before in zip(ask(requests), expected, strict=True):
        np.testing.assert_allclose(found, before, atol=1e-4)
    assert "halved" in model.about["batches"]
    small(model, 0, error)
    with pytest.raises(Unavailable, match="a single text does not fit"):
        ask(requests)


def test_other_errors_are_not_taken_for_it(tmp_path):
    model = opened("bert", tmp_path)
    small(model, 0, RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    (tokens,) = model.encode(["he is here"])
    with pytest.raises(RuntimeError, match="mat1"):
        model.blank_logprobs([Blanked(tokens.ids, (1,), (1,))])
