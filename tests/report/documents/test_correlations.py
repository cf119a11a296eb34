"""The document of correlations: its words, tables, pictures and files."""

import re
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from report.documents.correlated import FOUR, made
from tiltmeter.analysis.correlate import correlate
from tiltmeter.analysis.points import Observation, points_of
from tiltmeter.report.document import Document
from tiltmeter.report.documents.correlations.document import correlations_document
from tiltmeter.report.documents.correlations.files import correlations_json, points_table
from tiltmeter.report.documents.correlations.finding import finding, ranked
from tiltmeter.report.documents.correlations.pairs import pairs_table
from tiltmeter.report.html import page
from tiltmeter.report.plots.correlation_heat import MOST
from tiltmeter.report.tables import as_csv
from tiltmeter.report.terminal import print_document

SEVEN = {"x": [1, 2, 3, 4, 5, 6, 7], "y": [1, 2, 3, 4, 5, 6, 8]}


def printed(document: Document, width: int = 80) -> list[str]:
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(document, console)
    return console.file.getvalue().splitlines()


def test_the_finding_in_words():
    assert finding(made(FOUR))[0] == (
        "No significant correlation among 3 pairs of measures (Pearson’s r, after Holm’s adjustment). 3 more "
        "have no value."
    )
    assert finding(made(SEVEN))[0] == (
        "A significant correlation of these two measures (Pearson’s r)."
    )
    assert finding(made(SEVEN))[1].startswith("x and y: 0.99 over 7 points (95\u00a0% interval ")
    assert finding(made({"x": [1, 2], "y": [1, 2]}))[0].startswith("No two of these measures have")
    assert [row["pearson"].value for row in ranked(made(FOUR))][-3:] == [None] * 3


def test_several_significant_pairs_are_counted():
    rng = np.random.default_rng(1)
    line = np.arange(30.0)
    columns = {"a": line.tolist(), "b": (2 * line).tolist(), "c": rng.normal(size=30).tolist()}
    head, strongest = finding(made(columns))
    assert head == (
        "1 of 3 pairs of measures correlates significantly (Pearson’s r, p < .05 after Holm’s adjustment)."
    )
    assert strongest.startswith("Strongest, a and b: 1.00 over 30 points")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_terminal_is_never_too_wide(width):
    lines = printed(correlations_document(made(FOUR)), width)
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    assert "1 and 2" in text and "undefined" in text and "2 / 4! = 0.0833" in text


def test_files_hold_finite_numbers_or_nothing():
    found = made({"x": [1, 2, 3], "y": [1, 2, 3]})
    head, row = as_csv(pairs_table(found)).splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=False))
    assert (cells["x"], cells["y"], cells["n"], cells["pearson"]) == ("x", "y", "3", "1.0")
    assert cells["pearson_low"] == "" and float(cells["pearson_p"]) == pytest.approx(1 / 3)
    assert float(cells["pearson_p_holm"]) == pytest.approx(1 / 3)
    assert {"spearman", "kendall", "kendall_p_holm", "reliability_x", "why"} <= set(cells)
    assert as_csv(points_table(found.points)).splitlines() == [
        "model,x,y",
        "a,1.0,1.0",
        "b,2.0,2.0",
        "c,3.0,3.0",
    ]
    whole = correlations_json(found, sources=["a.csv"], command="tiltmeter correlate")
    assert whole["values"] == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]


def test_the_page_is_the_same_each_time_and_fetches_nothing():
    def made_page():
        command = "tiltmeter correlate --table mine.csv"
        return page(correlations_document(made(FOUR), sources=["mine.csv"], command=command))

    text = made_page()
    assert text == made_page()
    assert not re.search(r"<(script|link|img|iframe)|@import|url\(", text)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert text.count("<figure>") == 1 + 3


def test_one_pair_has_no_heat_map():
    document = correlations_document(made(SEVEN))
    assert [picture.name for picture in document.pictures()] == ["pair-1"]
    assert page(document).count("<figure>") == 1
    names = [picture.name for picture in correlations_document(made(FOUR)).pictures()]
    assert names[0] == "correlations"


def test_of_many_measures_the_caption_says_how_many_are_drawn():
    rng = np.random.default_rng(0)
    found = made({f"m{i}": rng.normal(size=5).tolist() for i in range(MOST + 4)})
    (heat,) = correlations_document(found).leading
    assert "Drawn are the 24 of 28 measures with the strongest correlations." in heat.caption


def test_hostile_names_stay_text():
    name = "<b>x</b>\x1b[31m"
    some = [
        Observation(f"<i>{m}</i>", "", which, float(v), name, "w", ())
        for which in (name, "y")
        for m, v in zip("abcd", (1, 3, 2, 4), strict=True)
    ]
    document = correlations_document(correlate(points_of(some, "models")))
    text = page(document)
    assert "<b>x" not in text and "<i>a" not in text and "\x1b" not in text
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    assert "\x1b" not in "".join(printed(document))
