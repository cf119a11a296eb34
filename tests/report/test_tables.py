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


def test_markdown_has_one_line_of_headings_and_the_terminal_two():
    assert r"| model | type\_1, dev | type\_1, test | type\_2, dev |" in tables.as_markdown(GROUPED)
    over, heads = shown(of(GROUPED), 100).splitlines()[2:4]
    assert over.index("type_1") < heads.index("test") < over.index("type_2") < len(heads)


BELOW = Table(
    "Rates",
    [
        Column("model", ["a", "b"], number=False),
        Column("rate", [50.0, 60.0], below=["[40, 60]", ""], bold=[True, False]),
    ],
    strong=[True, False],
)


def test_a_second_line_of_a_cell_is_within_it_on_the_page_and_under_it_in_the_terminal():
    lines = [line.split() for line in shown(of(BELOW), 80).splitlines()]
    assert lines[-3:] == [["a", "50.0"], ["[40,", "60]"], ["b", "60.0"]]
    assert '50.0<span class="below">[40, 60]</span></td>' in page(of(BELOW))
    assert r"| a | **50.0**<br>\[40, 60\] |" in tables.as_markdown(BELOW)
    assert tables.as_csv(BELOW) == "model,rate\na,50.0\nb,60.0\n"
    single = BELOW.in_single_lines()
    assert (single.strong, single.columns[1].bold) == ([True, False, False], [True, False, False])
    assert BELOW.of_rows([1]).in_single_lines().rows == 1


def test_the_page_has_a_line_over_columns_that_belong_together():
    text = page(of(GROUPED))
    assert '<td colspan="1"></td><th scope="colgroup" colspan="2" class="group">type_1</th>' in text
    assert '<th scope="col" class="n">test</th>' in text
