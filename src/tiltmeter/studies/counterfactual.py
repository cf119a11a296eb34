"""Does a classifier's answer change when only the group in a text does?"""

from collections.abc import Callable
from dataclasses import replace

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import GROUP, SwappedText
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.texts.swapped_texts import SWAP_SETTINGS, load_swaps, swapped, templates
from tiltmeter.metrics import probability_changes
from tiltmeter.scoring.classified_texts import CLASSIFY_SWAPS

WORDS = StudyWords.beside(__file__)

OVER: tuple[tuple[str, ...], ...] = (
    (), (GROUP,), ("swap",), ("label",), (GROUP, "label"), ("doubt",),
)  # fmt: skip
CHANCES, DECISIONS = ("before", "after"), ("before_positive", "after_positive")


def sample() -> Dataset[SwappedText]:
    """The packaged templates with their identity terms swapped, so that a run needs no download."""
    return replace(swapped(templates(), {}), name="counterfactual sample")


def _measure(
    metric: Callable[..., float], columns: tuple[str, ...], unit: str, neutral: float | None
) -> Measure:
    return Measure(
        metric.__name__, metric, columns, unit, neutral, infer=probability_changes.infer_changes, over=OVER,
        comparison=Comparison(probability_changes.compare_changes), **WORDS[metric.__name__],
    )  # fmt: skip


STUDY = Study(
    **WORDS.study,
    load=load_swaps,
    sample=sample,
    rules=(CLASSIFY_SWAPS,),
    measures=(
        _measure(probability_changes.mean_absolute_change, CHANCES, "percentage points", None),
        _measure(probability_changes.decisions_flipped, DECISIONS, "%", None),
        _measure(probability_changes.mean_change, CHANCES, "percentage points", 0),
    ),
    settings=SWAP_SETTINGS,
    data=("hatecheck", "identity_templates", "davidson", "edos", "ethos"),
    makes_items=True,
    views=WORDS.views,
)  # fmt: skip
