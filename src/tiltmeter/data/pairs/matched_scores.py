"""Scores in tables without pairs of texts: matched to pairs by the pair's id, or by the sentence."""

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import FileTable
from tiltmeter.data.memory.lazy_sequence import ScoreRows
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers

SIDES = ("more", "less")


@dataclass(slots=True)
class ScoredPairs:
    """The pairs of a file with their scores, as far as they are read, and what is wrong with the others."""

    layout: str
    """The layout that was recognised, as a phrase for the reader."""
    data: Dataset[Pair]
    pairs: Spool[Pair] = field(default_factory=lambda: Spool(Pair))
    scores: ScoreRows = field(default_factory=lambda: ScoreRows(len(SIDES)))
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    """Signs that the scores may belong to other sentences than assumed."""


def two_numbers(
    cells: Mapping[str, Any], names: tuple[str, str], where: Problem, problems: list[Problem]
) -> tuple[float, float] | None:
    """The numbers in both cells; None, and a problem more for each that has none."""
    more, less = (number_in(cells, name, where, problems) for name in names)
    return None if more is None or less is None else (more, less)


def number_in(
    cells: Mapping[str, Any], name: str, where: Problem, problems: list[Problem]
) -> float | None:
    """The finite number in a cell; otherwise None, and a problem more.

    >>> problems = []
    >>> number_in({"score": "nan"}, "score", Problem("", file="a.csv", line=2), problems)
    >>> print(problems[0])
    a.csv:2: score is nan; an undefined score cannot be compared: remove the pair
    """
    cell = cells.get(name)
    text = cell.strip() if isinstance(cell, str) else cell
    odd = isinstance(text, str) and text.lower().lstrip("+-") in {"nan", "inf", "infinity"}
    way_out = "write a number with a decimal point"
    if text is None or text == "":
        reason = f"{name} is empty"
    elif isinstance(text, bool) or not isinstance(text, str | int | float):
        reason = f"{name} is not a number"
    elif isinstance(text, str) and decimal_number(text) is None and not odd:
        reason = f"{name} {text[:40]!r} is not a number"
    else:
        try:
            value = float(text)
        except OverflowError:  # a whole number of hundreds of digits
            value = math.inf
        if math.isfinite(value):
            return value
        reason = f"{name} is {text if odd else value}"
        way_out = "an undefined score cannot be compared: remove the pair"
    problems.append(replace(where, reason=reason, way_out=way_out, field=name))
    return None


_LAYOUTS = (
    "sent_more, sent_less, sent_more_score, sent_less_score",
    "id, score_more, score_less",
    "id, side, score",
    "sentence, score",
)


def matched_scores(
    table: FileTable,
    both: tuple[str, str] | None,
    pairs: Dataset[Pair] | None,
    load: Callable[[], Dataset[Pair]] | None,
) -> ScoredPairs:
    """The pairs and their scores; `both` are the columns of a table with a row a pair.

    `load` gives the pairs that the scores are about where none are given.

    Raises:
        BadInput: The columns are of no known layout, or there are no pairs.
    """
    columns, file = set(table.columns), table.path.name
    if both and "id" in columns:
        text, read = (
            f"One row a pair, with {both[0]} and {both[1]}, matched by id",
            _Matching.by_pair,
        )
    elif columns >= {"id", "side", "score"}:
        text, read = "One row a sentence, with side and score, matched by id", _Matching.by_side
    elif columns >= {"sentence", "score"}:
        text, read = "One row a sentence, matched by its text", _Matching.by_text
    else:
        listed = ", ".join(repr(name) for name in table.columns)
        ways = " or ".join(f"({layout})" for layout in _LAYOUTS)
        reason = f"its columns do not match any known layout (found: {listed})"
        raise BadInput(reason, f"use {ways}", file=file, line=1)
    if pairs is None and load is not None:
        pairs = load()
    if pairs is None:
        reason = f"holds scores without their pairs ({text[0].lower()}{text[1:]})"
        raise BadInput(reason, "name the pairs with --data", file=file)
    scored = ScoredPairs(f"{text} to {pairs.name}.", pairs)
    matching = _Matching(scored, both or ("", ""))
    for row in table.usable(scored.problems):
        read(matching, row.cells, Problem("", file=file, line=row.line))
    matching.finish(file)
    return scored


class _Matching:
    """The scores of a table so far, each at its sentence's place: twice the pair's, one more for `less`."""

    def __init__(self, scored: ScoredPairs, names: tuple[str, str]) -> None:
        self._scored, self._names = scored, names
        self._pairs, self._problems = scored.data.items, scored.problems
        empty = bytes(8 * len(SIDES) * len(self._pairs))
        self._values, self._lines = array("d", empty), array("q", empty)

    def by_pair(self, cells: Mapping[str, Any], where: Problem) -> None:
        """Take in a row with both scores of a pair."""
        where = replace(where, item=label_of(cells.get("id")))
        scores = two_numbers(cells, self._names, where, self._problems)
        first = self._first_place(where)
        if first is not None and scores is not None:
            for side, score in enumerate(scores):
                self._put(first + side, score, where)

    def by_side(self, cells: Mapping[str, Any], where: Problem) -> None:
        """Take in a row with the score of one side of a pair."""
        side = label_of(cells.get("side"))
        where = replace(where, item=label_of(cells.get("id")))
        score = number_in(cells, "score", where, self._problems)
        first = self._first_place(where)
        if side not in SIDES:
            reason = f"side {side!r} is neither more nor less" if side else "side is empty"
            way_out = "more is the sentence that stereotypes more, less the other"
            self._complain(where, "side", reason, way_out)
        elif first is not None and score is not None:
            self._put(first + SIDES.index(side), score, where)

    def by_text(self, cells: Mapping[str, Any], where: Problem) -> None:
        """Take in a row with the score of a sentence, wherever it stands."""
        places = self._sentences.places(label_of(cells.get("sentence")))
        where = replace(where, item=self._pairs[places[0] // len(SIDES)].id if places else "")
        score = number_in(cells, "score", where, self._problems)
        data = self._scored.data
        if not places:
            reason = (
                f"the sentence is in none of the {counted(len(data.items), 'pairs')} of {data.name}"
            )
            self._complain(where, "sentence", reason, "its text must be exactly that of the data")
        elif score is not None and not self._lines[places[0]]:
            for at in places:
                self._put(at, score, where)
        elif score is not None and self._values[places[0]] != score:  # the same again is no mistake
            reason = f"the same sentence has another score on line {self._lines[places[0]]}"
            way_out = "where a score depends on the pair, write the columns id, side, score"
            self._complain(where, "sentence", reason, way_out)

    def finish(self, file: str) -> None:
        """Keep the pairs with both scores; a problem for each other one that has none yet."""
        refused = {problem.item for problem in self._problems}
        for place, pair in enumerate(self._pairs):
            first = len(SIDES) * place
            lacking = [side for i, side in enumerate(SIDES) if not self._lines[first + i]]
            if not lacking:
                self._scored.pairs.append(pair)
                self._scored.scores.append(self._values[first : first + len(SIDES)])
            elif pair.id not in refused:
                reason = f"no score for pair {pair.id!r} ({' and '.join(lacking)})"
                way_out = "add it, or leave the pair out of the data"
                self._problems.append(Problem(reason, way_out, file=file, item=pair.id))

    def _put(self, at: int, value: float, where: Problem) -> None:
        if not self._lines[at]:
            self._values[at], self._lines[at] = value, where.line or 0
        else:
            item = self._pairs[at // len(SIDES)].id
            side = SIDES[at % len(SIDES)]
            reason = f"the score of {item!r} ({side}) is also on line {self._lines[at]}"
            self._complain(replace(where, item=item), "score", reason, "keep one")

    def _complain(self, where: Problem, field: str, reason: str, way_out: str) -> None:
        self._problems.append(replace(where, field=field, reason=reason, way_out=way_out))

    @cached_property
    def _ids(self) -> TextNumbers:
        return TextNumbers(pair.id for pair in self._pairs)

    @cached_property
    def _sentences(self) -> "SentencePlaces":
        return SentencePlaces(self._pairs)

    def _first_place(self, where: Problem) -> int | None:
        """That of the pair of this id; None, and a problem more, where none has it."""
        place = self._ids.get(where.item)
        if place is None:
            near = get_close_matches(where.item, [known.id for known in self._pairs], n=1)
            other_data = "give the data it belongs to with --data"
            way_out = f"did you mean {near[0]!r}?" if near else other_data
            reason = f"id {where.item!r} is in none of the pairs" if where.item else "id is empty"
            self._complain(where, "id", reason, way_out)
            return None
        return len(SIDES) * place


class SentencePlaces:
    """Where each sentence stands: the pairs and sides that have it, in order.

    >>> pairs = [Pair("1", "He ran.", "She ran."), Pair("2", "He ran.", "They ran.")]
    >>> SentencePlaces(pairs).places("He ran.")
    [0, 2]
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._last = TextNumbers()
        """Of each text the last place that has it."""
        self._next = array("q", bytes(8 * len(SIDES) * len(pairs)))
        """Of each place the next one that has its text; of the last the first."""
        texts = (text.strip() for pair in pairs for text in (pair.more, pair.less))
        for at, text in enumerate(texts):
            last = self._last.get(text)
            self._next[at] = at if last is None else self._next[last]
            if last is not None:
                self._next[last] = at
            self._last[text] = at

    def places(self, text: str) -> list[int]:
        """The places that have this text, twice the pair's and one more for its less stereotyping one."""
        last = self._last.get(text)
        if last is None:
            return []
        places = [self._next[last]]
        while places[-1] != last:
            places.append(self._next[places[-1]])
        return places
