"""The words that stand out in what was written about each value of an axis, against all other values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tiltmeter.core.records import Record
from tiltmeter.data.texts.frequencies import words

LEAST = 3
"""A word seen less often is no keyword: chance would choose it."""
PLAIN_K = 1.0
"""Kilgarriff's usual constant, added to both frequencies per million of the words of triples."""
K = 1_000.0
"""The constant for written words: texts are few, and words that occur once would win without it."""
WRITTEN_TOP = 8


def keyness(focus: float, reference: float, *, k: float = PLAIN_K) -> float:
    """Kilgarriff's keyness of a word from its two frequencies per million.

    From 0 up; 1 is as often here as there. A larger k, above 0, favours common words.

    >>> keyness(199, 1), keyness(199, 1, k=100)
    (100.0, 2.9603960396039604)
    """
    return (focus + k) / (reference + k)


@dataclass(frozen=True, slots=True)
class WrittenKeyword:
    """A word that stands out in what a model wrote about a value of an axis, against all other values."""

    word: str
    keyness: float
    """1 is as often as elsewhere."""
    count: int


def written_keywords(
    records: Iterable[Record], axis: str, *, asked: str, written: str
) -> dict[str, tuple[WrittenKeyword, ...]]:
    """By value of the axis the words with the highest keyness above 1, of those written often enough.

    The texts about the other values are the reference. Words of the premises about the same value are left
    out, because they only repeat what was asked.
    """
    counts: dict[str, Counter[str]] = {}
    premises: dict[str, set[str]] = {}
    for record in records:
        if axis in record.groups:
            value = record.groups[axis]
            counts.setdefault(value, Counter()).update(words(record.texts.get(written, "")))
            premises.setdefault(value, set()).update(words(record.texts.get(asked, "")))
    total = sum(counts.values(), Counter[str]())
    return {
        value: _standing_out(mine, total, premises[value])
        for value, mine in sorted(counts.items())
        if len(counts) > 1
    }


def _standing_out(
    mine: Mapping[str, int], total: Mapping[str, int], premises: set[str]
) -> tuple[WrittenKeyword, ...]:
    here, elsewhere = sum(mine.values()), sum(total.values()) - sum(mine.values())
    keywords = [
        WrittenKeyword(
            word,
            keyness(1e6 * count / here, 1e6 * (total[word] - count) / max(elsewhere, 1), k=K),
            count,
        )
        for word, count in mine.items()
        if count >= LEAST and word not in premises
    ]
    best = sorted(keywords, key=lambda keyword: (-keyword.keyness, keyword.word))
    return tuple(keyword for keyword in best[:WRITTEN_TOP] if keyword.keyness > 1)
