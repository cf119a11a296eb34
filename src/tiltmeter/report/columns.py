"""Columns of tables: values, intervals and p look the same wherever rows are listed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar, Unpack

from tiltmeter.core.results import Estimate
from tiltmeter.report.document import FILES_ONLY, Column, On, Tone, Value
from tiltmeter.report.text import (
    Interval,
    adjustment,
    dashed,
    final_p,
    neutral_text,
    number,
    p_text,
    value_text,
)

R = TypeVar("R")
I = TypeVar("I", bound=Interval)  # noqa: E741  # an interval


class ColumnOptions(TypedDict, total=False):
    """Of a column: see `Column`."""

    name: str
    drop: int
    on: On
    group: str
    tones: Sequence[Tone]
    in_files: bool


@dataclass(frozen=True, slots=True)
class TableRows(Generic[R]):
    """What the rows of a table are about; each method makes a column of it."""

    of: Sequence[R]

    def words(
        self, title: str, get: Callable[[R], str | None], **options: Unpack[ColumnOptions]
    ) -> Column:
        """Text, to the left."""
        return Column(title, [get(row) for row in self.of], number=False, **options)

    def counts(
        self, title: str, get: Callable[[R], int | None], **options: Unpack[ColumnOptions]
    ) -> Column:
        """Whole numbers, with a comma after thousands."""
        return Column(title, [get(row) for row in self.of], "{:,}".format, **options)

    def numbers(
        self,
        title: str,
        get: Callable[[R], float | None],
        show: Callable[[float], str] = number,
        *,
        missing: str = "",
        **options: Unpack[ColumnOptions],
    ) -> Column:
        """Numbers as `show` writes them; `missing` where there is none."""
        values = [get(row) for row in self.of]
        shown = [missing if value is None else show(value) for value in values]
        return Column(title, values, shown=shown, **options)

    def shown(
        self,
        title: str,
        get: Callable[[R], Value],
        show: Callable[[R], str],
        **options: Unpack[ColumnOptions],
    ) -> Column:
        """Values for files, and how a person reads them, which takes more than the value."""
        return Column(
            title, [get(row) for row in self.of], shown=[show(row) for row in self.of], **options
        )

    def hidden(self, columns: Mapping[str, Callable[[R], Value]]) -> list[Column]:
        """For files alone, by name."""
        return [
            Column(name, [get(row) for row in self.of], on=FILES_ONLY)
            for name, get in columns.items()
        ]


def value_column(
    estimates: Sequence[Estimate],
    title: str = "value",
    show: Callable[[Estimate], str] = value_text,
    **options: Unpack[ColumnOptions],
) -> Column:
    """The values; "undefined" where there is none."""
    return TableRows(estimates).shown(title, lambda e: e.value, show, **options)


def interval_columns(
    of: Sequence[I | None],
    title: str = "interval",
    show: Callable[[I], str] = dashed,
    *,
    prefix: str = "",
    **options: Unpack[ColumnOptions],
) -> list[Column]:
    """The interval in words for readers, and its two ends for files, where `prefix` begins their names."""
    none = [row is None or (isinstance(row, Estimate) and row.value is None) for row in of]
    shown = ["" if row is None or gone else show(row) for row, gone in zip(of, none, strict=True)]
    options.setdefault("in_files", False)
    return [
        Column(title, [None] * len(of), shown=shown, **options),
        Column(f"{prefix}low", [row.low if row else None for row in of], on=FILES_ONLY),
        Column(f"{prefix}high", [row.high if row else None for row in of], on=FILES_ONLY),
    ]


def p_column(
    estimates: Sequence[Estimate], title: str = "", **options: Unpack[ColumnOptions]
) -> Column:
    """The p that counts; without a title, the heading says how it was adjusted."""
    how = adjustment(estimates)
    heading = title or (f"p ({how})" if how else "p")
    options.setdefault("name", "p")
    return TableRows(estimates).numbers(heading, final_p, p_text, **options)


def neutral_column(estimates: Sequence[Estimate], *, drop: int, title: str = "neutral") -> Column:
    """The neutral values."""
    return TableRows(estimates).shown(
        title, lambda e: e.neutral, neutral_text, drop=drop, name="neutral"
    )


def significant(estimates: Sequence[Estimate]) -> list[bool]:
    """Which rows stand out."""
    return [e.significant is True for e in estimates]
