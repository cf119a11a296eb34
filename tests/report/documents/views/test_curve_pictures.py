"""Curves in one panel and in several: which lines there are, and that they look alike."""

import re

from report.curves import RECORDS, TAU, curves, point
from tiltmeter.core.estimates import Inference
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import ESTIMATES, RecordCurves
from tiltmeter.report.documents.views.curve_pictures import curve_pictures


def test_points_may_be_estimates_over_just_these_axes():
    def at(x, way, value, **more):
        groups = {"x": x, "way": way, "town": "A", **more}
        return TAU.at(value, Inference(value - 1, value + 1), groups=groups)

    numbers = [
        at("2", "one", 3.0),
        at("10", "one", 5.0),
        at("2", "one", 9.0, street="S"),
        at("x", "one", 1.0),
    ]
    view = RecordCurves(
        "c", "Curves", ESTIMATES, "tau", "x", "way", "set", "tau", where={"town": "A"}
    )
    (picture,) = curve_pictures(Result(Card("s", "1", {}, {}), (), numbers), view)
    assert "one: from 3.00 to 5.00" in picture.wide and picture.wide.count("<polygon") == 1
    assert [list(column.values) for column in picture.table.columns] == [[2.0, 10.0], [3.0, 5.0]]
    assert curve_pictures(Result(Card("s", "1", {}, {}), (), numbers[:1]), view) == []


def test_the_table_has_every_point_of_the_score_and_nothing_else():
    table = curves(RECORDS)[0].table
    assert table.columns[0].values == [20.0, 100.0]
    assert table.columns[1].values == [0.75, 0.5]
    assert table.columns[2].values == [0.25, None]


def test_hostile_names_are_text_and_nothing_is_drawn_of_nothing():
    wide = curves(RECORDS)[0].wide
    assert "<script" not in wide and "\u202e" not in wide
    assert curves(RECORDS[3:]) == []


def test_a_line_is_interrupted_where_only_others_have_a_value():
    some = [point("one", x, {"loss": 1.0} if x != "2" else {}) for x in "123"]
    (picture,) = curves([*some, *(point("two", x, {"loss": 2.0}) for x in "123")])
    assert picture.table.columns[1].values == [1.0, None, 1.0]


def crossed(ways, sizes, towns=("A",)):
    """A line for each crossing of way and size, at two places, in each town."""
    groups = [{"way": w, "size": s, "town": t} for t in towns for w in ways for s in sizes]
    records = [
        Record(f"{n} {x}", {"loss": n + float(x)}, {**some, "x": x}, kind="point")
        for n, some in enumerate(groups)
        for x in "12"
    ]
    view = RecordCurves(
        "c", "Curves", "point", "loss", "x", "way,size", "steps", "loss",
        panels="town" if len(towns) > 1 else "",
    )  # fmt: skip
    (picture,) = curve_pictures(Result(Card("s", "1", {}, {}), records, ()), view)
    return picture.wide


def looks(picture):
    found = re.findall(r'<title>([^<:]*): from[^<]*</title><line[^>]*class="([^"]*)"', picture)
    return dict(found)


def test_crossings_share_the_colour_of_the_first_axis_and_differ_in_dashes():
    assert looks(crossed(["a", "b"], ["s", "m", "l"])) == {
        "a, s": "series d1", "a, m": "series d1 dashed", "a, l": "series d1 dotted",
        "b, s": "series d2", "b, m": "series d2 dashed", "b, l": "series d2 dotted",
    }  # fmt: skip
    assert looks(crossed(["a"], ["s", "m"])) == {"a, s": "series d1", "a, m": "series d2"}


def test_more_lines_than_colours_are_parted_into_panels_with_one_vertical_axis():
    picture = crossed(["a", "b", "c", "d"], ["s", "m"])
    assert looks(picture) == {way: f"series d{n}" for n, way in enumerate("abcd", 1)}
    assert ">s<" in picture and ">m<" in picture
    marks = re.findall(r'text-anchor="end"[^>]*>([\d.]+)<', picture)
    assert marks and marks[: len(marks) // 2] == marks[len(marks) // 2 :]
    both = crossed(["a", "b", "c", "d"], ["s", "m"], towns=["A", "B"])
    assert all(f">{town}, {size}<" in both for town in "AB" for size in "sm")
