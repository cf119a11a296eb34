"""Permutation tests against a loop over all partitions, derived values, and properties."""

import tracemalloc
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.hypothesis_tests import permutation_tests
from tiltmeter.stats.hypothesis_tests.permutation_tests import Permuted, partition_test

ALTERNATIVES = ("two-sided", "greater", "less")


def rng():
    return np.random.default_rng(3)


def marks(n, size):
    return np.arange(n) < size


def brute(values, first, alternative):
    """Every partition, one after the other, by the difference of means; whole numbers are exact."""
    n, size = len(values), int(first.sum())

    def apart(chosen):
        inside = [values[i] for i in chosen]
        outside = [values[i] for i in range(n) if i not in chosen]
        return sum(inside) * len(outside) - sum(outside) * len(inside)

    seen = apart(set(np.flatnonzero(first)))
    found = [apart(set(chosen)) for chosen in combinations(range(n), size)]
    as_extreme = {
        "greater": lambda d: d >= seen,
        "less": lambda d: d <= seen,
        "two-sided": lambda d: abs(d) >= abs(seen),
    }[alternative]
    return sum(map(as_extreme, found)) / len(found)


@given(
    values=st.lists(st.integers(-5, 5), min_size=2, max_size=9),
    size=st.integers(1, 8),
    alternative=st.sampled_from(ALTERNATIVES),
    seed=st.integers(0, 99),
)
def test_exact_equals_every_partition_in_a_loop(values, size, alternative, seed):
    size = min(size, len(values) - 1)
    first = np.random.default_rng(seed).permutation(marks(len(values), size))
    if len(set(values)) == 1:
        return
    found = partition_test(
        np.array(values, dtype=float) / 7, first, rng(), alternative=alternative, draws=999
    )
    assert found == Permuted(brute(values, first, alternative), True, comb(len(values), size))


def test_the_most_extreme_partition():
    """Of the C(16, 8) = 12,870 partitions only one is as extreme; two if both sides count."""
    values = np.arange(16.0)[::-1]
    first = marks(16, 8)
    assert partition_test(values, first, rng(), alternative="greater").p == 1 / 12_870
    assert partition_test(values, first, rng()).p == 2 / 12_870
    assert partition_test(values, first, rng(), alternative="less").p == 1


def test_no_difference_is_as_likely_as_can_be():
    assert partition_test(np.array([1.0, 2, 2, 1]), marks(4, 2), rng()).p == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawing_comes_near_to_looking_at_all(alternative, monkeypatch):
    values = np.random.default_rng(1).normal(size=14)
    values[:7] += 0.5
    exact = partition_test(values, marks(14, 7), rng(), alternative=alternative)
    monkeypatch.setattr(permutation_tests, "EXACT_UP_TO", 0)
    drawn = partition_test(values, marks(14, 7), rng(), alternative=alternative)
    assert exact.exact
    assert drawn == Permuted(drawn.p, False, 100_000)
    deviation = np.sqrt(exact.p * (1 - exact.p) / 99_999)
    assert abs(drawn.p - exact.p) < 4 * deviation + 1e-5


@pytest.mark.parametrize("size", [1, 3, 5, 6])
def test_every_partition_is_drawn_equally_often(size):
    """Powers of two tell from the sum which were drawn."""
    values = 2.0 ** np.arange(6)
    sums = np.concatenate(list(permutation_tests._drawn_sums(values, size, rng(), 20_000)))
    all_sums = np.sort(permutation_tests._all_sums(values, size))
    assert len(set(all_sums)) == len(all_sums) == comb(6, size)
    kinds, times = np.unique(sums, return_counts=True)
    np.testing.assert_array_equal(kinds, all_sums)
    expected = 20_000 / len(kinds)
    assert np.abs(times - expected).max() < 4.5 * np.sqrt(expected)


def test_the_observed_partition_counts_as_drawn():
    """So that p is never 0: nothing drawn at random comes near this one."""
    values = np.arange(60.0)[::-1]
    found = partition_test(values, marks(60, 30), rng(), alternative="greater", draws=99)
    assert found == Permuted(1 / 100, False, 100)


@pytest.mark.parametrize("draws", [1, 8191, 8192, 20_000])
def test_as_many_are_drawn_as_were_asked_for(draws):
    sums = permutation_tests._drawn_sums(np.arange(9.0), 4, rng(), draws)
    assert sum(map(len, sums)) == draws


@pytest.mark.parametrize("exact_up_to", [0, 100_000])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_order_scale_and_place_change_nothing(alternative, exact_up_to, monkeypatch):
    monkeypatch.setattr(permutation_tests, "EXACT_UP_TO", exact_up_to)
    values, first = np.random.default_rng(2).normal(size=11), marks(11, 4)
    order = np.random.default_rng(4).permutation(11)
    found = partition_test(values, first, rng(), alternative=alternative, draws=999)
    assert (
        partition_test(values[order], first[order], rng(), alternative=alternative, draws=999)
        == found
    )
    assert (
        partition_test(8 * values + 100, first, rng(), alternative=alternative, draws=999) == found
    )


@pytest.mark.parametrize("exact_up_to", [0, 100_000])
def test_exchanging_groups_exchanges_the_sides(exact_up_to, monkeypatch):
    monkeypatch.setattr(permutation_tests, "EXACT_UP_TO", exact_up_to)
    values, first = np.random.default_rng(2).normal(size=11), marks(11, 4)
    for one, other in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        p = partition_test(values, first, rng(), alternative=one, draws=999)
        assert partition_test(values, ~first, rng(), alternative=other, draws=999) == p


def test_equal_sums_count_as_equal_whatever_their_last_digits():
    """0.1 + 0.2 and 0.3 + 0 differ in floating point; all four ways to sum to 0.3 are one."""
    values = np.array([0.1, 0.2, 0.3, 0.0])
    assert brute([1, 2, 3, 0], marks(4, 2), "greater") == 4 / 6
    assert partition_test(values, marks(4, 2), rng(), alternative="greater").p == 4 / 6


def test_memory_is_bounded_whatever_the_number_of_draws():
    peaks = []
    for draws in (20_000, 200_000):
        tracemalloc.start()
        partition_test(np.arange(40.0), marks(40, 20), rng(), draws=draws)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0] < 16 * 2**20


def test_few_of_many():
    """Two of 400 words: 79,800 partitions, and the two largest values are in one of them."""
    values = np.arange(400.0)[::-1]
    found = partition_test(values, marks(400, 2), rng(), alternative="greater")
    assert found == Permuted(1 / 79_800, True, 79_800)
    one = partition_test(np.arange(9_000.0), marks(9_000, 1), rng(), alternative="less")
    assert one == Permuted(1 / 9_000, True, 9_000)


def test_what_has_no_answer():
    values = np.array([1.0, 2, 3])
    for size in (0, 3):
        with pytest.raises(Undefined, match="one of the two groups is empty"):
            partition_test(values, marks(3, size), rng())
    with pytest.raises(Undefined, match="1 of 3 values is not finite"):
        partition_test(np.array([1, np.inf, 2]), marks(3, 1), rng())
    with pytest.raises(Undefined, match="all values are equal"):
        partition_test(np.ones(4), marks(4, 2), rng())
    with pytest.raises(BadInput, match="has 2 entries"):
        partition_test(values, marks(2, 1), rng())
