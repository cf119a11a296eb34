"""What a caller may give as items: objects, pairs of sentences, a table of polars or pandas."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from tiltmeter.core.data.items import Cell, Dataset, Pair, Sentence, Target, Term, Triple
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.pairs.pairs import NAME, dataset_of, pairs_of_rows, pairs_of_sentences

Item: TypeAlias = Pair | Triple | Cell | Target | Term | Sentence


@runtime_checkable
class PolarsTable(Protocol):
    """A polars DataFrame, as far as it is needed."""

    def iter_rows(self, *, named: bool) -> Iterable[Any]:
        """Rows as dictionaries where `named`."""


@runtime_checkable
class PandasTable(Protocol):
    """A pandas DataFrame, as far as it is needed."""

    @property
    def columns(self) -> Any:
        """Names of the columns, which are those of a file of pairs."""

    def to_dict(self, orient: Any) -> Any:
        """As a list of rows, where `orient` is "records"."""


Items: TypeAlias = (
    Dataset[Any]
    | PolarsTable
    | PandasTable
    | Sequence[Item]
    | Sequence[tuple[str, str]]
    | Sequence[Mapping[str, object]]
)


def dataset_of_items(items: Items) -> Dataset[Any]:
    """Items in memory as a data set; tables have the columns that a file of pairs has.

    Raises:
        BadInput: There are none, or they are no items.
        BadItems: Some cannot be used, all of them with the reason.
    """
    if isinstance(items, Dataset):
        return items
    if isinstance(items, PolarsTable):
        return pairs_of_rows(list(items.iter_rows(named=True)))
    if isinstance(items, PandasTable):
        return pairs_of_rows(items.to_dict("records"))
    return _dataset_of_sequence(list(items) if isinstance(items, Iterable) else [items])


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
