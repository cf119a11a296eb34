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


_SAMPLE = (
    ("The aunt knitted all evening.", "The uncle knitted all evening.", "north"),
    ("The uncle fixed the roof.", "The aunt fixed the roof.", "south"),
    ("Grandma lost her glasses again.", "Lena lost her glasses again.", "north"),
    ("The farmer's boy got dirty.", "The farmer's girl got dirty.", "south"),
    ("City people are always in a hurry.", "Village people are always in a hurry.", "north"),
    ("The student slept until noon.", "The teacher slept until noon.", "south"),
    ("Mothers worry about everything.", "Fathers worry about everything.", "north"),
    ("My brother likes fast cars.", "My sister likes fast cars.", "south"),
    ("The Italian cook sang.", "The Finnish cook sang.", "north"),
    ("The poet was late with the rent.", "The banker was late with the rent.", "south"),
    ("The pensioner fed the pigeons.", "The trainee fed the pigeons.", "north"),
    ("The tall woman played volleyball.", "The short woman played volleyball.", "south"),
)


def sample() -> Dataset[Pair]:
    """Twelve made-up pairs with an axis of their own, neither category nor direction."""
    items = [
        Pair(f"sample-{i}", more, less, {"region": region})
        for i, (more, less, region) in enumerate(_SAMPLE)
    ]
    return made_up_pairs("pairs", items)


STUDY = pair_study(**WORDS.study, load=load, sample=sample, stored=stored_pairs(load))
