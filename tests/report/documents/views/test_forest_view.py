"""Forest plots of estimates: rows, bands, totals, one picture for each value of an axis."""

import re

from tiltmeter.core.analysis import quantity
from tiltmeter.core.analysis_views import Forest
from tiltmeter.core.results import Card, Inference, Result
from tiltmeter.report.documents.views.forest_view import forest_views

TAU = quantity("tau", "Tau", decimals=2, neutral=0.0)
MEAN = quantity("mean_tau", "Mean tau", decimals=2, neutral=0.0)
HALVES = quantity("halves", "Halves", decimals=2, neutral=0.0)


def pictures(view, *estimates):
    return forest_views(Result(Card("s", "1", {}, {"name": "d"}), (), estimates), view)


def rows(picture):
    return re.findall(r'<text[^>]*class="label[^>]*>([^<]*)<', str(picture.wide))


def test_the_highest_come_first_and_the_total_last_on_their_bands():
    view = Forest(
        "f", "T", ("tau",), ("group",), order="high", beside="halves", total="mean_tau",
        total_called="mean", total_beside="halves", marked=("chosen",),
    )  # fmt: skip
    (picture,) = pictures(
        view,
        TAU.at(0.2, n=9, groups={"group": "a"}, verdict="chosen"), TAU.at(0.5, groups={"group": "b"}),
        TAU.at(None, why="none", groups={"group": "c"}),
        MEAN.at(0.3, Inference(0.1, 0.4)), HALVES.at(0.6, Inference(0.5, 0.7), groups={"group": "a"}),
        HALVES.at(0.6, Inference(0.5, 0.7)),
    )  # fmt: skip
    assert rows(picture) == ["b", "● a", "mean"]
    assert str(picture.wide).count('class="beside"') == 2
    assert "0.30 (0.10–0.40)" in str(picture.wide)


def test_each_value_of_an_axis_has_its_picture():
    view = Forest("f", "T", ("tau",), ("group",), by="matrix", total="mean_tau")
    made = pictures(
        view,
        *(TAU.at(0.1, groups={"matrix": m, "group": g}) for m in ("x", "y") for g in ("a", "b")),
        MEAN.at(0.2, groups={"matrix": "y"}), MEAN.at(0.9),
    )  # fmt: skip
    assert [picture.name for picture in made] == ["f-1", "f-2"]
    assert [rows(picture) for picture in made] == [["a", "b"], ["a", "b", "mean tau"]]
    assert "T, y" in str(made[1].wide)


def test_nothing_is_drawn_of_nothing():
    assert pictures(Forest("f", "T", ("tau",), ("group",)), TAU.at(0.1)) == []
