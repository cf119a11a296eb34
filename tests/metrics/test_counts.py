"""Resampled counts against slow, obvious code that goes through rows."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics.counts import (
    FEWEST_PAIRED,
    compare_by_texts,
    contrast_on_texts,
    interval_by_texts,
    options_of,
    share_interval,
)
from tiltmeter.metrics.labels import TP, accuracy, f1, macro_f1, precision, recall
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered
from tiltmeter.stats.resampling.bootstrap_intervals import bootstrap
from tiltmeter.stats.resampling.paired_resampling import paired_permutation

RNG = np.random.default_rng(3)
N, TEXTS = 400, 25
TEXT = RNG.integers(TEXTS, size=N)
TRUTH = (TEXT % 2).astype(float)
SAID = np.where(RNG.random(N) < 0.05, -1.0, (RNG.random(N) < 0.3 + 0.4 * TRUTH).astype(float))
OTHER = np.where(RNG.random(N) < 0.1, 1 - TRUTH, TRUTH)
NONE = np.full(N, -1.0)
THREE, SAID_THREE = (TEXT % 3).astype(float), RNG.integers(-1, 3, size=N).astype(float)
RESAMPLED = [(f1, (TRUTH, SAID)), (macro_f1, (THREE, SAID_THREE, NONE))]
SHARES = [
    (precision, (TRUTH, SAID)),
    (recall, (TRUTH, SAID)),
    (accuracy, (NONE, NONE, TRUTH, SAID)),
]
CASES = [*RESAMPLED, *SHARES]


@pytest.mark.parametrize(("metric", "columns"), RESAMPLED, ids=lambda x: getattr(x, "name", ""))
def test_intervals_are_those_of_resampled_rows(metric, columns):
    found = metric.infer(Sample(metric, columns, TEXT, np.random.default_rng(1)))
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


@pytest.mark.parametrize(("metric", "columns"), SHARES, ids=lambda x: getattr(x, "name", ""))
def test_shares_have_wilson_s_interval_whose_clusters_are_the_texts(metric, columns):
    truth, said = columns[-2:]
    rests = {precision: said == 1, recall: (truth == 1) & (said >= 0), accuracy: said >= 0}[metric]
    right = (truth == said)[rests].astype(float)
    full = np.square(np.bincount(TEXT)).sum() / len(TEXT)
    low, high = wilson_clustered(right, TEXT[rests], full=full)
    found = metric.infer(Sample(metric, columns, TEXT, RNG))
    assert (found.low, found.high) == pytest.approx((100 * low, 100 * high))


def test_a_mean_over_labels_has_no_interval_where_one_was_never_right():
    said = np.where(THREE == 2, 0.0, np.maximum(SAID_THREE, 0))
    said[:3] = 2.0
    said[(THREE == 2) & (said == 2)] = 1.0
    with pytest.raises(Undefined, match="no text of some label was right"):
        macro_f1.infer(Sample(macro_f1, (THREE, said, NONE), TEXT, RNG))


def test_a_design_that_fixes_the_labels_narrows_the_interval():
    """Texts of one label are nearly always right, those of the other hardly ever."""
    truth = np.arange(200) % 2.0
    said = np.where(truth == 1, 1.0, (np.arange(200) % 10 < 8).astype(float))
    sample = Sample(f1, (truth, said), np.arange(200), np.random.default_rng(0))
    random, fixed = f1.infer(sample), f1.infer(replace(sample, fixed=True))
    assert fixed.high - fixed.low < 0.8 * (random.high - random.low)
    assert "within each label" in fixed.interval


@pytest.mark.parametrize(("metric", "columns"), CASES, ids=lambda x: getattr(x, "name", ""))
def test_rows_in_any_order_give_the_same_interval(metric, columns):
    order = np.random.default_rng(0).permutation(N)
    one = metric.infer(Sample(metric, columns, TEXT, np.random.default_rng(1)))
    shuffled = [column[order] for column in columns]
    assert metric.infer(Sample(metric, shuffled, TEXT[order], np.random.default_rng(1))) == one


def test_a_resample_without_a_value_voids_the_interval():
    truth, said, text = np.array([1.0, 0, 0]), np.array([1.0, 0, 0]), np.arange(3)
    with pytest.raises(Undefined, match=r"resamples have no value \(no answered text is of the"):
        f1.infer(Sample(f1, (truth, said), text, np.random.default_rng(0)))
    for metric in (f1, precision):
        with pytest.raises(Undefined, match=r"one item|all items belong to one cluster"):
            metric.infer(Sample(metric, (truth, said), np.zeros(3), RNG))


def test_few_texts_are_a_caution():
    truth, said = np.tile([1.0, 0.0, 1.0], 4), np.tile([1.0, 1.0, 0.0, 1.0], 3)
    text = np.arange(12) // 3
    found = precision.infer(Sample(precision, (truth, said), text, np.random.default_rng(0)))
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

    assert sure.low is None and f"it takes {FEWEST_PAIRED}" in sure.why and sure.p < 0.01
    texts = np.arange(N)
    _, sure = compare_by_texts(PairedSample(f1, (TRUTH, OTHER), (TRUTH, SAID), texts, rng))
    slow = bootstrap(apart, (TRUTH, OTHER, SAID), texts, np.random.default_rng(2), draws=1000)
    assert (sure.low, sure.high) == pytest.approx(slow, abs=1.5)


def test_a_swap_of_few_texts_is_exact():
    kept = TEXT < 8
    a, b, text = (TRUTH[kept], OTHER[kept]), (TRUTH[kept], SAID[kept]), TEXT[kept]
    _, sure = compare_by_texts(PairedSample(precision, a, b, text, np.random.default_rng(5)))
    slow = paired_permutation(precision, a, b, text, np.random.default_rng(6))
    assert sure.p == pytest.approx(slow)


def test_two_equal_sides_have_no_test_and_may_still_differ_in_other_texts():
    same, rng = (NONE, NONE, TRUTH, SAID), np.random.default_rng(5)
    value, sure = compare_by_texts(PairedSample(accuracy, same, same, TEXT, rng))
    assert (value, sure.p) == (0, None)
    assert -30 < sure.low == -sure.high < -10  # 0 of 25 texts: Wilson's interval reaches 13 %
    assert "the same answers to every text" in sure.why
    value, sure = compare_by_texts(PairedSample(f1, same[2:], same[2:], TEXT, rng))
    assert (value, sure.low) == (0, None)


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
        interval_by_texts(Sample(np.mean, (TRUTH,), TEXT, RNG))


def test_two_f1s_are_compared_by_their_score_intervals():
    truth, said, other = (np.random.default_rng(0).random((3, 60)) < 0.5) * 1.0
    texts = np.arange(60)
    value, found = f1.compare(PairedSample(f1, [truth, said], [truth, other], texts, rng=RNG))
    assert found.low < value < found.high
    assert found.interval == "score intervals, paired bootstrap of texts, 2,000 draws"
    few = PairedSample(f1, [truth[:25], said[:25]], [truth[:25], other[:25]], texts[:25], rng=RNG)
    _, none = f1.compare(few)
    assert none.low is None and "bear on one of the two sides, and it takes 30" in none.why
