"""ScoreRows that somebody else's program gave to sentences, matched to pairs.

Four layouts are told apart by their columns:

- `sent_more`, `sent_less` and a score for each: the pairs are in the file (the published CrowS-Pairs
  script writes such files);
- `id` and two scores: matched to the data's pairs by id;
- `id`, `side` ("more" or "less"), `score`: one row a sentence, matched by id;
- `sentence`, `score`: one row a sentence, matched by its exact text.

The columns of two scores may be `sent_more_score, sent_less_score`, `score_more, score_less` or
`more, less`.
"""

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.results import notes_of
from tiltmeter.data.layouts import GROUP_COLUMNS, Layout
from tiltmeter.data.pairs import MEND, finished, given
from tiltmeter.data.rows import RowReading, axes_of, label_of
from tiltmeter.data.score_rows import ScoreRows
from tiltmeter.data.spool import Spool
from tiltmeter.data.table import FileTable, TableRow
from tiltmeter.data.tables import read_table
from tiltmeter.data.text_numbers import TextNumbers

SCORE_COLUMNS = (
    ("sent_more_score", "sent_less_score"),
    ("score_more", "score_less"),
    ("more", "less"),
)
SIDES = ("more", "less")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_LAYOUTS = (
    "sent_more, sent_less, sent_more_score, sent_less_score",
    "id, score_more, score_less",
    "id, side, score",
    "sentence, score",
)


def read_scores(
    path: str | Path,
    pairs: Dataset[Pair] | None = None,
    *,
    own: Callable[[], Dataset[Pair]] | None = None,
    known_clusters: str = "",
    skip_invalid: bool = False,
    encoding: str = "",
) -> tuple[Dataset[Pair], ScoreRows]:
    """Pairs and the score of either sentence, (more, less), in the order of the pairs.

    Any finite numbers are taken: only their order within a pair, and for confidence their ratio,
    is used.

    Args:
        path: CSV, TSV, JSONL, JSON or Parquet in one of the four layouts.
        pairs: What the scores are about. A file that holds the sentences itself needs none; pairs
            of the same two sentences then lend it their groups and clusters.
        own: Loads the pairs where the file needs some and none are given.
        known_clusters: The data set that says which pairs have a common origin, to be named where the
            file does not say it; "" for none.
        skip_invalid: Leave rows out that cannot be used and pairs without both scores, and list
            them in `invalid`.
        encoding: Of a text file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: The file cannot be read, has no known layout, or needs `pairs`.
        BadItems: ScoreRows that are missing, double, not finite numbers, or of no pair; all of them.
    """
    path = Path(path)
    known = (*chain(*SCORE_COLUMNS), "sent_more", "sent_less", "id", "side", "score", "sentence")
    table = read_table(path, encoding=encoding, known=(*known, "stereo_antistereo", *GROUP_COLUMNS))
    columns = set(table.columns)
    both = next((names for names in SCORE_COLUMNS if columns >= set(names)), None)
    if both and columns >= {"sent_more", "sent_less"}:
        found = _of_rows(table, both, pairs, known_clusters)
    else:
        found = _matched(table, both, pairs, own)
    if found.problems and not skip_invalid:
        raise BadItems(found.problems, way_out=MEND)
    return _settled(path, found, [found.layout, *table.notes])


@dataclass(slots=True)
class _Found:
    """What was read so far."""

    layout: str
    """Which one, in words."""
    data: Dataset[Pair]
    pairs: Spool[Pair] = field(default_factory=lambda: Spool(Pair))
    scores: ScoreRows = field(default_factory=lambda: ScoreRows(len(SIDES)))
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    """Reasons to doubt that the file says what it seems to say."""


def _settled(path: Path, found: _Found, notes: Sequence[str]) -> tuple[Dataset[Pair], ScoreRows]:
    data = replace(
        found.data,
        items=found.pairs,
        invalid=[*found.data.invalid, *found.problems],
        notes=(
            *(note for note in found.data.notes if note.kind != "oddity"),
            *notes_of("data", [*notes, *found.notes]),
            *notes_of("caution", found.cautions),
        ),
        about={**found.data.about, "scores": f"{path.name}, SHA-256 {given(path, [path]).sha256}"},
    )
    return finished(data), found.scores


# ── The pairs are in the file ────────────────────────────────────────────────────────────────────


def _of_rows(
    table: FileTable, names: tuple[str, str], pairs: Dataset[Pair] | None, known_clusters: str
) -> _Found:
    layout = Layout()
    reading = RowReading(
        table.path.name,
        layout,
        id_column=next((name for name in layout.ids if name in table.columns), None),
        direction_column=next((n for n in layout.direction if n in table.columns), None),
        axes=axes_of(table.columns),
    )
    found = _Found(
        f"One row a pair, with both sentences and {names[0]}, {names[1]}.",
        given(table.path, [table.path]),
    )
    known = _KnownPairs(pairs.items if pairs else ())
    contradicted = 0
    for index, row in enumerate(table.rows):
        before = len(reading.problems), len(reading.pairs)
        reading.add(index, row)
        item = reading.pairs[-1].id if len(reading.pairs) > before[1] else str(index)
        where = Problem("", file=table.path.name, line=row.line, item=item)
        scores = None if row.problem else _two(row.cells, names, where, reading.problems)
        if len(reading.problems) > before[0]:
            if len(reading.pairs) > before[1]:
                reading.pairs.pop()
        elif scores is not None:
            found.scores.append(scores)
            contradicted += _is_contradicted(row, *scores)
    found.problems = reading.problems
    found.pairs = (
        Spool(Pair, (_lent(pair, known) for pair in reading.pairs)) if known else reading.pairs
    )
    if pairs and known:
        found.data = replace(found.data, clusters=pairs.clusters)
        matched = sum(known.get(pair.more, pair.less) is not None for pair in found.pairs)
        found.notes.append(f"{matched:,} of {len(found.pairs):,} pairs are in {pairs.name}.")
        found.cautions += _exchanged(found.pairs, known, pairs.name)
    elif known_clusters and not any(pair.cluster for pair in found.pairs):
        found.cautions.append(
            "The file does not say which pairs have a common origin, so that all count as independent and "
            f"intervals may be too narrow: --data {known_clusters} adds the origins of the published pairs."
        )
    if contradicted:
        found.cautions.append(
            f"In {contradicted:,} rows the column `score` says the other sentence won. Files that the "
            "published CrowS-Pairs script wrote before May 2021 have the two scores of antistereo pairs "
            "exchanged: check, and exchange them back."
        )
    return found


class _KnownPairs:
    """Pairs by their two sentences; of equal ones the last."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._places = TextNumbers()
        for place, pair in enumerate(pairs):
            self._places[f"{pair.more}\0{pair.less}"] = place

    def __len__(self) -> int:
        return len(self._pairs)

    def get(self, more: str, less: str) -> Pair | None:
        """The pair of these sentences."""
        place = self._places.get(f"{more}\0{less}")
        return None if place is None else self._pairs[place]


def _lent(pair: Pair, known: _KnownPairs) -> Pair:
    """The pair with what the data says about the same two sentences; its own groups win."""
    other = known.get(pair.more, pair.less)
    if other is None:
        return pair
    return replace(pair, groups={**other.groups, **pair.groups}, cluster=other.cluster)


def _exchanged(pairs: Sequence[Pair], known: _KnownPairs, name: str) -> list[str]:
    """Pairs that the data has the other way round."""
    strange = sum(
        known.get(pair.more, pair.less) is None and known.get(pair.less, pair.more) is not None
        for pair in pairs
    )
    text = (
        f"{strange:,} of {len(pairs):,} pairs are in {name} with sent_more and sent_less exchanged: if the "
        "columns of the file are exchanged, exchange them back, and those of the scores."
    )
    return [text] if strange else []


def _is_contradicted(row: TableRow, more: float, less: float) -> bool:
    """The published script's column `score` is 1 where the more stereotyping sentence won."""
    return more != less and label_of(row.cells.get("score")) == ("0" if more > less else "1")


# ── The scores belong to pairs given apart ───────────────────────────────────────────────────────


class _Score(NamedTuple):
    place: int
    """Of the pair in the data."""
    side: int
    """A place in SIDES."""
    value: float


def _matched(
    table: FileTable,
    both: tuple[str, str] | None,
    pairs: Dataset[Pair] | None,
    own: Callable[[], Dataset[Pair]] | None,
) -> _Found:
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
    found = _Found(f"{text} to {pairs.name}.", pairs)
    by_text = "sentence" in columns and "side" not in columns and not both
    read = _by_text if by_text else _by_side if not both else _by_pair
    _collect(table, read(pairs, both or ("score", "score"), found), found)
    return found


_Reader = Callable[[TableRow, Problem], list[_Score]]


def _collect(table: FileTable, read: _Reader, found: _Found) -> None:
    values, lines = (array(kind, bytes(8 * len(SIDES) * len(found.data.items))) for kind in "dq")
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
    """Places of pairs by their ids."""

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


def _by_pair(pairs: Dataset[Pair], names: tuple[str, str], found: _Found) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair = label_of(row.cells.get("id"))
        where = replace(where, item=pair)
        scores = _two(row.cells, names, where, found.problems)
        place = ids.place(pair, where, found.problems)
        if place is None or scores is None:
            return []
        return [_Score(place, side, one) for side, one in enumerate(scores)]

    return read


def _by_side(pairs: Dataset[Pair], _: tuple[str, str], found: _Found) -> _Reader:
    ids = _Ids(pairs.items)

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair, side = label_of(row.cells.get("id")), label_of(row.cells.get("side"))
        where = replace(where, item=pair)
        score = _number(row.cells, "score", where, found.problems)
        place = ids.place(pair, where, found.problems)
        if side not in SIDES:
            reason = f"side {side!r} is neither more nor less" if side else "side is empty"
            way_out = "more is the sentence that stereotypes more, less the other"
            found.problems.append(replace(where, reason=reason, way_out=way_out, field="side"))
        elif place is not None and score is not None:
            return [_Score(place, SIDES.index(side), score)]
        return []

    return read


class _Sentences:
    """Where each sentence stands: the pairs and sides that have it, in order."""

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


def _by_text(pairs: Dataset[Pair], _: tuple[str, str], found: _Found) -> _Reader:
    sentences = _Sentences(pairs.items)
    values, lines = (array(kind, bytes(8 * len(SIDES) * len(pairs.items))) for kind in "dq")

    def read(row: TableRow, where: Problem) -> list[_Score]:
        text = label_of(row.cells.get("sentence"))
        places = sentences.places(text)
        where = replace(where, item=pairs.items[places[0] // len(SIDES)].id if places else "")
        score = _number(row.cells, "score", where, found.problems)
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


def _two(
    cells: Mapping[str, Any], names: tuple[str, str], where: Problem, problems: list[Problem]
) -> tuple[float, float] | None:
    more, less = (_number(cells, name, where, problems) for name in names)
    return None if more is None or less is None else (more, less)


def _number(
    cells: Mapping[str, Any], name: str, where: Problem, problems: list[Problem]
) -> float | None:
    """The finite number in a cell; otherwise None, and a problem more."""
    cell = cells.get(name)
    way_out = "write a number with a decimal point"
    if cell is None or cell == "" or (isinstance(cell, str) and not cell.strip()):
        reason = f"{name} is empty"
    elif isinstance(cell, str) and not _NUMBER.fullmatch(cell.strip()):
        odd = cell.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}
        reason = (
            f"{name} is {cell.strip()}" if odd else f"{name} {cell.strip()[:40]!r} is not a number"
        )
        way_out = "an undefined score cannot be compared: remove the pair" if odd else way_out
    elif isinstance(cell, bool) or not isinstance(cell, str | int | float):
        reason = f"{name} is not a number"
    else:
        try:
            value = float(cell)
        except OverflowError:  # a whole number of hundreds of digits
            value = math.inf
        if math.isfinite(value):
            return value
        reason = f"{name} is {value}"
        way_out = "an undefined score cannot be compared: remove the pair"
    problems.append(replace(where, reason=reason, way_out=way_out, field=name))
    return None
