"""AC1 and AC2 against a published example, a slow implementation, and what must not matter."""

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.raters.gwet import Weights, gwet_ac1, gwet_ac2, gwet_inference
from tiltmeter.stats.raters.kappa_and_alpha import fleiss_kappa

_ = math.nan
WEIGHTS: tuple[Weights, ...] = ("identity", "ordinal", "linear", "quadratic")
FOUR_RATERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T


def test_the_published_example() -> None:
    """Gwet's four raters and twelve units; R's irrCAC gives .77544, from p = .81818 and e = .19032."""
    assert gwet_ac1(FOUR_RATERS) == pytest.approx(0.77544, abs=5e-6)


def slow(ratings: Array, weights: Weights) -> float:
    """Pair by pair and value by value, as the definition says."""
    rows = [[v for v in row if not math.isnan(v)] for row in ratings.tolist()]
    rows = [row for row in rows if row]
    scale = sorted({v for row in rows for v in row})
    k, span = len(scale), scale[-1] - scale[0]

    def weight(a: float, b: float) -> float:
        steps = abs(scale.index(a) - scale.index(b))
        partial = {
            "identity": float(a == b),
            "ordinal": 1 - math.comb(steps + 1, 2) / math.comb(k, 2),
            "linear": 1 - abs(a - b) / span,
            "quadratic": 1 - ((a - b) / span) ** 2,
        }
        return float(partial[weights])

    shares = [
        np.mean([weight(a, b) for a, b in itertools.permutations(row, 2)])
        for row in rows
        if len(row) > 1
    ]
    seen = float(np.mean(shares))
    used = [np.mean([row.count(v) / len(row) for row in rows]) for v in scale]
    total = sum(weight(a, b) for a in scale for b in scale)
    chance = total / (k * (k - 1)) * sum(p * (1 - p) for p in used)
    return float((seen - chance) / (1 - chance))


tables = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, math.nan]), min_size=3, max_size=3),
    min_size=1,
    max_size=8,
).map(np.array)


@settings(deadline=None)
@given(tables, st.sampled_from(WEIGHTS), st.randoms())
def test_the_slow_implementation_and_any_order_give_the_same(
    ratings: Array, weights: Weights, random: Random
) -> None:
    try:
        value = gwet_ac2(ratings, weights=weights)
    except Undefined:
        given_ = [row[~np.isnan(row)] for row in ratings]
        assert max(map(len, given_)) < 2 or len(np.unique(np.concatenate(given_))) < 2
        return
    assert value == pytest.approx(slow(ratings, weights), abs=1e-9)
    shuffled = [random.sample(row, len(row)) for row in ratings.tolist()]
    random.shuffle(shuffled)
    assert gwet_ac2(np.array(shuffled), weights=weights) == pytest.approx(value, abs=1e-9)


def test_it_stays_high_where_one_answer_prevails_and_kappa_does_not() -> None:
    ratings = np.array([[1, 1]] * 98 + [[1, 2], [2, 1]], dtype=float)
    # p = .98, e = 2 · .99 · .01
    assert gwet_ac1(ratings) == pytest.approx((0.98 - 0.0198) / (1 - 0.0198))
    assert fleiss_kappa(ratings) < 0


def test_two_items_by_hand() -> None:
    ratings = np.array([[1, 1], [1, 2.0]])
    # p = .5; shares .75 and .25: Σ π(1 − π) = .375
    assert gwet_ac1(ratings) == pytest.approx((0.5 - 0.375) / 0.625)


def test_raters_who_guess_agree_as_chance_does() -> None:
    ratings = np.random.default_rng(4).integers(0, 3, (2000, 3)).astype(float)
    assert abs(gwet_ac1(ratings)) < 0.05


@pytest.mark.parametrize("ratings", [[[1, _], [_, 2]], [[1, 1], [1, 1]], [[_, _]]])
def test_without_a_value_it_is_undefined(ratings: list[list[float]]) -> None:
    with pytest.raises(Undefined):
        gwet_ac1(np.array(ratings))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_interval_holds_the_value_and_narrows_with_items(weights: Weights) -> None:
    widths = []
    for table in (FOUR_RATERS, np.tile(FOUR_RATERS, (20, 1))):
        found = gwet_inference(table, weights=weights)
        assert found.low is not None and found.high is not None
        assert found.low < gwet_ac2(table, weights=weights) < found.high
        widths.append(found.high - found.low)
    assert widths[1] < 0.4 * widths[0]
