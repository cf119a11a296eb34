"""A document in the terminal, at every width."""

import io
import re
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.console import Console

from report import blocks
from tiltmeter.report.document import BOTH, Column, Document, Facts, Picture, Section, Table
from tiltmeter.report.terminal import print_document


def shown(document: Document, width: int = 80, encoding: str = "utf-8", **options) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    print_document(document, Console(file=file, width=width, **options))
    file.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [20, 40, 60, 79, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal(width):
    lines = shown(blocks.document(), width).splitlines()
    assert max(map(cell_len, lines)) <= min(width, 120)
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("width", [80, 100, 120])
def test_names_that_differ_in_the_middle_are_told_apart(width):
    text = shown(blocks.document(), width)
    rows = [line for line in text.splitlines() if line.startswith("the first")]
    assert len(rows) == 2
    names = {re.split(r"  +", row)[0] for row in rows}
    assert len(names) == 2
    assert "70.0" in rows[0]


def test_columns_give_way_before_names_and_the_higher_drop_goes_first():
    def columns(width: int) -> set[str]:
        lines = shown(blocks.document(), width).splitlines()
        heads = {word for line in lines for word in line.split()}
        return heads & {"n", "value", "interval", "way"}

    kept = [columns(width) for width in range(20, 121, 5)]
    assert all(fewer <= more for fewer, more in pairwise(kept))
    order = ["value", "interval", "way", "n"]
    assert all(found == set(order[: len(found)]) for found in kept)


def test_what_is_for_the_page_alone_is_not_printed():
    text = shown(blocks.document())
    assert "for the terminal" in text
    for absent in ("for the page", "aunt", "Towards the more", "Caption", "records.parquet"):
        assert absent not in text


def test_a_picture_for_both_places_is_its_table_in_the_terminal():
    drawn = Picture("p", blocks.SVG, blocks.SVG, "Caption", blocks.table(), on=BOTH)
    text = shown(Document("t", "", [], [Section("a", "", [drawn])]))
    assert "Rates, %" in text
    assert "├" in text or "70.0" in text


def test_bars_mark_what_is_significant():
    columns = [Column("", ["a", "b"], number=False), Column("n", [1, 2])]
    table = Table("t", columns, bars=blocks.table().bars)
    lines = shown(Document("t", "", [], [Section("a", "", [table])])).splitlines()
    assert [bool("●" in line) for line in lines if line[:2] in {"a ", "b "}] == [True, False]


def test_the_finding_comes_first_and_facts_without_a_value_are_left_out():
    text = shown(blocks.document(), 100)
    assert text.startswith("demo prefers this in 57.3 % of 240 pairs.\n")
    assert "Left out  nothing" in text
    assert "gated     no" in text
    assert "None" not in text


def test_a_number_is_never_parted_from_its_unit():
    for width in range(20, 100, 3):
        assert not any(x.startswith("%") for x in shown(blocks.document(), width).splitlines())


def test_addresses_of_files_are_never_broken():
    path = "/very/long/" * 12 + "report.html"
    console = Console(width=40, file=io.StringIO(), record=True)
    print_document(blocks.document(), console, files={"page": path})
    assert f"page: {path}" in console.export_text().splitlines()


def test_markup_and_control_characters_are_shown_not_obeyed():
    text = shown(blocks.document(), 120, force_terminal=True)
    assert "[U+001B][2J[U+202E] [red]x[/red]" in " ".join(text.split())
    assert "\x1b[2J" not in text
    assert "\x1b" not in shown(blocks.document())


def test_ascii_output_stays_ascii():
    text = shown(blocks.document(), encoding="ascii")
    assert "61.0 to 79.0" in text
    assert "|" in shown(Document("é", "", ["é"], [Section("a", "", [Table("t", [
        Column("", ["a", "b"], number=False)], bars=blocks.table().bars)])]), encoding="ascii")  # fmt: skip


def test_an_empty_document_prints():
    assert not shown(Document("t", "", [], [Section("a", "Title", []), Section("b", "", [
        Table("t", [Column("n", [None])])], on=frozenset())])).strip()  # fmt: skip
    assert shown(Document("t", "", [], [Section("a", "Title", [Facts({"a": "b"})])])).split() == [
        "Title", "a", "b",
    ]  # fmt: skip
