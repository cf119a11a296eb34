"""Pictures of analyses: flows and forest plots, drawn from what a view asks for."""

import re

from report.curves import TAU
from tiltmeter.core.estimates import Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import FlowCurves, Forest, Strips
from tiltmeter.report.documents.views.view_pictures import (
    flow_pictures,
    forest_views,
    strip_pictures,
)

SLOPE = quantity("slope", "Slope", "slope", decimals=2)
VIEW = FlowCurves(
    "flows", "", "slope", "sender", "receiver", ("sure", "weak"), "sure",
    sides=("letters of", "read in"), caption="Broad is strong.",
)  # fmt: skip


def flow(sender, receiver, value, verdict="", **more):
    return SLOPE.at(value, groups={"sender": sender, "receiver": receiver, **more}, verdict=verdict)


def drawings(*flows, labels=None):
    """The picture's two drawings; none where there is no picture."""
    card = Card("s", "1", {}, {"name": "d"}, title="Letters", subtitle="<b>x", labels=labels or {})
    pictures = flow_pictures(Result(card, (), flows), VIEW)
    return [drawing for p in pictures for drawing in (p.wide, p.narrow)]


def test_curves_of_the_verdicts_that_are_drawn_and_dashed_ones_that_are_not_solid():
    made = drawings(
        flow("a", "b", 0.2, "sure"), flow("b", "a", 0.1, "weak"), flow("a", "a", 0.9),
        labels={"sender": {"a": "Town A"}},
    )  # fmt: skip
    assert len(made) == 2
    for drawing in made:
        assert drawing.count('class="row"') == 2
        assert "Town A to b: 0.20, sure" in drawing and "b to a: 0.10, weak" in drawing
        assert "0.90" not in drawing
        assert "letters of" in drawing and "read in" in drawing
        curves = [part.split("/>")[0] for part in drawing.split("<path")[1:3]]
        assert ["dashed" in curve for curve in curves] == [False, True]
        assert "Letters: &lt;b&gt;x" in drawing and "<b>" not in drawing


def test_both_columns_have_every_place_in_the_order_of_the_numbers():
    (wide, _) = drawings(flow("b", "x", 0.2, "sure"), flow("a", "x", 0.1), flow("c", "y", 0.1))
    places = [
        part.split("</text>")[0].rpartition(">")[2] for part in wide.split("label strong")[1:]
    ]
    assert places == ["b", "a", "c", "x", "y"]


def test_the_same_measure_at_other_places_is_no_flow():
    other = SLOPE.at(0.5, groups={"sender": "a"}, verdict="sure")
    assert drawings(other, flow("a", "b", 0.5, "sure", year="1")) == []


def test_no_picture_where_nothing_is_to_be_drawn():
    assert drawings() == []
    assert drawings(flow("a", "b", 0.2), flow("b", "a", None, "sure")) == []


MEAN = quantity("mean_tau", "Mean tau", decimals=2, neutral=0.0)
HALVES = quantity("halves", "Halves", decimals=2, neutral=0.0)


def forests(view, *estimates):
    return forest_views(Result(Card("s", "1", {}, {"name": "d"}), (), estimates), view)


def rows(picture):
    return re.findall(r'<text[^>]*class="label[^>]*>([^<]*)<', str(picture.wide))


def test_the_highest_come_first_and_the_total_last_on_their_bands():
    view = Forest(
        "f", "T", ("tau",), ("group",), order="high", beside="halves", total="mean_tau",
        total_called="mean", total_beside="halves", marked=("chosen",),
    )  # fmt: skip
    (picture,) = forests(
        view,
        TAU.at(0.2, n=9, groups={"group": "a"}, verdict="chosen"), TAU.at(0.5, groups={"group": "b"}),
        TAU.at(None, why="none", groups={"group": "c"}),
        MEAN.at(0.3, Inference(0.1, 0.4)), HALVES.at(0.6, Inference(0.5, 0.7), groups={"group": "a"}),
        HALVES.at(0.6, Inference(0.5, 0.7)),
    )  # fmt: skip
    assert rows(picture) == ["b", "● a", "mean"]
    assert str(picture.wide).count('class="beside"') == 2
    assert "0.30 (0.10 to 0.40)" in str(picture.wide)


def test_each_value_of_an_axis_has_its_picture():
    view = Forest("f", "T", ("tau",), ("group",), by="matrix", total="mean_tau")
    made = forests(
        view,
        *(TAU.at(0.1, groups={"matrix": m, "group": g}) for m in ("x", "y") for g in ("a", "b")),
        MEAN.at(0.2, groups={"matrix": "y"}), MEAN.at(0.9),
    )  # fmt: skip
    assert [picture.name for picture in made] == ["f-1", "f-2"]
    assert [rows(picture) for picture in made] == [["a", "b"], ["a", "b", "mean tau"]]
    assert "T, y" in str(made[1].wide)


def test_no_forest_is_drawn_of_nothing():
    assert forests(Forest("f", "T", ("tau",), ("group",)), TAU.at(0.1)) == []


def test_strips_have_points_by_two_axes_and_the_whole_of_a_column():
    share = quantity("share", "Share", unit="%")
    dark = quantity("dark", "Dark", unit="%")
    estimates = [
        share.at(30, groups={"domain": "a"}),
        share.at(10, groups={"domain": "a", "group": "x"}),
        share.at(None, why="no", groups={"domain": "a", "group": "y"}),
        share.at(20, groups={"domain": "b", "group": "z"}),
        dark.at(70, groups={"domain": "b", "group": "z"}),
    ]
    card = Card("s", "1", {}, {"name": "d"}, title="T", labels={"group": {"z": "people of z"}})
    view = Strips("strips", "Shares", "share", "domain", "group", "dark", caption="c")
    (picture,) = strip_pictures(Result(card, (), estimates), view)
    assert "a: x 10.0; b: people of z 20.0, shade 70" in picture.wide
    assert picture.wide.count('class="median"') == 1
    assert strip_pictures(Result(card, (), estimates[:1]), view) == []
