"""Lines in the order of their numbers, with their levels and long names."""

import re

from report.curves import RECORDS, TAU, curves
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import ESTIMATES, RecordCurves
from tiltmeter.report.documents.views.curve_pictures import curve_pictures


def shown_texts(picture):
    """The words of a picture's text elements, and how far down each stands."""
    return re.findall(r'<text[^>]* y="([0-9.]+)"[^>]*>([^<]*)<', str(picture.wide))


def test_lines_stand_in_order_of_their_numbers_and_levels_beside_them():
    (picture,) = curves(RECORDS, caption="How to read it.")
    assert "one: from 0.750 to 0.500" in picture.wide
    assert "noise floor: 0.125" in picture.wide and "0.0625" not in picture.wide
    assert picture.wide.count("<polygon") == 0  # one point with an interval makes no band
    assert picture.caption == "How to read it."


def test_long_names_of_lines_have_two_lines():
    ways = ("with examples and an instruction", "without one")
    numbers = [TAU.at(i, groups={"x": str(i), "way": way}) for way in ways for i in (1, 2)]
    view = RecordCurves("c", "Curves", ESTIMATES, "tau", "x", "way", "set", "tau")
    (picture,) = curve_pictures(Result(Card("s", "1", {}, {}), (), numbers), view)
    names = [text for _, text in shown_texts(picture) if "with" in text or "instruction" in text]
    assert names == ["with examples and", "an instruction", "without one"]
    heights = [float(y) for y, text in shown_texts(picture) if text in names]
    assert heights == sorted(heights) and len({*heights}) == 3
