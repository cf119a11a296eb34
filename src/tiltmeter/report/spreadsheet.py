"""Tables as an Excel workbook, a sheet each: text is stored as text, so that nothing in it is run."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import xlsxwriter

from tiltmeter.core.text import visible
from tiltmeter.report.document import Table, Value
from tiltmeter.report.tables import as_rows

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

LONGEST_NAME = 31
"""Letters of a sheet's name, which Excel limits."""
MOST_ROWS = 1_048_575
"""Below the heading, which Excel limits."""
LONGEST_TEXT = 32_767
"""Letters of a cell, which Excel limits."""
NARROWEST, WIDEST = 8, 60
"""Widths of columns, in letters."""
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")
Rows = Iterable[Sequence[Value]]


def workbook(sheets: Mapping[str, tuple[Sequence[str], Rows]]) -> bytes:
    """A workbook with a heading row in each sheet, raw numbers, and filters.

    Args:
        sheets: By name: the headings, and the rows under them.
    """
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
               "strings_to_numbers": False}  # fmt: skip
    with xlsxwriter.Workbook(out, options) as book:
        bold = book.add_format({"bold": True})
        taken: set[str] = set()
        for name, (headings, rows) in sheets.items():
            sheet = book.add_worksheet(_sheet_name(name, taken))
            _fill(sheet, headings, rows, bold)
    return out.getvalue()


def tables_workbook(tables: Iterable[Table]) -> bytes:
    """Tables with the columns that their CSV files have."""
    sheets: dict[str, tuple[Sequence[str], Rows]] = {}
    for table in tables:
        rows = as_rows(table)
        headings = list(rows[0]) if rows else []
        name = table.name or table.title or "table"
        while name in sheets:
            name += " "  # `_sheet_name` tells them apart
        sheets[name] = (headings, [list(row.values()) for row in rows])
    return workbook(sheets)


def _fill(sheet: "Worksheet", headings: Sequence[str], rows: Rows, bold: object) -> None:
    widths = [len(heading) for heading in headings]
    for column, heading in enumerate(headings):
        sheet.write_string(0, column, visible(heading)[:LONGEST_TEXT], bold)
    last = 0
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            break
        last = number
        for column, value in enumerate(row):
            _write(sheet, number, column, value)
            widths[column] = max(widths[column], len(str(value)) if value is not None else 0)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width + 2, NARROWEST), WIDEST))
    sheet.freeze_panes(1, 0)
    if headings:
        sheet.autofilter(0, 0, last, len(headings) - 1)


def _write(sheet: "Worksheet", row: int, column: int, value: Value) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    elif value is not None:
        sheet.write_string(row, column, visible(value)[:LONGEST_TEXT])


def _sheet_name(name: str, taken: set[str]) -> str:
    """A name that Excel accepts, and that no other sheet has."""
    plain = _FORBIDDEN.sub(" ", visible(name)).strip()[:LONGEST_NAME] or "table"
    found, count = plain, 1
    while found.lower() in taken:
        count += 1
        found = f"{plain[: LONGEST_NAME - len(str(count)) - 1]} {count}"
    taken.add(found.lower())
    return found
