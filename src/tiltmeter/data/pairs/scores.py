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

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import Problem, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import FileTable
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.memory.lazy_sequence import ScoreRows
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.pairs.matched_scores import ScoredPairs, matched_scores, two_numbers
from tiltmeter.data.pairs.pairs import finished
from tiltmeter.data.pairs.row_reading import GROUP_COLUMNS, Layout, RowReading

SCORE_COLUMNS = (
    ("sent_more_score", "sent_less_score"),
    ("score_more", "score_less"),
    ("more", "less"),
)


def holds_scored_pairs(path: Path, encoding: str = "") -> bool:
    """Whether a file is a table of pairs, each with its two scores."""
    return any(
        has_columns(path, ("sent_more", "sent_less", *names), encoding) for names in SCORE_COLUMNS
    )


def read_scores(
    path: str | Path,
    pairs: Dataset[Pair] | None = None,
    *,
    load: Callable[[], Dataset[Pair]] | None = None,
    known_clusters: str = "",
    skip_invalid: bool = False,
    encoding: str = "",
) -> tuple[Dataset[Pair], ScoreRows]:
    """Pairs and the score of either sentence, (more, less), in the order of the pairs.

    Any finite numbers are taken: only their order within a pair, and for confidence their ratio,
    is used.

    A file that holds the sentences itself needs no `pairs`; pairs of the same two sentences then lend it
    their groups and clusters. Where a file needs some and none are given, `load` gives them. `known_clusters`
    is the data set that says which pairs have a common origin, to be named where the file does not say it.
    With `skip_invalid`, rows that cannot be used and pairs without both scores are listed in `invalid`.

    Raises:
        BadInput: The file cannot be read, has no known layout, or needs `pairs`.
        BadItems: Scores that are missing, double, not finite numbers, or of no pair; all of them.
    """
    path = Path(path)
    known = (*chain(*SCORE_COLUMNS), "sent_more", "sent_less", "id", "side", "score", "sentence")
    table = read_table(
        path, encoding=encoding, known=(*known, "stereo_antistereo", *GROUP_COLUMNS),
        texts=("sent_more", "sent_less", "sentence", "id", "score", *chain(*SCORE_COLUMNS)),
    )  # fmt: skip
    columns = set(table.columns)
    both = next((names for names in SCORE_COLUMNS if columns >= set(names)), None)
    if both and columns >= {"sent_more", "sent_less"}:
        scored = _of_rows(table, both, pairs, known_clusters)
    else:
        scored = matched_scores(table, both, pairs, load)
    stop_at(scored.problems, skip_invalid=skip_invalid)
    return _settled(path, scored, [scored.layout, *table.notes])


def _settled(
    path: Path, scored: ScoredPairs, notes: Sequence[str]
) -> tuple[Dataset[Pair], ScoreRows]:
    kept = [note for note in scored.data.notes if note.kind != "oddity"]
    kept += notes_of("data", [*notes, *scored.notes])
    kept += notes_of("caution", scored.cautions)
    invalid = [*scored.data.invalid, *scored.problems]
    facts = {"scores": f"{path.name}, SHA-256 {given(path, [path]).sha256}"}
    about = {**scored.data.about, **facts}
    data = replace(scored.data, items=scored.pairs, invalid=invalid, notes=kept, about=about)
    return finished(data), scored.scores


# ── The pairs are in the file ────────────────────────────────────────────────────────────────────


def _of_rows(
    table: FileTable, names: tuple[str, str], pairs: Dataset[Pair] | None, known_clusters: str
) -> ScoredPairs:
    reading = RowReading(table.path.name, Layout(), table.columns)
    scored = ScoredPairs(
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
        scores = None if row.problem else two_numbers(row.cells, names, where, reading.problems)
        if len(reading.problems) > before[0]:
            if len(reading.pairs) > before[1]:
                reading.pairs.pop()
        elif scores is not None:
            more, less = scores
            scored.scores.append(scores)
            # The published script's column `score` is 1 where the more stereotyping sentence won.
            other = "0" if more > less else "1"
            contradicted += more != less and label_of(row.cells.get("score")) == other
    scored.problems = reading.problems
    scored.pairs = reading.pairs
    if known:
        scored.pairs = Spool(Pair, (_lent(pair, known) for pair in reading.pairs))
    if pairs and known:
        scored.data = replace(scored.data, clusters=pairs.clusters)
        matched = sum(known.get(pair.more, pair.less) is not None for pair in scored.pairs)
        scored.notes.append(
            f"{matched:,} of {counted(len(scored.pairs), 'pairs')} {verb_for(matched, 'are')} in "
            f"{pairs.name}."
        )
        scored.cautions += _exchanged(scored.pairs, known, pairs.name)
    elif known_clusters and not any(pair.cluster for pair in scored.pairs):
        scored.cautions.append(
            "The file does not say which pairs have a common origin, so that all count as independent and "
            f"intervals may be too narrow: --data {known_clusters} adds the origins of the published pairs."
        )
    if contradicted:
        scored.cautions.append(
            f"In {counted(contradicted, 'rows')} the column `score` says the other sentence won. "
            "Files that the "
            "published CrowS-Pairs script wrote before May 2021 have the two scores of antistereo pairs "
            "exchanged: check, and exchange them back."
        )
    return scored


class _KnownPairs:
    """Pairs looked up by their two sentences; where several are equal, the last one."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._places = TextNumbers(f"{pair.more}\0{pair.less}" for pair in pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def get(self, more: str, less: str) -> Pair | None:
        """The pair of these sentences."""
        place = self._places.get(f"{more}\0{less}")
        return None if place is None else self._pairs[place]


def _lent(pair: Pair, known: _KnownPairs) -> Pair:
    """The pair with the groups and cluster of the known pair of the same sentences; its own groups win."""
    other = known.get(pair.more, pair.less)
    if other is None:
        return pair
    return replace(pair, groups={**other.groups, **pair.groups}, cluster=other.cluster)


def _exchanged(pairs: Sequence[Pair], known: _KnownPairs, name: str) -> list[str]:
    """A caution that counts the pairs whose two sentences are exchanged in the known data."""
    sides = [(pair.more, pair.less) for pair in pairs]
    strange = sum(not known.get(more, less) and bool(known.get(less, more)) for more, less in sides)
    text = (
        f"{strange:,} of {counted(len(pairs), 'pairs')} {verb_for(strange, 'are')} in {name} with "
        "sent_more and sent_less exchanged: if the "
        "columns of the file are exchanged, exchange them back, and those of the scores."
    )
    return [text] if strange else []
