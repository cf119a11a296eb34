"""How often words occur in English at large, or in a list of one's own: what keywords stand out from.

wordfreq (Speer, doi:10.5281/zenodo.7199437) joins subtitles, news, books, encyclopaedias, web pages
and social media up to about 2021, and is no longer updated since 2024: newer words are not in it,
which matters little for sentences written in 2020. Its code is under Apache-2.0, its word lists are
under CC BY-SA 4.0.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tiltmeter.core.errors import BadInput, extra
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.rows import Cell, FilledText, UserRows

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
COLUMNS = ("per_million", "count")
"""What a list of one's own may hold beside `word`; the first that is there is read."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Words and how often each occurs in a million words."""

    name: str
    per_million: Mapping[str, float]
    """Lower-case words; one that is not in it counts as 0."""


def words(text: str) -> list[str]:
    """The words of a text in lower case: runs of letters, apostrophes inside them kept.

    >>> words("The well-read aunt’s 2 dogs DON'T 'bark'.")
    ['the', 'well', 'read', "aunt's", 'dogs', "don't", 'bark']
    """
    return WORD.findall(text.replace("’", "'").lower())


def english() -> Reference:
    """The large English list of wordfreq."""
    with extra("A list of English word frequencies", "analysis"):
        from wordfreq import get_frequency_dict  # noqa: PLC0415  (an extra)
    shares = get_frequency_dict("en", wordlist="large")
    per_million = {word: 1e6 * share for word, share in shares.items()}
    return Reference(f"wordfreq {version('wordfreq')}, English", per_million)


@dataclass(frozen=True, slots=True)
class _Row:
    word: FilledText
    per_million: Cell = ""
    count: Cell = ""

    def number(self, column: str) -> float | None:
        """The number in a column; None where it is none of 0 or more."""
        number = decimal_number(getattr(self, column))
        return number if number is not None and 0 <= number < math.inf else None


def read_reference(path: str | Path, *, encoding: str = "") -> Reference:
    """A list of one's own: a table with the columns `word` and `count`, or `word` and `per_million`.

    Counts are taken per million of their sum, so a list that was cut off overstates its words a
    little. Words are put in lower case, and those that then are the same are added up.

    Raises:
        BadInput: The file cannot be read or lacks these columns.
        BadItems: Rows without a word, or with what is not a number of 0 or more; all of them.
    """
    path = Path(path)
    rows = UserRows(_Row, path, encoding=encoding)
    file = path.name
    column = next((name for name in COLUMNS if name in rows.columns), None)
    if column is None:
        reason = f"no column named {' or '.join(COLUMNS)}"
        raise BadInput(reason, "give the column of numbers this name", file=file, line=1)
    numbers: dict[str, float] = {}
    for line, row in rows:
        number = row.number(column)
        if number is None:
            reason = f"{column} {getattr(row, column)!r} is not a number of 0 or more"
            rows.complain(line, reason, "correct it, or remove the row")
            continue
        word = row.word.replace("’", "'").lower()
        numbers[word] = numbers.get(word, 0.0) + number
    rows.finish("")
    total = sum(numbers.values()) if column == "count" else 1e6
    if not math.isfinite(total):
        raise BadInput("the counts add up to more than a number can hold", "check them", file=file)
    if not total:
        raise BadInput("all counts are 0", "give counts of a text with words", file=file)
    return Reference(file, {word: 1e6 * n / total for word, n in numbers.items()})
