"""Does a classifier's answer change when only the group in a text does?"""

from collections.abc import Callable
from dataclasses import replace

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import GROUP, SwappedText
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Comparison, Measure, Study
from tiltmeter.core.views import SideBySide
from tiltmeter.data.texts.swapped_texts import SWAP_SETTINGS, load_swaps, swapped, templates
from tiltmeter.metrics import probability_changes
from tiltmeter.scoring.classified_texts import CLASSIFY_SWAPS

OVER: tuple[tuple[str, ...], ...] = (
    (), (GROUP,), ("swap",), ("label",), (GROUP, "label"), ("doubt",),
)  # fmt: skip
CHANCES, DECISIONS = ("before", "after"), ("before_positive", "after_positive")


def sample() -> Dataset[SwappedText]:
    """The packaged templates with their identity terms swapped, so that a run needs no download."""
    return replace(swapped(templates(), {}), name="counterfactual sample")


def _measure(
    metric: Callable[..., float],
    columns: tuple[str, ...],
    title: str,
    unit: str,
    summary: str,
    meaning: Meaning,
    neutral: float | None,
) -> Measure:
    return Measure(
        metric.__name__,
        metric,
        columns,
        unit,
        infer=probability_changes.infer_changes,
        neutral=neutral,
        summary=summary,
        over=OVER,
        meaning=replace(meaning, title=title, counts="swaps"),
        comparison=Comparison(probability_changes.compare_changes),
    )


STUDY = Study(
    name="counterfactual",
    title="Counterfactuals: does the answer change when only the group does?",
    version="2",
    source="Garg et al. 2019, Counterfactual Fairness in Text Classification through Robustness, "
    "doi:10.1145/3306618.3317950",
    measures_what=(
        "How far the probability of positive moves when the identity terms of a text are exchanged for those "
        "of another group, and how often the decision changes. 0 is a classifier to which the group makes "
        "no difference."
    ),
    not_what=(
        "Not every change is unfair: a slur, or a stereotype about one group, may not be one about another, "
        "so compare changes of harmless texts first. Texts in which a swap would break grammar or meaning "
        "are listed and left out, so the rest is not a random sample. A classifier that calls everything "
        "positive changes nothing."
    ),
    load=load_swaps,
    sample=sample,
    rules=(CLASSIFY_SWAPS,),
    measures=(
        _measure(
            probability_changes.mean_absolute_change, CHANCES, "Mean size of the change", "percentage points",
            "The mean of |P after − P before|: the counterfactual gap of the paper.",
            Meaning(short="mean |ΔP|", role="cost", better="lower",
                    sentence="changes its probability by $value on average when the group is exchanged"),
            None,
        ),
        _measure(
            probability_changes.decisions_flipped, DECISIONS, "Decisions flipped", "%",
            "The share of swaps after which the other label is given.",
            Meaning(short="flipped", role="cost", better="lower"), None,
        ),
        _measure(
            probability_changes.mean_change, CHANCES, "Mean change", "percentage points",
            "P after − P before: above 0, texts are more often called positive about the group put in.",
            Meaning(short="mean ΔP", sides=("less positive after the swap", "more positive after the swap"),
                    neutral_is="no change"),
            0,
        ),
    ),
    settings=SWAP_SETTINGS,
    data=("hatecheck", "identity_templates", "davidson", "edos", "ethos"),
    makes_items=True,
    views=(SideBySide(("mean_absolute_change", "decisions_flipped", "mean_change")),),
)  # fmt: skip
