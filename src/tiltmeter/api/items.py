"""What a caller may give as items: objects, pairs of sentences, a table of polars or pandas."""

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Protocol, TypeAlias, TypeGuard, runtime_checkable

from tiltmeter.core.data.items import Cell, Dataset, Pair, Sentence, Target, Term, Triple
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.pairs.pairs import NAME, dataset_of, pairs_of_rows, pairs_of_sentences

Item: TypeAlias = Pair | Triple | Cell | Target | Term | Sentence


@runtime_checkable
class PolarsTable(Protocol):
    """A polars DataFrame, as far as it is needed."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""

    def iter_rows(self, *, named: Literal[True]) -> Iterable[dict[str, Any]]:
        """Yield the rows as dictionaries, if `named`."""


@runtime_checkable
class PandasTable(Protocol):
    """A pandas DataFrame, as far as it is needed."""

    @property
    def columns(self) -> Any:
        """Names of the columns, which are those of a file of pairs."""

    def to_dict(self, orient: Any) -> Any:
        """Return the table as a list of rows, if `orient` is "records"."""


Table: TypeAlias = PolarsTable | PandasTable
"""A table in memory."""
TABLE = "table in memory.csv"
"""The file that stands for a table where files are read; results show this name."""
PAIR = frozenset({"sent_more", "sent_less"})
"""Columns that make a table one of pairs."""

Items: TypeAlias = (
    Dataset[Any]
    | Table
    | Sequence[Item]
    | Sequence[tuple[str, str]]
    | Sequence[Mapping[str, object]]
)


def data_given(
    data: str | Path | Items | None, stack: ExitStack
) -> str | Path | Dataset[Any] | None:
    """Data as the planning takes them: a name, a file, or items.

    A table without the columns of pairs becomes a file, which the study reads as one of its layout; the file
    is there until the stack closes.

    Raises:
        BadInput, BadItems: As `dataset_of_items`.
    """
    if data is None or isinstance(data, str | Path):
        return data
    if is_table(data) and not {*map(str, data.columns)} >= PAIR:
        return write_table(data, Path(stack.enter_context(TemporaryDirectory(prefix="tiltmeter-"))))
    return dataset_of_items(data)


def dataset_of_items(items: Items) -> Dataset[Any]:
    """Items in memory as a data set; tables have the columns that a file of pairs has.

    Raises:
        BadInput: There are none, or they are no items.
        BadItems: Some cannot be used, all of them with the reason.
    """
    if isinstance(items, Dataset):
        return items
    if is_table(items):
        return pairs_of_rows(_rows_of(items))
    return _dataset_of_sequence(list(items) if isinstance(items, Iterable) else [items])


def is_table(value: object) -> TypeGuard[Table]:
    """Whether it is a table of polars or pandas."""
    return isinstance(value, PolarsTable | PandasTable)


def write_table(table: Table, folder: Path) -> Path:
    r"""The table as a CSV file in a folder; cells that are missing are empty.

    >>> from tempfile import mkdtemp
    >>> import polars as pl
    >>> folder = Path(mkdtemp())
    >>> write_table(pl.DataFrame({"item": ["a", "b"], "tone": [1.0, None]}), folder).read_text("utf-8")
    'item,tone\na,1.0\nb,\n'
    """
    rows = _rows_of(table)
    with (folder / TABLE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*map(str, table.columns)], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({str(name): _cell(value) for name, value in row.items()})
    return folder / TABLE


def _cell(value: Any) -> Any:
    """A cell of a file: "" for what pandas has for missing values, of which NaN is not equal to itself."""
    if type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    return "" if isinstance(value, float) and isnan(value) else value


def _rows_of(table: Table) -> list[dict[str, Any]]:
    return list(
        table.iter_rows(named=True) if isinstance(table, PolarsTable) else table.to_dict("records")
    )


def _dataset_of_sequence(listed: Sequence[Any]) -> Dataset[Any]:
    if not listed:
        raise BadInput("there are no items")
    if all(isinstance(item, Mapping) for item in listed):
        return pairs_of_rows(listed)
    if all(isinstance(item, Pair) for item in listed):
        _check_pairs(listed)
        clusters = "cluster" if any(pair.cluster for pair in listed) else ""
        return dataset_of(listed, clusters=clusters)
    if all(_is_two_texts(item) for item in listed):
        return pairs_of_sentences(listed)
    if len({type(item) for item in listed}) > 1 or not hasattr(listed[0], "id"):
        raise BadInput(
            "the items are of no kind that can be scored",
            "give Pair objects, (more, less) tuples, a table, or other items of tiltmeter.core.data.items",
        )
    digest = hashlib.sha256(repr(listed).encode()).hexdigest()
    return Dataset(NAME, "", listed, NAME, "not stated", sha256=digest)


def _check_pairs(pairs: Sequence[Pair]) -> None:
    """Refuse pairs without a difference, which would count as a preference for either side."""
    way_out = "correct the pair, or leave it out"
    alike = [pair for pair in pairs if pair.more.strip() == pair.less.strip()]
    if alike:
        raise BadItems(
            [Problem("both sentences are identical", way_out, item=pair.id) for pair in alike]
        )


def _is_two_texts(item: object) -> bool:
    return (
        isinstance(item, tuple | list)
        and len(item) == 2  # noqa: PLR2004
        and all(isinstance(text, str) for text in item)
    )
