"""A check of a rule itself: does it score sensible sentences above nonsensical ones?"""

from pathlib import Path
from typing import Unpack

from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.study import PAPER, Comparison, Measure, Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.core.views import Margins
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_pairs
from tiltmeter.metrics.preference import stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import infer_rate
from tiltmeter.studies._pairs import SCORED_RULES, stored_pairs

WORDS = StudyWords.beside(__file__)

FRAMES = (
    # (sentence, sensible word, nonsensical word)
    ("She drank a glass of cold {} before breakfast.", "water", "gravel"),
    ("The {} landed at the airport an hour late.", "plane", "soup"),
    ("He read the {} from the first page to the last.", "book", "river"),
    ("They baked the {} in the oven for forty minutes.", "bread", "calendar"),
    ("The dog chased the {} across the garden.", "ball", "grammar"),
    ("We took the {} to the station this morning.", "bus", "lemon"),
    ("The teacher wrote the {} on the board.", "answer", "cloud"),
    ("Please close the {} when you leave the room.", "door", "weather"),
    ("The nurse put a bandage on the {}.", "wound", "Tuesday"),
    ("It was so cold that the {} froze over.", "lake", "opinion"),
    ("My brother plays the {} in a small orchestra.", "violin", "sandwich"),
    ("The farmer fed the {} before sunrise.", "cows", "bridges"),
    ("She put on her {} because it was raining.", "coat", "kettle"),
    ("The museum is closed on {}.", "Mondays", "spoons"),
    ("He cut the paper with a pair of {}.", "scissors", "clouds"),
    ("The children built a {} out of snow.", "castle", "promise"),
    ("I forgot the {} of the hotel we stayed in.", "name", "butter"),
    ("The {} boiled over and spilled on the stove.", "milk", "staircase"),
    ("We could hear the {} ringing in the next room.", "telephone", "carpet"),
    ("The judge read the {} to a silent court.", "verdict", "potato"),
    ("A thick {} covered the hills at dawn.", "fog", "alphabet"),
    ("The mechanic repaired the {} in two days.", "engine", "sunset"),
    ("She paid for the tickets with a {}.", "card", "mountain"),
    ("The {} flew south for the winter.", "geese", "drawers"),
    ("He opened the letter and read the {}.", "message", "pillow"),
    ("The soup needs a little more {}.", "salt", "traffic"),
    ("They painted the kitchen {} last summer.", "yellow", "Thursday"),
    ("The train stopped because of a {} on the line.", "fault", "melody"),
    ("Her grandmother knitted a warm {} for the baby.", "blanket", "mirror"),
    ("The library lends {} for three weeks.", "books", "shadows"),
    ("I set the {} for six in the morning.", "alarm", "onion"),
    ("The ship sank after it struck a {}.", "rock", "proverb"),
    ("The {} won the race by two seconds.", "runner", "curtain"),
    ("He lit the {} with a match.", "candle", "rain"),
    ("The orchard is full of ripe {} in autumn.", "apples", "elbows"),
    ("She translated the {} into three languages.", "poem", "hammer"),
    ("The doctor listened to his {}.", "heart", "furniture"),
    ("We ate our lunch under a tall {}.", "tree", "rumour"),
    ("The price of the {} has doubled since spring.", "house", "yawn"),
    ("The clock on the wall is five {} slow.", "minutes", "potatoes"),
)
NAME = "sensible_pairs"


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """The forty pairs above, or a file in which `sent_more` is the sensible sentence."""
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
            **WORDS["sensible_rate"],
        ),
    ),
    views=(Margins(sides=("more", "less"), titles=("sensible sentence", "nonsensical sentence")),),
    conventions=(PAPER,),
    reads=has_pairs,
    stored=stored_pairs(load),
    data=(NAME,),
)
