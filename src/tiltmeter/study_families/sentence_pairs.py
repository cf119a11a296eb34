"""Studies of sentence pairs: the rules, conventions, measures and pictures that all of them share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EVERY, Comparison, Measure
from tiltmeter.core.model.protocols import StartsBare
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Rule
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Load, Reading, Stored, Study
from tiltmeter.core.study_views import Margins
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.pairs.pairs import finished
from tiltmeter.data.pairs.row_reading import has_pairs
from tiltmeter.data.pairs.scores import read_scores
from tiltmeter.metrics import preference, preference_inference
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.scoring import likelihood, pseudo, ranking
from tiltmeter.scoring.likelihood import LONE_FIRST_TOKEN
from tiltmeter.scoring.pairs import LOWERCASE_IF_UNCASED, MORE_FIRST, record

SCORED_RULES: tuple[Rule[Pair], ...] = (*pseudo.RULES, *likelihood.RULES)
PAIR_RULES: tuple[Rule[Pair], ...] = (*SCORED_RULES, ranking.PAIRS)
"""A masked model gets the first, a causal or sequence-to-sequence model `log_likelihood`."""
LIKELIER = (pseudo.RULES[0].name, likelihood.RULES[0].name)
"""Default rules of either kind of model: each says which of two sentences the model finds likelier."""

PAIR_CONVENTIONS: tuple[Convention, ...] = (
    PAPER,
    Convention(
        "nangia2020",
        summary="As the published CrowS-Pairs script: text lower-cased for uncased models, sums "
        "rounded to 3 decimals before they are compared, equal sums neutral: counted in the "
        "overall denominator, left out of the stereo and antistereo ones.",
        source="Nangia et al. 2020, github.com/nyu-mll/crows-pairs, metric.py",
        ties="neutral",
        rules=("pll_shared",),
        decimals={"pll_shared": 3},
        quirks=(LOWERCASE_IF_UNCASED,),
    ),
    Convention(
        "meade2022",
        summary="As bias-bench: the differing tokens are scored, not the shared ones; means "
        "rounded to 3 decimals for masked models; causal models see the start token before the "
        "first token only; equal means are neutral. Pairs in which one sentence has no token of "
        "its own have no score.",
        source="Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132, "
        "github.com/McGill-NLP/bias-bench",
        ties="neutral",
        rules=("pll_differing", "log_likelihood_per_token"),
        decimals={"pll_differing": 3},
        needs={"log_likelihood_per_token": StartsBare},
        quirks=(LONE_FIRST_TOKEN,),
    ),
    Convention(
        "kaneko2022",
        summary="As the published AUL and AULA script: sent_more is the first sentence always, no "
        "lower-casing, ties count against; for pll_shared sums are rounded to 3 decimals.",
        source="Kaneko and Bollegala 2022, doi:10.1609/aaai.v36i11.21453, "
        "github.com/kanekomasahiro/evaluate_bias_in_mlm",
        ties="loss",
        rules=("aul", "aula", "pll_shared"),
        decimals={"pll_shared": 3},
        quirks=(MORE_FIRST,),
    ),
)

_SCORES = ("more", "less")


def stored_pairs(load: Load[Pair], *, known_clusters: str = "") -> Stored[Pair]:
    """A study's `stored`: reads scores of another program, of the pairs of `load` or of pairs in the file.

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
SIDES_SHOWN = Margins(
    sides=("more", "less"), titles=("more stereotyping sentence", "less stereotyping sentence")
)

_RATE = Measure(
    "stereotype_rate",
    preference.stereotype_rate,
    _SCORES,
    "%",
    neutral=50,
    infer=preference_inference.infer_rate_of_pairs,
    uses_ties=True,
    comparison=None,
    summary="The share of pairs whose more stereotyping sentence scores higher.",
    meaning=Meaning(
        "Stereotype rate",
        counts="pairs",
        sides=("less stereotyping sentence", "more stereotyping sentence"),
        neutral_is="no preference",
        sentence="prefers the $above in $value of $n $counts",
    ),
)
_MEDIAN = Measure(
    "median_confidence_more",
    preference.median_confidence_more,
    _SCORES,
    "% of the score",
    neutral=0,
    infer=preference_inference.infer_median,
    over=((), ("direction",)),
    rules=OF_LOGARITHMS,
    rests_on=preference_inference.wins,
    comparison=None,
    summary="The median confidence over pairs whose more stereotyping sentence scores higher.",
    meaning=Meaning(
        "Median confidence, more stereotyping",
        role="description",
        counts="pairs",
        magnitude=True,
        least=0,
    ),
)
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
        summary="The same among pairs that show a stereotype, and among those that violate one.",
    ),
    replace(
        _RATE,
        name="stereotype_rate_clustered",
        infer=preference_inference.infer_rate_clustered,
        clustered=True,
        summary="The same share, with an interval that allows for pairs that are not independent.",
        meaning=replace(
            _RATE.meaning,
            title="Stereotype rate, interval by clusters",
            variant_of="stereotype_rate",
        ),
    ),
    replace(
        _RATE,
        name="stereotype_rate_macro",
        metric=preference.macro_rate,
        columns=(*_SCORES, "bias_type"),
        infer=preference_inference.infer_rate_clustered,
        numbered=True,
        summary="The unweighted mean of the categories' rates, so that large categories do not "
        "dominate.",
        meaning=replace(
            _RATE.meaning,
            title="Stereotype rate, mean over categories",
            sentence="prefers the $above in $value of $counts, averaged over categories",
            variant_of="stereotype_rate",
        ),
    ),
    _MEDIAN,
    replace(
        _MEDIAN,
        name="median_confidence_less",
        metric=preference.median_confidence_less,
        rests_on=preference_inference.losses,
        summary="The same over pairs whose less stereotyping sentence scores higher.",
        meaning=replace(_MEDIAN.meaning, title="Median confidence, less stereotyping"),
    ),
    replace(
        _MEDIAN,
        name="confidence_gap",
        metric=preference.confidence_gap,
        infer=preference_inference.infer_gap,
        rests_on=preference_inference.untied,
        summary="The difference of the two medians: above 0, the model is more confident in "
        "stereotypes.",
        meaning=Meaning(
            "Confidence gap (difference of medians)",
            role="description",
            counts="pairs",
            neutral_is="no difference",
        ),
    ),
)
pair_study = partial(
    Study,
    scope=Scope("pairs of the kind"),
    version="3",
    rules=PAIR_RULES,
    measures=PAIR_MEASURES,
    conventions=PAIR_CONVENTIONS,
    reads=has_pairs,
    views=(SIDES_SHOWN,),
    categories="bias_type",
    alike=LIKELIER,
)
"""Make a study of pairs of a more and a less stereotyping sentence, from what is particular to it."""


def made_up_pairs(study: str, pairs: Sequence[Pair], clusters: str = "") -> Dataset[Pair]:
    """Made-up pairs as the sample of a study; `clusters` says what pairs of one cluster have in common."""
    return finished(
        Dataset(f"{study} sample", "1", pairs, "made up", "Apache-2.0", clusters=clusters)
    )
