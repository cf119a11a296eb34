"""The words that stand out in what a model wrote about one value of an axis, against all other values.

By simple maths, as `analysis.quality.keywords`; the other values' texts are the reference. Words of the
premises about the same value are left out: they say what was asked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tiltmeter.analysis.quality.keywords import keyness
from tiltmeter.core.results import Record
from tiltmeter.data.texts.frequencies import words

K = 1_000.0
"""Added to both frequencies per million: texts are few, and words that occur once would win without it."""
LEAST = 3
TOP = 8


@dataclass(frozen=True, slots=True)
class WrittenKeyword:
    """One word of one value."""

    word: str
    keyness: float
    """1 is as often as elsewhere."""
    count: int
    elsewhere: int


def written_keywords(
    records: Iterable[Record], axis: str, *, asked: str, written: str, top: int = TOP
) -> dict[str, tuple[WrittenKeyword, ...]]:
    """By value of the axis the words with the highest keyness above 1, of those written LEAST times or more.

    Args:
        records: With the texts named `asked` and `written`.
        axis: Such as "domain".
        asked: The text whose words are left out.
        written: The text whose words are counted.
        top: How many words of each value.
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
        value: _standing_out(mine, total, premises[value], top)
        for value, mine in sorted(counts.items())
        if len(counts) > 1
    }


def _standing_out(
    mine: Mapping[str, int], total: Mapping[str, int], premises: set[str], top: int
) -> tuple[WrittenKeyword, ...]:
    here, elsewhere = sum(mine.values()), sum(total.values()) - sum(mine.values())
    keywords = [
        WrittenKeyword(
            word,
            keyness(1e6 * count / here, 1e6 * (total[word] - count) / max(elsewhere, 1), k=K),
            count,
            total[word] - count,
        )
        for word, count in mine.items()
        if count >= LEAST and word not in premises
    ]
    best = sorted(keywords, key=lambda keyword: (-keyword.keyness, keyword.word))
    return tuple(keyword for keyword in best[:top] if keyword.keyness > 1)
