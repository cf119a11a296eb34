"""The numbers of Chiu, Collins and Alexander 2022 as their code prints them; under its convention only."""

from collections.abc import Iterator
from typing import get_args

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Measure
from tiltmeter.core.views import REST, NumberColumn, NumberTable
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import matches, mismatches, unanswered
from tiltmeter.studies.hate_prompts import metrics
from tiltmeter.study_families.hate_prompt_convention import CHIU
from tiltmeter.study_families.written_labels import APART, ASKED, TWO

_FORMULAS = {
    "accuracy": ("Accuracy", metrics.rounded_accuracy),
    "precision": ("Precision", metrics.rounded_precision),
    "recall": ("Recall", metrics.rounded_recall),
    "f1": ("F1", metrics.rounded_f1),
}


def _published() -> Iterator[Measure]:
    """What the published code prints: means over repeats, and their deviations as "standard errors"."""
    for name, (title, formula) in _FORMULAS.items():
        for statistic in get_args(metrics.Statistic):
            number = metrics.PublishedNumber(formula, statistic)
            if name != "f1":
                yield _as_published(name, title, number, over=APART)
                continue
            # The code has a formula of its own for F1 over both categories.
            yield _as_published(name, title, number, over=APART[1:])
            yield _as_published(name, title, metrics.OverallF1(statistic), over=APART[:1])


def _as_published(
    name: str,
    title: str,
    number: metrics.PublishedNumber | metrics.OverallF1,
    *,
    over: tuple[tuple[str, ...], ...],
) -> Measure:
    deviates = number.statistic == "sd"
    categories = ("category",) if isinstance(number, metrics.OverallF1) else ()
    return Measure(
        f"{CHIU}_{name}{'_sd' if deviates else ''}", number, (*TWO, "repeat", *categories),
        "percentage points" if deviates else "%", neutral=None, infer=infer_nothing, over=over, where=ASKED,
        conventions=(CHIU,), comparison=None,
        summary="The standard deviation over repeats, which the paper calls the standard error."
        if deviates
        else "The mean over repeats of rounded percentages, as the published code computes it.",
        meaning=Meaning(
            f"{title} as published, {'deviation' if deviates else 'mean'} over repeats", role="description",
            counts="replies", magnitude=deviates,
        ),
    )  # fmt: skip


def _counted(metric: CountMetric, what: str) -> Measure:
    """A count of replies."""
    return Measure(
        f"{CHIU}_{metric.name}", metric, TWO, "replies", neutral=None, infer=infer_nothing, over=APART,
        where=ASKED, conventions=(CHIU,), comparison=None, summary=f"{what}, counted.",
        meaning=Meaning(what, role="description", counts="replies", decimals=0),
    )  # fmt: skip


PUBLISHED: tuple[Measure, ...] = (
    *_published(),
    _counted(matches, "Replies with the right label"),
    _counted(mismatches, "Replies with the wrong label"),
    _counted(unanswered, "Replies without an answer, left out"),
)
AS_PUBLISHED = NumberTable(
    "as-published",
    "Numbers as published",
    (REST,),
    tuple(
        NumberColumn(
            name,
            heading=name.removeprefix(f"{CHIU}_").replace("_sd", " SD"),
            drop=1 if name.endswith("_sd") else 0,
        )
        for name in dict.fromkeys(measure.name for measure in PUBLISHED)
    ),
)
