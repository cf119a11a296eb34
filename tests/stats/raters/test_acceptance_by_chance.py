"""Chances of acceptance by answers at random, by hand."""

from math import comb

import pytest

from tiltmeter.stats.raters.acceptance_by_chance import chance_of_acceptance, chance_of_triple


def at_least(k, n, p):
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def test_chance_is_the_papers_23_percent():
    same, swapped = at_least(2, 5, 1 / 6), at_least(3, 5, 1 / 6)
    assert (round(same, 4), round(swapped, 4), round(same + swapped, 3)) == (0.1962, 0.0355, 0.232)
    both = comb(5, 2) / 6**5  # two votes in one order and three in the other
    assert chance_of_acceptance() == pytest.approx(same + swapped - both)


def test_chance_of_a_stricter_threshold():
    """By hand: 3 or 4 of 5 in one of two orders; four or more of five on one of three labels, three times."""
    assert chance_of_acceptance(needed=4) == pytest.approx(
        at_least(3, 5, 1 / 6) + at_least(4, 5, 1 / 6)
    )
    agree = 3 * at_least(4, 5, 1 / 3)
    assert chance_of_triple(needed=4) == pytest.approx(agree**3 * 6 / 27)
