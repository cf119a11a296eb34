"""Marks the words in which one text differs from another."""

import difflib
from collections.abc import Sequence
from typing import TypeAlias

Pieces: TypeAlias = Sequence[tuple[str, bool]]
"""A text in pieces, each with consecutive words and whether they differ from those of the other text."""

LONGEST_COMPARED = 400
"""How many words between the common beginning and end are compared; a longer middle differs as a whole."""
LONGEST_WORD = 60
"""How many characters of a word an excerpt shows."""


def pieces(text: str, other: str) -> Pieces:
    """The text in pieces that are the same as in the other text or differ from it, compared word by word.

    >>> pieces("My old aunt drives", "My young aunt drives")
    [('My', False), ('old', True), ('aunt drives', False)]
    """
    mine, theirs = text.split(), other.split()
    head = _common(mine, theirs)
    tail = _common(mine[head:][::-1], theirs[head:][::-1])
    middle = mine[head : len(mine) - tail]
    against = theirs[head : len(theirs) - tail]
    marks = [False] * head + _differing(middle, against) + [False] * tail
    return _joined(mine, marks)


def excerpt(cut: Pieces, longest: int) -> Pieces:
    """At most `longest` words around the first difference, with "…" where words are left out.

    A word too long for any language is cut as well.
    """
    words = [(_short(word), differs) for text, differs in cut for word in text.split()]
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
    """How many words both sequences have in common at their beginnings."""
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


def _joined(words: Sequence[str], marks: Sequence[bool]) -> Pieces:
    runs: list[tuple[list[str], bool]] = []
    for word, differs in zip(words, marks, strict=True):
        if not runs or runs[-1][1] != differs:
            runs.append(([], differs))
        runs[-1][0].append(word)
    return [(" ".join(together), differs) for together, differs in runs]
