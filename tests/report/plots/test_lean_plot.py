"""Leans on scales of their own: every neutral value is in the middle, and what is possible is at the ends."""

import re

import pytest

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.plots.lean_plot import NARROW, WIDE, Lean, lean_plot, scale_about_neutral

RATE = Estimate("rate", 75.0, 60.0, 90.0, 0.01, 40, 50.0, "%")
RATIO = Estimate("ratio", 0.5, 0.25, 0.75, 0.01, 90, 1.0, "", meaning=Meaning(least=0, most=1))
FREE = Estimate("effect", 0.4, -0.2, 1.1, 0.3, 30, 0.0, "")


def drawn(*rows: Lean, layout=WIDE) -> str:
    return str(lean_plot(rows, name="glance", title="A glance", layout=layout))


def numbers(pattern: str, svg: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, svg)]


def test_a_scale_has_what_is_possible_and_neutral_in_the_middle():
    assert scale_about_neutral(RATIO).ticks == (0.0, 1.0)
    for e in (RATE, RATIO, FREE):
        scale = scale_about_neutral(e)
        assert scale.neutral == (scale.low + scale.high) / 2
        assert scale.low <= e.low and e.high <= scale.high


@pytest.mark.parametrize("layout", [WIDE, NARROW])
def test_marks_are_at_their_share_of_the_way_to_the_end(layout):
    svg = drawn(Lean("A", RATE, filled=True), Lean("B", RATIO), layout=layout)
    first, second = numbers(r'cx="([\d.]+)"', svg)
    neutral = numbers(r'<line x1="([\d.]+)"[^>]*class="neutral"', svg)
    assert len({*neutral}) == 1  # one line for all
    # 75 % is half of the way from 50 to 100, and .5 half of the way from 1 to 0.
    assert first - neutral[0] == pytest.approx(neutral[0] - second)
    assert svg.count('class="point clear"') == 1 and svg.count('class="point"') == 1
    assert "n 40" in svg and "n 90" in svg


def test_a_study_without_a_number_has_its_reason_and_no_mark():
    gone = Estimate("rate", None, None, None, None, 20, 50.0, "%")
    svg = drawn(Lean("A", gone, answered=0.0, why="unanswered: 20 <refusals>"))
    assert "unanswered: 20 &lt;refusals&gt;" in svg
    assert "<circle" not in svg


def test_what_is_no_lean_has_its_number_without_a_scale():
    svg = drawn(Lean("A", RATE, is_lean=False))
    assert "75.0\u00a0%" in svg and "<circle" not in svg and 'class="rule"' not in svg


def test_shares_of_answers_are_bars_where_replies_were_written():
    assert 'class="share"' not in drawn(Lean("A", RATE))
    svg = drawn(Lean("A", RATE, answered=50.0))
    whole, share = numbers(r'<rect[^>]*width="([\d.]+)"', svg)
    assert share == whole / 2 and "50\u00a0%" in svg


def test_long_names_and_numbers_stay_within_the_picture():
    long = Estimate("effect", 1.68, 1.49, 1.82, 0.01, 1_920, 0.0, "standard deviations")
    for layout in (WIDE, NARROW):
        svg = drawn(
            Lean("A study with a name that goes on and on, as some do", long), layout=layout
        )
        assert all(0 <= x <= layout.width for x in numbers(r' x="([\d.-]+)"', svg))


def test_a_long_unit_is_abbreviated_beside_the_scale_and_explained_below():
    svg = drawn(Lean("A", Estimate("effect", 1.1, 0.2, 1.5, 0.1, 3, 0.0, "standard deviations")))
    assert ">1.10\u00a0SD‡ (0.200 to 1.50)<" in svg
    below = re.findall(r'y="([\d.]+)"[^>]*>(?:‡|SD:)', svg)
    assert len({*below}) == 2, "each note has a line of its own"
