"""Writes tables as the sheets of an Excel workbook; text is stored as text, so nothing in it is executed."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import xlsxwriter

from tiltmeter.core.text import visible
from tiltmeter.report.columns import column_groups
from tiltmeter.report.document import Table, Value
from tiltmeter.report.tables import as_rows, file_columns

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

LONGEST_NAME = 31
"""Excel's limit on the length of a sheet's name."""
MOST_ROWS = 1_048_575
"""Excel's limit on the rows of a sheet, without the heading."""
LONGEST_TEXT = 32_767
"""Excel's limit on the length of a text in a cell."""
NARROWEST, WIDEST = 8, 60
"""The least and greatest width of a column, in letters."""
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")


@dataclass(frozen=True, slots=True)
class SheetContent:
    """The headings and rows of one sheet."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Value]]
    groups: Sequence[tuple[str, int]] = ()
    """Group headings above the headings, each with how many columns it spans; () for none."""

    def without_empty_columns(self) -> "SheetContent":
        """The content without columns in which no row has a value; all columns if there are no rows."""
        kept = [
            i for i in range(len(self.headings))
            if not self.rows or any(row[i] not in (None, "") for row in self.rows)
        ]  # fmt: skip
        over = [text for text, width in self.groups for _ in range(width)]
        groups = (
            [(text, len(list(same))) for text, same in groupby(over[i] for i in kept)]
            if over
            else ()
        )
        return SheetContent(
            [self.headings[i] for i in kept], [[row[i] for i in kept] for row in self.rows], groups
        )


def workbook(sheets: Mapping[str, SheetContent]) -> bytes:
    """The bytes of a workbook with these sheets by name; columns without a single value are left out.

    Sheets have raw numbers, a frozen heading and filters.
    """
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
               "strings_to_numbers": False}  # fmt: skip
    with xlsxwriter.Workbook(out, options) as book:
        bold = book.add_format({"bold": True})
        taken: set[str] = set()
        centred = book.add_format({"bold": True, "align": "center", "bottom": 1})
        for name, content in sheets.items():
            sheet = book.add_worksheet(_sheet_name(name, taken))
            kept = content.without_empty_columns()
            _group(sheet, kept.groups, centred)
            _fill(sheet, kept, bold)
    return out.getvalue()


def tables_workbook(tables: Iterable[Table]) -> bytes:
    """A workbook with one sheet for each table, with the columns of its CSV file."""
    sheets: dict[str, SheetContent] = {}
    for table in tables:
        rows = as_rows(table)
        columns = file_columns(table)
        name = table.name or table.title or "table"
        while name in sheets:
            name += " "  # `_sheet_name` tells them apart
        sheets[name] = SheetContent(
            list(columns),
            [list(row.values()) for row in rows],
            column_groups(list(columns.values())),
        )
    return workbook(sheets)


def _group(sheet: "Worksheet", groups: Sequence[tuple[str, int]], centred: "Format") -> None:
    """Writes the line of group headings."""
    first = 0
    for text, width in groups:
        shown = visible(text)[:LONGEST_TEXT]
        if text and width > 1:
            sheet.merge_range(0, first, 0, first + width - 1, shown, centred)
        elif text:
            sheet.write_string(0, first, shown, centred)
        first += width


def _fill(sheet: "Worksheet", content: SheetContent, bold: "Format") -> None:
    headings, top = content.headings, 1 if content.groups else 0
    widths = [len(heading) for heading in headings]
    for column, heading in enumerate(headings):
        sheet.write_string(top, column, visible(heading)[:LONGEST_TEXT], bold)
    rows = content.rows[: MOST_ROWS - top]
    for number, row in enumerate(rows, top + 1):
        for column, value in enumerate(row):
            _write(sheet, number, column, value)
            widths[column] = max(widths[column], len(str(value)) if value is not None else 0)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width + 2, NARROWEST), WIDEST))
    sheet.freeze_panes(top + 1, 0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0, top)
    if headings:
        sheet.autofilter(top, 0, top + len(rows), len(headings) - 1)


def _write(sheet: "Worksheet", row: int, column: int, value: Value) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    elif value is not None:
        sheet.write_string(row, column, visible(value)[:LONGEST_TEXT])


def _sheet_name(name: str, taken: set[str]) -> str:
    """A name for a sheet that Excel accepts and that is not in `taken`, to which it is added."""
    plain = _FORBIDDEN.sub(" ", visible(name)).strip()[:LONGEST_NAME] or "table"
    unique, count = plain, 1
    while unique.lower() in taken:
        count += 1
        unique = f"{plain[: LONGEST_NAME - len(str(count)) - 1]} {count}"
    taken.add(unique.lower())
    return unique
