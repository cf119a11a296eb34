"""Differences and slopes within strata: as by ordinary least squares with a mean for each stratum."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.regression.within_strata import FEWEST, mean_excess, within_slope


def data(people=12, strata=3, seed=0):
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(people), strata)
    stratum = np.tile(np.arange(strata), people)
    x = rng.integers(1, 5, len(person)).astype(float)
    y = 10 * stratum + 2 * x + rng.normal(size=len(person)) + rng.normal(size=people)[person]
    return y, x, stratum, person


def by_least_squares(y, x, stratum, kept):
    design = np.column_stack([x, *(stratum == s for s in np.unique(stratum))])[kept]
    return np.linalg.lstsq(design, y[kept], rcond=None)[0][0]


def test_the_slope_is_that_of_least_squares_and_its_error_that_of_a_plain_jackknife():
    y, x, stratum, person = data()
    made = within_slope(y, x, stratum, person)
    assert made.slope == pytest.approx(by_least_squares(y, x, stratum, person >= 0))
    without = np.array([by_least_squares(y, x, stratum, person != p) for p in range(12)])
    error = np.sqrt(11 / 12 * ((without - without.mean()) ** 2).sum())
    half = 2.200985 * error  # Student's t with 11 degrees of freedom
    assert made.inference.high - made.slope == pytest.approx(half, rel=1e-5)
    assert made.people == 12


def test_two_halves_differ_by_their_means():
    y = np.concatenate([np.arange(10.0), np.arange(10.0) + 5])
    made = within_slope(y, np.repeat([0.0, 1.0], 10), np.zeros(20, int), np.arange(20))
    assert made.slope == pytest.approx(5)


def test_strata_in_which_everybody_saw_the_same_do_not_count():
    y, x, stratum, person = data()
    more = np.full(4, 3), np.full(4, 2.0), np.full(4, 99), np.arange(100, 104)
    both = [np.concatenate(pair) for pair in zip((y, x, stratum, person), more, strict=True)]
    assert within_slope(*both) == within_slope(y, x, stratum, person)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda y, x, s, p: (y, np.ones(len(x)), s, p), "the same for everybody"),
        (
            lambda y, x, s, p: (y, x, s, p % (FEWEST - 1)),
            "at least 10 people are needed, and there are 9",
        ),
        (lambda y, x, s, p: (np.ones(len(y)), x, s, p), "all answers are equal"),
    ],
)
def test_too_little_is_said_to_be_so(change, why):
    with pytest.raises(Undefined, match=why):
        within_slope(*change(*data()))


def test_it_varies_with_one_person_only():
    y, x = np.arange(20.0), np.zeros(20)
    x[0] = 1
    with pytest.raises(Undefined, match="a single person"):
        within_slope(y, x, np.zeros(20, int), np.arange(20))


def test_an_excess_over_chance_is_never_surer_than_chance_allows():
    hits, chances = np.zeros(40), np.full(40, 0.2)
    hits[0] = 1
    made = mean_excess(hits, chances, np.arange(40))
    assert made.slope == pytest.approx(0.025 - 0.2)
    error = (0.2 * 0.8 / 40) ** 0.5
    assert made.inference.high - made.slope == pytest.approx(2.0227 * error, rel=1e-4)
    with pytest.raises(Undefined, match="at least 10 people are needed"):
        mean_excess(hits[:9], chances[:9], np.arange(9))
