"""Per-sentence scores of a model that were made elsewhere, matched to triples by the sentences' ids.

Two layouts: StereoSet's prediction files, a JSON object with the lists `intrasentence` and
`intersentence` of {"id", "score"}; and a table (CSV, TSV, JSONL, Parquet) with the columns `id` and
`score`. The published evaluation reads the first, and `tiltmeter report --predictions` writes it.
"""

import json
import math
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import SIDES, TASKS, Dataset, Triple
from tiltmeter.core.errors import LISTED, BadInput, BadItems, Problem
from tiltmeter.core.records import Record
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.memory.lazy_sequence import ScoreRows
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.triples.triples import finished, read_clusters

MEND = "Correct the scores, or leave these clusters out with --skip-invalid."
OTHER_DATA = "name the data it belongs to with --data"
BEGINNING = 4096
"""Bytes of a prediction file that have its keys."""
LONGEST = 80
"""Characters of an id or a score that a message shows."""
SIMILAR = 0.8
"""Share of an id's characters that a suggested one has in common with it."""


def is_prediction_file(path: Path, encoding: str = "") -> bool:  # noqa: ARG001 it is JSON
    """Whether a file begins like a prediction file in StereoSet's layout."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    return any(f'"{task}"'.encode() in start for task in TASKS) and b'"score"' in start


def read_predictions(
    path: str | Path,
    items: Dataset[Triple],
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    mend: str = MEND,
    other_data: str = OTHER_DATA,
    most_problems: int = sys.maxsize,
) -> tuple[Dataset[Triple], ScoreRows]:
    """The triples that have all three scores, and these in the order of SIDES.

    A task of which the file has no score at all is left out with a note: files about one task only
    are usual. Any finite numbers are taken: only their order within a triple is used. Messages give the
    advice `mend` about scores that cannot be used, and `other_data` where the ids are not those of the data.
    Reading stops after `most_problems`, so that a hostile file takes little time.

    Raises:
        BadInput: The file cannot be read, or holds none of the triples' sentences.
        BadItems: Scores that are missing, double, unknown or not finite numbers; all of them.
    """
    path = Path(path)
    reading = _ScoreReading(path.name, items.items, mend, other_data, most_problems)
    for place, name, score in _scores(path, encoding, reading):
        reading.add(place, name, score)
    kept, rows = Spool(Triple), ScoreRows(len(SIDES))
    for number, triple in enumerate(items.items):
        scores = reading.scores_of(number)
        if triple.task not in reading.tasks and not any(map(math.isfinite, scores)):
            continue
        if not reading.lacks(triple, scores):
            kept.append(triple)
            rows.append(scores)
    if not rows and reading.tasks and reading.problems:  # the right ids, but no number
        raise BadItems(reading.problems, way_out="Correct the scores.")
    if not rows:
        reason = (
            f"contains no scores of the {counted(len(items.items), 'contexts')} of {items.name}"
        )
        raise BadInput(reason, other_data, file=path.name)
    if reading.problems and not skip_invalid:
        raise BadItems(reading.problems, way_out=mend)
    return _settled(path, items, kept, reading), rows


class _ScoreReading:
    """The scores of one file so far, and what is wrong with it."""

    def __init__(
        self, file: str, items: Sequence[Triple], mend: str, other_data: str, most_problems: int
    ) -> None:
        self.problems: list[Problem] = []
        self.tasks: set[str] = set()
        self._file, self._mend, self._other_data = file, mend, other_data
        self._most_problems = most_problems
        self._items = items
        self._places = TextNumbers()
        """Of each sentence's id: the number of its triple, times three, and its side's."""
        self._tasks = bytearray()
        for number, triple in enumerate(items):
            self._tasks.append(TASKS.index(triple.task))
            for side, name in enumerate(triple.names):
                self._places[name] = len(SIDES) * number + side
        self._scores = array("d", [math.nan]) * (len(SIDES) * len(self._tasks))

    def scores_of(self, number: int) -> "array[float]":
        """The scores of a triple's three sentences, NaN where one is missing."""
        return self._scores[len(SIDES) * number : len(SIDES) * (number + 1)]

    def add(self, place: str, name: str, score: Any) -> None:
        """Take in the score of one sentence."""
        shown = repr(name[:LONGEST])
        where = Problem("", file=f"{self._file}, {place}" if place else self._file, item=name)
        at = self._places.get(name)
        if at is None:
            near = self._near(name)
            way_out = f"did you mean {near!r}?" if near else self._other_data
            self._complain(where, f"id {shown} does not belong to a sentence of the data", way_out)
            return
        self.tasks.add(TASKS[self._tasks[at // len(SIDES)]])
        if math.isfinite(self._scores[at]):
            self._complain(where, f"the sentence {shown} has two scores", "keep one")
        elif (value := _number(score)) is None:
            reason = f"the score of {shown} is not a finite number ({repr(score)[:LONGEST]})"
            self._complain(where, reason, "correct it")
        else:
            self._scores[at] = value

    def lacks(self, triple: Triple, scores: Sequence[float]) -> bool:
        """Whether a candidate has no score; if so, it is noted as a problem."""
        names = zip(triple.names, scores, strict=True)
        # Ids, not sides: whoever submits to a leaderboard must not learn the labels.
        missing = [repr(name) for name, score in names if math.isnan(score)]
        if missing and not {p.item for p in self.problems} & set(triple.names):  # reported before
            where = Problem("", file=self._file, item=triple.id)
            reason = f"cluster {triple.id!r} has no score for {' and '.join(missing)}"
            self._complain(where, reason, "add it")
        return bool(missing)

    def _near(self, name: str) -> str:
        """A similar id, "" without one; only for problems that are shown."""
        if len(self.problems) >= LISTED or len(name) >= LONGEST:
            return ""
        from rapidfuzz import process  # noqa: PLC0415  (slow to import)
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

        names = (known for triple in self._items for known in triple.names)
        similarity = Levenshtein.normalized_similarity
        best = process.extractOne(name, names, scorer=similarity, score_cutoff=SIMILAR)
        return best[0] if best else ""

    def _complain(self, where: Problem, reason: str, way_out: str) -> None:
        self.note(replace(where, reason=reason, way_out=way_out))

    def note(self, problem: Problem) -> None:
        """Keep a problem; BadItems where there are too many to go on."""
        self.problems.append(problem)
        if len(self.problems) >= self._most_problems:
            stopped = f"Reading stopped after {self._most_problems} problems. {self._mend}"
            raise BadItems(self.problems, way_out=stopped)


def _scores(path: Path, encoding: str, reading: _ScoreReading) -> Iterator[tuple[str, str, Any]]:
    """(place, sentence id, score) of every entry."""
    way_out = "give a prediction file, or a table with id and score"
    lists = read_clusters(path, encoding, entries="scores", way_out=way_out)
    if lists is None:
        table = read_table(path, encoding=encoding, required=("id", "score"), texts=("id",))
        for row in table.rows:
            if row.problem is not None:
                reading.note(row.problem)
            else:
                score = row.cells.get("score")
                if isinstance(score, str) and not table.typed:
                    number = decimal_number(score)
                    score = score if number is None else number
                yield f"line {row.line}", label_of(row.cells.get("id")), score
        return
    for task, entries in lists.items():
        for number, entry in enumerate(entries, start=1):
            if not isinstance(entry, dict) or "id" not in entry:
                place = f"{path.name}, {task} {number}"
                reading.note(Problem("is not an object with id and score", "correct it", place))
            else:
                yield f"{task} {number}", label_of(entry["id"]), entry.get("score")


def _number(score: Any) -> float | None:
    if isinstance(score, bool) or not isinstance(score, int | float | Decimal):
        return None
    try:
        value = float(score)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None


def _settled(
    path: Path, items: Dataset[Triple], kept: Sequence[Triple], reading: _ScoreReading
) -> Dataset[Triple]:
    # facts and oddities are counted anew of what is left
    counts = Counter(triple.task for triple in items.items)
    lacking = [f"The file has no scores of {task} contexts; {counts[task]:,} are left out."
               for task in TASKS if task not in reading.tasks and counts[task]]  # fmt: skip
    notes = [note for note in items.notes if note.kind != "oddity"]
    scores = f"{path.name}, SHA-256 {given(path, [path]).sha256}"
    about = {k: v for k, v in items.about.items() if k not in {"task", "domain", "target terms"}}
    invalid, about = [*items.invalid, *reading.problems], {**about, "scores": scores}
    notes += notes_of("coverage", lacking)
    return finished(replace(items, items=kept, invalid=invalid, notes=notes, about=about))


def write_predictions(records: Iterable[Record]) -> str:
    """The records' scores as such a JSON file.

    Raises:
        BadInput: Some record does not know its sentences' ids or its task.
    """
    lists: dict[str, list[dict[str, object]]] = {task: [] for task in TASKS}
    for record in records:
        task = record.groups.get("task", "")
        if task not in lists or set(SIDES) - set(record.names):
            reason = f"item {record.item!r} is not a context with three candidates that have ids"
            raise BadInput(reason, "prediction files are about results of the study stereoset")
        lists[task] += [{"id": record.names[s], "score": record.scores[s]} for s in SIDES]
    return json.dumps({task: rows for task, rows in lists.items() if rows}, indent=1) + "\n"
