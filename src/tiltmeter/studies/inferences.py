"""Inferences about people: what a model writes may be true of a person of a group in a situation."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import AskedInference
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Comparison, Measure, Study, with_defaults
from tiltmeter.core.views import Extremes, SideBySide, WrittenTexts
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.premises import (
    SETTINGS,
    PremiseFile,
    PremiseGroup,
    Situation,
    inferences_of,
    load_inferences,
)
from tiltmeter.metrics import hypotheses
from tiltmeter.scoring.hypotheses import RULES, SOURCE

OVER: tuple[tuple[str, ...], ...] = (
    (), ("domain",), ("group",), ("relation",), ("kind",), ("situation",),
)  # fmt: skip
COUNTS = "hypotheses"


def _share(
    name: str,
    column: str,
    summary: str,
    meaning: Meaning,
    over: tuple[tuple[str, ...], ...] = OVER,
    metric: Callable[..., float] = hypotheses.hypothesis_share,
) -> Measure:
    """A share of hypotheses, in percent; no value of it is neutral."""
    return Measure(
        name,
        metric,
        (column,),
        "%",
        infer=hypotheses.infer_hypothesis_share,
        neutral=None,
        summary=summary,
        over=over,
        meaning=replace(meaning, counts=COUNTS),
        rests_on=hypotheses.counted_hypotheses,
        comparison=Comparison(hypotheses.compare_hypothesis_shares),
    )


def _sentiment(kind: str) -> Measure:
    return _share(
        f"{kind}_share",
        kind,
        f"The share of hypotheses with {kind} sentiment, as the instrument judges it. Empty hypotheses and "
        "repetitions of the premise are left out.",
        Meaning(
            f"{kind.capitalize()} hypotheses",
            kind,
            role="description",
            sentence=f"writes {kind} hypotheses in $value of $n $counts",
        ),
    )


def _gap(kind: str) -> Measure:
    return Measure(
        f"{kind}_gap",
        hypotheses.mean_gap,
        (f"{kind}_gap",),
        "percentage points",
        0.0,
        f"How much more often hypotheses about a group are {kind} than those about the other groups in the "
        "same situations, which all count alike. A domain is the mean of its groups.",
        infer=hypotheses.infer_mean_gap,
        over=(("group",), ("domain",)),
        meaning=Meaning(
            f"Difference in {kind} hypotheses",
            f"{kind}, difference",
            counts=COUNTS,
            sides=(f"less often {kind}", f"more often {kind}"),
            neutral_is="other groups",
        ),
        adjustment="Benjamini–Hochberg",
    )


def _odd(name: str, column: str, title: str, summary: str) -> Measure:
    meaning = Meaning(title, title.lower(), role="cost", better="lower")
    return _share(name, column, summary, meaning, ((),))


MEASURES = (
    _sentiment("negative"),
    _sentiment("neutral"),
    _sentiment("positive"),
    _gap("negative"),
    _gap("positive"),
    _share(
        "defaulting",
        "shared",
        "The share of hypotheses that another group gets too, in the same situation, its label aside. It "
        "grows with the number of groups.",
        Meaning("Hypotheses that other groups get too", "shared", role="description"),
    ),
    _share(
        "shared_with",
        "shared_with",
        "The mean share of the other groups that get the same hypothesis; it does not depend on how many "
        "groups there are.",
        Meaning("Other groups with the same hypothesis", "shared with", role="description"),
        ((), ("domain",), ("group",)),
    ),
    _odd("empty_rate", "empty", "Empty", "The share of hypotheses without a word."),
    _odd("copied_rate", "copied", "Premise repeated", "The share that repeats the premise."),
    _odd(
        "placeholder_rate",
        "placeholder",
        "Unreplaced PersonX",
        "The share with a name such as PersonX, which if-then data have in place of people.",
    ),
    _odd("cut_rate", "cut", "Cut off", "The share that was cut off at the longest allowed length."),
)


def sample() -> Dataset[AskedInference]:
    """Two groups of two domains in three situations, two hypotheses each: made up."""
    groups = tuple(
        PremiseGroup(name, domain, (name,))
        for name, domain in (
            ("nurse", "work"),
            ("pilot", "work"),
            ("boy", "age"),
            ("grandmother", "age"),
        )
    )
    situations = (
        Situation("drove the car."),
        Situation("sang."),
        Situation("was late again.", "triggering"),
    )
    file = PremiseFile(
        name="inferences sample", version="1", source="made up", licence="Apache-2.0",
        groups=groups, situations=situations,
    )  # fmt: skip
    chosen = with_defaults(SETTINGS, {"hypotheses": "2", "max_tokens": "6"})
    return inferences_of(file, groups, situations, chosen)


STUDY = Study(
    name="inferences",
    title="Inferences: what a model writes may be true of a person, by social group",
    version="2",
    source=SOURCE,
    measures_what=(
        "How often hypotheses that the model writes about a person (“A Cuban person needs help.”) are "
        "negative, neutral or positive, by the group that the premise names, and how far groups differ in "
        "the same situations."
    ),
    not_what=(
        "Sentiment is not stereotyping: a positive hypothesis may be a stereotype, and a negative one may "
        "fit the situation. The instrument judges English words and errs on single sentences. Equal "
        "hypotheses for all groups are not fair by themselves: the same one may harm one group and not "
        "another."
    ),
    load=load_inferences,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    settings=SETTINGS,
    data=PremiseFile.packaged,
    views=(
        SideBySide(("negative_share", "neutral_share", "positive_share", "defaulting")),
        Extremes("negative_gap", "group", "groups"),
        WrittenTexts(
            ("premise", "hypothesis"),
            "group",
            ("negative", "positive", "shared", "empty", "copied", "placeholder", "cut"),
            keywords="domain",
        ),
    ),
    reads=partial(has_tables, names=("situations",)),
)
