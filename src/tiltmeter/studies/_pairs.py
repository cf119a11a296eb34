"""What all studies of sentence pairs share: rules, conventions, measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.measures import EVERY, Comparison, Measure
from tiltmeter.core.protocols import StartsBare
from tiltmeter.core.results import Meaning, Record
from tiltmeter.core.rules import Rule
from tiltmeter.core.study import Load, Reading, Stored, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.pairs.pairs import finished
from tiltmeter.data.pairs.row_reading import has_pairs
from tiltmeter.data.pairs.scores import read_scores
from tiltmeter.metrics import preference, preference_inference
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.scoring import likelihood, pseudo, ranking
from tiltmeter.scoring.likelihood import LONE_FIRST_TOKEN
from tiltmeter.scoring.pairs import LOWERCASE_IF_UNCASED, MORE_FIRST, record

WORDS = StudyWords.beside(__file__)

SCORED_RULES: tuple[Rule[Pair], ...] = (*pseudo.RULES, *likelihood.RULES)
PAIR_RULES: tuple[Rule[Pair], ...] = (*SCORED_RULES, ranking.PAIRS)
"""A masked model gets the first, a causal or sequence-to-sequence model `log_likelihood`."""
LIKELIER = (pseudo.RULES[0].name, likelihood.RULES[0].name)
"""Default rules of either kind of model: each says which of two sentences the model finds likelier."""

PAIR_CONVENTIONS: tuple[Convention, ...] = (
    PAPER,
    replace(WORDS.conventions[0], quirks=(LOWERCASE_IF_UNCASED,)),
    replace(
        WORDS.conventions[1],
        needs={"log_likelihood_per_token": StartsBare},
        quirks=(LONE_FIRST_TOKEN,),
    ),
    replace(WORDS.conventions[2], quirks=(MORE_FIRST,)),
)

_SCORES = ("more", "less")


def stored_pairs(load: Load[Pair], *, known_clusters: str = "") -> Stored[Pair]:
    """How a study of pairs, whose own data `load` gives, reads scores that were made elsewhere.

    `known_clusters` is the data set that says which pairs have a common origin, where there is one.
    """

    def stored(
        path: Path,
        items: Dataset[Pair] | None,
        *,
        settings: Mapping[str, str] | None = None,
        **reading: Unpack[Reading],
    ) -> tuple[Dataset[Pair], Sequence[Record]]:
        load_set: Callable[..., Dataset[Pair]] = load
        if settings is not None:  # only the load of a study with settings takes them
            load_set = partial(load_set, settings=settings)
        pairs, scores = read_scores(
            path, items, load=load_set, known_clusters=known_clusters, **reading
        )
        if settings is not None and items is None and pairs.name == path.name:
            reason = "--set is about the study's own pairs, and the file has pairs of its own"
            raise BadInput(reason, "leave it out", file=path.name)
        records = (
            record(pair, {"more": more, "less": less})
            for pair, (more, less) in zip(pairs.items, scores, strict=True)
        )
        return pairs, Spool(Record, records)

    return stored


OF_LOGARITHMS = tuple(rule.name for rule in SCORED_RULES)
"""Rules whose scores are log-probabilities, so that their ratio is a confidence."""
PAIR_VIEWS = WORDS.views

_RATE = Measure(
    "stereotype_rate", preference.stereotype_rate, _SCORES, "%", neutral=50,
    infer=preference_inference.infer_rate_of_pairs, uses_ties=True, comparison=None,
    **WORDS["stereotype_rate"],
)  # fmt: skip
_MEDIAN = Measure(
    "median_confidence_more", preference.median_confidence_more, _SCORES, "% of the score", neutral=0,
    infer=preference_inference.infer_median, over=((), ("direction",)), rules=OF_LOGARITHMS, comparison=None,
)  # fmt: skip
PAIR_MEASURES: tuple[Measure, ...] = (
    replace(
        _RATE,
        over=((), ("bias_type",), ("check",), EVERY),
        comparison=Comparison(
            compare_rates, meaning=Meaning("Difference of stereotype rates", "difference")
        ),
        mean_of=preference.RATE_OF,
    ),
    replace(
        _RATE,
        metric=preference.stereotype_rate_untied,
        over=(("direction",),),
        drops_ties=True,
        **WORDS["stereotype_rate_by_direction"],
    ),
    replace(
        _RATE,
        name="stereotype_rate_clustered",
        infer=preference_inference.infer_rate_clustered,
        clustered=True,
        **WORDS["stereotype_rate_clustered"],
    ),
    replace(
        _RATE,
        name="stereotype_rate_macro",
        metric=preference.macro_rate,
        columns=(*_SCORES, "bias_type"),
        infer=preference_inference.infer_rate_clustered,
        numbered=True,
        **WORDS["stereotype_rate_macro"],
    ),
    replace(_MEDIAN, rests_on=preference_inference.wins, **WORDS["median_confidence_more"]),
    replace(
        _MEDIAN,
        name="median_confidence_less",
        metric=preference.median_confidence_less,
        rests_on=preference_inference.losses,
        **WORDS["median_confidence_less"],
    ),
    replace(
        _MEDIAN,
        name="confidence_gap",
        metric=preference.confidence_gap,
        infer=preference_inference.infer_gap,
        rests_on=preference_inference.untied,
        **WORDS["confidence_gap"],
    ),
)
pair_study = partial(
    Study,
    version="2",
    rules=PAIR_RULES,
    measures=PAIR_MEASURES,
    conventions=PAIR_CONVENTIONS,
    reads=has_pairs,
    views=PAIR_VIEWS,
    categories="bias_type",
    alike=LIKELIER,
)
"""A study of pairs of a more and a less stereotyping sentence; what differs is given by name."""


def made_up_pairs(study: str, pairs: Sequence[Pair], clusters: str = "") -> Dataset[Pair]:
    """The sample of a study of pairs."""
    return finished(
        Dataset(f"{study} sample", "1", pairs, "made up", "Apache-2.0", clusters=clusters)
    )
