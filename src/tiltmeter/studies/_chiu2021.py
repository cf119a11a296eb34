"""The numbers of Chiu, Collins and Alexander 2022 as published: measures and convention.

The measures are reported under this convention only.
"""

from typing import get_args

from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import PAPER, Condition, Convention, Measure
from tiltmeter.metrics import chiu2021
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import matches, mismatches, unanswered

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
    title = name.capitalize()
    deviation = statistic == "sd"
    extra = ("category",) if isinstance(number, chiu2021.OverallF1) else ()
    return Measure(
        f"{CHIU}_{name}{'_sd' if deviation else ''}",
        number,
        (*TWO, "repeat", *extra),
        "percentage points" if deviation else "%",
        infer=infer_nothing,
        neutral=None,
        summary="The standard deviation over repeats, which the paper calls the standard error."
        if deviation
        else "The mean over repeats of rounded percentages, as the published code computes it.",
        over=over,
        where=ASKED,
        conventions=(CHIU,),
        meaning=Meaning(
            f"{title} as published, {'deviation over repeats' if deviation else 'mean over repeats'}",
            role="description",
            counts="replies",
            magnitude=deviation,
        ),
        comparison=None,
    )


PUBLISHED: tuple[Measure, ...] = (
    *_published(),
    *(
        Measure(
            f"{CHIU}_{metric.name}", metric, TWO, "replies", neutral=None, summary=f"{title}, counted.",
            meaning=Meaning(title, role="description", counts="replies", decimals=0), infer=infer_nothing,
            over=APART, where=ASKED, conventions=(CHIU,), comparison=None,
        )
        for metric, title in (
            (matches, "Replies with the right label"),
            (mismatches, "Replies with the wrong label"),
            (unanswered, "Replies without an answer, left out"),
        )
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
    code = Convention(
        CHIU,
        "As the published code: letters anywhere in a reply are the answer; percentages of each repeat are "
        "rounded to two decimals, F1 is computed from rounded ones, and standard deviations over repeats are "
        "called standard errors. F1 over both categories has the recall of sexist texts in the numerator.",
        "Chiu, Collins and Alexander 2022, github.com/kelichiu/GPT3-hate-speech-detection",
        rules=("contains",),
        settings={"wrap": "text", "variant": CHIU, "prompts": "code", **settings},
    )
    return (PAPER, code)
