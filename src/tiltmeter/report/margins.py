"""How surely a model prefers one sentence to another, and which words make the difference."""

import difflib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from tiltmeter.core.results import Record

LONGEST_COMPARED = 400
"""Words between common beginning and end; beyond this the whole middle counts as different."""

LONGEST_WORD = 60
"""Characters of a word that an excerpt shows."""


@dataclass(frozen=True, slots=True)
class Lean:
    """How surely one side of an item is preferred, with its sign."""

    record: Record
    confidence: float
    """Above 0 where the more stereotyping sentence is preferred, below 0 where the other is."""
    unit: str = "%"
    """"%": a pair's confidence, as a share of 1; else `confidence` is a margin in this unit."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a sentence in a row that are all shared with the other sentence, or none is."""

    text: str
    differs: bool


def confidence(record: Record) -> float | None:
    """1 − score(S) / score(S′) of the preferred S, with the sign of the preference.

    In [-1, 1], neutral 0: +0.2 says that the more stereotyping sentence is preferred and its score
    is 0.8 of the other's. None where the scores are missing, infinite or above 0: not
    log-probabilities, so their ratio says nothing. The size is `metrics.preference.confidence`.
    Nangia et al. 2020, equation 2, https://doi.org/10.18653/v1/2020.emnlp-main.154

    >>> confidence(Record("1", {"more": -8.0, "less": -10.0}, {}))
    0.19999999999999996
    """
    more, less = record.scores.get("more"), record.scores.get("less")
    if more is None or less is None or not (math.isfinite(more) and math.isfinite(less)):
        return None
    if max(more, less) > 0:
        return None
    if more == less:
        return 0.0
    return math.copysign(1 - max(more, less) / min(more, less), more - less)


def leans(records: Iterable[Record]) -> Iterator[Lean]:
    """Every pair that has a confidence, in the order of the records."""
    found = ((record, confidence(record)) for record in records)
    return (Lean(record, value) for record, value in found if value is not None)


def surest(records: Sequence[Record], count: int) -> tuple[list[Lean], list[Lean]]:
    """The pairs the model is surest about: towards the more, then towards the less stereotyping.

    Surest first; equal ones by the item's name, so that equal results give equal pages.
    """
    return _either_way(lambda: leans(records), count)


def margin(record: Record) -> float | None:
    """score(stereotype) − score(anti-stereotype); None where either is missing or infinite.

    >>> margin(Record("1", {"stereotype": -2.0, "anti_stereotype": -3.5, "unrelated": -9.0}, {}))
    1.5
    """
    one, other = record.scores.get("stereotype"), record.scores.get("anti_stereotype")
    if one is None or other is None or not (math.isfinite(one) and math.isfinite(other)):
        return None
    return one - other


def farthest(
    records: Sequence[Record], count: int, *, logarithms: bool = True
) -> tuple[list[Lean], list[Lean]]:
    """The contexts with the largest margins: towards the stereotype, then the anti-stereotype.

    In nats where scores may be `logarithms` of probabilities and none is above 0; else in points
    of the score. Largest first; equal ones by the item's name.
    """
    unit = "nats" if logarithms and all(map(_is_in_logs, records)) else "points"

    def found() -> Iterator[Lean]:
        both = ((record, margin(record)) for record in records)
        return (Lean(record, value, unit) for record, value in both if value is not None)

    return _either_way(found, count)


def _is_in_logs(record: Record) -> bool:
    """Whether the scores that a margin is made from, if it has them, may be logarithms."""
    if margin(record) is None:
        return True
    return max(record.scores["stereotype"], record.scores["anti_stereotype"]) <= 0


def _either_way(found: Callable[[], Iterator[Lean]], count: int) -> tuple[list[Lean], list[Lean]]:
    """The `count` of either sign that lie farthest from 0; only so many are held at once."""

    def rank(lean: Lean) -> tuple[float, str]:
        return -abs(lean.confidence), lean.record.item

    above = nsmallest(count, (x for x in found() if x.confidence > 0), key=rank)
    return above, nsmallest(count, (x for x in found() if x.confidence < 0), key=rank)


def pieces(text: str, other: str) -> list[Piece]:
    """The text cut where it begins or ends to differ from the other one, word by word.

    >>> pieces("My old aunt drives", "My young aunt drives")
    [Piece(text='My', differs=False), Piece(text='old', differs=True),
     Piece(text='aunt drives', differs=False)]
    """
    mine, theirs = text.split(), other.split()
    head = _common(mine, theirs)
    tail = _common(mine[head:][::-1], theirs[head:][::-1])
    middle = mine[head : len(mine) - tail]
    against = theirs[head : len(theirs) - tail]
    marks = [False] * head + _differing(middle, against) + [False] * tail
    return _joined(mine, marks)


def excerpt(cut: Sequence[Piece], longest: int) -> list[Piece]:
    """At most `longest` words around the first difference, with "…" where words are left out.

    A word too long for any language is cut as well.
    """
    words = [(_short(word), piece.differs) for piece in cut for word in piece.text.split()]
    if len(words) <= longest:
        return _joined([word for word, _ in words], [differs for _, differs in words])
    first = next((i for i, (_, differs) in enumerate(words) if differs), 0)
    start = min(max(0, first - longest // 3), len(words) - longest)
    kept = words[start : start + longest]
    if start > 0:
        kept.insert(0, ("…", False))
    if start + longest < len(words):
        kept.append(("…", False))
    return _joined([word for word, _ in kept], [differs for _, differs in kept])


def _short(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _differing(words: list[str], against: list[str]) -> list[bool]:
    # Comparing is quadratic in the worst case; a page must not hang on two long essays.
    if max(len(words), len(against)) > LONGEST_COMPARED:
        return [True] * len(words)
    matcher = difflib.SequenceMatcher(None, words, against, autojunk=False)
    marks = [True] * len(words)
    for start, _, size in matcher.get_matching_blocks():
        marks[start : start + size] = [False] * size
    return marks


def _joined(words: Sequence[str], marks: Sequence[bool]) -> list[Piece]:
    found: list[tuple[list[str], bool]] = []
    for word, differs in zip(words, marks, strict=True):
        if not found or found[-1][1] != differs:
            found.append(([], differs))
        found[-1][0].append(word)
    return [Piece(" ".join(together), differs) for together, differs in found]
