"""Texts that are read side by side have the numbers of texts read alone, whatever their lengths."""

import numpy as np
import pytest

from support.fake_llama import VOCABULARY, FakeContext, FakeWeights, obvious_logprobs
from tiltmeter.models.llama_cpp import streams
from tiltmeter.models.llama_cpp.library import BATCH
from tiltmeter.models.llama_cpp.streams import FEWEST, Scored, Streams


@pytest.fixture(autouse=True)
def contexts(monkeypatch):
    """The contexts that were made, in order."""
    made = []

    def context(*arguments):
        made.append(FakeContext(*arguments))
        return made[-1]

    monkeypatch.setattr(streams, "LlamaContext", context)
    return made


def texts(seed, *, most=40, number=30):
    """Texts of any length, many of which begin alike, some the same or the beginning of another."""
    rng = np.random.default_rng(seed)
    beginnings = [tuple(rng.integers(0, VOCABULARY, size=n)) for n in (1, 5, 20)]
    made = []
    for _ in range(number):
        rest = rng.integers(0, VOCABULARY, size=rng.integers(1, most))
        whole = tuple(map(int, (*beginnings[rng.integers(3)], *rest)))
        first = int(rng.integers(0, len(whole) - 1))
        made.append(Scored(whole[:-1], first, whole[first + 1 :]))
    return [*made, made[0], Scored(made[1].read[:5], 0, made[1].read[1:6])]


@pytest.mark.parametrize("outputs", [16, 17, 400])
@pytest.mark.parametrize("bytes_a_cell", [2**12, 2**18, 2**30])
def test_side_by_side_is_as_alone(outputs, bytes_a_cell):
    asked = texts(outputs)
    for answer, text in zip(
        Streams(FakeWeights(outputs, bytes_a_cell), "m").logprobs(asked), asked, strict=True
    ):
        np.testing.assert_allclose(answer, obvious_logprobs(text), rtol=0, atol=1e-6)


def test_order_and_company_change_nothing():
    asked = texts(3)
    model = Streams(FakeWeights(), "m")
    whole = model.logprobs(asked)
    backwards = model.logprobs(asked[::-1])[::-1]
    half = model.logprobs(asked[::2])
    for one, other in zip(whole, backwards, strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(whole[::2], half, strict=True):
        np.testing.assert_array_equal(one, other)


def test_all_streams_of_a_pass_have_equally_many_rows_and_never_few(contexts):
    Streams(FakeWeights(), "m").logprobs(texts(5))
    passes = [lengths for context in contexts for lengths in context.passes]
    assert any(len(lengths) > 1 for lengths in passes)
    for lengths in passes:
        assert len(set(lengths.values())) == 1
        assert min(lengths.values()) >= FEWEST


def test_what_texts_begin_with_alike_is_read_once(contexts):
    begin = tuple(range(1, 41))
    asked = [Scored((*begin, k, k + 1), 40, (k + 1, 0)) for k in range(8)]
    Streams(FakeWeights(), "m").logprobs(asked)
    read = sum(sum(lengths.values()) for context in contexts for lengths in context.passes)
    assert read == 40 + 8 * FEWEST


def test_long_texts_are_read_in_parts(contexts):
    whole = tuple(k % VOCABULARY for k in range(2 * BATCH + 3))
    text = Scored(whole[:-1], 7, whole[8:])
    (answer,) = Streams(FakeWeights(outputs=100), "m").logprobs([text])
    np.testing.assert_allclose(answer, obvious_logprobs(text), rtol=0, atol=1e-6)
    assert len(contexts[0].passes) > 10


def test_a_text_that_needs_more_room_has_a_context_of_its_own(contexts):
    short = Scored((1, 2), 0, (2, 3))
    long = Scored(tuple(k % VOCABULARY for k in range(600)), 598, (3, 4))
    model = Streams(FakeWeights(bytes_a_cell=2**20), "m")
    assert len(model.logprobs([short, long])) == 2
    assert [(context.streams, context.cells) for context in contexts] == [(1, 1024), (2, 256)]
    assert Streams(FakeWeights(), "m", alone=True).room(10) == (1, 256)


def test_nothing_asked_is_nothing_answered():
    assert Streams(FakeWeights(), "m").logprobs([]) == []
    (answer,) = Streams(FakeWeights(), "m").logprobs([Scored((1, 2), 1, ())])
    assert answer.shape == (0,)
