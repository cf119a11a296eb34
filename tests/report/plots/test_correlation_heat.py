"""The heat map of correlations."""

import re

import numpy as np
import pytest

from report.plots.correlated import FOUR, made
from tiltmeter.report.plots.correlation_heat import MOST, NARROW, WIDE, drawn, relations_heat


def cells(picture):
    """Titles of the cells that have a value, and of those that have none."""
    said = re.findall(r"<(?:rect|g)[^>]*><title>([^<]+)</title>", picture)
    return [t for t in said if "undefined" not in t], [t for t in said if "undefined" in t]


def heat(relations, **options):
    """The picture of all pairs."""
    return relations_heat(*parts(relations), name="h", title="t", **options)


def parts(relations):
    """The estimates by pair, and the number of each measure."""
    pairs = {(e.groups["x"], e.groups["y"]): e for e in relations.of(relations.method)}
    return pairs, {name: str(i) for i, name in enumerate(relations.points.names, 1)}


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_two_measures_have_one_cell(layout):
    known, gone = cells(heat(made(FOUR), layout=layout))
    assert len(known) == 3 and len(gone) == 3  # of 4 · 3 / 2
    assert known[0] == "x and y: 0.98, n 4, p 0.250"
    assert all("flat: undefined: all values on one side are equal" in text for text in gone)


def test_between_sources_the_picture_is_a_rectangle():
    columns = {"a1": [1, 2, 3], "a2": [2, 1, 3], "b1": [3, 1, 2], "b2": [1, 3, 2], "b3": [1, 2, 4]}
    picture = heat(made(columns, between=True))
    assert len(cells(picture)[0]) == 2 * 3
    rows = re.findall(r'class="label"[^>]*>([ab]\d)', picture)
    assert rows == ["b1", "b2", "b3"]
    assert re.findall(r'class="head">([ab]\d)', picture) == ["a1", "a2"]


def test_of_many_measures_the_strongest_are_drawn():
    rng = np.random.default_rng(0)
    columns = {f"m{i}": rng.normal(size=5).tolist() for i in range(MOST + 4)}
    columns["m27"] = columns["m3"]
    chosen = drawn(*parts(made(columns)))
    assert len(chosen) == MOST and {"m3", "m27"} <= set(chosen)


def test_a_number_just_short_of_one_stays_in_its_cell():
    """Its nines would run into the next cell; the words over the cell have them."""
    columns = {"x": [1, 2, 3, 4, 5.0], "y": [1, 2, 3, 4, 5.03], "z": [5, 1, 4, 2, 3]}
    columns |= {f"m{i}": [i, 2, 7, i * i, 1] for i in range(17)}
    picture = heat(made(columns))
    (shown,) = {text for text in cells(picture)[0] if text.startswith("x and y:")}
    assert shown.startswith("x and y: 0.9999")
    numbers = re.findall(r'class="number"[^>]*>([^<]+)', picture)
    assert "1.00" in numbers and "0.99998" not in numbers
