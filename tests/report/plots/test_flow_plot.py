"""The picture of flows: widths, dashes and ends."""

import pytest

from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.report.plots.flow_plot import NARROW, WIDE, DrawnFlow, flow_plot

NAMES = ("English", "<Russian>")


def drawn(*flows, layout=WIDE):
    return parsed(
        flow_plot(
            flows, NAMES, NAMES, name="f", title="flows", columns=("people", "model"), layout=layout
        )
    )


@pytest.mark.parametrize("layout", [WIDE, NARROW])
def test_width_is_the_value_and_a_dashed_flow_is_not_solid(layout):
    root = drawn(
        DrawnFlow("English", "English", 0.3, True, "own"),
        DrawnFlow("<Russian>", "English", 0.1, False, "other"),
        layout=layout,
    )
    strong, weak = (row for row in of_class(root, "row"))
    paths = [row.find(f"{SVG}path") for row in (strong, weak)]
    assert [float(path.get("stroke-width")) for path in paths] == [18, 6]
    assert ["dashed" in path.get("class") for path in paths] == [False, True]
    assert [row.findtext(f"{SVG}text") for row in (strong, weak)] == ["0.30", "0.10"]
    ends = [float(path.get("d").split()[-1]) for path in paths]
    assert (
        ends[0] < ends[1] < layout.top + layout.bar
    )  # both in the first place of the right column
    assert root.findtext(f"{SVG}desc") == "own; other"


def test_without_a_flow_the_places_stand_alone():
    root = drawn()
    assert of_class(root, "row") == []
    assert root.findtext(f"{SVG}desc") == "no flow is drawn"
    labels = [e.text for e in of_class(root, "label")]
    assert labels == [*NAMES, *NAMES]
