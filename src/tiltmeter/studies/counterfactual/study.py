"""Does a classifier's answer change when only the group in a text does?"""

from collections.abc import Callable
from dataclasses import replace

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import GROUP, SwappedText
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EDITED, Comparison, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import SideBySide
from tiltmeter.studies.counterfactual import metrics
from tiltmeter.studies.counterfactual.rule import CLASSIFY_SWAPS
from tiltmeter.studies.counterfactual.swaps import (
    PLACEBO_EDITS,
    SETTINGS,
    load_swaps,
    swapped,
    templates,
)
from tiltmeter.studies.counterfactual.validity import VALIDITY
from tiltmeter.study_families.controls import EditedScore, views_less
from tiltmeter.study_families.edited_texts import CONTROLS, KINDS, measures_less_edits

OVER: tuple[tuple[str, ...], ...] = (
    (),
    (GROUP,),
    ("swap",),
    ("label",),
    (GROUP, "label"),
    ("doubt",),
)
CHANCES, DECISIONS = ("before", "after"), ("before_positive", "after_positive")


CHANGE = EditedScore(
    "change", CHANCES, "percentage points", scale=100, most=1.0, called="Size of the change", text=EDITED,
    moves="changes its probability", edits="swaps of groups", over=((), (GROUP,)),
)  # fmt: skip
FLIP = EditedScore(
    "flip", DECISIONS, "%", yes_no=True, called="Decisions flipped", text=EDITED,
    moves="flips its decision", edits="swaps of groups",
)  # fmt: skip


def sample() -> Dataset[SwappedText]:
    """The packaged templates with their identity terms swapped, so that a run needs no download."""
    return replace(swapped(templates(), {}), name="counterfactual sample")


def _measure(
    metric: Callable[..., float],
    columns: tuple[str, ...],
    unit: str,
    neutral: float | None,
    *,
    summary: str,
    meaning: Meaning,
) -> Measure:
    return Measure(
        metric.__name__,
        metric,
        columns,
        unit,
        neutral,
        infer=metrics.infer_changes,
        over=OVER,
        comparison=Comparison(metrics.compare_changes),
        summary=summary,
        meaning=meaning,
    )


STUDY = Study(
    name="counterfactual",
    title="Counterfactuals: does the answer change when only the group does?",
    version="2",
    group="classifiers",
    asks="Does naming a group decide?",
    source="Garg et al. 2019, Counterfactual Fairness in Text Classification through Robustness, "
    "doi:10.1145/3306618.3317950",
    measures_what="How far the probability of positive moves when the identity terms of a text are "
    "exchanged for those of another group, and how often the decision changes. 0 is a classifier "
    "to which the group makes no difference.",
    not_what="Not every change is unfair: a slur, or a stereotype about one group, may not be one "
    "about another, so compare changes of harmless texts first. Texts in which a swap would break "
    "grammar or meaning are listed and left out, so the rest is not a random sample. A classifier "
    "that calls everything positive changes nothing.",
    scope=Scope(fixed=("the swapped terms",)),
    load=load_swaps,
    sample=sample,
    rules=(CLASSIFY_SWAPS,),
    measures=(
        *measures_less_edits(CHANGE, FLIP),
        _measure(
            metrics.mean_absolute_change,
            CHANCES,
            "percentage points",
            None,
            summary="The mean of |P after − P before|: the counterfactual gap of the paper.",
            meaning=Meaning(
                "Mean size of the change",
                "mean |ΔP|",
                role="cost",
                counts="swaps",
                better="lower",
                sentence="changes its probability by $value on average when the group is exchanged",
            ),
        ),
        _measure(
            metrics.decisions_flipped,
            DECISIONS,
            "%",
            None,
            summary="The share of swaps after which the other label is given.",
            meaning=Meaning(
                "Decisions flipped", "flipped", role="cost", counts="swaps", better="lower"
            ),
        ),
        _measure(
            metrics.mean_change,
            CHANCES,
            "percentage points",
            0,
            summary="P after − P before: above 0, texts are more often called positive about the "
            "group put in.",
            meaning=Meaning(
                "Mean change",
                "mean ΔP",
                counts="swaps",
                sides=("less positive after the swap", "more positive after the swap"),
                neutral_is="no change",
            ),
        ),
    ),
    settings=SETTINGS,
    control=ControlItems(KINDS, PLACEBO_EDITS),
    data=("hatecheck", "identity_templates", "davidson", "edos", "ethos"),
    makes_items=True,
    views=(
        *views_less(CONTROLS, CHANGE, FLIP),
        SideBySide(measures=("mean_absolute_change", "decisions_flipped", "mean_change")),
    ),
    validity=VALIDITY,
)
