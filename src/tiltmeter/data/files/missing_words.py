"""Words for missing values in tables, such as "N/A", "null" or a platform's word for withdrawn consent.

Wherever tables are read, cells with such a word are read as empty, except in columns of texts.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Self

from tiltmeter.core.results import CoverageText
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.files.table import FileTable, TableRow

OPTED_OUT = "OPTED_OUT"
"""What surveys of Tiltmeter store where a person chose not to answer a question, as its form allows."""
WORDS = (
    "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null", "-",
    "CONSENT_REVOKED", "DATA_EXPIRED", OPTED_OUT,
)  # fmt: skip
"""What spreadsheets and statistics programs, Prolific (the two in capitals) and our surveys write for missing
values."""
NAMED = 3
"""The maximum number of columns that a note names."""
_CURRENT: ContextVar[frozenset[str]] = ContextVar("missing words", default=frozenset(WORDS))


class MissingCell(str):
    """An empty text in place of a cell that had a word for a missing value."""

    __slots__ = ("word",)
    word: str

    def __new__(cls, word: str) -> Self:
        """Create the empty text, with the word that was in the cell."""
        cell = super().__new__(cls, "")
        cell.word = word
        return cell


def words_given(text: str | None) -> frozenset[str]:
    """Parse the words given with `--missing`, separated by commas; None means the usual words.

    >>> sorted(words_given("NA, -99")), words_given("")
    (['-99', 'NA'], frozenset())
    """
    if text is None:
        return frozenset(WORDS)
    return frozenset(filter(None, map(str.strip, text.split(","))))


@contextmanager
def missing_words(text: str | None, kept: Collection[str] = ()) -> Iterator[None]:
    """Within the block, the words listed in `text` (None: the usual ones) stand for missing values.

    Words in `kept` remain ordinary values.
    """
    token = _CURRENT.set(words_given(text) - set(kept))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def is_missing(cell: object, *, usual: bool = True) -> bool:
    """Whether a cell is empty or has one of the current words for missing values.

    Without `usual`, only words that the user named count: a format that has a value for nothing needs none.
    """
    words = _CURRENT.get()
    if not usual and words <= frozenset(WORDS):
        words = frozenset()
    return cell is None or (isinstance(cell, str) and (not cell.strip() or cell.strip() in words))


def without_words(table: FileTable, texts: Collection[str]) -> FileTable:
    """The table with empty cells in place of the current words, except in the columns `texts`.

    Once all its rows have been read, a note of the table says how many there were.
    """
    words = _CURRENT.get()
    if not words or set(table.columns) <= set(texts):
        return table
    longest = max(map(len, words))
    verbatim = frozenset(texts)
    met: Counter[tuple[str, str]] = Counter()

    def emptied(cells: Mapping[str, Any]) -> Mapping[str, Any]:
        found = {}
        for column, cell in cells.items():
            if type(cell) is str and len(cell) <= longest + 2 and column not in verbatim:
                word = cell.strip()
                if word in words:
                    met[word, column] += 1
                    found[column] = MissingCell(word)
        return {**cells, **found} if found else cells

    def rows() -> Iterator[TableRow]:
        for row in table.rows:
            yield row._replace(cells=emptied(row.cells))
        if met:
            table.notes.append(CoverageText(_note(met)))

    return replace(table, rows=rows())


def _note(met: Mapping[tuple[str, str], int]) -> str:
    """A note on how many cells were read as missing, by word, and in which columns."""
    by_word: Counter[str] = Counter()
    by_column: Counter[str] = Counter()
    for (word, column), count in met.items():
        by_word[word] += count
        by_column[column] += count
    words = ", ".join(f"{word!r} {count:,}" for word, count in by_word.most_common())
    total = sum(by_word.values())
    columns = [repr(column) for column, _ in by_column.most_common()]
    more = f" and {len(columns) - NAMED} more" if len(columns) > NAMED else ""
    plural = "s" if len(columns) > 1 else ""
    return (
        f"{counted(total, 'cells')} {verb_for(total, 'were')} read as missing ({words}; "
        f"column{plural} {', '.join(columns[:NAMED])}{more}). If such a word is a value of yours, list the "
        "words for missing values with --missing."
    )
