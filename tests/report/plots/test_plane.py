"""Models on a plane: marks stand where the scores are, lines where the third measure is what they say."""

import pytest

from report import contexts
from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.core.views import Plane
from tiltmeter.report.plots.plane import plane
from tiltmeter.report.plots.plane_labels import NUMERAL, WIDE, Frame, Spot, numerals, spot_of

# One point of ss is 2 to the right of 20, one of lms is 1 up from 150.
PLAIN = Frame(width=640, left=20, right=220, height=100, top=50)


VIEW = Plane("ss", "lms", "icat", "")


def spot(ss: float = 60, lms: float = 80, label: str = "demo") -> Spot:
    found = spot_of(label, contexts.three(ss, lms, label), VIEW)
    assert found is not None
    return found


def place(element, *names):
    return tuple(float(element.get(name, "")) for name in names)


def test_a_model_and_its_intervals_stand_where_the_scores_are():
    root = parsed(plane([spot()], name="s", layout=PLAIN))
    (point,) = of_class(root, "point")
    assert place(point, "cx", "cy") == (140, 70)  # 20 + 2 · 60, 150 − 80
    across, up = of_class(root, "interval")
    assert place(across, "x1", "y1", "x2", "y2") == (136, 70, 144, 70)
    assert place(up, "x1", "y1", "x2", "y2") == (140, 72, 140, 68)
    assert place(of_class(root, "neutral")[0], "x1", "y1", "x2", "y2") == (120, 50, 120, 150)


def test_the_ideal_and_the_random_model_are_marked():
    root = parsed(plane([spot()], name="s", layout=PLAIN))
    ideal, random = of_class(root, "known")
    assert ideal.get("points") == "113,50 120,43 127,50 120,57"  # around ss 50, lms 100
    assert place(random, "x", "y", "width", "height") == (115, 95, 10, 10)  # around 50, 50
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert {"ideal", "picking at random"} <= set(words)


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
