"""Flows as curves: which are drawn, how, and between what."""

from tiltmeter.core.analysis import quantity
from tiltmeter.core.analysis_views import FlowCurves
from tiltmeter.core.results import Card, Result
from tiltmeter.report.documents.views.flow_curves import flow_pictures

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
