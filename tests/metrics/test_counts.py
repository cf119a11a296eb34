"""Resampled counts against slow, obvious code that goes through rows."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics.counts import (
    compare_by_texts,
    contrast_on_texts,
    infer_by_texts,
    options_of,
    share_interval,
)
from tiltmeter.metrics.labels import TP, accuracy, f1, macro_f1, precision, recall
from tiltmeter.stats.bootstrap_intervals import bootstrap
from tiltmeter.stats.intervals import wilson_clustered
from tiltmeter.stats.paired_resampling import paired_permutation

RNG = np.random.default_rng(3)
N, TEXTS = 400, 25
TEXT = RNG.integers(TEXTS, size=N)
TRUTH = (TEXT % 2).astype(float)
SAID = np.where(RNG.random(N) < 0.05, -1.0, (RNG.random(N) < 0.3 + 0.4 * TRUTH).astype(float))
OTHER = np.where(RNG.random(N) < 0.1, 1 - TRUTH, TRUTH)
NONE = np.full(N, -1.0)
THREE, SAID_THREE = (TEXT % 3).astype(float), RNG.integers(-1, 3, size=N).astype(float)
CASES = [
    (precision, (TRUTH, SAID)),
    (recall, (TRUTH, SAID)),
    (f1, (TRUTH, SAID)),
    (accuracy, (NONE, NONE, TRUTH, SAID)),
    (macro_f1, (THREE, SAID_THREE, NONE)),
]


@pytest.mark.parametrize(("metric", "columns"), CASES, ids=lambda x: getattr(x, "name", ""))
def test_intervals_are_those_of_resampled_rows(metric, columns):
    found = infer_by_texts(Sample(metric, columns, TEXT, np.random.default_rng(1)))
    rng = np.random.default_rng(2)
    rows = [np.flatnonzero(text == TEXT) for text in np.unique(TEXT)]
    values = []
    for _ in range(1000):
        drawn = np.concatenate([rows[text] for text in rng.integers(len(rows), size=len(rows))])
        values.append(metric(*(np.asarray(column)[drawn] for column in columns)))
    counts = metric.counts_by(columns, TEXT, len(rows), options_of(columns))
    low, high = share_interval(metric, counts, np.array(values))
    assert (found.low, found.high) == pytest.approx((low, high), abs=1.2)
    assert found.p is None
    assert found.interval == "score interval by a bootstrap of texts, 2,000 draws"


@pytest.mark.parametrize("wrong", [0, 2, 9])
def test_a_share_of_alike_replies_has_nearly_the_interval_of_shares_of_clusters(wrong):
    """Which has a jackknife's variance; few texts with wrong replies leave few degrees of freedom."""
    text = np.repeat(np.arange(20), 10)
    right = np.where((text < wrong) & (np.arange(200) % 10 < 8), 0.0, 1.0)
    found = infer_by_texts(Sample(recall, (np.ones(200), right), text, np.random.default_rng(0)))
    low, high = wilson_clustered(right, text)
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high), abs=3)
    assert (found.high == pytest.approx(100)) == (wrong == 0)


@pytest.mark.parametrize(("metric", "columns"), CASES, ids=lambda x: getattr(x, "name", ""))
def test_rows_in_any_order_give_the_same_interval(metric, columns):
    order = np.random.default_rng(0).permutation(N)
    one = infer_by_texts(Sample(metric, columns, TEXT, np.random.default_rng(1)))
    shuffled = [column[order] for column in columns]
    assert infer_by_texts(Sample(metric, shuffled, TEXT[order], np.random.default_rng(1))) == one


def test_a_resample_without_a_value_voids_the_interval():
    truth, said, text = np.array([1.0, 0, 0]), np.array([1.0, 0, 0]), np.arange(3)
    with pytest.raises(Undefined, match=r"resamples have no value \(no answered text is of the"):
        infer_by_texts(Sample(recall, (truth, said), text, np.random.default_rng(0)))
    with pytest.raises(Undefined, match="all items belong to one cluster"):
        infer_by_texts(Sample(recall, (truth, said), np.zeros(3), np.random.default_rng(0)))


def test_few_texts_are_a_caution():
    truth, said = np.tile([1.0, 0.0, 1.0], 4), np.tile([1.0, 1.0, 0.0, 1.0], 3)
    text = np.arange(12) // 3
    found = infer_by_texts(Sample(precision, (truth, said), text, np.random.default_rng(0)))
    assert found.why == "only 4 texts: the interval is rough"


def test_counts_of_single_cells():
    assert replace(precision, rests=(TP,)).rests_on([TRUTH, SAID]) == int(
        ((TRUTH == 1) & (SAID == 1)).sum()
    )
    assert replace(precision, rests=()).rests_on([np.array([1.0, -1.0]), np.array([1.0, 1.0])]) == 1
    assert options_of([np.array([-1.0, 2.0]), np.array([0.0])]) == 3


def test_the_difference_of_two_models_is_that_of_their_values():
    rng = np.random.default_rng(5)
    value, sure = compare_by_texts(PairedSample(f1, (TRUTH, OTHER), (TRUTH, SAID), TEXT, rng))
    assert value == pytest.approx(f1(TRUTH, OTHER) - f1(TRUTH, SAID))

    def apart(truth, a, b):
        return f1(truth, a) - f1(truth, b)

    slow = bootstrap(apart, (TRUTH, OTHER, SAID), TEXT, np.random.default_rng(2), draws=1000)
    assert (sure.low, sure.high) == pytest.approx(slow, abs=1.5)
    assert sure.p < 0.01


def test_a_swap_of_few_texts_is_exact():
    kept = TEXT < 8
    a, b, text = (TRUTH[kept], OTHER[kept]), (TRUTH[kept], SAID[kept]), TEXT[kept]
    _, sure = compare_by_texts(PairedSample(precision, a, b, text, np.random.default_rng(5)))
    slow = paired_permutation(precision, a, b, text, np.random.default_rng(6))
    assert sure.p == pytest.approx(slow)


def test_two_equal_sides_have_no_test():
    same = (TRUTH, SAID)
    value, sure = compare_by_texts(
        PairedSample(precision, same, same, TEXT, np.random.default_rng(5))
    )
    assert (value, sure.p, sure.low) == (0, None, None)
    assert "the same answers to every text" in sure.why


def test_sides_of_different_rows_are_compared_on_their_common_texts():
    """Two settings: one asked three times about texts 0 to 19, the other once about texts 5 to 24."""
    rng = np.random.default_rng(7)
    texts_a, texts_b = np.repeat(np.arange(20), 3), np.arange(5, 25)
    said_a, said_b = rng.integers(0, 2, 60).astype(float), rng.integers(0, 2, 20).astype(float)
    truth_a, truth_b = texts_a % 2.0, texts_b % 2.0
    a, b = (np.full(60, -1.0), np.full(60, -1.0), truth_a, said_a), (
        np.full(20, -1.0), np.full(20, -1.0), truth_b, said_b,
    )  # fmt: skip
    value, sure = contrast_on_texts(ContrastSample(accuracy, TwoSides(a, texts_a, b, texts_b), rng))
    right = defaultdict(list)
    for side, texts, truth, said in (
        ("a", texts_a, truth_a, said_a),
        ("b", texts_b, truth_b, said_b),
    ):
        right[side] = [t == s for x, t, s in zip(texts, truth, said, strict=True) if 5 <= x < 20]
    assert value == pytest.approx(100 * (np.mean(right["a"]) - np.mean(right["b"])))
    assert sure.low < value < sure.high
    with pytest.raises(Undefined, match="no text in common"):
        contrast_on_texts(ContrastSample(accuracy, TwoSides(a, texts_a, b, texts_b + 90), rng))


def test_only_metrics_of_counts_are_taken():
    with pytest.raises(TypeError, match="is no CountMetric"):
        infer_by_texts(Sample(np.mean, (TRUTH,), TEXT, RNG))
