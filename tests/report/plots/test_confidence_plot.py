"""Confidences as a picture."""

import numpy as np
import pytest

from report import example
from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.core.study_views import Margins
from tiltmeter.report.plots.confidence_plot import (
    NARROW,
    WIDE,
    Bins,
    Confidences,
    Panel,
    bins_of,
    confidence_plot,
    confidences,
    panel,
)

VIEW = Margins(("more", "less"), ("more stereotyping sentence", "less stereotyping sentence"))


def test_confidence_bars_have_the_height_of_their_share():
    # 4 pairs: two of confidence below 1 %, one of 5 % (the last bin), one of 1.5 % the other way.
    found = Confidences("m", np.array([0.2, 0.5, 5.0]), np.array([1.5]), VIEW)
    bins = Bins(step=1.0, count=3, tallest=50.0)
    layout = Panel(width=356, half=100, left=44, top=30)  # 300 wide, 100 a bin, the line at 130
    root = parsed(f"<svg>{panel(found, bins, layout)}</svg>")
    bars = [e for e in root.iter("rect") if "swatch" not in (e.get("class") or "")]
    where = [(e.get("class"), *(float(e.get(k, "")) for k in ("x", "y", "height"))) for e in bars]
    assert where == [
        ("more", 44.75, 30, 100),  # 50 % of the pairs: the whole half
        ("more", 244.75, 80, 50),  # 25 %
        ("less", 144.75, 130, 50),  # 25 %, downwards
    ]
    medians = [float(e.get("x1", "")) for e in of_class(root, "median")]
    assert medians == [94, 194]  # .5 % and 1.5 %


def test_the_shares_of_both_halves_and_the_ties_are_all_pairs():
    found = confidences("m", example.result().records, VIEW)
    bins = bins_of([found])
    both = [bins.shares(side, found.items).sum() for side in (found.first, found.second)]
    assert sum(both) + 100 * found.tied / found.items == pytest.approx(100)
    assert found.items == 240
    assert max(both) <= 100


def test_a_picture_of_no_pairs_is_still_a_picture():
    empty = Confidences("m", np.array([]), np.array([]), VIEW, tied=3)
    root = parsed(confidence_plot([empty], name="p", title="t"))
    assert not [e for e in root.iter(f"{SVG}rect") if "swatch" not in (e.get("class") or "")]


@pytest.mark.parametrize("narrow", [True, False])
def test_each_colour_is_named_beside_a_swatch_of_it(narrow):
    found = confidences("m", example.result().records, VIEW)
    root = parsed(confidence_plot([found], name="p", title="t", layout=NARROW if narrow else WIDE))
    for colour in ("more", "less"):
        words = [e.text or "" for e in of_class(root, "way") if colour in (e.get("class") or "")]
        assert words[0].startswith(f"{colour} stereotyping sentence")
        assert "pairs, median" in words[-1]
    swatches = [(e.get("class") or "").split()[0] for e in of_class(root, "swatch")]
    assert swatches == ["more", "less"]


@pytest.mark.parametrize("narrow", [True, False])
def test_panels_of_several_models_have_their_names_and_do_not_overlap(narrow):
    found = [confidences(f"model-{i}", example.result(seed=i).records, VIEW) for i in range(5)]
    root = parsed(confidence_plot(found, name="p", title="t", layout=NARROW if narrow else WIDE))
    places = [tuple(map(float, (e.get("transform") or "")[10:-1].split())) for e in root
              if e.tag == f"{SVG}g"]  # fmt: skip
    assert len(set(places)) == 5
    assert len({x for x, _ in places}) == (1 if narrow else 2)
    texts = [e.text for e in root.iter(f"{SVG}text")]
    assert all(f"model-{i}" in texts for i in range(5))
