"""The document of before and after: what it says, where it is rendered, and its files."""

import csv
import re
from io import StringIO

import pytest
from rich.console import Console

from report.documents.changed import pairs, text, triples
from tiltmeter.analysis.before_after import before_after
from tiltmeter.report.document import Document, Table
from tiltmeter.report.documents.before_after.document import before_after_document
from tiltmeter.report.documents.before_after.files import before_after_json, one_table
from tiltmeter.report.documents.before_after.finding import finding, summaries
from tiltmeter.report.html import page
from tiltmeter.report.tables import as_csv
from tiltmeter.report.terminal import print_document
from tiltmeter.run.folder import to_json

KINDS = ["age"] * 6 + ["race"] * 6


def printed(document: Document, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(document, console)
    return console.file.getvalue()


def tables(document: Document) -> dict[str, Table]:
    return {table.title: table for table in document.tables()}


def column(table: Table, name: str):
    return next(c for c in table.columns if name in {c.name, c.title})


def test_the_finding_says_what_the_numbers_say():
    before = pairs("base", [1] * 20 + [-1] * 2)
    after = pairs("done", [1] * 10 + [-1] * 12, mitigation="inlp", **{"mitigation of": "gender"})
    made = before_after([before], [after])
    head, cost = finding(made)
    assert head == (
        "done (inlp of gender) compared with base: closer to neutral in crows_pairs. Significant change "
        "(p = 0.00195)."
    )
    assert cost.startswith("The cost is not known")
    (said,) = summaries(made.parts[0])
    assert said == (
        "Over all items: 90.9\u00a0% before, 45.5\u00a0% after, closer to no preference (50), on the other "
        "side; significant change (p = 0.00195)."
    )


def test_several_studies_are_counted():
    before = [pairs("base", [1] * 9 + [-1]), triples("base", [1, 1, 1, -1, 1, 1] * 3)]
    after = [pairs("done", [1] * 8 + [-1] * 2), triples("done", [1, 1, 1, 1, 1, 1] * 3)]
    head, cost = finding(before_after(before, after))
    assert head.startswith(
        "done compared with base: closer to neutral in 1 of 2 studies, farther in 1."
    )
    assert "No significant change in any of them." in head
    assert cost.startswith("Cost: lms")


def test_absence_of_significance_is_not_absence_of_a_change():
    before, after = pairs("base", [1, 1, -1, 1] * 3), pairs("done", [1, -1, -1, 1] * 3)
    said = printed(before_after_document(before_after([before], [after])))
    for wrong in ("chance explains", "told from", "Not there", "cannot be told", "no change"):
        assert wrong not in said.replace("not mean no change", "")


def cost(before, after) -> tuple[Table, str]:
    made = before_after(before, after)
    return tables(before_after_document(made))["Cost"], finding(made)[-1]


def test_a_cost_that_is_not_significant_is_neither_better_nor_worse():
    sides = [1, 1, 1, -1, 1, 1] * 3
    table, said = cost([triples("base", sides)], [triples("done", [1, 2, *sides[2:]])])
    lms = column(table, "items").cells.index("lms")
    way = column(table, "way")
    assert column(table, "change").values[lms] < 0
    assert (way.cells[lms], way.tones[lms]) == ("", "")
    assert not table.strong[lms]
    assert "no significant change (p = " in said


def test_a_significant_cost_is_worse_and_said_so():
    table, said = cost([text("base", 2.0)], [text("done", 2.1)])
    way = column(table, "way")
    assert list(way.cells) == ["worse", "worse"] == list(way.tones)
    assert all(table.strong)
    assert "pseudo-perplexity +10.5\u00a0%" in said
    assert ", significant change (p = " in said
    better, _ = cost([text("base", 2.0)], [text("done", 1.9)])
    assert set(column(better, "way").tones) == {"better"}


def test_leanings_have_colours_only_where_they_are_significant():
    before = pairs("base", [1] * 20 + [-1] * 2)
    for sides, tones in (([1] * 10 + [-1] * 12, {"better"}), ([1] * 19 + [-1] * 3, {""})):
        document = before_after_document(before_after([before], [pairs("done", sides)]))
        table = tables(document)["crows_pairs: stereotype rate, %"]
        assert set(column(table, "way").tones) == tones
        assert column(table, "way").cells[0].startswith("closer")


def test_a_neutral_value_that_was_passed_is_shown():
    document = before_after_document(
        before_after([pairs("base", [1, 1, 1, -1])], [pairs("done", [1, -1, -1, -1])])
    )
    assert column(next(document.tables()), "way").cells[0] == "same, crossed"


def test_studies_without_a_partner_are_not_compared():
    made = before_after(
        [pairs("base", [1, -1, 1])], [pairs("done", [1, 1, 1])], missing=[("x", "it cannot")]
    )
    document = before_after_document(made)
    assert re.search(r"^Not compared +x: it cannot$", printed(document), re.MULTILINE)
    assert "Not compared" in page(document) and "x: it cannot" in page(document)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_terminal_is_never_too_wide(width):
    kinds = ["a group with a very long name indeed, longer than most", "b", "c"] * 4
    before = [pairs("base", [1, 1, -1] * 4, kinds=kinds), text("base", 2.0)]
    after = [pairs("done", [1, -1, -1] * 4, kinds=kinds), text("done", 2.2)]
    said = printed(before_after_document(before_after(before, after, scores=True)), width)
    assert max(map(len, said.splitlines())) <= width
    assert "elsafoury2023" in said


def hostile():
    kinds = ["<b>", "<b>", "y", "y"]
    before = [pairs("base", [1, 1, -1, 1], kinds=kinds), text("base", 2.0)]
    after = [pairs("<script>\x1b[31m", [1, -1, -1, -1], kinds=kinds), text("<script>\x1b[31m", 2.2)]
    return before_after(before, after, scores=True)


def test_the_page_escapes_and_is_the_same_each_time():
    document = before_after_document(
        hostile(), sources=["one"], command="tiltmeter before-after one"
    )
    text_ = page(document)
    assert text_ == page(
        before_after_document(hostile(), sources=["one"], command="tiltmeter before-after one")
    )
    assert "<script>" not in text_ and "&lt;script&gt;" in text_
    assert "&lt;b&gt;" in text_ and "\x1b" not in text_
    assert "elsafoury2023" in text_ and "tiltmeter before-after one" in text_
    assert "\x1b" not in printed(document)


def test_files_hold_every_number():
    made = hostile()
    value = before_after_json(
        made, sources=["one", "two"], command="tiltmeter before-after one two"
    )
    assert to_json(value)
    assert [len(s["leanings"]) for s in value["studies"]] == [3, 0]
    rows = list(csv.DictReader(as_csv(one_table(before_after_document(made))).splitlines()))
    assert [row["kind"] for row in rows] == ["leaning"] * 3 + ["cost"] * 2
    (ratio,) = [row for row in rows if row["measure"] == "perplexity"]
    assert float(ratio["after"]) / float(ratio["before"]) == pytest.approx(float(ratio["change"]))
    for row, change in zip(rows, [*made.parts[0].leanings, *made.costs], strict=True):
        e = change.difference
        assert (row["study"], row["n"]) == (e.study, str(e.n))
        assert float(row["change"]) == pytest.approx(e.value)
        assert row["low"] == ("" if e.low is None else str(e.low))


def test_a_picture_for_each_measure_names_its_marks():
    document = before_after_document(hostile())
    (picture,) = document.pictures()
    assert picture.name == "crows_pairs-stereotype_rate"
    assert picture.wide.count('class="row"') == 3 == picture.narrow.count('class="row"')
    assert "significant change" in picture.caption


def test_every_section_says_something():
    for document in (
        before_after_document(hostile()),
        before_after_document(hostile(), sources=["a"]),
    ):
        assert all(section.blocks for section in document.sections)
        assert "Not compared" not in page(document)
