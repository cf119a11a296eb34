"""Intervals and tests of ss, lms and icat: against slow resampling, and values a person can derive."""

import numpy as np
import pytest

from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics.context_association import by_term, credited, icat, lms, ss
from tiltmeter.metrics.context_association_inference import (
    compare_icat,
    compare_ss,
    few_terms,
    infer_icat,
    infer_lms,
    infer_ss,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_test
from tiltmeter.stats.resampling.bootstrap_intervals import stretched


def many(terms, each, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat([f"t{i:02}" for i in range(terms)], each)
    return (*rng.normal(size=(3, terms * each)), labels)


def test_intervals_are_over_whole_terms():
    columns = many(30, 20)
    rng = np.random.default_rng(1)
    sure = infer_ss(Sample(ss, columns, columns[3], rng))
    values = by_term(credited(*columns[:3]), columns[3])[:, 1]
    drawn = np.random.default_rng(2).choice(values, size=(4000, 30)).mean(axis=1)
    low, high = stretched(drawn, ss(*columns), 30)
    unseen = 100 * (1 - 0.025 ** (1 / 30))  # so far may terms lie that are unlike all of these
    assert low - unseen / 2 < sure.low < low < high < sure.high < high + unseen / 2
    assert sure.interval == "Gaffke interval over target terms"
    assert sure.low < ss(*columns) < sure.high


def test_icat_of_a_model_that_leans_has_a_wider_interval_than_resamples():
    more, less, other, terms = many(25, 10)
    columns = (more + 0.6, less, other, terms)
    units = by_term(credited(*columns[:3]), terms)
    picks = np.random.default_rng(3).integers(25, size=(4000, 25))
    means = units[picks].mean(axis=1)  # (draws, 2)
    values = means[:, 0] * np.minimum(means[:, 1], 100 - means[:, 1]) / 50
    sure = infer_icat(Sample(icat, columns, terms, np.random.default_rng(4)))
    low, high = stretched(values, icat(*columns), 25)
    assert low - 12 < sure.low < low < high < sure.high < high + 12
    assert sure.p is None


def test_icat_s_interval_holds_icat():
    """Half the terms wholly for one side, half for the other: every resample leans more."""
    terms = np.repeat([f"t{i:02}" for i in range(20)], 2)
    side = np.repeat([1.0, -1.0], 20)
    columns = (side, -side, np.full(40, -9.0), terms)
    assert icat(*columns) == 100
    sure = infer_icat(Sample(icat, columns, terms, np.random.default_rng(0)))
    assert sure.low < 90 and sure.high == 100


def test_a_difference_of_icat_stays_within_100_points():
    """Of three terms one model is ideal in all, the other in one."""
    terms, up = np.array(["a", "a", "b", "b", "c", "c"]), np.array([1.0, -1, 1, -1, 1, -1])
    some = np.array([1.0, -1, 1, 1, 1, 1])
    a, b = ((side, -side, np.full(6, -9.0), terms) for side in (up, some))
    value, sure = compare_icat(PairedSample(icat, a, b, terms, np.random.default_rng(0)))
    assert value == pytest.approx(100 - 2 * 100 / 6)
    assert -100 <= sure.low < value < sure.high <= 100


def test_one_term_is_a_plain_share():
    more, less = np.array([2.0, 2, 2, 0, 1]), np.array([1.0, 1, 1, 1, 1])
    columns = (more, less, np.zeros(5), np.array(["nurse"] * 5))
    sure = infer_ss(Sample(ss, columns, columns[3], np.random.default_rng(0)))
    low, high = wilson(3.5, 5)
    assert (sure.low, sure.high) == pytest.approx((100 * low, 100 * high))
    assert sure.p == sign_test(3, 1)
    known = infer_lms(Sample(lms, columns, columns[3], np.random.default_rng(0)))
    assert known.interval == "score interval over contexts"


def test_the_test_flips_whole_terms():
    """Four terms, all wholly for the stereotype: 2 of 2^4 ways to flip them are as extreme."""
    columns = (np.ones(8), np.zeros(8), np.zeros(8), np.repeat(list("abcd"), 2))
    sure = infer_ss(Sample(ss, columns, columns[3], np.random.default_rng(0)))
    assert sure.p == 2 / 16
    low = 0.025 ** (1 / 4)  # where all are alike, other terms may still differ
    assert (sure.low, sure.high) == pytest.approx((100 * low, 100), abs=0.5)


def test_few_terms_are_said():
    assert "only 3 target terms" in few_terms(3)
    assert few_terms(10) == few_terms(1) == ""
    columns = many(3, 5)
    for infer, metric in ((infer_ss, ss), (infer_lms, lms), (infer_icat, icat)):
        assert "only 3" in infer(Sample(metric, columns, columns[3], np.random.default_rng(0))).why


@pytest.mark.parametrize(("terms", "cautioned"), [(12, True), (20, False)])
def test_a_difference_over_few_terms_has_a_caution(terms, cautioned):
    rng = np.random.default_rng(3)
    target = np.repeat(np.arange(terms), 3).astype(str)
    a, b = ([*rng.normal(size=(3, 3 * terms)), target] for _ in range(2))
    sure = compare_ss(PairedSample(ss, a, b, np.arange(3 * terms), rng))[1]
    assert ("the interval is rough" in sure.why) == cautioned
