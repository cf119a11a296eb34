"""Scores of sentences whose pairs are given apart: matched by the pair's id, or by the sentence."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import FileTable, TableRow
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.pairs.score_reading import SIDES, ScoresFound, number_in, two_numbers

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
    own: Callable[[], Dataset[Pair]] | None,
) -> ScoresFound:
    """The pairs and their scores.

    Args:
        table: The rows with the scores.
        both: The columns with the scores of a pair, if a row has both.
        pairs: What the scores are about.
        own: Loads the pairs if none are given.

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
        raise BadInput(
            f"its columns do not match any known layout (found: {listed})", ways, file=file, line=1
        )
    if pairs is None and own is not None:
        pairs = own()
    if pairs is None:
        reason = f"holds scores without their pairs ({text[0].lower()}{text[1:]})"
        raise BadInput(reason, "name the pairs with --data", file=file)
    found = ScoresFound(f"{text} to {pairs.name}.", pairs)
    by_text = "sentence" in columns and "side" not in columns and not both
    read = _by_text if by_text else _by_side if not both else _by_pair
    _collect(table, read(pairs, both or ("score", "score"), found), found)
    return found


_Reader = Callable[[TableRow, Problem], list[_Score]]


def _collect(table: FileTable, read: _Reader, found: ScoresFound) -> None:
    empty = bytes(8 * len(SIDES) * len(found.data.items))
    values, lines = array("d", empty), array("q", empty)
    for row in table.rows:
        where = Problem("", file=table.path.name, line=row.line)
        if row.problem is not None:
            found.problems.append(row.problem)
            continue
        for place, side, value in read(row, where):
            at = len(SIDES) * place + side
            if not lines[at]:
                values[at], lines[at] = value, row.line
            elif lines[at] != row.line:
                pair = found.data.items[place].id
                reason = f"the score of {pair!r} ({SIDES[side]}) is also on line {lines[at]}"
                found.problems.append(
                    replace(where, reason=reason, way_out="keep one", item=pair, field="score")
                )
    refused = {problem.item for problem in found.problems}
    for place, one in enumerate(found.data.items):
        first = len(SIDES) * place
        lacking = [side for i, side in enumerate(SIDES) if not lines[first + i]]
        if not lacking:
            found.pairs.append(one)
            found.scores.append(values[first : first + len(SIDES)])
        elif one.id not in refused:
            reason = f"no score for pair {one.id!r} ({' and '.join(lacking)})"
            way_out = "add it, or leave the pair out of the data"
            found.problems.append(Problem(reason, way_out, file=table.path.name, item=one.id))


class _Ids:
    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._places = TextNumbers()
        for place, pair in enumerate(pairs):
            self._places[pair.id] = place

    def place(self, pair: str, where: Problem, problems: list[Problem]) -> int | None:
        """Where the pair of this id is; None, and a problem more, where none has it."""
        place = self._places.get(pair)
        if place is None:
            near = get_close_matches(pair, [one.id for one in self._pairs], n=1)
            way_out = (
                f"did you mean {near[0]!r}?" if near else "give the data it belongs to with --data"
            )
            reason = f"id {pair!r} is in none of the pairs" if pair else "id is empty"
            problems.append(replace(where, reason=reason, way_out=way_out, field="id"))
        return place


def _by_pair(pairs: Dataset[Pair], names: tuple[str, str], found: ScoresFound) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair = label_of(row.cells.get("id"))
        where = replace(where, item=pair)
        scores = two_numbers(row.cells, names, where, found.problems)
        place = ids.place(pair, where, found.problems)
        if place is None or scores is None:
            return []
        return [_Score(place, side, one) for side, one in enumerate(scores)]

    return read


def _by_side(pairs: Dataset[Pair], _: tuple[str, str], found: ScoresFound) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair, side = label_of(row.cells.get("id")), label_of(row.cells.get("side"))
        where = replace(where, item=pair)
        score = number_in(row.cells, "score", where, found.problems)
        place = ids.place(pair, where, found.problems)
        if side not in SIDES:
            reason = f"side {side!r} is neither more nor less" if side else "side is empty"
            way_out = "more is the sentence that stereotypes more, less the other"
            found.problems.append(replace(where, reason=reason, way_out=way_out, field="side"))
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
        found = [self._next[last]]
        while found[-1] != last:
            found.append(self._next[found[-1]])
        return found


def _by_text(pairs: Dataset[Pair], _: tuple[str, str], found: ScoresFound) -> _Reader:
    sentences = SentencePlaces(pairs.items)
    empty = bytes(8 * len(SIDES) * len(pairs.items))
    values, lines = array("d", empty), array("q", empty)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        text = label_of(row.cells.get("sentence"))
        places = sentences.places(text)
        where = replace(where, item=pairs.items[places[0] // len(SIDES)].id if places else "")
        score = number_in(row.cells, "score", where, found.problems)
        where = replace(where, field="sentence")
        if not places:
            reason = f"the sentence is in none of the {len(pairs.items):,} pairs of {pairs.name}"
            way_out = "its text must be exactly that of the data"
            found.problems.append(replace(where, reason=reason, way_out=way_out))
            return []
        if score is None:
            return []
        first = places[0]
        if not lines[first]:
            values[first], lines[first] = score, row.line
        elif values[first] != score:
            reason = f"the same sentence has another score on line {lines[first]}"
            way_out = "where a score depends on the pair, write the columns id, side, score"
            found.problems.append(replace(where, reason=reason, way_out=way_out))
        if lines[first] != row.line:
            return []
        return [_Score(*divmod(at, len(SIDES)), score) for at in places]

    return read
