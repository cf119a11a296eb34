"""Numbers of points that are close, and labels of lines."""

import pytest

from report.plots.drawn import of_class, parsed
from report.plots.plane_examples import PLAIN, place, spot
from tiltmeter.report.plots.plane import plane
from tiltmeter.report.plots.plane_labels import NUMERAL, WIDE, numerals


def test_nine_lines_part_ten_steps_and_each_is_labelled():
    root = parsed(plane([spot()], name="s", layout=PLAIN))
    assert len(of_class(root, "band")) == len(of_class(root, "iso")) == 9
    labels = of_class(root, "level")
    assert [e.text for e in labels] == ["icat 10", *map(str, range(20, 100, 10))]
    # icat 40 where lms is twice ss: ss 31.62, lms 63.25
    assert place(labels[3], "x", "y") == pytest.approx((83.25, 90.75), abs=0.01)


def test_numbers_of_close_points_do_not_cover_each_other():
    spots = [spot(55 + dx, 80 + dy) for dx, dy in ((0, 0), (1, 1), (0, 2), (6, 0))]
    places = numerals(spots, WIDE)
    for i, (x, y) in enumerate(places):
        for a, b in places[:i]:
            assert abs(x - a) >= NUMERAL[0] or abs(y - b) >= NUMERAL[1]
