"""What a terminal shows of a long document, and that it says what it leaves out."""

import io

import pytest
from rich.console import Console

from report import blocks
from tiltmeter.core.estimates import Estimate
from tiltmeter.report.document import Column, Document, Facts, Lines, Section, Table, Text
from tiltmeter.report.documents.estimate_tables import estimate_table
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.terminal_excerpt import LEAST_ROWS, LINES, print_result

SLACK = 12
"""How many lines an excerpt may have too many, with the paths of its files."""


def table(name, rows, **options):
    return Table(name, [Column("", [f"{name}{i}" for i in range(rows)], number=False)], **options)


def document(*sections, rank=0):
    return Document(
        "t",
        "",
        ["The finding."],
        [Section(f"s{i}", "", list(blocks), rank=rank) for i, blocks in enumerate(sections)],
    )


def shown(made, everything=False, files=None):
    out = io.StringIO()
    print_result(made, Console(file=out, width=80), everything=everything, files=files)
    return out.getvalue()


@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("rows", [1, 6, 15, 300])
def test_a_screenful_is_shown_and_the_rest_is_named(count, rows):
    made = document(*([table(f"t{i}-", rows)] for i in range(count)))
    text = shown(made)
    assert len(text.splitlines()) <= LINES + SLACK
    assert text.startswith("The finding.") and "t0-0" in text
    cells = {f"t{i}-{row}" for i in range(count) for row in range(rows)}
    missing = cells - {*text.split()}
    assert bool(missing) == ("not shown: " in text or "more: --all." in text)
    assert f"t{count - 1}-{rows - 1}" in shown(made, everything=True)


def test_the_first_tables_of_ranked_sections_come_before_second_ones():
    tables = [table("main", 10), table("subsets", 15)], [table("others", 20)]
    text = shown(document(*tables, rank=1))
    assert "others19" in text and "subsets0" not in text
    assert "1 table not shown: subsets. --all prints everything" in text
    assert "subsets14" in shown(document(*tables)) and "others0" in shown(document(*tables))


def test_a_table_is_cut_rather_than_left_out_where_enough_is_left():
    text = shown(document([table("main", 300)]))
    assert text.count("\nmain") - 1 >= LEAST_ROWS and "more: --all." in text


def test_paragraphs_and_facts_always_stay():
    facts = Facts({f"fact {i}": "x" for i in range(20)})
    text = shown(document([table("main", 300)], [facts], [Text("What this does not show.")]))
    assert "fact 19" in text and "What this does not show." in text and "main3" in text


def test_a_long_list_is_named_by_its_section():
    made = Document("t", "", ["F"], [Section("a", "", [table("main", 30)]), Section("b", "Left out", [
        Lines([f"line {i}" for i in range(80)], on=frozenset({"terminal"}))])])  # fmt: skip
    text = shown(made)
    assert "1 table not shown: Left out." in text and "line 70" not in text


def of(n, why=""):
    return Estimate("rate", 60.0, 50.5, 70.0, 0.01, n, 50, "%", groups={"job": f"j{n}"}, why=why)


def test_rows_of_few_items_are_counted_and_notes_are_about_rows_that_are_shown():
    some = [of(n, "few templates" if n < 5 else "rough") for n in (1, 2, 3, 4, 30, 40)]
    made = document([estimate_table("Rate", [Row(f"j{e.n}", e) for e in some])])
    text = shown(made)
    assert "4 rows with n below 5, too few to say, are not listed: --all." in text
    assert "few templates" not in text and "‡" not in text and "both rows: rough" in text
    whole = shown(made, everything=True)
    assert "j3" in whole and "few templates" in whole and "‡ n is less than 5" in whole


def test_three_rows_of_few_items_are_shown_with_their_mark_and_without_that_of_significance():
    some = [of(n) for n in (1, 2, 3, 30)]
    text = shown(document([estimate_table("Rate", [Row(f"j{e.n}", e) for e in some])]))
    rows = [line for line in text.splitlines() if line.startswith("j")]
    assert [("‡" in row, "●" in row) for row in rows] == [(True, False)] * 3 + [(False, True)]


def test_only_the_page_and_the_folder_are_named():
    files = {"page": "p.html", "contexts": "c.csv", "folder": "folder"}
    assert shown(blocks.document(), files=files).splitlines()[-2:] == [
        "page: p.html",
        "folder: folder",
    ]
    assert "contexts: c.csv" in shown(blocks.document(), files=files, everything=True)


def test_the_most_important_table_is_there_however_long_the_paragraphs_are():
    paragraphs = [Text(f"Paragraph {i}. " * 12) for i in range(9)]
    text = shown(document([table("main", 13), *paragraphs], [table("others", 30)]))
    assert "main12" in text and "not shown: others" in text
