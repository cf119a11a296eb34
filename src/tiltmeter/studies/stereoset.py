"""StereoSet's context association test, within a sentence and between two, as its authors define it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.items import SIDES, Dataset, Triple
from tiltmeter.core.measures import EVERY, Compare, Comparison, Measure
from tiltmeter.core.protocols import ReadsUnhidden, StartsBare
from tiltmeter.core.results import Meaning, Record
from tiltmeter.core.rules import Rule
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.downloads.registry import Located, find, locate, status
from tiltmeter.data.downloads.sources import choose, registered
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.triples.predictions import read_predictions
from tiltmeter.data.triples.triples import CLUSTERS, finished, holds_triples, read_triples
from tiltmeter.metrics.context_association import icat, lms, ss
from tiltmeter.metrics.context_association_inference import (
    compare_icat,
    compare_lms,
    compare_ss,
    infer_icat,
    infer_lms,
    infer_ss,
)
from tiltmeter.scoring import cloze, continuation, ranking
from tiltmeter.scoring.cloze import BARE_WORD
from tiltmeter.scoring.contexts import OWN_SENTENCES, record
from tiltmeter.scoring.continuation import AS_PROBABILITIES
from tiltmeter.scoring.likelihood import LONE_FIRST_TOKEN

WORDS = StudyWords.beside(__file__)

SETS = ("stereoset", "stereoset_rebuilt")
"""The same sentences, with and without the annotators' labels."""


def chosen_set(source: Source) -> str | Path:
    """What `source` names; without a source the set that is there, of both the first."""
    if source is None:
        source = next((name for name in SETS if status(name) != "absent"), SETS[0])
    return choose(source, SETS[0], SETS)


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Triple]:
    """The development set's 4,229 triples, a file of that shape, or a table of triples."""
    chosen = chosen_set(source)
    path = chosen if isinstance(chosen, Path) else locate(chosen).file
    read = read_triples(path, **reading)
    known = next((n for n in SETS if find(n).files[0].sha256 == read.sha256), None)
    if known is None:
        return read
    about = registered(Located(find(known), {}, read.sha256))  # also where it was given as a file
    return replace(
        about, items=read.items, clusters=CLUSTERS, invalid=read.invalid, notes=read.notes,
        about=read.about,
    )  # fmt: skip


def stored(
    path: Path, items: Dataset[Triple] | None, **reading: Unpack[Reading]
) -> tuple[Dataset[Triple], Sequence[Record]]:
    """A prediction file's scores; of the development set, where no other data are named.

    Raises:
        BadInput: The file cannot be read, or is about other data.
        BadItems: Scores that cannot be used; all of them.
    """
    scored, scores = read_predictions(path, items or load(), **reading)
    records = (record(t, row) for t, row in zip(scored.items, scores, strict=True))
    return scored, Spool(Record, records)


def sample() -> Dataset[Triple]:
    """Fifteen made-up triples about four target terms."""
    within = [
        Triple(
            f"within-{i}", "intrasentence", frame.format("BLANK"),
            (frame.format(more), frame.format(less), frame.format(off)), target, domain,
            (more, less, off), tuple(f"within-{i}/{side}" for side in SIDES),
        )
        for i, (frame, more, less, off, target, domain) in enumerate(
            row for row in WORDS.sample if "{}" in row[0]
        )
    ]  # fmt: skip
    between = [
        Triple(
            f"between-{i}", "intersentence", context, (more, less, off), target, domain,
            names=tuple(f"between-{i}/{side}" for side in SIDES),
        )
        for i, (context, more, less, off, target, domain) in enumerate(
            row for row in WORDS.sample if "{}" not in row[0]
        )
    ]  # fmt: skip
    return finished(Dataset("stereoset sample", "1", [*within, *between], "made up", "Apache-2.0"))


RULES: tuple[Rule[Triple], ...] = (*cloze.RULES, *continuation.RULES, ranking.TRIPLES)

CONVENTIONS: tuple[Convention, ...] = (
    PAPER,
    replace(
        WORDS.conventions[0],
        needs={"blank_probability": ReadsUnhidden, "sentence_logprob": StartsBare},
        quirks=(LONE_FIRST_TOKEN, OWN_SENTENCES, BARE_WORD, AS_PROBABILITIES),
    ),
)

_SCORES = (*SIDES, "target")
_OVER = ((), ("task",), ("domain",), ("task", "domain"), ("target",), EVERY, ("domain", "target"))


def _compared(by: Compare, title: str) -> Comparison:
    return Comparison(by, meaning=Meaning(title), over=((), ("task",), ("domain",)))


_SCORE = Measure("ss", ss, _SCORES, "%", neutral=50, infer=infer_ss, over=_OVER, uses_ties=True)
MEASURES: tuple[Measure, ...] = (
    replace(
        _SCORE,
        comparison=_compared(compare_ss, "Difference of stereotype scores (ss)"),
        compares=(SIDES[:2],),
        **WORDS["ss"],
    ),
    replace(
        _SCORE,
        name="lms",
        metric=lms,
        infer=infer_lms,
        comparison=_compared(compare_lms, "Difference of language modelling scores (lms)"),
        compares=((SIDES[0], SIDES[2]), (SIDES[1], SIDES[2])),
        **WORDS["lms"],
    ),
    replace(
        _SCORE,
        name="icat",
        metric=icat,
        infer=infer_icat,
        comparison=_compared(compare_icat, "Difference of icat"),
        **WORDS["icat"],
    ),
)

STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    views=WORDS.views,
    conventions=CONVENTIONS,
    data=SETS,
    reads=holds_triples,
    together=(
        ("blank_logprob", "next_sentence"),
        ("pll_context", "pll_context_given_attribute"),
        ("sentence_logprob", "next_sentence"),
        ("sentence_logprob", "likelihood_ratio"),
        ("blank_probability", "next_sentence"),
    ),
    stored=stored,
)
