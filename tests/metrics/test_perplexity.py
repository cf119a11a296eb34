"""Perplexity and bits per byte against sums that anyone can do, and what holds of both."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.perplexity import bits_per_byte, infer_bits, infer_perplexity, perplexity

ROWS = st.lists(
    st.tuples(st.floats(-200, 0, allow_subnormal=False), st.integers(1, 40)),
    min_size=1,
    max_size=20,
)


def columns(rows):
    logprob, size = zip(*rows, strict=True)
    return np.array(logprob, dtype=np.float64), np.array(size, dtype=np.float64)


def test_tokens_count_alike_whatever_sentence_they_stand_in():
    # one token of 1/16 and three of 1/2: 1/128 over 4 tokens
    found = perplexity(np.log([1 / 16, 1 / 8]), np.array([1.0, 3.0]))
    assert found == pytest.approx(128**0.25)
    assert bits_per_byte(np.log([1 / 16, 1 / 8]), np.array([4.0, 10.0])) == pytest.approx(7 / 14)


@given(rows=ROWS)
def test_against_obvious_code(rows):
    nats = -sum(p for p, _ in rows) / sum(n for _, n in rows)
    assert perplexity(*columns(rows)) == pytest.approx(math.exp(nats))
    assert bits_per_byte(*columns(rows)) == pytest.approx(nats / math.log(2))


@given(rows=ROWS, cut=st.integers(1, 5))
def test_bits_do_not_feel_how_text_is_cut_and_perplexity_does(rows, cut):
    logprob, size = columns(rows)
    assert perplexity(logprob, cut * size) == pytest.approx(perplexity(logprob, size) ** (1 / cut))


@pytest.mark.parametrize("metric", [perplexity, bits_per_byte])
def test_what_has_no_value(metric):
    with pytest.raises(Undefined, match="no sentences"):
        metric(np.array([]), np.array([]))
    with pytest.raises(Undefined, match="1 of 2 sentences has a probability"):
        metric(np.array([-1.0, -np.inf]), np.array([1.0, 1.0]))
    with pytest.raises(BadInput, match="but 2 sizes"):
        metric(np.array([-1.0]), np.array([1.0, 1.0]))


def test_more_than_a_number_can_hold():
    with pytest.raises(Undefined, match="800 nats per token"):
        perplexity(np.array([-800.0]), np.array([1.0]))


def test_whole_documents_are_drawn():
    """Fifty documents of sentences of 1 or 3 bits a token: resamples have a binomial number of either."""
    logprob = np.log(np.repeat([1 / 2, 1 / 8], 50))
    one, names = np.ones(100), np.repeat(np.arange(50), 2)
    rng = np.random.default_rng(0)
    found = infer_perplexity(Sample(perplexity, [logprob, one], names, rng))
    far = 2.0096 / 49**0.5  # Student's t with 49 degrees of freedom
    assert (found.low, found.high) == pytest.approx((2 ** (2 - far), 2 ** (2 + far)), rel=0.03)
    assert "documents" in found.interval
    bits = infer_bits(Sample(bits_per_byte, [logprob, one], names, rng))
    assert (bits.low, bits.high) == pytest.approx((2 - far, 2 + far), rel=0.03)
    few = infer_bits(Sample(bits_per_byte, [logprob, one], np.repeat(np.arange(20), 5), rng))
    assert (few.low, few.high) == (None, None)
    assert (
        "no interval: 20 documents may not include any" in few.why and "(40 are needed)" in few.why
    )
    alone = infer_perplexity(Sample(perplexity, [logprob, one], np.arange(100).astype(str), rng))
    assert 3 < alone.low < 4 < alone.high < 5.5
    assert "sentences" in alone.interval
    assert alone.p is None


def test_one_document_says_nothing_of_others():
    with pytest.raises(Undefined, match="one cluster"):
        infer_perplexity(
            Sample(
                perplexity,
                [-np.ones(3), np.ones(3)],
                np.array(list("aaa")),
                np.random.default_rng(0),
            )
        )
