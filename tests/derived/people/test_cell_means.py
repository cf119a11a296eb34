"""Means of cells: their intervals, and why some have none."""

from dataclasses import replace

import numpy as np
import pytest

from derived.people.examples import random_people, table
from tiltmeter.data.people.people import from_ratings
from tiltmeter.derived.people.cell_means import EQUAL, NOBODY, SINGLE, UNKNOWN, of_people, of_slices


def test_one_rating_none_and_equal_ones_have_a_reason_and_no_interval():
    _, people = random_people(annotators=4)
    values = people.ratings.values.copy()
    values[:, 0, 0] = np.nan
    values[1:, 0, 1] = np.nan
    values[:, 0, 2] = 70
    about = {"region": ("north", "north", "south", "south")}
    ratings = replace(people.ratings, values=values, about=about)
    means = of_people(from_ratings(ratings, name="people"))
    assert [means.why(0, column) for column in range(4)] == [NOBODY, SINGLE, EQUAL, ""]
    assert [means.interval(0, column) is None for column in range(4)] == [True, True, True, False]
    assert means.counts[0, 1:4].tolist() == [1, 4, 4]
    north, south = of_slices(ratings, (("region",),))
    assert (north.about, north.people, south.why(0, 1)) == ({"region": "north"}, 2, NOBODY)
    assert north.values[0, 3] == pytest.approx(values[:2, 0, 3].mean())


def test_an_interval_stays_on_the_scale():
    _, people = random_people(annotators=2)
    values = people.ratings.values.copy()
    values[:, 0, 0] = (1, 99)
    means = of_people(replace(people, ratings=replace(people.ratings, values=values)))
    assert means.interval(0, 0) == (0, 100)


def test_a_table_of_means_says_that_ratings_are_not_known():
    truth, _ = random_people()
    assert of_people(table(truth)).why(0, 0) == UNKNOWN
