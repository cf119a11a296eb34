"""Scores that somebody else's program gave to sentences, matched to pairs.

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
from tiltmeter.data.table import FileTable, TableRow
from tiltmeter.data.tables import read_table

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

Scores = list[tuple[float, float]]


def read_scores(
    path: str | Path,
    pairs: Dataset[Pair] | None = None,
    *,
    own: Callable[[], Dataset[Pair]] | None = None,
    known_clusters: str = "",
    skip_invalid: bool = False,
    encoding: str = "",
) -> tuple[Dataset[Pair], Scores]:
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
        BadItems: Scores that are missing, double, not finite numbers, or of no pair; all of them.
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
    pairs: list[Pair] = field(default_factory=list)
    scores: Scores = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    """Reasons to doubt that the file says what it seems to say."""


def _settled(path: Path, found: _Found, notes: Sequence[str]) -> tuple[Dataset[Pair], Scores]:
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
    known = {(pair.more, pair.less): pair for pair in pairs.items} if pairs else {}
    seen: list[tuple[TableRow, float, float]] = []
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
            seen.append((row, *scores))
    found.problems = reading.problems
    found.pairs = [_lent(pair, known) for pair in reading.pairs]
    if pairs and known:
        found.data = replace(found.data, clusters=pairs.clusters)
        matched = sum((pair.more, pair.less) in known for pair in found.pairs)
        found.notes.append(f"{matched:,} of {len(found.pairs):,} pairs are in {pairs.name}.")
        found.cautions += _exchanged(found.pairs, known, pairs.name)
    elif known_clusters and not any(pair.cluster for pair in found.pairs):
        found.cautions.append(
            "The file does not say which pairs have a common origin, so that all count as independent and "
            f"intervals may be too narrow: --data {known_clusters} adds the origins of the published pairs."
        )
    found.cautions += _contradicted(seen)
    return found


def _lent(pair: Pair, known: Mapping[tuple[str, str], Pair]) -> Pair:
    """The pair with what the data says about the same two sentences; its own groups win."""
    other = known.get((pair.more, pair.less))
    if other is None:
        return pair
    return replace(pair, groups={**other.groups, **pair.groups}, cluster=other.cluster)


def _exchanged(
    pairs: Sequence[Pair], known: Mapping[tuple[str, str], Pair], name: str
) -> list[str]:
    """Pairs that the data has the other way round."""
    strange = sum(
        (pair.less, pair.more) in known and (pair.more, pair.less) not in known for pair in pairs
    )
    text = (
        f"{strange:,} of {len(pairs):,} pairs are in {name} with sent_more and sent_less exchanged: if the "
        "columns of the file are exchanged, exchange them back, and those of the scores."
    )
    return [text] if strange else []


def _contradicted(rows: Sequence[tuple[TableRow, float, float]]) -> list[str]:
    """The published script's column `score` is 1 where the more stereotyping sentence won."""
    strange = sum(
        label_of(row.cells.get("score")) == ("0" if more > less else "1")
        for row, more, less in rows
        if more != less
    )
    text = (
        f"In {strange:,} rows the column `score` says the other sentence won. Files that the "
        "published CrowS-Pairs script wrote before May 2021 have the two scores of antistereo pairs "
        "exchanged: check, and exchange them back."
    )
    return [text] if strange else []


# ── The scores belong to pairs given apart ───────────────────────────────────────────────────────


class _Score(NamedTuple):
    pair: str
    side: str
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
    scores: dict[tuple[str, str], tuple[float, int]] = {}
    for row in table.rows:
        where = Problem("", file=table.path.name, line=row.line)
        if row.problem is not None:
            found.problems.append(row.problem)
            continue
        for pair, side, value in read(row, where):
            before = scores.setdefault((pair, side), (value, row.line))
            if before[1] != row.line:
                reason = f"the score of {pair!r} ({side}) is also on line {before[1]}"
                found.problems.append(
                    replace(where, reason=reason, way_out="keep one", item=pair, field="score")
                )
    refused = {problem.item for problem in found.problems}
    for one in found.data.items:
        lacking = [side for side in SIDES if (one.id, side) not in scores]
        if not lacking:
            found.pairs.append(one)
            found.scores.append((scores[one.id, "more"][0], scores[one.id, "less"][0]))
        elif one.id not in refused:
            reason = f"no score for pair {one.id!r} ({' and '.join(lacking)})"
            way_out = "add it, or leave the pair out of the data"
            found.problems.append(Problem(reason, way_out, file=table.path.name, item=one.id))


def _by_pair(pairs: Dataset[Pair], names: tuple[str, str], found: _Found) -> _Reader:
    ids = {pair.id for pair in pairs.items}

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair = label_of(row.cells.get("id"))
        where = replace(where, item=pair)
        scores = _two(row.cells, names, where, found.problems)
        if not _has(pair, ids, where, found.problems) or scores is None:
            return []
        return [_Score(pair, side, one) for side, one in zip(SIDES, scores, strict=True)]

    return read


def _by_side(pairs: Dataset[Pair], _: tuple[str, str], found: _Found) -> _Reader:
    ids = {pair.id for pair in pairs.items}

    def read(row: TableRow, where: Problem) -> list[_Score]:
        pair, side = label_of(row.cells.get("id")), label_of(row.cells.get("side"))
        where = replace(where, item=pair)
        score = _number(row.cells, "score", where, found.problems)
        known = _has(pair, ids, where, found.problems)
        if side not in SIDES:
            reason = f"side {side!r} is neither more nor less" if side else "side is empty"
            way_out = "more is the sentence that stereotypes more, less the other"
            found.problems.append(replace(where, reason=reason, way_out=way_out, field="side"))
        elif known and score is not None:
            return [_Score(pair, side, score)]
        return []

    return read


def _by_text(pairs: Dataset[Pair], _: tuple[str, str], found: _Found) -> _Reader:
    places: dict[str, list[tuple[str, str]]] = {}
    for pair in pairs.items:
        places.setdefault(pair.more.strip(), []).append((pair.id, "more"))
        places.setdefault(pair.less.strip(), []).append((pair.id, "less"))
    seen: dict[str, tuple[float, int]] = {}

    def read(row: TableRow, where: Problem) -> list[_Score]:
        text = label_of(row.cells.get("sentence"))
        where = replace(where, item=places[text][0][0] if text in places else "")
        score = _number(row.cells, "score", where, found.problems)
        where = replace(where, field="sentence")
        if text not in places:
            reason = f"the sentence is in none of the {len(pairs.items):,} pairs of {pairs.name}"
            way_out = "its text must be exactly that of the data"
            found.problems.append(replace(where, reason=reason, way_out=way_out))
            return []
        if score is None:
            return []
        before = seen.setdefault(text, (score, row.line))
        if before[0] != score:
            reason = f"the same sentence has another score on line {before[1]}"
            way_out = "where a score depends on the pair, write the columns id, side, score"
            found.problems.append(replace(where, reason=reason, way_out=way_out))
        return [_Score(*place, score) for place in places[text]] if before[1] == row.line else []

    return read


def _has(pair: str, ids: set[str], where: Problem, problems: list[Problem]) -> bool:
    if pair in ids:
        return True
    near = get_close_matches(pair, ids, n=1)
    way_out = f"did you mean {near[0]!r}?" if near else "give the data it belongs to with --data"
    reason = f"id {pair!r} is in none of the pairs" if pair else "id is empty"
    problems.append(replace(where, reason=reason, way_out=way_out, field="id"))
    return False


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
