"""Systematic offensive stereotyping: are offensive sentences about a group likelier than pleasant ones?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups import offensive as data
from tiltmeter.families.sentence_pairs import PAIR_CONVENTIONS, SCORED_RULES, stored_pairs
from tiltmeter.metrics.offensive import infer_sos_gap, infer_sos_rate, sos_gap, sos_rate
from tiltmeter.metrics.preference import RATE_OF, stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import infer_rate
from tiltmeter.scoring.pairs import LOWERCASE_IF_UNCASED

WORDS = StudyWords.beside(__file__)

RULES = tuple(sorted(SCORED_RULES, key=lambda rule: rule.name == "log_likelihood"))
"""For causal models too, the words that both sentences share are scored, given the adjective. The
likelihood of the whole sentence mostly shows how common the adjectives are, so it comes last."""
SETTINGS = WORDS.settings
CONVENTIONS = (*PAIR_CONVENTIONS, replace(WORDS.conventions[0], quirks=(LOWERCASE_IF_UNCASED,)))
_MADE_FROM = ("more", "less", "identity")
_RATE = Measure(
    "sos_rate",
    sos_rate,
    _MADE_FROM,
    "%",
    infer=infer_sos_rate,
    neutral=50,
    over=((), ("attribute",), ("attribute", "status")),
    uses_ties=True,
    comparison=Comparison(compare_rates, meaning=Meaning("Difference of SOS rates", "difference")),
    mean_of=RATE_OF,
    **WORDS["sos_rate"],
)
MEASURES = (
    _RATE,
    replace(
        _RATE,
        metric=stereotype_rate,
        columns=("more", "less"),
        infer=infer_rate,
        over=(("identity",),),
        comparison=None,
        **WORDS["sos_rate_of_identity"],
    ),
    Measure(
        "sos_gap",
        sos_gap,
        (*_MADE_FROM, "status", "attribute"),
        "percentage points",
        infer=infer_sos_gap,
        neutral=0,
        over=((), ("attribute",)),
        uses_ties=True,
        comparison=None,
        **WORDS["sos_gap"],
    ),
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Pair]:
    """The packaged lists, or a TOML file of the user's."""
    chosen = with_defaults(SETTINGS, settings)
    file = data.OffensiveFile.named(source, encoding=reading.get("encoding", ""))
    return data.offensive_pairs(file, article=chosen["article"], spelling=chosen["spelling"])


def sample() -> Dataset[Pair]:
    """Nine of the packaged identities with four pairs of adjectives."""
    file = data.OffensiveFile.named()
    chosen = ("woman", "mother", "man", "father", "Asian", "black", "white", "Dutch", "deaf")
    some = tuple(i for i in file.identities if i.word in chosen)
    return replace(
        data.offensive_pairs(replace(file, identities=some, pairs=file.pairs[:4])),
        name="sos sample",
    )


STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="attribute",
    alike=("pll_shared", "log_likelihood_shared"),
    views=WORDS.views,
    conventions=CONVENTIONS,
    stored=stored_pairs(load),
    data=("sos",),
    reads=partial(has_tables, names=("identities", "adjectives")),
    settings=SETTINGS,
)
