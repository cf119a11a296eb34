"""A curve with its levels, as records."""

from report import cells
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import NumberColumn, RecordCurves
from tiltmeter.report.documents.views.curve_pictures import curve_pictures

TAU = quantity("tau", "Tau", decimals=2, neutral=0.0)


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


def curves(records, **changes):
    levels = (NumberColumn("floor", at={"town": "A"}), NumberColumn("floor", at={"town": "C"}))
    view = RecordCurves(
        "c", "Curves", "point", "loss", "x", "way", "steps", "loss, nats", where={"town": "A"},
        levels=levels, **changes,
    )  # fmt: skip
    floors = [FLOOR.at(0.125, groups={"town": "A"}), FLOOR.at(0.0625, groups={"town": "B"})]
    return curve_pictures(Result(Card("s", "1", {}, {}), records, floors), view)
