"""Makes the columns of tables, so that values, intervals and p look the same in every table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypedDict, TypeVar, Unpack

from tiltmeter.core.estimates import Estimate
from tiltmeter.report import text
from tiltmeter.report.document import FILES_ONLY, Column, On, Table, Tone, Value
from tiltmeter.report.few_items import shown_significant

R = TypeVar("R")
V = TypeVar("V")
I = TypeVar("I", bound=text.Interval)  # noqa: E741  # an interval


class ColumnOptions(TypedDict, total=False):
    """Keyword options that every function here passes on to `Column`, which explains them."""

    name: str
    drop: int
    on: On
    group: str
    tones: Sequence[Tone]
    in_files: bool


@dataclass(frozen=True, slots=True)
class TableRows(Generic[R]):
    """The objects that the rows of a table are about, from which each method makes a column.

    A row whose object is None stays empty.
    """

    of: Sequence[R | None]

    def values(self, get: Callable[[R], V]) -> list[V | None]:
        """The result of `get` for each row; None for empty rows."""
        return [None if row is None else get(row) for row in self.of]

    def words(
        self, title: str, get: Callable[[R], str | None], **options: Unpack[ColumnOptions]
    ) -> Column:
        """A column of text, aligned to the left."""
        return Column(title, self.values(get), number=False, **options)

    def counts(
        self, title: str, get: Callable[[R], int | None], **options: Unpack[ColumnOptions]
    ) -> Column:
        """A column of whole numbers, with commas between thousands."""
        return Column(title, self.values(get), "{:,}".format, **options)

    def numbers(
        self,
        title: str,
        get: Callable[[R], float | None],
        show: Callable[[float], str] = text.number,
        *,
        missing: str = "",
        **options: Unpack[ColumnOptions],
    ) -> Column:
        """A column of numbers as `show` formats them; cells without a number read `missing`."""
        values = self.values(get)
        shown = [missing if value is None else show(value) for value in values]
        return Column(title, values, shown=shown, **options)

    def shown(
        self,
        title: str,
        get: Callable[[R], Value],
        show: Callable[[R], str],
        *,
        missing: str = "",
        **options: Unpack[ColumnOptions],
    ) -> Column:
        """A column whose cells are formatted from the whole row and not from the value alone.

        `get` returns the raw value for files, `show` the text for readers.
        """
        cells = [missing if row is None else show(row) for row in self.of]
        return Column(title, self.values(get), shown=cells, **options)

    def hidden(self, columns: Mapping[str, Callable[[R], Value]]) -> list[Column]:
        """Columns that only table files have, each under its name."""
        return [Column(name, self.values(get), on=FILES_ONLY) for name, get in columns.items()]


def value_column(
    estimates: Sequence[Estimate | None],
    title: str = "value",
    show: Callable[[Estimate], str] = text.value_text,
    **options: Unpack[ColumnOptions],
) -> Column:
    """The column of values; an estimate without one reads "undefined"."""
    return TableRows(estimates).shown(title, lambda e: e.value, show, **options)


def interval_columns(
    of: Sequence[I | None],
    title: str = "interval",
    show: Callable[[I], str] = text.span,
    *,
    prefix: str = "",
    **options: Unpack[ColumnOptions],
) -> list[Column]:
    """One column with the interval for readers, and two with its ends for files.

    The names of the two in files are "low" and "high" with the `prefix` before them.
    """
    none = [row is None or (isinstance(row, Estimate) and row.value is None) for row in of]
    shown = ["" if row is None or gone else show(row) for row, gone in zip(of, none, strict=True)]
    options.setdefault("in_files", False)
    return [
        Column(title, [None] * len(of), shown=shown, **options),
        Column(f"{prefix}low", [row.low if row else None for row in of], on=FILES_ONLY),
        Column(f"{prefix}high", [row.high if row else None for row in of], on=FILES_ONLY),
    ]


def p_column(
    estimates: Sequence[Estimate | None], title: str = "", **options: Unpack[ColumnOptions]
) -> Column:
    """The column of p, adjusted where it was; without a title, the heading says how it was adjusted."""
    how = text.adjustment(e for e in estimates if e)
    heading = title or (f"p ({how})" if how else "p")
    options.setdefault("name", "p")
    return TableRows(estimates).numbers(heading, text.final_p, text.p_text, **options)


def neutral_column(
    estimates: Sequence[Estimate | None], *, drop: int, title: str = "neutral"
) -> Column:
    """The column of neutral values; the cell is empty where a measure has none."""
    return TableRows(estimates).shown(
        title, lambda e: e.neutral, text.neutral_text, drop=drop, name="neutral"
    )


def significant(estimates: Sequence[Estimate | None]) -> list[bool]:
    """Which rows are emphasized: those that are significant and rest on enough items to say so."""
    return [e is not None and shown_significant(e) is True for e in estimates]


def column_groups(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """The group headings over these columns and how many columns each spans; [] where no column has one.

    >>> column_groups([Column("n", [1]), Column("a", [1], group="g"), Column("b", [1], group="g")])
    [('', 1), ('g', 2)]
    """
    if not any(column.group for column in columns):
        return []
    return [(text, len(list(same))) for text, same in groupby(column.group for column in columns)]


def indented_rows(table: Table, columns: Sequence[Column]) -> Iterator[list[str]]:
    """The formatted cells row by row, with the first cell of subordinate rows indented."""
    depths = table.depths or [0] * table.rows
    for row, depth in zip(zip(*(c.cells for c in columns), strict=True), depths, strict=True):
        yield ["\u00a0\u00a0" * depth + row[0], *row[1:]]


def bold_cells(columns: Sequence[Column], row: int) -> list[bool]:
    """Which cells of a row are bold."""
    return [bool(c.bold) and c.bold[row] for c in columns]
