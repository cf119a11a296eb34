"""Pictures as panels of one: each in its place, words of all, one root."""

import re
from functools import partial

from tiltmeter.report.plots.line_plot import NARROW as FRAME
from tiltmeter.report.plots.line_plot import PlotLine, line_plot
from tiltmeter.report.plots.panels import GAP, HEAD, NARROW, WIDE, combined, side_by_side


def panel(label):
    return partial(line_plot, [PlotLine(label, [0, 1], [1.0, 2.0])], across="votes", up="loss")


def places(drawing):
    return [tuple(map(float, m)) for m in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", drawing)]


def test_panels_stand_row_by_row_under_their_headings():
    drawn = [(f"set <{i}>", panel(f"line {i}")) for i in range(3)]
    wide = side_by_side(drawn, name="both", title="Curves", layout=WIDE)
    first, second, third = places(wide)
    assert first == (0, HEAD) and second == (FRAME.width + GAP, HEAD)
    assert third[0] == 0 and third[1] > FRAME.height + HEAD
    assert [x for x, _ in places(side_by_side(drawn, name="b", title="", layout=NARROW))] == [
        0,
        0,
        0,
    ]
    assert wide.count("<svg") == wide.count("</svg>") == 1
    assert "set &lt;2&gt;" in wide and "<2>" not in wide


def test_the_picture_says_in_words_what_each_panel_says():
    drawn = [("one", panel("a & b")), ("two", panel("c"))]
    words = re.search(
        r"<desc[^>]*>(.*?)</desc>", side_by_side(drawn, name="n", title="t", layout=WIDE)
    )
    assert words and words[1] == "one: a &amp; b: from 1.00 to 2.00; two: c: from 1.00 to 2.00"


def test_it_is_as_wide_as_its_widest_row():
    alone = combined(
        [("one", panel("a")(name="x", layout=FRAME))], name="n", title="t", layout=WIDE
    )
    assert re.search(r'viewBox="0 0 ([\d.]+) ', alone)[1] == f"{FRAME.width:g}"
