"""WEAT and its kin against the definitions written as loops, derived values, and properties."""

from functools import partial
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.association import associations, effect_size, permutation_p
from tiltmeter.metrics.effects import _resampled, infer_effect_size

SIDES = np.array(list("XXXXYYYY"))
SEEDS = st.integers(0, 999)


def rng():
    return np.random.default_rng(5)


def words(seed, targets=6, a=3, b=4, width=5):
    made = np.random.default_rng(seed)
    return [made.normal(size=(n, width)) for n in (targets, a, b)]


def cosine(u, v):
    return sum(i * j for i, j in zip(u, v, strict=True)) / (
        sum(i * i for i in u) ** 0.5 * sum(j * j for j in v) ** 0.5
    )


def test_associations_are_means_of_cosines():
    targets, a, b = words(0)
    expected = [
        np.mean([cosine(w, v) for v in a]) - np.mean([cosine(w, v) for v in b]) for w in targets
    ]
    np.testing.assert_allclose(associations(targets, a, b), expected)


@given(SEEDS)
def test_lengths_of_vectors_do_not_matter_and_sets_exchange_the_sign(seed):
    targets, a, b = words(seed)
    s = associations(targets, a, b)
    assert (np.abs(s) <= 2).all()
    np.testing.assert_allclose(associations(targets, b, a), -s, atol=1e-12)
    np.testing.assert_allclose(associations(7 * targets, a * [[1], [2], [3]], b), s, atol=1e-12)
    order = np.random.default_rng(seed).permutation(len(targets))
    np.testing.assert_allclose(associations(targets[order], a[::-1], b), s[order], atol=1e-12)


def test_the_ends_of_the_range():
    here, there = np.array([[1.0, 0]]), np.array([[-3.0, 0]])
    assert associations(np.array([[5.0, 0]]), here, there).tolist() == [2]
    assert associations(np.array([[0.0, 1]]), here, there).tolist() == [0]


def test_reduced_precision_is_worked_on_in_double():
    targets, a, b = (v.astype(np.float32) for v in words(3))
    doubles = (v.astype(np.float64) for v in (targets, a, b))
    np.testing.assert_array_equal(associations(targets, a, b), associations(*doubles))


def test_a_vector_without_a_direction():
    targets, a, b = words(0)
    for at, named in enumerate(("targets", "A", "B")):
        given_sets = [targets.copy(), a.copy(), b.copy()]
        given_sets[at][1] = 0
        with pytest.raises(Undefined, match=rf"1 of \d vectors of {named} is 0"):
            associations(*given_sets)
        given_sets[at][1, 2] = np.nan
        with pytest.raises(
            Undefined, match=f"vectors of {named} contains a value that is not a finite"
        ):
            associations(*given_sets)
        given_sets[at] = given_sets[at][:0]
        with pytest.raises(Undefined, match=f"no words in {named}"):
            associations(*given_sets)
    with pytest.raises(BadInput, match="cannot be compared"):
        associations(targets, a, b[:, 1:])


def test_effect_size_by_hand():
    """Means 5/8 and 1/8; deviations from 3/8: four of 1/4 + 1/8 or less: see the sum below."""
    s = np.array([1.0, 0.5, 0.5, 0.5, 0.0, 0.25, 0.25, 0.0])
    squares = (5 / 8) ** 2 + 3 * (1 / 8) ** 2 + 2 * (3 / 8) ** 2 + 2 * (1 / 8) ** 2  # of s − 3/8
    assert effect_size(s, SIDES) == pytest.approx(0.5 / np.sqrt(squares / 7))
    assert effect_size(s, SIDES, deviation="population") == pytest.approx(
        0.5 / np.sqrt(squares / 8)
    )


@given(SEEDS)
def test_exchanging_the_targets_exchanges_the_sign(seed):
    s = np.random.default_rng(seed).normal(size=8)
    other = np.where(SIDES == "X", "Y", "X")
    d = effect_size(s, SIDES)
    assert effect_size(s, other) == pytest.approx(-d)
    assert effect_size(-s, SIDES) == pytest.approx(-d)
    assert effect_size(3 * s + 1, SIDES) == pytest.approx(d)
    order = np.random.default_rng(seed).permutation(8)
    assert effect_size(s[order], SIDES[order]) == pytest.approx(d)
    assert abs(d) <= 2 * np.sqrt(7 / 8) + 1e-12
    assert abs(effect_size(s, SIDES, deviation="population")) <= 2 + 1e-12


def test_the_largest_effect():
    s = np.where(SIDES == "X", 0.3, -0.1)
    assert effect_size(s, SIDES) == pytest.approx(2 * np.sqrt(7 / 8))
    assert effect_size(s, SIDES, deviation="population") == pytest.approx(2)


def test_words_associated_alike():
    for s in (np.full(8, 0.3), 0.3 + np.linspace(0, 1e-16, 8)):
        with pytest.raises(Undefined, match="the same association"):
            effect_size(s, SIDES)
        with pytest.raises(Undefined, match="the same association"):
            permutation_p(s, SIDES, rng())


def test_sides_that_are_none():
    s = np.arange(8.0)
    for metric in (effect_size, partial(permutation_p, rng=rng())):
        with pytest.raises(BadInput, match="X or Y"):
            metric(s, np.array(list("XXXXYYYZ")))
        with pytest.raises(BadInput, match="7 sides for 8 words"):
            metric(s, SIDES[1:])
        with pytest.raises(Undefined, match="no words in Y"):
            metric(s, np.array(["X"] * 8))
        with pytest.raises(Undefined, match="1 of 8 words"):
            metric(np.where(s == 3, np.nan, s), SIDES)


def test_the_permutation_test_by_hand():
    """Of the C(8, 4) = 70 partitions one has 8 + 7 + 6 + 5, and one 8 + 7 + 6 + 4."""
    best = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])
    assert permutation_p(best, SIDES, rng(), alternative="greater").p == 1 / 70
    assert permutation_p(best, SIDES, rng()).p == 2 / 70
    second = np.array([8.0, 7, 6, 4, 5, 3, 2, 1])
    assert permutation_p(second, SIDES, rng(), alternative="greater").p == 2 / 70
    assert permutation_p(second, SIDES, rng(), alternative="less").p == 69 / 70


def test_exact_up_to_nine_words_a_side():
    for n, exact in ((9, True), (10, False)):
        s, side = np.random.default_rng(n).normal(size=2 * n), np.array(["X"] * n + ["Y"] * n)
        found = permutation_p(s, side, rng())
        assert found.exact is exact
        assert found.partitions == (comb(18, 9) if exact else 100_000)


def test_sets_of_different_size_have_no_test_but_an_effect():
    s, side = np.arange(5.0), np.array(list("XXYYY"))
    assert effect_size(s, side) < 0
    with pytest.raises(BadInput, match="X has 2 words and Y 3"):
        permutation_p(s, side, rng())


@pytest.mark.parametrize("deviation", ["sample", "population"])
def test_the_interval_holds_the_effect_and_the_test_is_the_metrics(deviation):
    sides = np.repeat(["X", "Y"], 8)
    s = np.random.default_rng(0).normal(size=16) + np.where(sides == "X", 1.0, 0)
    metric = partial(effect_size, deviation=deviation)
    found = infer_effect_size(Sample(metric, [s, sides], np.arange(16).astype(str), rng()))
    assert found.low < metric(s, sides) < found.high
    assert found.p == permutation_p(s, sides, rng()).p
    assert found.test == "two-sided permutation test, all 12,870 partitions of the targets"
    again = infer_effect_size(Sample(metric, [s, sides], np.arange(16).astype(str), rng()))
    assert again == found


def test_resamples_are_the_metric_of_resampled_words():
    class Chosen:
        def integers(self, n, size):
            return np.tile([0, 0, 1, 2], (size[0], 1)) % n

    s = np.arange(8.0) ** 2
    values = _resampled(s, SIDES == "X", "sample", Chosen())
    drawn = np.array([0, 0, 1, 4, 16, 16, 25, 36.0])
    np.testing.assert_allclose(values, effect_size(drawn, SIDES))


def test_what_cannot_be_inferred_is_said():
    clusters = np.arange(5).astype(str)
    uneven = infer_effect_size(
        Sample(effect_size, [np.arange(5.0), np.array(list("XXYYY"))], clusters, rng())
    )
    assert uneven.p is None
    assert "no test: X has 2 words and Y 3" in uneven.why
    assert uneven.low is None and "fewer than 8 targets" in uneven.why
    alike = infer_effect_size(
        Sample(effect_size, [np.ones(4), np.array(list("XXYY"))], clusters, rng())
    )
    assert (alike.low, alike.high, alike.p) == (None, None, None)
    assert "no test: all words have the same association" in alike.why
    assert "no interval: all words have the same association" in alike.why
