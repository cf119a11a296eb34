"""GGUF files read in their own bits by llama.cpp, where its library is installed."""

import numpy as np
import pytest

from models.test_gguf import file, vocabulary
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing
from tiltmeter.core.model.protocols import Continues, StartsBare, Writes
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models import llama
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

__all__ = ["file", "vocabulary"]

TEXTS = ("he is here", "she was not here", "he is here again, and so is she", "a", "he is")


@pytest.fixture(scope="module")
def model(file):
    pytest.importorskip("llama_cpp")
    return open_model(resolve(f"llama:{file}"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (Options(precision="bfloat16"), "no precision can be chosen"),
        (Options(device="cuda"), "read by the processor"),
    ],
)
def test_what_it_does_not_take_is_refused(file, options, says):
    with pytest.raises(BadInput, match=says):
        llama.load(str(file), options, name="m")


def test_its_kind_is_known_before_it_is_opened(file):
    found = resolve(f"llama:{file}")
    assert {Continues, StartsBare, Writes} <= {*found.answers}
    assert found.name == f"llama:{file.name}"


def test_texts_beside_others_are_as_alone_and_near_those_in_float32(model, file):
    requests = [Continuation((), tokens.ids) for tokens in model.encode(TEXTS)]
    requests.append(Continuation(requests[2].ids[:2], requests[2].ids[2:], start=False))
    together = model.continuation_logprobs(requests)
    for request, answer in zip(requests, together, strict=True):
        (alone,) = model.continuation_logprobs([request])
        np.testing.assert_allclose(answer, alone, rtol=0, atol=1e-6)
    exact = open_model(resolve(str(file))).continuation_logprobs(requests)
    moved = np.concatenate(together) - np.concatenate(exact)
    assert 0 < np.abs(moved).max() < 0.3


def test_options_and_replies(model):
    prompt = Prompt((Message("user", "he is"),), chat=False)
    (options,) = model.choice_logprobs([Choosing(prompt, (" here", " not"))])
    assert options.shape == (2,)
    asked = [
        Writing(prompt, 6, temperature=temperature, repeat=n)
        for temperature in (0, 1)
        for n in (0, 1)
    ]
    replies = model.write(asked)
    assert replies[0] == replies[1]
    assert model.write(asked[::-1]) == replies[::-1]
    assert all(reply.tokens_out <= 6 for reply in replies)


def test_the_card_says_what_it_is(model):
    assert model.about["kind"] == "gguf in its own bits"
    assert "8 bits" in model.about["precision"]
    assert "0.3.36" in model.about["libraries"]
    assert "MiB" in model.about["cache"]


def test_damaged_files_are_refused(file, tmp_path):
    pytest.importorskip("llama_cpp")
    whole = file.read_bytes()
    damaged = tmp_path / "damaged.gguf"
    for content in (whole[: len(whole) // 2], whole[:100], b"GGUF" + b"\xff" * 400):
        damaged.write_bytes(content)
        with pytest.raises(Unavailable, match="damaged"):
            llama.load(str(damaged), Options(), name="m")
