"""Workbooks as Excel's own readers see them."""

import io

import openpyxl
import pytest

from tiltmeter.report.document import Column, Table
from tiltmeter.report.spreadsheet import tables_workbook, workbook


def opened(content):
    return openpyxl.load_workbook(io.BytesIO(content))


def test_numbers_are_numbers_and_text_is_never_run():
    rows = [["=1+1", 2, 0.5, True, None], ["http://x.org", -1, None, False, "é\u202eb"]]
    sheet = opened(workbook({"records": (["a", "b", "c", "d", "e"], rows)}))["records"]
    assert [cell.value for cell in sheet[1]] == ["a", "b", "c", "d", "e"]
    assert [cell.value for cell in sheet[2]] == ["=1+1", 2, 0.5, True, None]
    assert [cell.value for cell in sheet[3]] == ["http://x.org", -1, None, False, "é[U+202E]b"]
    assert sheet["A2"].data_type == "s"
    assert sheet["A3"].hyperlink is None
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:E3"


def test_a_sheet_for_each_table_under_a_name_that_excel_accepts():
    def named(name):
        return Table(name, [Column("n", [1])], name=name)

    book = opened(tables_workbook([named("a/b"), named("A b"), named("x" * 40), named("x" * 41)]))
    assert book.sheetnames == ["a b", "A b 2", "x" * 31, f"{'x' * 29} 2"]


@pytest.mark.parametrize("tables", [[], [Table("t", [])]])
def test_nothing_to_write_is_still_a_workbook(tables):
    assert opened(tables_workbook(tables)).sheetnames


def test_a_text_too_long_for_a_cell_is_cut():
    sheet = opened(workbook({"t": (["a"], [["x" * 40_000]])}))["t"]
    assert sheet["A2"].value == "x" * 32_767
