"""The numbers of Chiu, Collins and Alexander 2022 as published: measures and convention.

The measures are reported under this convention only.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable
from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.measures import Condition, Measure
from tiltmeter.core.results import Meaning
from tiltmeter.metrics import chiu2021
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import matches, mismatches, unanswered

CHIU = "chiu2021"
TWO = ("truth_positive", "said_positive")
APART = (("setting",), ("setting", "category"), ("setting", "category", "example_set"))
ASKED: dict[str, Condition] = {"truth_positive": (0.0, 1.0)}
"""Only replies to questions about one category."""
_FORMULAS = {
    "accuracy": ("Accuracy", chiu2021.rounded_accuracy),
    "precision": ("Precision", chiu2021.rounded_precision),
    "recall": ("Recall", chiu2021.rounded_recall),
    "f1": ("F1", chiu2021.rounded_f1),
}


def _published() -> Iterator[Measure]:
    """What the published code prints: means over repeats, and their deviations as "standard errors"."""
    for name, (title, formula) in _FORMULAS.items():
        for statistic in get_args(chiu2021.Statistic):
            number = chiu2021.PublishedNumber(formula, statistic)
            if name != "f1":
                yield _as_published(name, title, number, over=APART)
                continue
            # The code has a formula of its own for F1 over both categories.
            yield _as_published(name, title, number, over=APART[1:])
            yield _as_published(name, title, chiu2021.OverallF1(statistic), over=APART[:1])


def _as_published(
    name: str,
    title: str,
    number: chiu2021.PublishedNumber | chiu2021.OverallF1,
    *,
    over: tuple[tuple[str, ...], ...],
) -> Measure:
    deviates = number.statistic == "sd"
    categories = ("category",) if isinstance(number, chiu2021.OverallF1) else ()
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
_CODE = Convention(
    "chiu2021",
    summary="As the published code: letters anywhere in a reply are the answer; percentages of "
    "each repeat are rounded to two decimals, F1 is computed from rounded ones, and standard "
    "deviations over repeats are called standard errors. F1 over both categories has the recall of "
    "sexist texts in the numerator.",
    source="Chiu, Collins and Alexander 2022, github.com/kelichiu/GPT3-hate-speech-detection",
    rules=("contains",),
    settings={"wrap": "text", "variant": "chiu2021", "prompts": "code"},
)


def conventions(**settings: str) -> tuple[Convention, ...]:
    """The paper's, and that of its published code with these settings of the study besides."""
    return PAPER, replace(_CODE, settings={**_CODE.settings, **settings})
