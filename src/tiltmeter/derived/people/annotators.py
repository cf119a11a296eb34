"""The columns about annotators by which results are split: what users write, and what is possible."""

from collections.abc import Sequence

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.text import counted
from tiltmeter.data.people.people import People


def by_columns(given: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What --by says: columns, several in one entry where they are crossed.

    >>> by_columns(["age", "race,gender"])
    (('age',), ('race', 'gender'))
    """
    every = tuple(tuple(name.strip() for name in text.split(",")) for text in given)
    if not all(name for columns in every for name in columns):
        raise BadInput("--by is empty", "write --by COLUMN, or --by COLUMN,COLUMN")
    return every


def check_columns(people: People, by: Sequence[tuple[str, ...]]) -> None:
    """Refuse columns that annotators cannot be sliced by.

    Raises:
        BadInput: Single people are not known.
        UnknownName: There is no such column.
    """
    for columns in by:
        for column in columns:
            _check_column(people, column)
        if len(set(columns)) < len(columns):
            raise BadInput(f"--by {','.join(columns)} names a column twice", "name each once")
    if len(set(by)) < len(by):
        raise BadInput("--by is given twice with the same columns", "give each once")


def unstated(people: People, by: Sequence[tuple[str, ...]]) -> list[str]:
    """A note for each entry of `by` in which some annotators have no value, so that no slice has them."""
    missing = ((columns, people.ratings.unstated(columns)) for columns in by if people.ratings)
    return [
        f"{counted(count, 'annotators')} without a value of {' × '.join(columns)}: in no slice by it."
        for columns, count in missing
        if count
    ]


def _check_column(people: People, column: str) -> None:
    if people.unlinked:
        raise BadInput(f"{people.name}: {people.unlinked}", "leave --by out")
    if people.ratings is None:
        raise BadInput(
            f"{people.name} has only means, so results by {column!r} cannot be computed",
            "give a table with one row per rating: annotator, group, pair, rating, and that column",
        )
    known = {**people.ratings.about, **people.ratings.varying}
    if column not in known:
        raise UnknownName("column about annotators or ratings", column, known)
