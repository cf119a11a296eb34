"""A check of a rule itself: does it score sensible sentences above nonsensical ones?"""

from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_pairs
from tiltmeter.metrics.preference import RATE_OF, stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import infer_rate
from tiltmeter.studies._pairs import SCORED_RULES, stored_pairs

WORDS = StudyWords.beside(__file__)
FRAMES = WORDS.sample
"""Sentences, each with a sensible and a nonsensical word."""

NAME = "sensible_pairs"


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """The forty pairs of `FRAMES`, or a file in which `sent_more` is the sensible sentence."""
    chosen = choose(source, NAME, (NAME,))
    if isinstance(chosen, Path):
        return read_pairs(chosen, **reading)
    pairs = [
        Pair(str(i), frame.format(sensible), frame.format(nonsense))
        for i, (frame, sensible, nonsense) in enumerate(FRAMES)
    ]
    return finished(
        Dataset(NAME, "1", pairs, "The Tiltmeter authors; part of the package", "CC BY 4.0")
    )


def sample() -> Dataset[Pair]:
    """All packaged pairs: they are few, and need no download."""
    return load()


STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=SCORED_RULES,
    measures=(
        Measure(
            "sensible_rate",
            stereotype_rate,
            ("more", "less"),
            "%",
            infer=infer_rate,
            neutral=50,
            uses_ties=True,
            comparison=Comparison(compare_rates),
            mean_of=RATE_OF,
            **WORDS["sensible_rate"],
        ),
    ),
    views=WORDS.views,
    conventions=(PAPER,),
    reads=has_pairs,
    stored=stored_pairs(load),
    data=(NAME,),
)
