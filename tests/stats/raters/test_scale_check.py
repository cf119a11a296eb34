"""Scale checks by hand, under relabelling of raters, and on scales turned round or moved."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.raters.kappa_and_alpha import krippendorff_alpha
from tiltmeter.stats.raters.scale_check import marked, scale_check

_ = np.nan


def panel(seed: int, items: int = 60, raters: int = 4) -> Array:
    """A five-level scale, read with some noise."""
    rng = np.random.default_rng(seed)
    truth = rng.uniform(1, 5, (items, 1))
    return np.clip(np.round(truth + rng.normal(0, 0.6, (items, raters))), 1, 5)


def test_values_by_hand() -> None:
    # against the mean of the others (1, 2, 3): x − 2 = −1, 0, 1 and y = 5, 3, 1
    ratings = np.array([[5, 1, 1], [3, 1, 3], [1, 3, 3], [_, 1, 2], [4, _, _]])
    first = scale_check(ratings, rng=np.random.default_rng(0))[0]
    assert first.items == 3
    assert first.r == pytest.approx(-1)
    assert first.slope == pytest.approx(-2)
    assert first.shift == pytest.approx(1)
    assert first.alpha == pytest.approx(krippendorff_alpha(ratings, level="interval"))
    assert first.alpha_without == pytest.approx(
        krippendorff_alpha(ratings[:, 1:], level="interval")
    )


def test_a_reversed_scale_is_found_and_no_other_is_marked() -> None:
    ratings = panel(1)
    assert not any(
        c.reversed or c.shifted for c in scale_check(ratings, rng=np.random.default_rng(0))
    )
    ratings[:, 2] = 6 - ratings[:, 2]
    found = scale_check(ratings, rng=np.random.default_rng(0))
    assert [c.reversed for c in found] == [False, False, True, False]
    turned = found[2]
    assert turned.slope is not None and turned.slope < 0
    assert turned.alpha is not None and turned.alpha_without is not None
    assert turned.alpha < 0.3
    assert turned.alpha_without > 0.7


def test_a_scale_that_starts_at_zero_is_found() -> None:
    ratings = panel(2)
    ratings[:, 1] -= 1
    found = scale_check(ratings, rng=np.random.default_rng(0))
    assert [c.shifted for c in found] == [False, True, False, False]
    assert not any(c.reversed for c in found)
    assert found[1].shift == pytest.approx(-1, abs=0.3)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000), st.permutations(range(4)))
def test_permuting_raters_permutes_the_checks(seed: int, order: list[int]) -> None:
    ratings = panel(seed, items=20)
    ratings[np.random.default_rng(seed).random(ratings.shape) < 0.2] = np.nan
    one = scale_check(ratings, rng=np.random.default_rng(3))
    other = scale_check(ratings[:, order], rng=np.random.default_rng(3))
    for check, place in zip(other, order, strict=True):
        same = one[place]
        assert check.r == pytest.approx(same.r)
        assert check.r_interval.low == pytest.approx(same.r_interval.low)
        assert check.alpha_without == pytest.approx(same.alpha_without)
        assert (check.reversed, check.shifted) == (same.reversed, same.shifted)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_another_unit_changes_only_what_has_a_unit(seed: int) -> None:
    ratings = panel(seed, items=20)
    one = scale_check(ratings, rng=np.random.default_rng(3))
    other = scale_check(10 * ratings + 1000, rng=np.random.default_rng(3))
    for before, after in zip(one, other, strict=True):
        assert after.r == pytest.approx(before.r)
        assert after.slope == pytest.approx(before.slope)
        assert before.shift is not None
        assert after.shift == pytest.approx(10 * before.shift, abs=1e-9)
        assert after.alpha == pytest.approx(before.alpha)
        assert after.shifted == before.shifted


def test_raters_who_guess_are_rarely_called_reversed() -> None:
    marked = sum(
        check.reversed
        for seed in range(40)
        for check in scale_check(
            np.random.default_rng(seed).integers(1, 6, (60, 3)).astype(float),
            rng=np.random.default_rng(seed),
        )
    )
    assert marked <= 9  # of 120, expected 3: one tail of a 95 % interval


def test_what_cannot_be_computed_has_a_reason() -> None:
    constant = np.column_stack([np.ones(10), np.arange(10.0), np.arange(10.0)])
    first, second, _last = scale_check(constant, rng=np.random.default_rng(0))
    assert first.r is None and "equal" in first.why and not first.reversed
    assert first.slope == 0
    assert second.r == pytest.approx(1)
    apart = scale_check(np.array([[1, 2, _], [_, 2, 1], [1, _, _]]), rng=np.random.default_rng(0))
    assert apart[0].r is None and apart[0].items == 1 and "only 1" in apart[0].why
    with pytest.raises(Undefined, match="two raters"):
        scale_check(np.ones((3, 1)), rng=np.random.default_rng(0))


def test_marks_are_adjusted_over_all_tables() -> None:
    """A correlation that marks a rater among four does not among four hundred others."""
    ratings = panel(5, items=12)
    ratings[:, 2] = np.clip(6 - ratings[:, 2] + np.random.default_rng(4).normal(0, 0.5, 12), 1, 5)
    alone = scale_check(ratings, rng=np.random.default_rng(0))
    p = alone[2].reversed_p
    assert p is not None
    assert 1e-4 < p < 0.0125
    assert alone[2].reversed
    others = [scale_check(panel(seed), rng=np.random.default_rng(0)) for seed in range(150)]
    assert not marked([alone, *others])[0][2].reversed


def test_equal_differences_of_a_few_items_are_no_shift() -> None:
    rng = np.random.default_rng(0)
    ratings = np.clip(np.round(3 + rng.normal(0, 1, (40, 6))), 1, 5)
    ratings[4:, 0] = np.nan  # one rater has four items, and is one above the others on each
    ratings[:4, 0] = np.round(ratings[:4, 1:].mean(axis=1)) + 1
    checks = scale_check(ratings, rng=np.random.default_rng(0))
    assert not checks[0].shifted
    assert checks[0].shifted_p is not None
    assert checks[0].shifted_p > 0.01
