"""Models on a plane: marks stand where the scores are, lines where the third measure is what they say."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report import contexts
from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.core.views import Plane
from tiltmeter.report.plots.plane import contour_at, label_place, level_line, plane
from tiltmeter.report.plots.plane_labels import (
    NAMED,
    NARROW_FRAME,
    NUMERAL,
    WIDE_FRAME,
    Frame,
    Spot,
    numerals,
    spot_of,
    stacked,
)

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


@given(st.floats(1, 99))
def test_icat_is_the_level_all_along_its_line_and_at_its_label(level):
    line = level_line(level)
    assert [contour_at(ss, lms) for ss, lms in line] == pytest.approx([level] * len(line))
    assert contour_at(*label_place(level)) == pytest.approx(level)
    assert line[0] == pytest.approx((level / 2, 100))
    assert line[-1] == pytest.approx((100 - level / 2, 100))
    assert line[len(line) // 2] == pytest.approx((50, level))
    assert all(a < b for (a, _), (b, _) in pairwise(line))


def test_only_what_is_significant_is_filled():
    both = parsed(plane([spot(), spot(51, 70)], name="s", layout=PLAIN))
    assert [p.get("class") for p in of_class(both, "point")] == ["point clear", "point"]


def test_the_picture_says_what_it_shows():
    root = parsed(plane([spot()], name="s"))
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == ["s-title", "s-desc"]
    assert root.findtext(f"{SVG}title") == (
        "demo, by stereotype score (ss) and language modelling score (lms)"
    )
    assert root.findtext(f"{SVG}desc") == (
        "demo: lms 80.0 (78.0 to 82.0), ss 60.0 (58.0 to 62.0), icat 64.0 (62.0 to 66.0). icat rises "
        "towards ss 50 and lms 100, where it is 100; at ss 50 and lms 50 it is 50, at ss 0 and 100 it is "
        "0."
    )
    assert root.find(f".//{SVG}g/{SVG}title") is not None


def test_few_are_named_beside_many_and_long_names_in_a_key():
    names = [f"model-{i}" for i in range(NAMED + 1)]
    many = [spot(52 + i, 70 + 3 * i, name) for i, name in enumerate(names)]
    few = parsed(plane(many[:2], name="s"))
    assert len(of_class(few, "leader")) == 2
    assert [e.text for e in of_class(few, "label")] == ["model-0 67.2", "model-1 68.6"]
    for spots, layout in (
        (many, WIDE_FRAME),
        (many[:1], NARROW_FRAME),
        ([spot(100, 90)], WIDE_FRAME),
    ):
        root = parsed(plane(spots, name="s", layout=layout))
        assert not of_class(root, "leader")
        words = [e.text for e in of_class(root, "label")]
        assert words == [w for i, s in enumerate(spots, 1) for w in (f"{i}", f"{i}", s.label)]


def test_without_lms_or_ss_there_is_no_place():
    scores = contexts.three(60, 80)
    assert spot_of("demo", scores[1:], VIEW) is None
    assert spot_of("demo", [replace(scores[0], value=None), scores[1]], VIEW) is None
    bare = spot_of("demo", scores[:2], VIEW)
    assert bare is not None
    assert "icat 64" not in plane([bare], name="s")


def test_hostile_names_stay_text():
    label = "</text><script>alert(1)</script>\u202e\x00\"'&"
    for layout in (WIDE_FRAME, NARROW_FRAME):
        root = parsed(plane([spot(label=label)], name='x" onload="y', layout=layout))
        assert not root.findall(f".//{SVG}script")
        assert not [e for e in root.iter() if "onload" in e.attrib]


@given(st.lists(st.floats(0, 100), min_size=1, max_size=15), st.floats(0.5, 6))
def test_stacked_names_keep_their_order_their_distance_and_the_plot(heights, apart):
    found = stacked(heights, apart)
    ranked = sorted(range(len(heights)), key=lambda i: -heights[i])
    for above, below in pairwise(ranked):
        assert found[above] - found[below] >= apart - 1e-6
    assert min(found) >= -1e-9
    assert max(found) <= 100 + 1e-6
    if len(heights) == 1 and heights[0] <= 100 - apart / 2:
        assert found == heights


def test_numbers_of_close_points_do_not_cover_each_other():
    spots = [spot(55 + dx, 80 + dy) for dx, dy in ((0, 0), (1, 1), (0, 2), (6, 0))]
    places = numerals(spots, WIDE_FRAME)
    for i, (x, y) in enumerate(places):
        for a, b in places[:i]:
            assert abs(x - a) >= NUMERAL[0] or abs(y - b) >= NUMERAL[1]
