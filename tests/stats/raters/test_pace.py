"""Who answers far faster than others: by hand, and among people who differ anyway."""

import numpy as np
import pytest

from tiltmeter.stats.raters.pace import paces


def test_the_ratio_is_that_to_the_median_of_all_on_the_same_items():
    seconds = np.array([[10.0, 20, 40], [1, 2, 4], [100, 200, 400]])
    assert [pace.ratio for pace in paces(seconds)] == pytest.approx([0.5, 1, 2])
    assert {pace.p for pace in paces(seconds)} == {None}  # three people show no spread


def test_who_hurries_is_marked_and_who_is_only_quick_is_not():
    rng = np.random.default_rng(0)
    people = np.exp(rng.normal(0, 0.4, 100))
    seconds = people * np.exp(rng.normal(2, 0.5, (10, 100)))
    seconds[:, 0] = 0.3
    assert [pace.person for pace in paces(seconds) if pace.too_fast] == [0]


def test_of_one_people_few_are_marked():
    marked = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        seconds = np.exp(rng.normal(0, 0.4, 50)) * np.exp(rng.normal(2, 0.5, (6, 50)))
        marked += sum(pace.too_fast for pace in paces(seconds))
    assert marked <= 10  # of 1,000


def test_times_that_are_none_do_not_count():
    assert paces(np.array([[0.0, -1, np.nan], [1, 2, np.nan]])) == []
