"""The numbers of Chiu, Collins and Alexander 2022 as published: measures and convention.

The measures are reported under this convention only.
"""

from dataclasses import replace
from typing import get_args

from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable
from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.measures import Condition, Measure
from tiltmeter.core.study_words import StudyWords
from tiltmeter.metrics import chiu2021
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import matches, mismatches, unanswered

WORDS = StudyWords.beside(__file__)

CHIU = "chiu2021"
TWO = ("truth_positive", "said_positive")
APART = (("setting",), ("setting", "category"), ("setting", "category", "example_set"))
ASKED: dict[str, Condition] = {"truth_positive": (0.0, 1.0)}
"""Only replies to questions about one category."""
_FORMULAS = {
    "accuracy": chiu2021.rounded_accuracy,
    "precision": chiu2021.rounded_precision,
    "recall": chiu2021.rounded_recall,
    "f1": chiu2021.rounded_f1,
}


def _published() -> list[Measure]:
    """What the published code prints: means over repeats, and their deviations as "standard errors"."""
    measures = []
    for name, formula in _FORMULAS.items():
        for statistic in get_args(chiu2021.Statistic):
            number = chiu2021.PublishedNumber(formula, statistic)
            if name != "f1":
                measures.append(_as_published(name, statistic, number, over=APART))
                continue
            measures.append(_as_published(name, statistic, number, over=APART[1:]))
            overall = chiu2021.OverallF1(statistic)
            measures.append(_as_published(name, statistic, overall, over=APART[:1]))
    return measures


def _as_published(
    name: str,
    statistic: chiu2021.Statistic,
    number: chiu2021.PublishedNumber | chiu2021.OverallF1,
    *,
    over: tuple[tuple[str, ...], ...],
) -> Measure:
    deviation = statistic == "sd"
    extra = ("category",) if isinstance(number, chiu2021.OverallF1) else ()
    name = f"{CHIU}_{name}{'_sd' if deviation else ''}"
    return Measure(
        name, number, (*TWO, "repeat", *extra), "percentage points" if deviation else "%", neutral=None,
        infer=infer_nothing, over=over, where=ASKED, conventions=(CHIU,), comparison=None, **WORDS[name],
    )  # fmt: skip


PUBLISHED: tuple[Measure, ...] = (
    *_published(),
    *(
        Measure(
            f"{CHIU}_{metric.name}", metric, TWO, "replies", neutral=None, infer=infer_nothing, over=APART,
            where=ASKED, conventions=(CHIU,), comparison=None, **WORDS[f"{CHIU}_{metric.name}"],
        )
        for metric in (matches, mismatches, unanswered)
    ),
)  # fmt: skip
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


def conventions(**settings: str) -> tuple[Convention, ...]:
    """The paper's, and that of its published code with these settings of the study."""
    (code,) = WORDS.conventions
    return PAPER, replace(code, settings={**code.settings, **settings})
