"""Ratios of selection rates: values by hand, and what chance makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.data.labelled_items import SMALL
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, Sample, TwoSides
from tiltmeter.studies.decisions import ratios

GROUPS = tuple("ABCDEFGH")


def columns(rows):
    chosen, group = zip(*rows, strict=True)
    return np.array(chosen, float), np.array(group)


def sides(group, columns, clusters, metric=ratios.min_max_ratio, axis=-1):
    first = columns[axis] == group
    a, b = ([column[here] for column in columns] for here in (first, ~first))
    both = TwoSides(a, clusters[first], b, clusters[~first])
    return ContrastSample(metric, both, np.random.default_rng(0))


def rankings(n, rng, groups=GROUPS, weights=None):
    """One of the groups is chosen in each of n rankings."""
    chosen = rng.choice(len(groups), size=n, p=weights)
    return (
        (np.arange(len(groups)) == chosen[:, None]).ravel() * 1.0,
        np.tile(groups, n),
        np.repeat(np.arange(n), len(groups)),
    )


ROWS = [(1, "a")] * 2 + [(0, "a")] * 2 + [(1, "b")] + [(0, "b")] * 3 + [(-1, "b")] * 2


def test_values_and_bounds_by_hand():
    read = columns(ROWS)
    alone = np.arange(len(ROWS))
    assert ratios.min_max_ratio(*read) == 0.5  # 1 of 4 against 2 of 4
    assert ratios.infer_impact_ratio(sides("a", read, alone))[0] == 1
    assert ratios.infer_impact_ratio(sides("b", read, alone))[0] == 0.5
    low, high = (ratios.bound_of_ratio(sides("b", read, alone), own=own)[0] for own in (0, 1))
    assert (low, high) == (pytest.approx((1 / 6) / (2 / 4)), 1)  # 1 of 6, or 3 of 6
    silent = sides("b", columns([(-1, "a"), (-1, "b")]), np.arange(2))
    assert [ratios.bound_of_ratio(silent, own=own)[0] for own in (0, 1)] == [0, 1]


@given(
    st.lists(
        st.tuples(st.sampled_from([-1, 0, 1]), st.sampled_from("abc")), min_size=6, max_size=40
    )
)
def test_the_ratio_is_that_of_the_rates_and_lies_between_its_bounds(rows):
    rates = {}
    for group in {group for _, group in rows}:
        known = [chosen for chosen, of in rows if of == group and chosen >= 0]
        rates[group] = np.mean(known) if known else None
    read = columns(rows)
    if len(rates) < 2 or None in rates.values() or not max(rates.values()):
        with pytest.raises(Undefined):
            ratios.min_max_ratio(*read)
        return
    assert ratios.min_max_ratio(*read) == pytest.approx(min(rates.values()) / max(rates.values()))
    for group in rates:
        sample = sides(group, read, np.arange(len(rows)))
        low, high = (ratios.bound_of_ratio(sample, own=own)[0] for own in (0, 1))
        value, sure = ratios.infer_impact_ratio(sample)
        assert low - 1e-12 <= value <= high + 1e-12
        assert sure.low - 1e-12 <= value <= sure.high + 1e-12 and 0 < sure.p <= 1


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(1, "a"), (0, "a")], "fewer than two groups"),
        ([(1, "a"), (0, f"b{SMALL}")], "fewer than two groups"),
        ([(0, "a"), (0, "b")], "nobody is chosen"),
        ([(1, "a"), (-1, "b")], "no decision about b"),
        ([(-1, "a"), (-1, "b")], "no decision about anybody"),
    ],
)
def test_what_is_undefined_says_why(rows, why):
    with pytest.raises(Undefined, match=why):
        ratios.min_max_ratio(*columns(rows))


def test_small_groups_are_not_compared():
    read = columns([*ROWS, (1, f"c{SMALL}")])
    assert ratios.min_max_ratio(*read) == 0.5
    with pytest.raises(Undefined, match="not compared"):
        ratios.infer_impact_ratio(sides(f"c{SMALL}", read, np.arange(len(read[0]))))


def test_a_thousand_choices_among_eight_groups_without_any_discrimination():
    rng = np.random.default_rng(1)
    counts = rng.multinomial(1000, [1 / 8] * 8, size=20_000)
    lowest = counts.min(axis=1) / counts.max(axis=1)
    assert np.mean(lowest < 0.8) == pytest.approx(0.64, abs=0.01)
    assert np.median(lowest) == pytest.approx(0.78, abs=0.005)
    read = rankings(1000, rng)
    assert ratios.min_max_by_chance(*read) == pytest.approx(np.median(lowest), abs=0.01)
    below = ratios.below_four_fifths_by_chance(*read)
    assert below == pytest.approx(100 * np.mean(lowest < 0.8), abs=3)


def test_chance_is_that_of_the_design():
    chosen, group, alone = np.repeat([1.0, 0.0], 20), np.tile(["a", "b"], 20), np.arange(40)
    pooled = ratios.DecisionOutcomes.of([chosen, group], alone).dealt
    assert pooled.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.01)
    assert (pooled.sum(axis=1) == 1).all()  # as many are chosen in each deal
    pairs = np.repeat(np.arange(20), 2)  # both of a pair are chosen, or neither
    paired = ratios.DecisionOutcomes.of([chosen, group], pairs).dealt
    assert (paired == 0.5).all()
    of_names = np.where(np.arange(40) % 2, 100, 0) + np.arange(40) // 4  # one group a name
    named = ratios.DecisionOutcomes.of([chosen, group], of_names).dealt
    assert named.std() > pooled.std()  # ten names of two, all alike: fewer independent decisions


def test_a_group_that_is_chosen_half_as_often_is_found_and_equality_is_not():
    rng = np.random.default_rng(2)
    chosen, group, cluster = rankings(1000, rng, weights=[2 / 15] * 7 + [1 / 15])
    sure = ratios.infer_min_max(
        Sample(ratios.min_max_ratio, [chosen, group], cluster, np.random.default_rng(0))
    )
    assert sure.p < 0.01 and sure.low < 0.5 < sure.high < 1
    value, of_last = ratios.infer_impact_ratio(sides("H", (chosen, group), cluster))
    assert of_last.p < 0.01 and of_last.low < value < of_last.high < 1
    _, of_other = ratios.infer_impact_ratio(sides("B", (chosen, group), cluster))
    assert of_other.p > 0.05 and of_other.high == 1


def vacancies(k, hires, rng, groups=GROUPS, *, leaning=4.0):
    """Several hires in each vacancy, among one candidate a group each time; vacancies prefer by their own."""
    preference = rng.dirichlet(np.full(len(groups), leaning / len(groups)), size=k)
    best = np.concatenate([rng.choice(len(groups), size=hires, p=p) for p in preference])
    chosen = (np.arange(len(groups)) == best[:, None]).ravel() * 1.0
    return chosen, np.tile(groups, k * hires), np.repeat(np.arange(k), hires * len(groups))


def test_several_hires_of_a_vacancy_are_not_independent():
    """All groups equal on average: each hire for itself, half of such samples would reject equality."""
    rejected = by_hire = covered = 0
    for trial in range(25):
        chosen, group, cluster = vacancies(60, 5, np.random.default_rng(trial), leaning=2)
        sample = Sample(
            ratios.min_max_ratio, [chosen, group], cluster, np.random.default_rng(trial)
        )
        sure = ratios.infer_min_max(sample)
        rejected += sure.p < 0.05
        covered += sure.high == 1
        alone = Sample(
            ratios.min_max_ratio, [chosen, group], np.arange(len(chosen)) // 8, sample.rng
        )
        by_hire += ratios.infer_min_max(alone).p < 0.05
    assert by_hire >= 9
    assert rejected <= 4
    assert covered >= 22


def test_repeating_what_each_vacancy_decides_says_nothing_new():
    chosen, group, cluster = rankings(80, np.random.default_rng(5), weights=[0.2] * 4 + [0.05] * 4)
    tenfold = [np.tile(column, 10) for column in (chosen, group)], np.tile(cluster, 10)
    once, often = (
        ratios.infer_min_max(Sample(ratios.min_max_ratio, columns, of, np.random.default_rng(0)))
        for columns, of in (([chosen, group], cluster), tenfold)
    )
    assert often.p == pytest.approx(once.p, abs=0.02)
    assert often.high == pytest.approx(once.high, abs=0.15)


@pytest.mark.parametrize("seed", range(5))
def test_a_minimum_is_never_above_the_ratio_of_one_of_its_groups(seed):
    """Nor may its interval reach beyond theirs: they are made of the same resamples."""
    rng = np.random.default_rng(seed)
    chosen, group, cluster = rankings(150, rng, tuple("ABCD"), weights=[0.1, 0.4, 0.2, 0.3])
    sample = Sample(ratios.min_max_ratio, [chosen, group], cluster, rng)
    least = ratios.infer_min_max(sample)
    each = [ratios.infer_impact_ratio(sides(of, (chosen, group), cluster)) for of in "ABCD"]
    assert ratios.min_max_ratio(chosen, group) == min(value for value, _ in each)
    assert least.high == min(sure.high for _, sure in each)
    assert least.low == min(sure.low for _, sure in each)


def test_groups_of_unlike_sizes_within_a_vacancy_change_sides_together():
    rng = np.random.default_rng(6)
    sizes = {"a": 5, "b": 3, "c": 1}
    group = np.tile(np.repeat(list(sizes), list(sizes.values())), 60)
    cluster = np.repeat(np.arange(60), 9)
    alike = (rng.random((60, 3)) < 0.4)[cluster, np.searchsorted(list("abc"), group)] * 1.0
    outcomes = ratios.DecisionOutcomes.of([alike, group], cluster)
    assert outcomes.dealt.mean(axis=0) == pytest.approx(np.full(3, alike.mean()), abs=0.02)
    # dealt to single candidates, five of the nine of a vacancy: hypergeometric
    single = (60 * 5 * (4 / 8) * 0.24) ** 0.5 / 300
    assert outcomes.dealt[:, 0].std() > 1.5 * single
