"""Scores of records become lines by their axes; estimates become levels to compare them with."""

from report import cells
from tiltmeter.core.analysis import quantity
from tiltmeter.core.analysis_views import NumberColumn, RecordCurves
from tiltmeter.core.results import Card, Record, Result
from tiltmeter.report.documents.views.record_curves import curve_pictures

FLOOR = quantity("floor", "Floor", "noise floor")


def point(line, x, scores, town="A", kind="point"):
    return Record(f"{line}{x}", scores, {"way": line, "x": x, "town": town}, kind=kind)


RECORDS = [
    point("one", "100", {"loss": 0.5, "loss, low": 0.4, "loss, high": 0.6}),
    point("one", "20", {"loss": 0.75}),
    point(cells.HOSTILE, "20", {"loss": 0.25}),
    point("one", "7", {"other": 9.0}),
    point("one", "20", {"loss": 99.0}, town="B"),
    point("one", "20", {"loss": 98.0}, kind="something else"),
]


def pictures(records, **changes):
    levels = (NumberColumn("floor", at={"town": "A"}), NumberColumn("floor", at={"town": "C"}))
    view = RecordCurves(
        "c", "Curves", "point", "loss", "x", "way", "steps", "loss, nats", where={"town": "A"},
        levels=levels, **changes,
    )  # fmt: skip
    floors = [FLOOR.at(0.125, groups={"town": "A"}), FLOOR.at(0.0625, groups={"town": "B"})]
    return curve_pictures(Result(Card("s", "1", {}, {}), records, floors), view)


def test_lines_stand_in_order_of_their_numbers_and_levels_beside_them():
    (picture,) = pictures(RECORDS, caption="How to read it.")
    assert "one: from 0.750 to 0.500" in picture.wide
    assert "noise floor: 0.125" in picture.wide and "0.0625" not in picture.wide
    assert picture.wide.count("<polygon") == 0  # one point with an interval makes no band
    assert picture.caption == "How to read it."


def test_the_table_has_every_point_of_the_score_and_nothing_else():
    table = pictures(RECORDS)[0].table
    assert table.columns[0].values == [20.0, 100.0]
    assert table.columns[1].values == [0.75, 0.5]
    assert table.columns[2].values == [0.25, None]


def test_hostile_names_are_text_and_nothing_is_drawn_of_nothing():
    wide = pictures(RECORDS)[0].wide
    assert "<script" not in wide and "\u202e" not in wide
    assert pictures(RECORDS[3:]) == []
