import itertools
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.metrics.preference import (
    confidence_gap,
    macro_rate,
    median_confidence_less,
    median_confidence_more,
    stereotype_rate,
    stereotype_rate_untied,
)
from tiltmeter.metrics.preference_inference import (
    few_clusters,
    infer_gap,
    infer_median,
    infer_rate,
    infer_rate_clustered,
    infer_rate_of_pairs,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_test
from tiltmeter.stats.resampling.bootstrap_intervals import stretched


def rng(seed=0):
    return np.random.default_rng(seed)


def scores(wins, losses, ties=0):
    """That many pairs of each kind."""
    more = np.repeat([-1.0, -3.0, -2.0], [wins, losses, ties])
    return more, np.repeat([-2.0, -1.0, -2.0], [wins, losses, ties])


def alone(n):
    return np.array([f"i {i}" for i in range(n)])


def test_the_rate_comes_with_wilson_and_the_sign_test():
    sure = infer_rate(Sample(stereotype_rate, scores(60, 30, 10), alone(100), rng()))
    low, high = wilson(65, 100)
    assert (sure.low, sure.high) == pytest.approx((100 * low, 100 * high))
    assert sure.p == pytest.approx(sign_test(60, 30))
    assert sure.mde == pytest.approx(15.2, abs=0.6)  # 90 untied: about 2.8 · 50 / sqrt(90)
    untied = partial(stereotype_rate_untied, ties="neutral")
    left = infer_rate(Sample(untied, scores(60, 30, 10), alone(100), rng()))
    assert (left.low, left.high) == pytest.approx([100 * b for b in wilson(60, 90)])


@pytest.mark.parametrize(
    ("counts", "p", "why"),
    [((0, 0, 7), None, "no test"), ((1, 0, 0), 1, "no minimum"), ((9, 0, 0), 2 / 512, "")],
)
def test_rates_of_little(counts, p, why):
    n = sum(counts)
    sure = infer_rate(Sample(stereotype_rate, scores(*counts), alone(n), rng()))
    assert sure.p == p
    assert sure.why.startswith(why)
    assert bool(sure.why) == bool(why)
    assert sure.low < sure.high


def test_single_pairs_are_clusters_of_one():
    columns = scores(620, 380)
    sure = infer_rate_clustered(Sample(stereotype_rate, columns, alone(1000), rng()))
    assert sure.p == pytest.approx(sign_test(620, 380))
    assert (sure.low, sure.high) == pytest.approx([100 * b for b in wilson(620, 1000)])


def test_pairs_of_one_writer_count_less():
    labels = np.repeat([f"writer {i}" for i in range(20)], 10)
    columns = [np.repeat(side, 10) for side in scores(14, 6)]
    sure = infer_rate_clustered(Sample(stereotype_rate, columns, labels, rng()))
    assert sure.p == pytest.approx(sign_test(14, 6))
    assert sure.low < 55
    assert sure.high > 85
    plain = infer_rate_of_pairs(Sample(stereotype_rate, columns, labels, rng()))
    assert sure.high - sure.low > 2.5 * (plain.high - plain.low)


def test_a_rate_of_pairs_that_share_clusters_allows_for_these():
    sample = Sample(stereotype_rate, scores(60, 30), np.arange(90) // 3, rng())
    assert infer_rate(sample) == infer_rate_clustered(replace(sample, rng=rng()))
    apart = replace(sample, clusters=np.arange(90))
    assert infer_rate(apart) == infer_rate_of_pairs(apart)


@pytest.mark.parametrize(
    ("columns", "labels", "why"),
    [(scores(3, 3), np.array(["one"] * 6), "one cluster"), (scores(1, 0), alone(1), "one item")],
)
def test_what_cannot_be_resampled_has_no_interval(columns, labels, why):
    sure = infer_rate_clustered(Sample(stereotype_rate, columns, labels, rng()))
    assert sure.low is sure.high is None
    assert why in sure.why


def test_few_clusters_come_with_a_caution():
    sure = infer_rate_clustered(
        Sample(stereotype_rate, scores(4, 4), np.repeat(list("abcd"), 2), rng())
    )
    assert sure.why == "only 4 clusters: the interval is rough"


@pytest.mark.parametrize("nested", [True, False])
def test_the_macro_interval_is_that_of_the_obvious_loop(nested):
    draw = rng(1)
    kinds = np.repeat(list("abc"), [100, 60, 40])
    more, less = draw.normal(size=(2, 200)) - 9
    names = np.repeat([f"w{i}" for i in range(50)], 4)  # 25, 15 and 10 clusters
    names = names if nested else draw.permutation(names)
    sure = infer_rate_clustered(Sample(macro_rate, [more, less, kinds], names, rng()))
    found = []
    for _ in range(1500):
        rows = []
        strata = [np.unique(names[kinds == k]) for k in "abc"] if nested else [np.unique(names)]
        for inside in strata:
            for name in draw.choice(inside, len(inside)):
                rows.extend(np.flatnonzero(names == name))
        found.append(macro_rate(more[rows], less[rows], kinds[rows]))
    assert (sure.low, sure.high) == pytest.approx(
        stretched(np.array(found), macro_rate(more, less, kinds), 50 // 3), abs=1.2
    )


def test_the_macro_test_weighs_categories_alike():
    """Seven wins, one loss; every flip of the eight pairs, by the metric's own arithmetic."""
    more, less = scores(7, 1)
    kinds = np.array(["large"] * 6 + ["small"] * 2)
    seen = abs(macro_rate(more, less, kinds) - 50)
    extreme = 0
    for flips in itertools.product([False, True], repeat=8):
        one, other = np.where(flips, less, more), np.where(flips, more, less)
        extreme += abs(macro_rate(one, other, kinds) - 50) >= seen - 1e-9
    sure = infer_rate_clustered(Sample(macro_rate, [more, less, kinds], alone(8), rng()))
    assert sure.p == pytest.approx(extreme / 256)
    assert sure.p > sign_test(7, 1) + 0.1


def test_a_category_that_some_resamples_lack_voids_the_macro_interval():
    more, less = scores(10, 10)
    kinds = np.array(["rare"] * 2 + ["usual"] * 18)
    names = np.array([f"w{i // 2}" for i in range(20)])
    sure = infer_rate_clustered(Sample(macro_rate, [more, less, kinds], names, rng()))
    assert "has only one cluster" in sure.why
    names[2] = names[0]  # now that writer has pairs of both
    sure = infer_rate_clustered(Sample(macro_rate, [more, less, kinds], names, rng()))
    assert sure.low is None
    assert "resamples have no value" in sure.why


@pytest.mark.parametrize("metric", [median_confidence_more, median_confidence_less, confidence_gap])
@pytest.mark.parametrize("clusters", [120, 25])
def test_intervals_of_medians_are_about_those_of_a_bootstrap(metric, clusters):
    draw = rng(3)
    less = -draw.uniform(20, 60, 120)
    more = less * (1 + draw.normal(0, 0.1, 120))
    labels = np.array([f"c{i % clusters}" for i in range(120)])
    by_ranks = infer_median(Sample(metric, [more, less], labels, rng()))
    slow = bootstrapped(Sample(metric, [more, less], labels, rng(9)))
    assert (by_ranks.low, by_ranks.high) == pytest.approx((slow.low, slow.high), abs=1.5)
    assert by_ranks.p is None
    assert by_ranks.low <= metric(more, less) <= by_ranks.high


def test_a_preference_of_few_pairs_has_no_interval_and_keeps_the_test():
    more, less = scores(20, 2)
    with pytest.raises(Undefined, match="fewer than 6 independent values"):
        infer_median(Sample(median_confidence_less, [more, less], alone(22), rng()))
    sure = infer_gap(Sample(confidence_gap, [more, less], alone(22), rng()))
    assert sure.low is None
    assert sure.p == pytest.approx(2 / (22 * 21), abs=0.006)  # of 231 splits only this one
    assert "no interval" in sure.why


def test_the_gap_is_found_where_there_is_one():
    draw = rng(4)
    less = np.full(300, -40.0)
    sure = draw.exponential(1, 300) * np.repeat([4.0, 1.0], 150)
    more = less + sure * np.repeat([1.0, -1.0], 150)
    assert infer_gap(Sample(confidence_gap, [more, less], alone(300), rng())).p == 1 / 2000
    level = less + draw.exponential(1, 300) * np.repeat([1.0, -1.0], 150)
    found = infer_gap(Sample(confidence_gap, [level, less], alone(300), rng()))
    assert found.p > 0.05
    assert found.low < 0 < found.high


def test_the_same_seed_gives_the_same_numbers():
    columns = [-rng(s).uniform(20, 60, 90) for s in (1, 2)]
    labels = np.array([f"c{i % 30}" for i in range(90)])
    for metric, infer in ((confidence_gap, infer_gap), (stereotype_rate, infer_rate_clustered)):
        one, two = (infer(Sample(metric, columns, labels, rng(7))) for _ in range(2))
        assert one == two
    assert few_clusters(labels) == ""
