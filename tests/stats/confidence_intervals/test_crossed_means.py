"""Means over items and levels: against tables by hand and against the parts that they are joined of."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.crossed_means import differs_over_both, over_levels


@pytest.mark.parametrize(("levels", "half"), [(5, 0.207), (10, 0.115), (20, 0.060)])
def test_what_levels_that_agree_may_hide(levels, half):
    """The half-widths that the page names: 20, 11 and 6 points of 100, whatever the items say."""
    low, high = over_levels(0.5, (0.5, 0.5), np.full(levels, 0.5), (0, 1))
    assert (0.5 - low, high - 0.5) == pytest.approx((half, half), abs=0.001)


def test_both_parts_are_joined_by_the_root_of_the_sum_of_squares():
    levels = np.array([40.0, 50, 55, 60, 70])
    low, high = bounded_mean(levels, np.arange(5), (0, 100), unseen=0.5)
    ends = over_levels(52.0, (46.0, 60.0), levels, (0, 100))
    assert ends[0] == pytest.approx(55 - (6**2 + (55 - low) ** 2) ** 0.5)
    assert ends[1] == pytest.approx(55 + (8**2 + (high - 55) ** 2) ** 0.5)


def test_it_stays_within_the_limits_and_turns_with_them():
    levels = np.array([0.9, 1.0, 1.0, 1.0, 0.95])
    low, high = over_levels(0.97, (0.9, 1.0), levels, (0, 1))
    assert high <= 1 and low > 0.5
    turned = over_levels(0.03, (0.0, 0.1), 1 - levels, (0, 1))
    assert (1 - high, 1 - low) == pytest.approx(turned, abs=1e-5)


def test_four_levels_have_no_interval():
    with pytest.raises(Undefined, match="there are 4, and it takes 5"):
        over_levels(0.5, (0.5, 0.5), np.full(4, 0.5), (0, 1))


def test_a_difference_is_sure_beyond_both_errors():
    """Rows are 0 and 2 by turns, whose mean has the variance 1 / 5; columns are all 1: t is 2.571."""
    cells = np.repeat([[0.0], [2.0]] * 3, 5, axis=1)
    half = 2.5706 * (1.2 / 6) ** 0.5
    assert differs_over_both(cells + half - 0.99, confidence=0.95) == 1
    assert differs_over_both(cells + half - 1.01, confidence=0.95) == 0
    assert differs_over_both(-(cells + half - 0.99), confidence=0.95) == -1
    assert differs_over_both(cells + half - 0.99, confidence=0.99) == 0
    with pytest.raises(Undefined, match="6 clusters in 4 wordings"):
        differs_over_both(cells[:, :4], confidence=0.95)
