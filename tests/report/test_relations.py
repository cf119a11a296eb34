"""Pictures, tables and the page of correlations."""

import re
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from tiltmeter.analysis.correlate import correlate
from tiltmeter.analysis.points import Observation, points_of
from tiltmeter.report.plots.correlation_heat import MOST, NARROW, WIDE, drawn, relations_heat
from tiltmeter.report.plots.scatter import Dot, axis_of, scatter
from tiltmeter.report.relations_files import as_object, as_table, name_of, points_table
from tiltmeter.report.relations_page import relations_page
from tiltmeter.report.relations_table import print_relations
from tiltmeter.report.relations_words import finding, ranked


def made(columns, *, between=False, **how):
    """Correlations of made-up measures: by name the values of models a, b, c, …"""
    some = [
        Observation(chr(97 + i), "", name, value, name[0], "made up")
        for name, values in columns.items()
        for i, value in enumerate(values)
    ]
    return correlate(points_of(some, "models"), between=between, **how)


FOUR = {"x": [1, 2, 3, 4], "y": [1, 2, 3, 5], "z": [2, 1, 4, 3], "flat": [1, 1, 1, 1]}


def cells(picture):
    """Titles of the cells that have a value, and of those that have none."""
    said = re.findall(r"<(?:rect|g)[^>]*><title>([^<]+)</title>", picture)
    return [t for t in said if "undefined" not in t], [t for t in said if "undefined" in t]


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_two_measures_have_one_cell(frame):
    known, gone = cells(relations_heat(made(FOUR), name="h", title="t", frame=frame))
    assert len(known) == 3 and len(gone) == 3  # of 4 · 3 / 2
    assert known[0] == "x and y: 0.98 (0.39 to 1.00), n 4, p 0.250"
    assert all("flat: undefined: all values of one side are equal" in text for text in gone)


def test_between_sources_the_picture_is_a_rectangle():
    columns = {"a1": [1, 2, 3], "a2": [2, 1, 3], "b1": [3, 1, 2], "b2": [1, 3, 2], "b3": [1, 2, 4]}
    picture = relations_heat(made(columns, between=True), name="h", title="t")
    assert len(cells(picture)[0]) == 2 * 3
    rows = re.findall(r'class="label"[^>]*>([ab]\d)', picture)
    assert rows == ["b1", "b2", "b3"]
    assert re.findall(r'class="head">([ab]\d)', picture) == ["a1", "a2"]


def test_of_many_measures_the_strongest_are_drawn():
    rng = np.random.default_rng(0)
    columns = {f"m{i}": rng.normal(size=9).tolist() for i in range(MOST + 4)}
    columns["m27"] = columns["m3"]
    found = made(columns)
    assert len(drawn(found)) == MOST and {3, 27} <= set(drawn(found))
    assert "Of 28 measures the 24 with the strongest" in relations_page(found)


def test_axes_hold_all_values_with_round_marks():
    axis = axis_of([-0.3, 0.9, 0.0])
    assert axis.low < -0.3 and axis.high > 0.9
    assert axis.ticks == (0.0, 0.5, 1.0)
    flat = axis_of([2.0, 2.0])
    assert flat.low < 2 < flat.high and axis_of([0.0]).low < 0 < axis_of([0.0]).high


def test_dots_stand_where_their_values_are():
    dots = [Dot(1, "low", 0.0, 10.0), Dot(2, "high", 1.0, 20.0, (0.5, 1.5), (18.0, 22.0))]
    picture = scatter(dots, name="s", across="one", up="two")
    spots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture)
    (x1, y1), (x2, y2) = (tuple(map(float, spot)) for spot in spots)
    assert x1 < x2 and y1 > y2  # up is less
    assert picture.count('class="leader"') == 2
    assert all(name in picture for name in ("low", "high", "one →", "↑ two"))


def test_points_have_names_then_numbers_then_nothing():
    def labels(n):
        dots = [Dot(i + 1, f"model {i}", float(i), float(i * i)) for i in range(n)]
        return re.findall(
            r'class="label"[^>]*>([^<]+)<', scatter(dots, name="s", across="a", up="b")
        )

    assert labels(3) == ["model 0", "model 1", "model 2"]
    assert labels(9) == [str(i + 1) for i in range(9)]
    assert labels(61) == []


def test_the_finding_in_words():
    assert finding(made(FOUR))[0] == (
        "Of 3 pairs of measures none can be told from no correlation (Pearson’s r, after Holm’s "
        "adjustment). 3 more have no value."
    )
    seven = {"x": [1, 2, 3, 4, 5, 6, 7], "y": [1, 2, 3, 4, 5, 6, 8]}
    assert finding(made(seven))[0].startswith("1 of 1 pair of measures can be told")
    assert finding(made({"x": [1, 2], "y": [1, 2]}))[0].startswith("No two of these measures have")
    assert [row["pearson"].value for row in ranked(made(FOUR))][-3:] == [None] * 3


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_terminal_is_never_too_wide(width):
    console = Console(file=StringIO(), width=width, color_system=None)
    print_relations(made(FOUR), console)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    assert "1 and 2" in text and "undefined" in text and "2 / 4! = 0.0833" in text


def test_files_hold_finite_numbers_or_nothing():
    found = made({"x": [1, 2, 3], "y": [1, 2, 3]})
    table = as_table(found).splitlines()
    assert table[0].startswith(
        "x,y,n,pearson,pearson_low,pearson_high,pearson_p,pearson_p_holm,spearman"
    )
    assert table[1].startswith("x,y,3,1.0,,,0.333")
    assert points_table(found.points).splitlines() == [
        "model,x,y",
        "a,1.0,1.0",
        "b,2.0,2.0",
        "c,3.0,3.0",
    ]
    whole = as_object(found, ["a.csv"], "tiltmeter correlate")
    assert whole["values"] == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
    assert name_of(found.points, ["0"]) != name_of(found.points, ["1"])
    assert name_of(found.points, ["0"]).startswith("correlations-models-")


def test_the_page_is_the_same_each_time_and_fetches_nothing():
    page = relations_page(
        made(FOUR), sources=["mine.csv"], command="tiltmeter correlate --table mine.csv"
    )
    assert page == relations_page(
        made(FOUR), sources=["mine.csv"], command="tiltmeter correlate --table mine.csv"
    )
    assert not re.search(r"<(script|link|img|iframe)|@import|url\(", page)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert page.count("<figure>") == 1 + 3
