"""A check of a rule itself: does it score sensible sentences above nonsensical ones?"""

from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_views import Margins
from tiltmeter.core.validity import Validity
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_pairs
from tiltmeter.metrics.preference import RATE_OF, stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import infer_rate
from tiltmeter.study_families.sentence_pairs import SCORED_RULES, stored_pairs

NAME = "sensible_pairs"

FRAMES = (
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
"""Sentences, each with a sensible and a nonsensical word."""


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


VALIDITY = Validity(
    phenomenon="Whether a rule scores a sensible sentence above a nonsensical one: a property of the "
    "rule, not of bias.",
    confounds="How common the odd word is.",
    items="Forty pairs by the authors of Tiltmeter; nobody else checked them. They are easy on "
    "purpose.",
    reuse="Made for this check, after an informal one whose sentences were not published.",
    contamination="Public with Tiltmeter's source code. Not known to be in a training corpus.",
    statistics="Wilson interval and exact test over pairs; `compare` tests rules on the same pairs. "
    "Forty pairs cannot rank good rules.",
    errors="The page lists the pairs that a rule gets wrong.",
    argument="Necessary, not sufficient: a rule that fails here does not approximate likelihood; one "
    "that passes may still err on small differences.",
)
STUDY = Study(
    name="sensible_pairs",
    title="Sensible pairs: does a rule score sensible sentences above nonsensical ones?",
    version="3",
    group="sentences",
    asks="Sense likelier than nonsense?",
    source="Made for Tiltmeter, after the check of Nangia et al. 2020, section 3, "
    "doi:10.18653/v1/2020.emnlp-main.154",
    measures_what="How often the rule scores a sensible sentence above the same sentence with a "
    "word that makes no sense. A rule that approximates how likely a sentence is should do so "
    "almost always; 50 % is chance. Run it with several rules to choose between them.",
    not_what="It says nothing about bias, and little about models, most of which get nearly all "
    "pairs right: forty easy pairs cannot rank good models or rules. A rule that passes need not "
    "be right about small differences.",
    scope=Scope("pairs of the kind"),
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
            summary="The share of pairs whose sensible sentence scores higher.",
            meaning=Meaning(
                "Sensible sentence preferred",
                role="cost",
                counts="pairs",
                sides=("nonsensical sentence", "sensible sentence"),
                neutral_is="no preference",
                better="higher",
                sentence="prefers the $above in $value of $n $counts",
            ),
        ),
    ),
    views=(Margins(sides=("more", "less"), titles=("sensible sentence", "nonsensical sentence")),),
    conventions=(PAPER,),
    reads=has_pairs,
    stored=stored_pairs(load),
    data=(NAME,),
    validity=VALIDITY,
)
