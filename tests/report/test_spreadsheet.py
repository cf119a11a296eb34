"""Workbooks as Excel's own readers see them."""

import io

import openpyxl
import pytest

from tiltmeter.report.document import Column, Table
from tiltmeter.report.spreadsheet import SheetContent, tables_workbook, workbook


def opened(content):
    return openpyxl.load_workbook(io.BytesIO(content))


def test_numbers_are_numbers_and_text_is_never_run():
    rows = [["=1+1", 2, 0.5, True, None], ["http://x.org", -1, None, False, "é\u202eb"]]
    sheet = opened(workbook({"records": SheetContent(["a", "b", "c", "d", "e"], rows)}))["records"]
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
    sheet = opened(workbook({"t": SheetContent(["a"], [["x" * 40_000]])}))["t"]
    assert sheet["A2"].value == "x" * 32_767


def test_columns_without_a_value_are_left_out():
    rows = [[1, None, "", 0], [2, None, "", None]]
    sheet = opened(workbook({"t": SheetContent(["a", "b", "c", "d"], rows)}))["t"]
    assert list(sheet.values) == [("a", "d"), (1, 0), (2, None)]


def test_a_sheet_prints_on_the_width_of_a_page_with_its_headings_on_each():
    content = SheetContent(["a", "b"], [[1, 2]], [("both", 2)])
    sheet = opened(workbook({"t": content}))["t"]
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.print_title_rows == "$1:$2"


def test_headings_over_columns_span_them():
    columns = [
        Column("model", ["m"], number=False),
        Column("dev", [1.0], name="old dev", group="old"),
        Column("test", [2.0], name="old test", group="old"),
        Column("", [None], name="old low", group="old"),
        Column("dev", [3.0], name="new dev", group="new"),
    ]
    sheet = opened(tables_workbook([Table("t", columns)]))["t"]
    assert [cell.value for cell in sheet[1]] == [None, "old", None, "new"]
    assert [str(found) for found in sheet.merged_cells.ranges] == ["B1:C1"]
    assert [cell.value for cell in sheet[2]] == ["model", "old dev", "old test", "new dev"]
    assert [cell.value for cell in sheet[3]] == ["m", 1, 2, 3]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A3", "A2:D3")
