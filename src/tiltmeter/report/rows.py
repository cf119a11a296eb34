"""Sequences of estimates and records that can be converted into polars and pandas tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from tiltmeter.core.errors import Unavailable
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.text import counted
from tiltmeter.run.files.records_table import row_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

T = TypeVar("T")
ALL = "all"
"""The value of an axis in rows that are not of one of its values, in tables and their files."""
Cell = str | int | float | None
TEXTS = ("text_", "thought_", "said", "reply_", "tokens_")
"""How the names of columns begin that hold texts of items and models."""
RESERVED = frozenset({"kind", "common", "stratum"})
"""Columns that have a meaning of their own in a survey's items, so axes with these names are left out."""


class Rows(Sequence[T], Generic[T]):
    """A sequence of estimates or records that can be converted into a table.

    >>> rows = Rows(["ann", "bob"], lambda name: {"name": name, "letters": len(name)})
    >>> rows[0], rows.to_polars()["letters"].to_list()
    ('ann', [3, 3])
    """

    def __init__(self, items: Sequence[T], as_row: Callable[[T], Mapping[str, Cell]]) -> None:
        self._items = items
        self._as_row = as_row

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._items[at]

    def __eq__(self, other: object) -> bool:
        """Whether the other has equal elements in the same order."""
        return [*self] == [*other] if isinstance(other, Rows) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as of lists

    def to_polars(self) -> "pl.DataFrame":
        """A polars table with one row for each element."""
        rows = [self._as_row(item) for item in self._items]
        names = dict.fromkeys(name for row in rows for name in row)
        return data_frame(rows, sorted(names, key=lambda name: _place(name, [*names])))

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas table with one row for each element.

        Raises:
            Unavailable: pandas is not installed.
        """
        return to_pandas(self.to_polars())

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'rows')}; .to_polars() or .to_pandas() makes a table>"

    def _repr_html_(self) -> str:
        """The first and last rows as a table, for notebooks.

        Columns with the same value in all rows are left out, and texts, which may insult people: nobody asked
        to see them here.
        """
        table = self.to_polars()
        shown = [
            column.name for column in table
            if not column.name.startswith(TEXTS) and (len(column) == 1 or column.n_unique() > 1)
        ]  # fmt: skip
        return f"{table.select(shown)._repr_html_()}<small>{escape(repr(self))}</small>"


def data_frame(
    rows: Sequence[Mapping[str, Cell]], columns: Sequence[str] | None = None
) -> "pl.DataFrame":
    """A polars table of rows; without `columns` it has those of the first row."""
    import polars as pl  # noqa: PLC0415  (slow to import)

    names = [*rows[0]] if columns is None and rows else columns or []
    return pl.DataFrame(
        {name: pl.Series(name, [row.get(name) for row in rows], strict=False) for name in names}
    )


def to_pandas(table: "pl.DataFrame") -> "pd.DataFrame":
    """A polars table as one of pandas, without pyarrow.

    Raises:
        Unavailable: pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise Unavailable("pandas is not installed: pip install pandas") from error
    return pd.DataFrame({name: table[name].to_list() for name in table.columns})


def _place(name: str, names: Sequence[str]) -> tuple[int, int]:
    """The sort key of a column: axes, which only some rows have, go right after the first column."""
    at = names.index(name)
    return (0 if at == 0 else 1 if name.startswith("group_") else 2, at)


def estimate_rows(estimates: Iterable[Estimate]) -> Rows[Estimate]:
    """The estimates as rows; each axis of their subsets has a column `group_AXIS`.

    It says "all" where a number is not of one value of the axis, as tables do.

    >>> rate = Estimate("rate", 62.5, None, None, None, 8, 50, "%", groups={"job": "nurse"})
    >>> whole = Estimate("rate", 55.0, None, None, None, 40, 50, "%")
    >>> estimate_rows([rate, whole]).to_polars()["group_job", "value", "n"].rows()
    [('nurse', 62.5, 8), ('all', 55.0, 40)]
    """
    every = list(estimates)
    axes = [*dict.fromkeys(axis for estimate in every for axis in estimate.groups)]
    return Rows(every, lambda estimate: _estimate_row(estimate, axes))


def record_rows(records: Sequence[Record], *, thoughts: bool = True) -> Rows[Record]:
    """The records as rows, with the columns of `records.parquet`.

    Without `thoughts`, what a model thought before it answered is left out.

    >>> record = Record("1", {}, {}, thoughts={"reply": "Let me see."})
    >>> [name for name in record_rows([record]).to_polars().columns if "thought" in name]
    ['thought_reply']
    >>> record_rows([record], thoughts=False).to_polars().columns
    ['item', 'cluster', 'said']
    """
    return Rows(
        records, row_of if thoughts else lambda record: row_of(replace(record, thoughts={}))
    )


def item_rows(records: Sequence[Record], model: str = "", sample: int = 0) -> Rows[Record]:
    """Records as items of a survey, with columns for id, model, axes and texts.

    Records without texts or with an empty one are left out. `sample` is how many records to take, 0 for all:
    always the same ones, spread evenly over the records.
    """
    asked = [r for r in records if r.texts and all(text.strip() for text in r.texts.values())]
    count = min(sample or len(asked), len(asked))
    chosen = [asked[(2 * i + 1) * len(asked) // (2 * count)] for i in range(count)]

    def as_row(record: Record) -> dict[str, Cell]:
        axes = {axis: value for axis, value in record.groups.items() if axis not in RESERVED}
        return {"id": record.item, "model": model, **axes, **record.texts}

    return Rows(chosen, as_row)


def _estimate_row(estimate: Estimate, axes: Sequence[str]) -> dict[str, Cell]:
    e, made = estimate, estimate.equivalence
    margin: dict[str, Cell] = {} if made is None else {
        "margin": made.margin, "equivalence": made.verdict, "not_worse": made.not_worse,
        "equivalence_low": made.low, "equivalence_high": made.high,
    }  # fmt: skip
    return {
        "name": e.name,
        **{f"group_{axis}": e.groups.get(axis, ALL) for axis in axes},
        "value": e.value, "low": e.low, "high": e.high, "p": e.p, "p_adjusted": e.p_adjusted,
        "n": e.n, "mde": e.mde, "neutral": e.neutral, "unit": e.unit, "level": e.level,
        "interval": e.interval, "test": e.test, "why": e.why, "model": e.model, "study": e.study,
        "rule": e.rule, "convention": e.convention, "ties": e.ties, "tied": e.tied, "bound": e.bound,
        **margin,
    }  # fmt: skip
