"""Scores of sentences whose pairs are given apart: matched by the pair's id, or by the sentence."""

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import FileTable, TableRow
from tiltmeter.data.memory.lazy_sequence import ScoreRows
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers

SIDES = ("more", "less")


@dataclass(slots=True)
class ScoredPairs:
    """The pairs of a file with their scores, as far as they are read, and what is wrong with the others."""

    layout: str
    """Which of the layouts of such files it has, in words for the reader."""
    data: Dataset[Pair]
    pairs: Spool[Pair] = field(default_factory=lambda: Spool(Pair))
    scores: ScoreRows = field(default_factory=lambda: ScoreRows(len(SIDES)))
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    """Reasons to doubt that the file says what it seems to say."""


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


class _Score(NamedTuple):
    place: int
    """Of the pair in the data."""
    side: int
    """A place in SIDES."""
    value: float


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
        text = f"One row a pair, with {both[0]} and {both[1]}, matched by id"
    elif columns >= {"id", "side", "score"}:
        text = "One row a sentence, with side and score, matched by id"
    elif columns >= {"sentence", "score"}:
        text = "One row a sentence, matched by its text"
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
    by_text = "sentence" in columns and "side" not in columns and not both
    read = _by_text if by_text else _by_side if not both else _by_pair
    _collect(table, read(pairs, both or ("score", "score"), scored), scored)
    return scored


_Reader = Callable[[TableRow, Problem], list[_Score]]


def _collect(table: FileTable, read: _Reader, scored: ScoredPairs) -> None:
    empty = bytes(8 * len(SIDES) * len(scored.data.items))
    values, lines = array("d", empty), array("q", empty)
    for row in table.usable(scored.problems):
        where = Problem("", file=table.path.name, line=row.line)
        for place, side, value in read(row, where):
            at = len(SIDES) * place + side
            if not lines[at]:
                values[at], lines[at] = value, row.line
            elif lines[at] != row.line:
                item = scored.data.items[place].id
                reason = f"the score of {item!r} ({SIDES[side]}) is also on line {lines[at]}"
                where = replace(where, item=item, field="score")
                scored.problems.append(replace(where, reason=reason, way_out="keep one"))
    refused = {problem.item for problem in scored.problems}
    for place, pair in enumerate(scored.data.items):
        first = len(SIDES) * place
        lacking = [side for i, side in enumerate(SIDES) if not lines[first + i]]
        if not lacking:
            scored.pairs.append(pair)
            scored.scores.append(values[first : first + len(SIDES)])
        elif pair.id not in refused:
            reason = f"no score for pair {pair.id!r} ({' and '.join(lacking)})"
            way_out = "add it, or leave the pair out of the data"
            scored.problems.append(Problem(reason, way_out, file=table.path.name, item=pair.id))


class _Ids:
    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._places = TextNumbers(pair.id for pair in pairs)

    def place(self, pair: str, where: Problem, problems: list[Problem]) -> int | None:
        """Where the pair of this id is; None, and a problem more, where none has it."""
        place = self._places.get(pair)
        if place is None:
            near = get_close_matches(pair, [known.id for known in self._pairs], n=1)
            other_data = "give the data it belongs to with --data"
            way_out = f"did you mean {near[0]!r}?" if near else other_data
            reason = f"id {pair!r} is in none of the pairs" if pair else "id is empty"
            problems.append(replace(where, reason=reason, way_out=way_out, field="id"))
        return place


def _by_pair(pairs: Dataset[Pair], names: tuple[str, str], scored: ScoredPairs) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair = label_of(row.cells.get("id"))
        where = replace(where, item=pair)
        scores = two_numbers(row.cells, names, where, scored.problems)
        place = ids.place(pair, where, scored.problems)
        if place is None or scores is None:
            return []
        return [_Score(place, side, score) for side, score in enumerate(scores)]

    return read


def _by_side(pairs: Dataset[Pair], _: tuple[str, str], scored: ScoredPairs) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair, side = label_of(row.cells.get("id")), label_of(row.cells.get("side"))
        where = replace(where, item=pair)
        score = number_in(row.cells, "score", where, scored.problems)
        place = ids.place(pair, where, scored.problems)
        if side not in SIDES:
            reason = f"side {side!r} is neither more nor less" if side else "side is empty"
            way_out = "more is the sentence that stereotypes more, less the other"
            scored.problems.append(replace(where, reason=reason, way_out=way_out, field="side"))
        elif place is not None and score is not None:
            return [_Score(place, SIDES.index(side), score)]
        return []

    return read


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


def _by_text(pairs: Dataset[Pair], _: tuple[str, str], scored: ScoredPairs) -> _Reader:
    sentences = SentencePlaces(pairs.items)
    empty = bytes(8 * len(SIDES) * len(pairs.items))
    values, lines = array("d", empty), array("q", empty)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        text = label_of(row.cells.get("sentence"))
        places = sentences.places(text)
        where = replace(where, item=pairs.items[places[0] // len(SIDES)].id if places else "")
        score = number_in(row.cells, "score", where, scored.problems)
        where = replace(where, field="sentence")
        if not places:
            reason = f"the sentence is in none of the {len(pairs.items):,} pairs of {pairs.name}"
            way_out = "its text must be exactly that of the data"
            scored.problems.append(replace(where, reason=reason, way_out=way_out))
            return []
        if score is None:
            return []
        first = places[0]
        if not lines[first]:
            values[first], lines[first] = score, row.line
        elif values[first] != score:
            reason = f"the same sentence has another score on line {lines[first]}"
            way_out = "where a score depends on the pair, write the columns id, side, score"
            scored.problems.append(replace(where, reason=reason, way_out=way_out))
        if lines[first] != row.line:  # the same score again is no mistake, and is already taken
            return []
        return [_Score(*divmod(at, len(SIDES)), score) for at in places]

    return read
