"""Tables as files."""

import csv
import io
import json
import re

import pytest

from report import blocks
from report.test_terminal import shown
from tiltmeter.report import tables
from tiltmeter.report.document import Column, Document, Section, Table
from tiltmeter.report.html import page


def of(*found: Table) -> Document:
    return Document("t", "", [], [Section("a", "", found)])


def test_csv_has_raw_values_and_columns_that_only_files_have():
    rows = list(csv.DictReader(io.StringIO(tables.as_csv(blocks.table()))))
    assert list(rows[0]) == ["kind", "n", "value", "low", "way", "empty"]
    assert rows[0]["value"] == "70.0"
    assert rows[0]["low"] == "61.0"
    assert rows[1]["way"] == ""


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_run_is_escaped(text):
    table = Table("t", [Column(text, [text], number=False), Column("n", [-1.5])])
    head, row = csv.reader(io.StringIO(tables.as_csv(table)))
    assert head[0].startswith("'")
    assert row[0].startswith("'")
    assert row[1] == "-1.5"  # a number is no text


def test_json_has_every_table_by_a_name_of_its_own_with_types():
    found = json.loads(
        tables.files(of(blocks.table(), blocks.table(name="x")), "json")["tables.json"]
    )
    assert list(found) == ["rates", "x"]
    assert found["rates"]["rows"][0] == {
        "kind": blocks.LONG.format("A"), "n": 40, "value": 70.0, "low": 61.0, "way": "farther",
        "empty": None,
    }  # fmt: skip
    three = tables.files(of(*[blocks.table()] * 3), "csv")
    assert list(three) == ["rates.csv", "rates-2.csv", "rates-3.csv"]


def test_columns_of_one_name_are_kept_apart():
    table = Table("t", [Column("", ["a"]), Column("interval", [1]), Column("interval", [2])])
    assert tables.as_rows(table) == [{"items": "a", "interval": 1, "interval 3": 2}]


def test_markdown_keeps_cells_apart_and_shows_what_is_read():
    lines = tables.as_markdown(blocks.table()).splitlines()
    assert lines[2:4] == ["|  | n | value | interval | way |", "| --- | ---: | ---: | ---: | --- |"]
    assert "61.0 to 79.0" in lines[4]
    bars = re.findall(r"(?<!\\)\|", tables.as_markdown(Table("t", [Column("", ["a|b<i>_x_"])])))
    assert len(bars) == 6


GROUPED = Table(
    "Rates",
    [
        Column("model", ["m"], number=False),
        Column("dev", [1], group="type_1"),
        Column("test", [2], group="type_1"),
        Column("dev", [3], group="type_2"),
    ],
)


def test_markdown_and_the_terminal_have_one_line_of_headings():
    assert r"| model | type\_1, dev | type\_1, test | type\_2, dev |" in tables.as_markdown(GROUPED)
    assert "type_1, test" in shown(of(GROUPED), 100)


def test_the_page_has_a_line_over_columns_that_belong_together():
    text = page(of(GROUPED))
    assert '<td colspan="1"></td><th scope="colgroup" colspan="2" class="group">type_1</th>' in text
    assert '<th scope="col" class="n">test</th>' in text
