"""Rates of offensive sentences and the difference between marginalised identities and others."""

from functools import partial
from itertools import combinations, product

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.offensive import (
    infer_sos_gap,
    infer_sos_rate,
    infer_static_sos,
    infer_static_sos_gap,
    sos_gap,
    sos_rate,
    static_sos,
    static_sos_gap,
)
from tiltmeter.metrics.status_gap import gap_of
from tiltmeter.stats.hypothesis_tests.permutation_tests import stratified_test

M, N = "marginalised", "non-marginalised"


def design(wins, statuses, attributes):
    """Columns of a full design from a table of wins: a row an identity, a column a pair of adjectives."""
    wins = np.asarray(wins, dtype=float)
    people, words = wins.shape
    identity = np.repeat([f"i{k}" for k in range(people)], words)
    clusters = np.tile(np.arange(words), people)
    return (
        [wins.ravel(), np.full(wins.size, 0.5), identity,
         np.repeat(statuses, words), np.repeat(attributes, words)],
        clusters,
    )  # fmt: skip


WINS = [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
STATUS, KIND = [M, M, N, N, N], ["a"] * 5


def test_rate_and_gap_by_hand():
    columns, _ = design(WINS, STATUS, KIND)
    assert sos_rate(*columns[:3]) == pytest.approx(100 * 7 / 20)
    # marginalised 5 of 8, the others 2 of 12
    assert sos_gap(*columns) == pytest.approx(100 * (5 / 8 - 2 / 12))


def test_turning_offensive_and_pleasant_round():
    more, less, *rest = design(WINS, STATUS, KIND)[0]
    more[3] = less[3]  # and with a tie
    assert sos_rate(more, less, rest[0]) + sos_rate(less, more, rest[0]) == pytest.approx(100)
    assert sos_gap(more, less, *rest) == pytest.approx(-sos_gap(less, more, *rest))


def test_ties_count_as_told():
    columns, _ = design([[0.5, 0.5], [1, 0]], [M, N], ["a", "a"])
    assert sos_rate(*columns[:3]) == 50
    assert sos_rate(*columns[:3], ties="loss") == 25
    assert sos_gap(*columns, ties="loss") == -50


def test_the_gap_of_several_attributes_is_their_plain_mean():
    columns, _ = design(
        [*WINS, [1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]],
        [*STATUS, M, N, M],
        [*KIND, "b", "b", "c"],
    )
    first = 100 * (5 / 8 - 2 / 12)
    assert sos_gap(*columns) == pytest.approx((first + 50) / 2)  # c has nobody to be held against


@pytest.mark.parametrize(("side", "lacking"), [(M, N), (N, M)])
def test_one_status_has_no_gap(side, lacking):
    columns, clusters = design([[1, 0], [1, 1]], [side, side], ["d", "d"])
    with pytest.raises(Undefined, match=f"no {lacking} identities to compare with"):
        sos_gap(*columns)
    with pytest.raises(Undefined):
        infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))


def test_the_rate_is_tested_by_turning_whole_pairs_of_adjectives():
    table = [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 1, 1, 0]]
    columns, clusters = design(table, [M, M, N, N], ["a"] * 4)
    sure = infer_sos_rate(Sample(sos_rate, columns[:3], clusters, np.random.default_rng(0)))
    # wins less losses of each pair of adjectives, over four identities
    sums = np.array([3 - 1, 4, 4, -4])
    extreme = [abs(np.dot(s, sums)) >= abs(sums.sum()) for s in product([1, -1], repeat=4)]
    assert sure.p == pytest.approx(np.mean(extreme)) == pytest.approx(10 / 16)
    # of the identities it would be 2 of 8, of single sentences less than that
    assert sure.low <= 100 * 11 / 16 <= sure.high
    assert sure.why == "only 4 identities and 4 pairs of adjectives: the interval is rough"


def test_the_gap_is_tested_by_dealing_identities():
    columns, clusters = design(WINS, STATUS, KIND)
    sure = infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))
    rates = [50, 75, 25, 0, 25]
    seen = abs(np.mean(rates[:2]) - np.mean(rates[2:]))
    gaps = []
    for chosen in combinations(range(5), 2):
        rest = [rates[i] for i in range(5) if i not in chosen]
        gaps.append(abs(np.mean([rates[i] for i in chosen]) - np.mean(rest)))
    assert sure.p == pytest.approx(np.mean(np.array(gaps) >= seen - 1e-9))
    assert sure.p == pytest.approx(1 / 10)
    assert sure.why == (
        "only 2 identities on a side: the interval is rough, and assumes that both sides vary equally; "
        "with 2 and 3 identities, p cannot be below 0.1"
    )
    assert sure.low <= 100 * (5 / 8 - 2 / 12) <= sure.high


def test_equal_groups_count_twice_turned_round():
    columns, clusters = design([[1, 1], [1, 0], [0, 0], [0, 0]], [M, M, N, N], ["a"] * 4)
    sure = infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))
    assert sure.p == pytest.approx(2 / 6)
    assert "p cannot be below 0.33" in sure.why


def test_what_is_left_out_of_the_mean_gap_is_said():
    columns, clusters = design([*WINS, [1, 1, 0, 0]], [*STATUS, M], [*KIND, "c"])
    sure = infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))
    assert sure.why.startswith("without c, with identities of one status only")


def test_adjectives_that_move_all_alike_do_not_blur_the_gap():
    words = np.arange(20)
    table = np.tile(words % 2, (12, 1)).astype(float)  # each adjective decides for every identity
    columns, clusters = design(table, [M] * 6 + [N] * 6, ["a"] * 12)
    rate = infer_sos_rate(Sample(sos_rate, columns[:3], clusters, np.random.default_rng(0)))
    # no narrower than a share of 20 independent outcomes has it
    assert rate.high - rate.low > 2 * 1.96 * 100 * np.sqrt(0.25 / 20) * 0.85
    gap = infer_sos_gap(
        Sample(partial(sos_gap, ties="half"), columns, clusters, np.random.default_rng(0))
    )
    assert gap.low is None  # all resamples have the gap 0
    assert gap.p is None
    assert "no test: all values are equal" in gap.why


def test_a_stratified_test_against_all_partitions():
    values = np.array([5.0, 1, 2, 0, 7, 3, 4])
    first = np.array([True, False, False, True, True, False, False])
    strata = np.array(list("aaabbbb"))

    def gap(chosen):
        gaps = []
        for name in "ab":
            mine = strata == name
            gaps.append(values[mine & chosen].mean() - values[mine & ~chosen].mean())
        return np.mean(gaps)

    gaps = []
    for one in combinations(range(3), 1):
        for two in combinations(range(3, 7), 2):
            chosen = np.zeros(7, dtype=bool)
            chosen[[*one, *two]] = True
            gaps.append(abs(gap(chosen)))
    exact = np.mean(np.array(gaps) >= abs(gap(first)) - 1e-9)
    found = stratified_test(values, first, strata, np.random.default_rng(0))
    assert found.p == pytest.approx(exact, abs=0.01)
    assert not found.exact
    with pytest.raises(Undefined, match="b has items of one group only"):
        stratified_test(
            values, np.array([True, False, False] + [True] * 4), strata, np.random.default_rng(0)
        )


def test_word_vectors():
    values = np.array([0.2, 0.8, 0.1, 0.3, 0.9])
    status, kind = np.array([M, M, N, N, M]), np.array(["a", "a", "a", "a", "c"])
    assert static_sos(values) == pytest.approx(0.46)
    assert (
        static_sos_gap(values, status, kind) == gap_of(values, status, kind) == pytest.approx(0.3)
    )
    sure = infer_static_sos_gap(
        Sample(static_sos_gap, [values, status, kind], np.arange(5), np.random.default_rng(0))
    )
    # of six ways to choose two of four, {.2, .8}, {.1, .3} and {.8, .3}, {.2, .1} differ as much or more
    assert sure.p == pytest.approx(4 / 6)
    assert sure.low <= 0.3 <= sure.high
    mean = infer_static_sos(Sample(static_sos, [values], np.arange(5), np.random.default_rng(0)))
    assert mean.p is None
    assert mean.low < 0.46 < mean.high
    assert (
        infer_static_sos(
            Sample(static_sos, [values[:1]], np.arange(1), np.random.default_rng(0))
        ).low
        is None
    )


def test_scores_that_are_no_numbers():
    with pytest.raises(Undefined, match="no identities"):
        static_sos(np.array([]))
    with pytest.raises(Undefined, match="no finite score"):
        static_sos(np.array([np.nan]))


def test_the_interval_of_a_gap_by_hand():
    values = np.array([0.5, 0.6, 0.3, 0.4, 0.5])
    status, kind = np.array([M, M, N, N, N]), np.array(["a"] * 5)
    sure = infer_static_sos_gap(
        Sample(static_sos_gap, [values, status, kind], np.arange(5), np.random.default_rng(0))
    )
    squares = 2 * 0.05**2 + 2 * 0.1**2
    error = (squares / 3 * (1 / 2 + 1 / 3)) ** 0.5
    low, high = (0.55 - 0.4 + sign * 3.182446 * error for sign in (-1, 1))  # t of 3 degrees
    assert (sure.low, sure.high) == pytest.approx((low, high))
    assert "only 2 identities on a side: the interval is rough" in sure.why


def test_the_mean_of_gaps_has_the_mean_of_their_errors():
    values = np.array([0.5, 0.6, 0.3, 0.4] * 2)
    status, kind = np.array([M, M, N, N] * 2), np.repeat(["a", "b"], 4)
    sure = infer_static_sos_gap(
        Sample(static_sos_gap, [values, status, kind], np.arange(8), np.random.default_rng(0))
    )
    error = (
        4 * 0.05**2 / 2 * (1 / 2 + 1 / 2) / 2
    ) ** 0.5  # of two equal parts, 4 degrees of freedom
    assert sure.high - 0.2 == pytest.approx(2.776445 * error)
    assert sure.why.startswith("few identities on a side (a 2, b 2): the interval is rough")


def test_one_identity_on_a_side_has_no_interval():
    values = np.array([0.2, 0.5, 0.3, 0.9])
    status, kind = np.array([M, M, M, N]), np.array(["a"] * 4)
    rng = np.random.default_rng(0)
    sure = infer_static_sos_gap(Sample(static_sos_gap, [values, status, kind], np.arange(4), rng))
    assert (sure.low, sure.high) == (None, None)
    assert sure.p == pytest.approx(1 / 4)
    assert sure.why.startswith("no interval: a has a single value on a side")
    columns, clusters = design(WINS[1:], [M, N, N, N], KIND[1:])
    sure = infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))
    assert sure.low is None and sure.p is not None
    assert "a has a single value on a side" in sure.why


def test_the_interval_of_a_gap_of_rates_allows_for_the_adjectives():
    rng = np.random.default_rng(1)
    people, words = 14, 6
    status, kind = [M] * 7 + [N] * 7, ["a"] * people
    alike = np.tile([1, 1, 1, 0, 0, 0], (people, 1))
    alike[:7, 0] = 0  # one pair of adjectives is what makes the gap
    alike[rng.integers(people), 3] = 1
    columns, clusters = design(alike, status, kind)
    sure = infer_sos_gap(Sample(sos_gap, columns, clusters, np.random.default_rng(0)))
    rows = alike.mean(axis=1) * 100
    gaps = 100 * (alike[:7].mean(axis=0) - alike[7:].mean(axis=0))
    parts = [(rows[:7].var() * 7 + rows[7:].var() * 7) / 12 * 2 / 7, gaps.var(ddof=1) / words]
    freedom = int(sum(parts) ** 2 / (parts[0] ** 2 / 12 + parts[1] ** 2 / 5))
    from scipy.stats import t

    half = t.ppf(0.975, freedom) * sum(parts) ** 0.5
    value = rows[:7].mean() - rows[7:].mean()
    assert (sure.low, sure.high) == pytest.approx((value - half, value + half))
    assert sure.low < 0 < sure.high and sure.p < 0.01  # identities alone would make it significant
    one, clusters = design(alike[:, :1], status, kind)
    sure = infer_sos_gap(Sample(sos_gap, one, clusters, np.random.default_rng(0)))
    assert "no interval: it takes two pairs of adjectives" in sure.why
