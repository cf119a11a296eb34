"""The numbers of Chiu, Collins and Alexander 2022 as published: measures and convention.

The measures are reported under this convention only.
"""

from typing import get_args

from tiltmeter.core.results import Meaning
from tiltmeter.core.study import PAPER, Convention, Measure
from tiltmeter.metrics.chiu2021 import (
    OverallF1,
    PublishedNumber,
    Statistic,
    rounded_accuracy,
    rounded_f1,
    rounded_precision,
    rounded_recall,
)
from tiltmeter.metrics.default_inference import infer_nothing

CHIU = "chiu2021"
TWO = ("truth_positive", "said_positive")
_FORMULAS = {
    "accuracy": rounded_accuracy,
    "precision": rounded_precision,
    "recall": rounded_recall,
    "f1": rounded_f1,
}


def _published() -> list[Measure]:
    """What the published code prints: means over repeats, and their deviations as "standard errors"."""
    apart = (("setting", "category"), ("setting", "category", "example_set"))
    measures = []
    for name, formula in _FORMULAS.items():
        for statistic in get_args(Statistic):
            number = PublishedNumber(formula, statistic)
            if name != "f1":
                measures.append(_as_published(name, statistic, number, over=(("setting",), *apart)))
                continue
            measures.append(_as_published(name, statistic, number, over=apart))
            overall = OverallF1(statistic)
            measures.append(_as_published(name, statistic, overall, over=(("setting",),)))
    return measures


def _as_published(
    name: str,
    statistic: Statistic,
    number: PublishedNumber | OverallF1,
    *,
    over: tuple[tuple[str, ...], ...],
) -> Measure:
    title = name.capitalize()
    deviation = statistic == "sd"
    extra = ("category",) if isinstance(number, OverallF1) else ()
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
        conventions=(CHIU,),
        meaning=Meaning(
            f"{title} as published, {'deviation over repeats' if deviation else 'mean over repeats'}",
            role="description",
            counts="replies",
            magnitude=deviation,
        ),
        comparison=None,
    )


PUBLISHED: tuple[Measure, ...] = tuple(_published())


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
