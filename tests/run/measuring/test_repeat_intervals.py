"""Intervals over several replies: copies gain nothing, and what repeats have in common is seen."""

from dataclasses import replace

import numpy as np
import pytest

from simulations.repeats import RATE, estimate
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample
from tiltmeter.metrics import labels
from tiltmeter.metrics.counts import difference_interval
from tiltmeter.run.measuring.repeat_intervals import ADDED, NOT_ADDED, Repeated
from tiltmeter.stats.confidence_intervals.intervals import wilson


def test_an_interval_that_copies_make_narrower_is_as_wide_as_without_them():
    """Three copies of five paired differences."""
    values = np.ones(5)
    rows, repeats, clusters = (
        np.tile(values, 3),
        np.repeat([0, 1, 2], 5),
        np.tile(np.arange(5), 3),
    )

    def by(some):
        low, high = difference_interval(rows[some], clusters[some], 1)
        return float(rows[some].mean()), Inference(low, high)

    one, (value, three) = by(np.arange(5))[1], by(np.arange(15))
    assert three.low > one.low
    found = Repeated([rows], repeats, by).inference(value, three)
    assert (found.low, found.high) == pytest.approx((one.low, one.high))


def test_within_one_text_copies_gain_nothing_and_nothing_is_tested():
    """Four items of one text, each with five equal replies."""
    measure = replace(RATE, infer=_of_rows)
    found = estimate(measure, np.repeat([[1], [0], [0], [1]], 5, axis=1), together=4)
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson(2, 4)])
    assert found.p is None and "no test: all replies are to items of one cluster" in found.why


def test_replies_by_chance_alone_narrow_the_interval():
    """Four items with one and the same share: nine replies to each say more than one."""
    rng = np.random.default_rng(0)
    flags = rng.random((40, 9)) < 0.5
    many, one = estimate(RATE, flags), estimate(RATE, flags[:, :1])
    assert many.high - many.low < 0.6 * (one.high - one.low)


def test_what_repeats_have_in_common_is_added_from_five_on():
    """In two of every five repeats all answers are wrong."""
    flags = np.tile([1, 1, 0, 1, 0], (50, 2))
    flags[:10] = 1
    ten, four = estimate(RATE, flags), estimate(RATE, flags[:, :4])
    values = flags.mean(axis=0)
    reach = 2.262157 * values.std(ddof=1) / 10**0.5  # Student's t, 9 degrees of freedom
    alone = estimate(RATE, np.repeat(flags.mean(axis=1, keepdims=True) > 0.65, 1, axis=1))
    assert ten.why == ADDED and four.why == NOT_ADDED
    assert ten.value - ten.low > 100 * reach
    assert ten.high - ten.low > alone.high - alone.low


def test_a_number_of_one_repeat_is_left_as_it_is():
    sure = Inference(0.0, 1.0)
    one = Repeated([np.array([1.0])], np.array([0]), lambda _: (1.0, sure))
    assert one.inference(1.0, sure) is sure
    assert one.crossed(1.0, sure, np.array([0]), labels.rate, "%") is sure
    none = replace(one, repeats=np.array([0, 1]), columns=[np.array([1.0, 0])])
    assert none.inference(1.0, Inference(None, None)) == Inference(None, None)


def test_measures_of_replies_become_narrower_with_them():
    flags = np.ones((1, 20))
    of_replies = replace(RATE, samples_replies=True, infer=_of_rows)
    assert estimate(of_replies, flags).low == pytest.approx(100 * wilson(20, 20)[0])


def _of_rows(sample: Sample) -> Inference:
    low, high = wilson(float(np.sum(sample.columns[0])), len(sample.columns[0]))
    return Inference(100 * low, 100 * high, p=0.04, test="of rows")
