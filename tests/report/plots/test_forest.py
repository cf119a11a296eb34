"""Forest plots: marks stand where the values are, and words do not run into them."""

from dataclasses import replace

import pytest

from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.plots.forest import NARROW, WIDE, Row, forest
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.plots.svg import breadth, fitted, shortened

AXIS = Scale(20, 80, 50, (20, 50, 80))
RATE = Estimate("rate", 57.5, 42.5, 72.5, 0.5, 40, 50, "%")


@pytest.mark.parametrize(
    ("layout", "places"),
    [
        # 60 points of rate from x = 190 to x = 505: 50 is the middle, 347.5; one point is 5.25.
        (WIDE, {"neutral": 347.5, "point": 386.875, "low": 308.125, "high": 465.625}),
        # from 14 to 326: the middle is 170; one point is 5.2, 7.5 points are 39.
        (NARROW, {"neutral": 170, "point": 209, "low": 131, "high": 287}),
    ],
)
def test_forest_marks_stand_where_the_values_are(layout, places):
    root = parsed(forest([Row("age", RATE)], name="f", title="t", layout=layout, scale=AXIS))
    (neutral,) = of_class(root, "neutral")
    assert neutral.get("x1") == neutral.get("x2")
    assert float(neutral.get("x1", "")) == places["neutral"]
    (point,) = of_class(root, "point")
    assert float(point.get("cx", "")) == pytest.approx(places["point"], abs=0.01)
    line = of_class(root, "interval")[0]
    assert float(line.get("x1", "")) == pytest.approx(places["low"], abs=0.01)
    assert float(line.get("x2", "")) == pytest.approx(places["high"], abs=0.01)


def test_in_a_narrow_plot_no_vertical_line_runs_through_a_label_or_a_number():
    rows = [
        Row(name, RATE) for name in ("age", "a name with so many words that it stands above", "all")
    ]
    root = parsed(forest(rows, name="f", title="t", layout=NARROW, scale=AXIS))
    baselines = [
        float(text.get("y", "")) for text in of_class(root, "label") + of_class(root, "value")
    ]
    lines = of_class(root, "grid") + of_class(root, "neutral")
    assert len(lines) == len(rows) * (1 + len(AXIS.ticks)) and baselines
    for line in lines:
        top, bottom = float(line.get("y1", "")), float(line.get("y2", ""))
        assert not any(top < y and y - 9 < bottom for y in baselines)


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_neither_an_interval_nor_a_label_runs_into_the_numbers(layout):
    effect = Estimate("effect", -0.2101, -1.2301, 2.0, 0.5, 40, 0, "")
    name = "a_test_of_a_very_long_name_indeed"
    scale = Scale(-2, 2, 0, (-2, 0, 2))
    root = parsed(forest([Row(name, effect)], name="f", title="t", layout=layout, scale=scale))
    (value,), labels = of_class(root, "value"), of_class(root, "label")
    label = max(labels, key=lambda line: len(line.text or ""))
    # digits and signs of a wide font are 0.56 of their size: 14, and in narrow places 12 and 13
    size = 12 if layout.stacked else 14
    begins = float(value.get("x", "")) - 0.56 * size * len(value.text or "")
    if layout.stacked:
        alone = label.get("y") != value.get("y")
        assert 14 + 0.56 * 13 * len(label.text or "") < (layout.right if alone else begins)
    else:
        assert float(of_class(root, "interval")[0].get("x2", "")) < begins


def test_only_what_is_significant_is_filled():
    clear = replace(RATE, low=51.0, p_adjusted=0.01)
    root = parsed(forest([Row("a", clear), Row("b", RATE)], name="f", title="t", scale=AXIS))
    assert [p.get("class") for p in of_class(root, "point")] == ["point clear", "point"]


def test_an_undefined_row_has_no_mark_and_says_why():
    gone = replace(RATE, value=None, low=None, high=None, why="every pair is tied")
    markup = forest([Row("a", RATE), Row("age", gone)], name="f", title="t")
    root = parsed(markup)
    assert len(of_class(root, "point")) == 1
    assert "age: undefined: every pair is tied" in (root.findtext(f"{SVG}desc") or "")


def test_the_picture_says_what_it_shows():
    root = parsed(forest([Row("age", RATE)], name="f", title="Rates by age", scale=AXIS))
    assert root.get("role") == "img"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert set((root.get("aria-labelledby") or "").split()) == ids
    assert root.findtext(f"{SVG}title") == "Rates by age"
    desc = root.findtext(f"{SVG}desc")
    assert desc == "age: 57.5, interval 42.5 to 72.5, n 40, not significant"


def test_hostile_labels_stay_text():
    label = "</text><script>alert(1)</script>\u202e\x00\"'&"
    root = parsed(forest([Row(label, RATE)], name='x" onload="y', title=label))
    assert not root.findall(f".//{SVG}script")
    assert not [e for e in root.iter() if "onload" in e.attrib]


LONG = "male and female names × career and family, sentences instead of words, version {}"


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_long_label_runs_into_nothing(layout):
    rows = [Row(LONG.format(i), RATE) for i in range(3)]
    root = parsed(forest(rows, name="f", title="t", layout=layout, scale=AXIS))
    for row in of_class(root, "row"):
        (value,) = of_class(row, "value")
        begins = float(value.get("x", "")) - 0.56 * 14 * len(value.text or "")
        labels = of_class(row, "label")
        assert len(labels) == 2
        for label in labels:
            ends = float(label.get("x", "")) + 0.56 * 14 * len(label.text or "")
            same_line = value.get("y") == label.get("y")
            assert ends < (begins if same_line else layout.width)
            if not layout.stacked:
                assert ends < min(float(e.get("x1", "")) for e in of_class(root, "grid"))


def test_a_label_has_two_lines_before_it_is_cut():
    root = parsed(forest([Row(LONG.format(1), RATE)], name="f", title="t", scale=AXIS))
    first, second = (line.text or "" for line in of_class(root, "label"))
    assert first == "male and female names × career"
    assert second.endswith("1")
    assert "…" in second
    short = parsed(forest([Row("physical appearance and disability", RATE)] * 2, name="f", title="t",
                          layout=NARROW, scale=AXIS))  # fmt: skip
    assert not any("…" in (line.text or "") for line in of_class(short, "label"))


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_few_items_are_marked_and_the_mark_is_explained(layout):
    rows = [Row("a", RATE), Row("b", replace(RATE, n=4))]
    root = parsed(forest(rows, name="f", title="t", layout=layout, scale=AXIS))
    assert ["‡" in (value.text or "") for value in of_class(root, "value")] == [False, True]
    assert [e.text for e in of_class(root, "tick")][-1] == "‡ n is less than 5: too few to say."
    few_less = parsed(forest(rows[:1], name="f", title="t", layout=layout, scale=AXIS))
    assert "‡" not in "".join(few_less.itertext())


def test_a_mark_at_either_end_touches_no_words():
    end = replace(RATE, value=80.0, low=None, high=None)
    root = parsed(forest([Row("a" * 40, end)], name="f", title="t", scale=AXIS))
    (point,), (value,) = of_class(root, "point"), of_class(root, "value")
    begins = float(value.get("x", "")) - breadth(value.text or "", 14)
    assert float(point.get("cx", "")) + 7 < begins


def test_a_comparison_says_which_model_is_to_the_right_and_its_unit():
    apart = Meaning(neutral_is="no difference", difference_of="rate")
    row = Row("all", Estimate("rate_difference", -4.0, -9.0, 1.0, 0.2, 40, 0.0, "percentage points",
                              model="demo − other", meaning=apart))  # fmt: skip
    root = parsed(forest([row], name="f", title="t"))
    assert [way.text for way in of_class(root, "way")] == ["← other higher", "demo higher →"]
    assert "no difference 0 points" in [e.text for e in of_class(root, "tick")]


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_both_ways_are_named_and_stay_in_the_picture(layout):
    ways = Meaning(sides=("less stereotyping sentence", "more stereotyping sentence"))
    root = parsed(forest([Row("a", replace(RATE, meaning=ways))], name="f", title="t",
                         layout=layout, scale=AXIS))  # fmt: skip
    left, right = of_class(root, "way")
    assert (left.text, right.text) == (
        "← less stereotyping sentence",
        "more stereotyping sentence →",
    )
    for way in (left, right):
        x, wide = float(way.get("x", "")), 0.56 * 12 * len(way.text or "")
        begins = x - wide if way.get("text-anchor") == "end" else x
        assert -1 <= begins <= begins + wide <= layout.width + 1


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("neutral", [20, 80])
def test_the_name_of_a_neutral_value_at_either_end_stays_in_the_picture(layout, neutral):
    named = Meaning(neutral_is="both traits equally often")
    row = Row("a", replace(RATE, neutral=neutral, meaning=named))
    scale = Scale(20, 80, neutral, (20, 80))
    root = parsed(forest([row], name="f", title="t", layout=layout, scale=scale))
    (name,) = [e for e in of_class(root, "tick") if "equally" in (e.text or "")]
    half = breadth(name.text or "", 12) / 2
    assert half <= float(name.get("x", "")) <= layout.width - half


def test_what_has_no_neutral_value_has_no_line_for_it():
    sizes = [Row("a", replace(RATE, neutral=None, value=20.0, low=18.0, high=30.0))]
    root = parsed(forest(sizes, name="f", title="t"))
    assert not of_class(root, "neutral")
    assert (
        min(float(e.text or "") for e in of_class(root, "tick") if (e.text or "")[0].isdigit()) == 0
    )


@pytest.mark.parametrize("label", ["", "a", "WiW.iW", "e\u0301" * 9, "a person with a disability"])
def test_the_longest_cut_that_fits_is_found(label):
    for room in range(0, 170, 7):
        cuts = (shortened(label, n) for n in range(len(label), 2, -1))
        fitting = next((cut for cut in cuts if breadth(cut, 10) <= room), shortened(label, 2))
        assert fitted(label, room, 10) == fitting


def test_a_label_of_a_million_letters_is_cut_at_once():
    assert fitted("a" * 10**6, 90, 10) == "aaaaaaa…aaaaaa"
