"""Two matrices in the document of a comparison: findings, differences, what is not on one scale."""

import re

import pytest

from report import cells, example
from report.documents.test_matrix import column, table_of, text_of
from report.test_html import Outline
from report.test_terminal import shown as printed
from tiltmeter.core.results import Result
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.report.html import page
from tiltmeter.report.text import number


@pytest.fixture(scope="module")
def pair() -> list[Result]:
    return [cells.result(common=1.0), cells.result("other", seed=5, common=1.0, planted={})]


@pytest.fixture(scope="module")
def document(pair):
    return example.compared(pair, compare(*pair))


@pytest.fixture(scope="module")
def two(document) -> str:
    return page(document)


def test_differences_are_drawn_and_the_planted_ones_listed(pair, document, two):
    tau = next(e for e in compare(*pair) if e.name == "matrix_tau" and not e.groups)
    assert f"at Kendall’s τ-b = {number(tau.value)}" in text_of(two)
    assert two.count('id="apart-1-title"') == 1
    table = table_of(document, "apart-1-cells")
    listed = set(
        zip(column(table, "group").values[:3], column(table, "pair").values[:3], strict=True)
    )
    assert listed == set(cells.PLANTED)
    assert 'id="side"' in two
    assert "profiles" not in two  # rows are drawn on each run's own page


def test_models_on_one_scale_share_the_colours_of_their_pictures(two):
    side = two.split('<h2 id="side"')[1].split("</section>")[0]
    wide = re.findall(r'<div class="wide">(.*?)</div>', side, re.DOTALL)
    ends = [re.findall(r'class="tick" font-size="11">(?:≥ )?([\d.]+)</text>', svg) for svg in wide]
    assert len(ends) == 2
    assert len({max(map(float, end)) for end in ends}) == 1


def test_the_first_finding_leads_and_numbers_are_told_with_their_meaning(document):
    first, *rest = document.finding
    assert first.kind == "headline"
    assert "demo − other: the orders of their 29 common cells agree" in first.text
    assert any("differ significantly" in text.text for text in rest)
    assert column(table_of(document, "apart-1-wholes"), "measure").values == [
        "Rank correlation of the matrices (Kendall’s τ-b)",
        "Rank correlation without what all rows share",
        "Cells that lean the same way",
        "Difference of root mean square strengths",
    ]


def test_other_rules_and_settings_are_compared_by_order_only():
    a, b = cells.result(), cells.result(seed=3, settings={"prior": "noun"})
    found = compare(a, b)
    shown = page(example.compared([a, b], found))
    text = text_of(shown)
    assert "only the order of cells is compared" in text
    assert "demo (prior mask) − demo (prior noun)" in text
    assert 'id="apart-1-title"' not in shown
    assert {e.name for e in found} == {"matrix_tau", "matrix_tau_within", "same_lean"}


def test_three_models_make_three_comparisons(pair):
    three = [*pair, cells.result("third", seed=8)]
    document = example.compared(three, compare_all(three).estimates)
    shown = page(document)
    Outline(shown)
    assert all(f'id="apart-{i}-title"' in shown for i in (1, 2, 3))
    assert printed(document).count("The matrices as wholes, ") == 3


def test_the_terminal_names_the_cells_that_differ_and_how_alike_rows_are(document):
    text = printed(document)
    part = text.split("Strongest evidence of a difference")[1].split("\n\n")[0]
    groups = {group for group, _ in cells.PLANTED}
    assert {
        next(g for g in groups if line.startswith(g)) for line in part.splitlines()[2:5]
    } == groups
    assert "p (BH)" in part
    assert "Kendall’s τ-b by group, least alike first" in text
    assert len(text.splitlines()) < 70


def test_different_rules_are_named_in_the_terminal():
    a, b = cells.result(), cells.result(rule="ilps_star")
    text = printed(example.compared([a, b], compare(a, b)))
    assert "only the order of cells is compared" in " ".join(text.split())
    assert "Strongest evidence" not in text
    assert re.search(r"scored by different rules, set\s+and\s+ilps_star", text)
