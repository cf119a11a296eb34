"""Rows of a table as Markdown and LaTeX write them."""

from collections.abc import Iterator, Sequence

from tiltmeter.report.document import Column, Table


def indented_rows(table: Table, columns: Sequence[Column]) -> Iterator[list[str]]:
    """The cells row by row, as a person reads them; the names of parts are indented."""
    depths = table.depths or [0] * table.rows
    for row, depth in zip(zip(*(c.cells for c in columns), strict=True), depths, strict=True):
        yield ["\u00a0\u00a0" * depth + row[0], *row[1:]]


def bold_cells(columns: Sequence[Column], row: int) -> list[bool]:
    """Which cells of a row stand out."""
    return [bool(c.bold) and c.bold[row] for c in columns]
