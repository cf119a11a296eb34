"""The document of intersectional groups: tables that equal the numbers, signs, what it escapes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len

from analysis.intersections.examples import CROSSED, VIEW, layers, random_scores
from report import cells
from report.documents.test_matrix import column, table_of, text_of
from report.test_html import Outline
from report.test_terminal import shown as printed
from tiltmeter.analysis.intersections import summary
from tiltmeter.analysis.intersections.components import component_scores
from tiltmeter.analysis.intersections.similarity import ORDER
from tiltmeter.core.results import Card, Result
from tiltmeter.data.groups.findings import Finding
from tiltmeter.report.documents.intersections.document import intersections_document
from tiltmeter.report.documents.intersections.files import file_tables
from tiltmeter.report.html import page
from tiltmeter.report.tables import as_rows

CARD = Card(
    study="group_traits", study_version="1", model={"name": "m", "fingerprint": "f"},
    data={"sha256": "s"}, rule="set", convention="paper", ties="half", seed=0, method="",
    counts={}, views=(VIEW,),
)  # fmt: skip


def found(monkeypatch, scores, findings, **changes):
    made = replace(component_scores([layers(scores)]), **changes)
    monkeypatch.setattr(summary, "scores_of_runs", lambda _: made)
    return summary.intersections([Result(CARD, [], [])], findings, file="found.toml")


@pytest.fixture
def made(monkeypatch):
    return found(
        monkeypatch,
        random_scores(seed=2),
        [
            Finding("tall man", dimension="agency", direction="high"),
            Finding("short woman", trait="cold"),
        ],
    )


def test_emergent_traits_are_those_furthest_away_with_both_components(made):
    document = intersections_document(made, most=5)
    for way in summary.WAYS:
        table = table_of(document, f"emergent-{way}")
        rows = made.top(way, 5)
        assert column(table, "cell").values == [f"{r.crossed}: {r.trait}" for r in rows]
        assert column(table, "by").values == [r.by for r in rows]
        assert column(table, "first").values == [r.first_score for r in rows]
        assert column(table, "p").values == [r.p for r in rows]


def test_the_finding_says_which_component_counts_more_and_what_emerges(made):
    (order,) = (e for e in made.order if e.name == ORDER)
    others = [e for e in made.order if e is not order]
    for ends, said in (
        ((0.1, 0.1, 0.3), "said second: Kendall’s τ is 0.100 higher"),
        ((-0.2, -0.3, -0.1), "said first: Kendall’s τ is 0.200 higher"),
        ((0.1, -0.1, 0.3), "No significant difference in similarity"),
    ):
        value, low, high = ends
        changed = replace(order, value=value, low=low, high=high)
        text = " ".join(
            printed(intersections_document(replace(made, order=[*others, changed]))).split()
        )
        assert said in text
    assert f"of {made.emergent.score.size:,} cells (a group and a trait): " in text


def test_the_domain_with_the_larger_mean_stands_first(made):
    (pair,) = made.domains
    table = table_of(intersections_document(made), "domain-differences")
    ahead, behind = (pair.domain, pair.other)
    if pair.difference.value < 0:
        ahead, behind = behind, ahead
    assert column(table, "domains").values == [f"{ahead} over {behind}"]
    assert column(table, "difference").values == [abs(pair.difference.value)]


def test_the_findings_are_counted_in_the_fields_words(made):
    document = intersections_document(made)
    table = table_of(document, "findings")
    first = made.agreements[0]
    assert column(table, "emergent traits").values[0] == "above both components"
    assert column(table, "predicted").cells[0] == f"{first.told} of {first.cells}"
    assert column(table, "chance_precision").values[0] == first.chance_precision
    text = text_of(page(document)) + printed(document)
    assert not re.search(r"\btold\b|crossed group|parts\b", text)
    assert "Intersectional groups and their components" in text


def test_without_findings_of_these_groups_it_says_why(monkeypatch):
    made = found(monkeypatch, random_scores(), [Finding("big cat", trait="cold")])
    text = " ".join(printed(intersections_document(made)).split())
    assert "No agreement with found.toml: the run contains no intersectional groups" in text


def test_files_have_every_cell_and_every_group(made):
    tables = file_tables(made)
    rows = as_rows(tables["emergent"])
    assert len(rows) == len(CROSSED) * 8
    top = max(rows, key=lambda row: row["above"])
    assert (top["crossed"], top["trait"]) == (
        made.top("above", 1)[0].crossed,
        made.top("above", 1)[0].trait,
    )
    order = as_rows(tables["order"])
    assert [row["crossed"] for row in order] == list(CROSSED)
    assert order[-1]["tau_reversed"] is None  # there in one order only
    (domains,) = as_rows(tables["domains"])
    assert domains["difference"] == pytest.approx(domains["tau"] - domains["other_tau"])


def test_missing_numbers_are_empty_not_nan(monkeypatch):
    scores = random_scores()
    scores["tall"][:, :] = np.nan
    made = found(monkeypatch, scores, [Finding("tall man", trait="cold")])
    document = intersections_document(made)
    assert "nan" not in page(document).lower().replace("nance", "")
    assert "nan" not in printed(document)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(made, width):
    lines = printed(intersections_document(made), width).splitlines()
    assert max(map(cell_len, lines)) <= width


def test_hostile_names_are_text_everywhere(monkeypatch):
    odd = cells.HOSTILE
    made = found(
        monkeypatch, random_scores(), [Finding("tall man", trait="cold")],
        name=odd, domains=(odd, odd, "height", "height"),
        intersectional=("tall man", odd, *list(CROSSED)[2:]),
    )  # fmt: skip
    document = intersections_document(made)
    shown = page(document)
    Outline(shown)
    assert "<script" not in shown
    assert "\u202e" not in shown + printed(document)
