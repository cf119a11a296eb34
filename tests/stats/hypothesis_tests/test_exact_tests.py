import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, false_discovery_control

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.hypothesis_tests import exact_tests
from tiltmeter.stats.hypothesis_tests.exact_tests import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    shuffled_medians,
    sign_flip,
    sign_test,
)

PS = st.lists(st.none() | st.floats(0, 1), max_size=12)


def rng(seed=0):
    return np.random.default_rng(seed)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_sign_test_and_mcnemar_are_scipys(wins, losses):
    if wins + losses == 0:
        return
    theirs = binomtest(wins, wins + losses).pvalue
    assert sign_test(wins, losses) == pytest.approx(theirs, rel=1e-9)
    assert mcnemar_exact(losses, wins) == sign_test(wins, losses)


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(0, 1, 1), (6, 0, 2 / 64), (3, 3, 1), (8, 2, 112 / 1024)]
)
def test_sign_test_by_hand(wins, losses, p):
    assert sign_test(wins, losses) == pytest.approx(p, rel=1e-12)


def test_nothing_to_test():
    with pytest.raises(Undefined):
        sign_test(0, 0)
    with pytest.raises(Undefined, match="agree on every item"):
        mcnemar_exact(0, 0)
    with pytest.raises(Undefined, match="every cluster sums to 0"):
        sign_flip(np.array([1.0, -1.0]), np.array(["a", "a"]), rng())
    with pytest.raises(Undefined, match="every cluster sums to 0"):
        sign_flip(np.array([0.1, 0.2, -0.3]), np.array(["a", "a", "a"]), rng())
    rounded = np.array([0.1, 0.2, -0.3, 1.0, 2.0])
    assert sign_flip(rounded, np.array(list("aaabc")), rng()) == 0.5
    with pytest.raises(Undefined, match="empty"):
        shuffled_medians(np.zeros(0), np.ones(3), rng())


def all_flips(sums):
    totals = [sum(f * s for f, s in zip(flips, sums, strict=True))
              for flips in itertools.product((-1, 1), repeat=len(sums))]  # fmt: skip
    return float(np.mean(np.abs(totals) >= abs(sum(sums)) - 1e-9))


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9).filter(any))
def test_whole_numbers_are_flipped_in_every_way(sums):
    labels = np.arange(len(sums)).astype(str)
    p = sign_flip(np.array(sums, float), labels, rng())
    assert p == pytest.approx(all_flips(sums), abs=1e-9)


@given(st.lists(st.integers(-200, 200), min_size=1, max_size=8).filter(any))
def test_few_fractions_are_flipped_in_every_way(hundredths):
    sums = [h / 100 for h in hundredths]
    labels = np.arange(len(sums)).astype(str)
    exact = all_flips(sums)
    assert sign_flip(np.array(sums), labels, rng()) == pytest.approx(exact, abs=1e-9)


def test_random_flips_come_close_to_the_exact_p(monkeypatch):
    values, labels = rng(1).normal(0.4, 1, 14), np.arange(14).astype(str)
    exact = sign_flip(values, labels, rng())
    monkeypatch.setattr(exact_tests, "EXACT_UP_TO", 3)
    assert sign_flip(values, labels, rng()) == pytest.approx(exact, abs=0.015)
    assert sign_flip(np.abs(values) + 1, labels, rng()) >= 1 / 10_000


def test_single_items_give_the_sign_test():
    signs = np.array([1.0] * 60 + [-1.0] * 35 + [0.0] * 5)
    p = sign_flip(signs, np.arange(100).astype(str), rng())
    assert p == pytest.approx(sign_test(60, 35), rel=1e-12)


def test_clusters_of_like_items_are_less_sure():
    """Ten clusters of ten, all alike inside: as sure as the ten, not as the hundred."""
    signs, labels = np.repeat([1.0] * 8 + [-1.0] * 2, 10), np.repeat(np.arange(10).astype(str), 10)
    assert sign_flip(signs, labels, rng()) == pytest.approx(sign_test(8, 2))
    assert sign_test(80, 20) < 1e-8


def test_equal_samples_do_not_differ_and_far_ones_do():
    assert shuffled_medians(np.arange(9.0), np.arange(9.0), rng()) == 1
    assert shuffled_medians(np.arange(30.0), 100 + np.arange(30.0), rng()) == 1 / 2000


def test_shuffled_medians_by_every_split():
    one, other = np.array([1.0, 5.0, 9.0]), np.array([2.0, 3.0, 4.0, 6.0])
    both = [*one, *other]
    apart = []
    for chosen in itertools.combinations(range(7), 3):
        rest = [both[i] for i in range(7) if i not in chosen]
        apart.append(abs(np.median([both[i] for i in chosen]) - np.median(rest)))
    exact = np.mean(np.array(apart) >= abs(np.median(one) - np.median(other)) - 1e-9)
    assert shuffled_medians(one, other, rng(), draws=19_999) == pytest.approx(exact, abs=0.015)


def test_p_of_shuffled_medians_is_uniform_without_an_effect():
    ps = [shuffled_medians(*rng(s).normal(size=(2, 25)), rng(s), draws=199) for s in range(300)]
    assert 0.02 <= np.mean(np.array(ps) <= 0.05) <= 0.09


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, None, 0.9]) == [1.0, None, 1.0]
    assert holm([]) == []
    assert holm([None]) == [None]


def test_benjamini_hochberg_by_hand():
    # ×4/1, ×4/2, ×4/3, ×4/4 = .02, .02, .0533, .2
    found = benjamini_hochberg([0.01, 0.005, None, 0.2, 0.04])
    assert found == pytest.approx([0.02, 0.02, None, 0.2, 0.16 / 3])


@given(PS)
def test_corrections_never_lower_a_p_and_keep_its_rank(ps):
    for correct in (holm, benjamini_hochberg):
        out = correct(ps)
        both = sorted((p, q) for p, q in zip(ps, out, strict=True) if p is not None)
        assert [q is None for q in out] == [p is None for p in ps]
        assert all(p <= q <= 1 for p, q in both)
        assert [q for _, q in both] == sorted(q for _, q in both)


@given(PS)
def test_benjamini_hochberg_is_scipys_and_holm_is_never_below_it(ps):
    given_ps = [p for p in ps if p is not None]
    if given_ps:
        ours = [q for q in benjamini_hochberg(ps) if q is not None]
        assert ours == pytest.approx(false_discovery_control(given_ps), abs=1e-12)
        strict = [q for q in holm(ps) if q is not None]
        assert all(h >= b - 1e-12 for h, b in zip(strict, ours, strict=True))


@pytest.mark.parametrize(("one", "other"), [(1, 1), (2, 3), (3, 2), (4, 4), (1, 6)])
def test_dealt_middles_come_as_often_as_when_all_deals_are_listed(one, other):
    places, draws = set(range(one + other)), 20_000
    listed = []
    for dealt in itertools.combinations(sorted(places), one):
        rest = sorted(places - set(dealt))
        mine = dealt[(one - 1) // 2], dealt[one // 2]
        listed.append((*mine, rest[(other - 1) // 2], rest[other // 2]))
    found = np.concatenate(
        exact_tests._dealt_middles(one, other, rng(), draws=draws), axis=1
    ).tolist()
    assert {tuple(row) for row in found} == set(listed)
    for middles in set(listed):
        share = listed.count(middles) / len(listed)
        spread = (share * (1 - share) / draws) ** 0.5
        assert found.count(list(middles)) / draws == pytest.approx(share, abs=5 * spread)


@pytest.mark.parametrize("gap", [0.0, 0.3])
def test_shuffled_medians_of_many_are_those_of_few(gap, monkeypatch):
    one, other = rng(1).normal(size=80), rng(2).normal(size=61) + gap
    usual = shuffled_medians(one, other, rng(), draws=8000)
    monkeypatch.setattr(exact_tests, "MANY", 0)
    quick = shuffled_medians(one, other, rng(), draws=8000)
    assert quick == pytest.approx(usual, abs=5 * (0.5 / 8000) ** 0.5)
    assert 0 < quick <= 1


def test_sign_flips_of_many_are_those_of_few(monkeypatch):
    values = rng(3).choice([-2.5, -1.25, 1.25, 2.5], size=300, p=[0.22, 0.26, 0.28, 0.24])
    clusters = np.arange(300)
    usual = sign_flip(values, clusters, rng())
    monkeypatch.setattr(exact_tests, "MANY", 250)
    quick = sign_flip(values, clusters, rng())
    assert quick == pytest.approx(usual, abs=5 * (0.5 / exact_tests.DRAWS) ** 0.5)
    assert 0.01 < quick < 0.5
