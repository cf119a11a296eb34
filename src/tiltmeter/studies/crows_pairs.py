"""CrowS-Pairs, and its versions in other languages."""

from collections.abc import Mapping
from typing import Unpack

from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.pairs.pairs import load_pairs
from tiltmeter.data.pairs.row_reading import PUBLISHED
from tiltmeter.studies._pairs import PAIR_CONVENTIONS, made_up_pairs, pair_study, stored_pairs

WORDS = StudyWords.beside(__file__)

SETS = tuple(PUBLISHED)
SETTINGS = WORDS.settings
CONVENTIONS = (*PAIR_CONVENTIONS, *WORDS.conventions)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Pair]:
    """The published pairs (by default the English ones of 2020), or a file with such columns."""
    keeps_spaces = (settings or {}).get("spaces") == "kept"
    return load_pairs(source, SETS[0], sets=SETS, keeps_spaces=keeps_spaces, **reading)


def sample() -> Dataset[Pair]:
    """Twelve made-up pairs in the shape of CrowS-Pairs."""
    items = [
        Pair(f"sample-{i}", more, less, {"bias_type": kind, "direction": way}, cluster=writer)
        for i, (more, less, way, kind, writer) in enumerate(WORDS.sample)
    ]
    return made_up_pairs("crows_pairs", items, "writer")


STUDY = pair_study(
    **WORDS.study,
    load=load,
    sample=sample,
    conventions=CONVENTIONS,
    stored=stored_pairs(load, known_clusters=SETS[0]),
    data=SETS,
    settings=SETTINGS,
)
