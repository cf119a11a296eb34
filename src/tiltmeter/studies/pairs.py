"""Any sentence pairs of the user's own."""

from typing import Unpack

from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.pairs.pairs import load_pairs
from tiltmeter.studies._pairs import made_up_pairs, pair_study, stored_pairs

WORDS = StudyWords.beside(__file__)


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """The file that `source` names; there is no default."""
    return load_pairs(source, "", **reading)


def sample() -> Dataset[Pair]:
    """Twelve made-up pairs with an axis of their own, neither category nor direction."""
    items = [
        Pair(f"sample-{i}", more, less, {"region": region})
        for i, (more, less, region) in enumerate(WORDS.sample)
    ]
    return made_up_pairs("pairs", items)


STUDY = pair_study(**WORDS.study, load=load, sample=sample, stored=stored_pairs(load))
