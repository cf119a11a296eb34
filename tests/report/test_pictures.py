"""Marks stand where the values are; pictures are well-formed and say what they show."""

import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from report import example
from tiltmeter.core.errors import MissingExtra, StorageError
from tiltmeter.core.results import Estimate
from tiltmeter.report.figures import save_figures
from tiltmeter.report.plots.confidence_plot import Bins, Panel, Spread, bins_of, panel, spread_of
from tiltmeter.report.plots.forest import NARROW, WIDE, Row, forest
from tiltmeter.report.plots.scale import Scale

SVG = "{http://www.w3.org/2000/svg}"
AXIS = Scale(20, 80, 50, (20, 50, 80))
RATE = Estimate("stereotype_rate", 57.5, 42.5, 72.5, 0.5, 40, 50, "%")


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(markup)  # our own output, never a stranger's file


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [e for e in root.iter() if name in (e.get("class") or "").split()]


@pytest.mark.parametrize(
    ("layout", "places"),
    [
        # 60 points of rate from x = 190 to x = 530: 50 is the middle, 360; one point is 340/60.
        (WIDE, {"neutral": 360, "point": 402.5, "low": 317.5, "high": 487.5}),
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
    assert float(point.get("cx", "")) == places["point"]
    line = of_class(root, "interval")[0]
    assert float(line.get("x1", "")) == places["low"]
    assert float(line.get("x2", "")) == places["high"]


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
def test_neither_an_interval_nor_a_label_runs_into_the_numbers(layout):
    effect = Estimate("effect_size", -0.2101, -1.2301, 2.0, 0.5, 40, 0, "")
    name = "a_test_of_a_very_long_name_indeed"
    scale = Scale(-2, 2, 0, (-2, 0, 2))
    root = parsed(forest([Row(name, effect)], name="f", title="t", layout=layout, scale=scale))
    (value,), (label,) = of_class(root, "value"), of_class(root, "label")
    # digits and signs of a wide font are 0.56 of their size: 14, and in narrow places 12 and 13
    size = 12 if layout.stacked else 14
    begins = float(value.get("x", "")) - 0.56 * size * len(value.text or "")
    if layout.stacked:
        assert 14 + 0.56 * 13 * len(label.text or "") < begins
    else:
        assert float(of_class(root, "interval")[0].get("x2", "")) < begins


def test_only_what_is_told_from_neutral_is_filled():
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
    assert desc == "age: 57.5, interval 42.5 to 72.5, n 40, not told from no preference"


def test_hostile_labels_stay_text():
    label = "</text><script>alert(1)</script>\u202e\x00\"'&"
    root = parsed(forest([Row(label, RATE)], name='x" onload="y', title=label))
    assert not root.findall(f".//{SVG}script")
    assert not [e for e in root.iter() if "onload" in e.attrib]


def test_confidence_bars_have_the_height_of_their_share():
    # 4 pairs: two of confidence below 1 %, one of 5 % (the last bin), one of 1.5 % the other way.
    spread = Spread("m", np.array([0.2, 0.5, 5.0]), np.array([1.5]))
    bins = Bins(step=1.0, count=3, tallest=50.0)
    layout = Panel(width=356, half=100, left=44, top=30)  # 300 wide, 100 a bin, the line at 130
    root = parsed(panel(spread, bins, name="p", layout=layout))
    bars = root.iter(f"{SVG}rect")
    where = [(e.get("class"), *(float(e.get(k, "")) for k in ("x", "y", "height"))) for e in bars]
    assert where == [
        ("more", 44.75, 30, 100),  # 50 % of the pairs: the whole half
        ("more", 244.75, 80, 50),  # 25 %
        ("less", 144.75, 130, 50),  # 25 %, downwards
    ]
    medians = [float(e.get("x1", "")) for e in of_class(root, "median")]
    assert medians == [94, 194]  # .5 % and 1.5 %


def test_the_shares_of_both_halves_and_the_ties_are_all_pairs():
    spread = spread_of("m", example.result().records)
    bins = bins_of([spread])
    both = [bins.shares(side, spread.pairs).sum() for side in (spread.more, spread.less)]
    assert sum(both) + 100 * spread.tied / spread.pairs == pytest.approx(100)
    assert spread.pairs == 240
    assert max(both) <= 100


def test_a_picture_of_no_pairs_is_still_a_picture():
    empty = Spread("m", np.array([]), np.array([]), tied=3)
    root = parsed(panel(empty, bins_of([empty]), name="p"))
    assert not list(root.iter(f"{SVG}rect"))


@pytest.mark.parametrize("kind", ["pdf", "png", "svg"])
def test_saved_pictures_are_equal_for_equal_results(tmp_path, kind):
    pytest.importorskip("matplotlib")
    results = [example.result(example.LONG_NAME)]
    first = save_figures(results, tmp_path / "a", format=kind)
    second = save_figures(results, tmp_path / "b", format=kind)
    assert len(first) == 2
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    assert {p.name for p in (tmp_path / "a").iterdir()} == {p.name for p in first}
    magic = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}[kind]
    assert all(p.read_bytes().startswith(magic) for p in first)


def test_a_saved_forest_has_every_category_as_text(tmp_path):
    pytest.importorskip("matplotlib")
    (path, _) = save_figures([example.result()], tmp_path, format="svg")
    text = path.read_text("utf-8")
    for category, (count, _) in example.CATEGORIES.items():
        assert f"{category} (n {count})" in re.sub(r"\s+", " ", text)


def test_what_cannot_be_written_is_named(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="the picture could not be written"):
        save_figures([example.result()], tmp_path / "file", format="svg")


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"tiltmeter\[plots\]"):
        save_figures([example.result()], tmp_path)


def test_many_models_stand_in_rows_and_every_one_is_named(tmp_path):
    pytest.importorskip("matplotlib")
    results = [
        example.result(f"model-{i}", seed=i) for i in range(5)
    ]  # one more than stand beside each other
    path = save_figures(results, tmp_path, format="svg")[-1]
    text = path.read_text("utf-8")
    assert [f"model-{i}" in text for i in range(5)] == [True] * 5
