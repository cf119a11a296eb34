"""How each annotator uses the scale: reversed, shifted, or unrelated to the others’ answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.types import Array
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.stats.raters.kappa_and_alpha import Level
from tiltmeter.stats.raters.scale_check import ScaleCheck, marked, scale_check

REVERSED, SHIFTED, UNRELATED = "reversed", "shifted", "unrelated"
"""Verdicts on how an annotator uses a scale."""
EVERY = ""
"""Stands in place of a question for all questions together."""
MATTERS = 0.05
"""Annotators reversed over all their answers are turned round in a question too, where they are at least
this share of its annotators: fewer hardly change the agreement."""
SCALE_R = quantity(
    "scale_r", "Correlation with the mean of the others", "r", decimals=2, least=-1, most=1
)
ALL_R = quantity(
    "answers_r",
    "Correlation with the mean of the others, over all answers",
    "r",
    counts="answers",
    decimals=2,
    least=-1,
    most=1,
)
ALL_SHIFT = quantity(
    "answers_shift",
    "Shift from the others, over all answers, in per cent of the range",
    "shift",
    unit="%",
    least=-100,
    most=100,
)
SLOPE = quantity("scale_slope", "Slope on the mean of the others", "slope")
SHIFT = quantity("scale_shift", "Shift from the others", "shift")
ALPHA_WITHOUT = quantity("alpha_without", "α without this annotator", "α without", decimals=2)
SCALE_QUANTITIES = (SCALE_R, ALL_R, ALL_SHIFT, SLOPE, SHIFT, ALPHA_WITHOUT)


def scale_checks(
    judgments: Judgments, kinds: Mapping[str, Level], seed: int
) -> dict[str, list[ScaleCheck]]:
    """Each annotator's scale by question and, where there are several, of all questions under EVERY.

    Marks are adjusted over annotators and questions. Whether answers are unrelated to the others' is judged
    from all of an annotator's answers only: those to one question are too few.
    """
    ordered = {
        question: answers
        for question, answers in judgments.answers.items()
        if question not in judgments.words or question in judgments.ordered
    }
    names = list(ordered)
    # Each question starts from the same seed: its check does not depend on which others are asked about.
    tables = [
        scale_check(ordered[name], rng=np.random.default_rng(seed), level=kinds[name])
        for name in names
    ]
    by_question = dict(zip(names, marked(tables), strict=True))
    if len(names) < 2:  # noqa: PLR2004
        return by_question
    by_question = {
        name: [replace(check, unrelated=False) for check in checks]
        for name, checks in by_question.items()
    }
    scaled = [_in_range(ordered[name], judgments.declared.get(name, ())) for name in names]
    every = np.concatenate([table for table in scaled if table is not None] or [np.empty((0, 0))])
    if every.size:
        by_question[EVERY] = scale_check(every, rng=np.random.default_rng(seed), level=None)
    return by_question


def _in_range(answers: Array, declared: Sequence[float]) -> Array | None:
    """The answers with the ends of their range as 0 and 1; None where all are equal."""
    low, high = answer_range(answers, declared)
    return (answers - low) / (high - low) if high > low else None


def answer_range(answers: Array, declared: Sequence[float]) -> tuple[float, float]:
    """The ends of the declared scale, or of the answers where no scale is declared."""
    if declared:
        return declared[0], declared[-1]
    if np.isnan(answers).all():
        return 0.0, 0.0
    return float(np.nanmin(answers)), float(np.nanmax(answers))


def estimates_of_scale(check: ScaleCheck, question: str, annotator: str) -> Iterator[Estimate]:
    """How an annotator uses the scale of one question; the correlation carries the verdict."""
    groups = {"question": question, "annotator": annotator}
    yield SCALE_R.at(
        check.r,
        check.r_interval,
        n=check.items,
        groups=groups,
        verdict=_verdict(check),
        why=check.why,
    )
    yield SLOPE.at(check.slope, check.slope_interval, n=check.items, groups=groups)
    yield SHIFT.at(check.shift, check.shift_interval, n=check.items, groups=groups)
    yield ALPHA_WITHOUT.at(check.alpha_without, n=check.items, groups=groups)


def estimates_of_all_answers(check: ScaleCheck, annotator: str) -> Iterator[Estimate]:
    """How an annotator uses the scales of all questions together, each rescaled to run from 0 to 1."""
    groups = {"annotator": annotator}
    yield ALL_R.at(
        check.r,
        check.r_interval,
        n=check.items,
        groups=groups,
        verdict=_verdict(check),
        why=check.why,
    )
    shift = None if check.shift is None else 100 * check.shift
    yield ALL_SHIFT.at(shift, check.shift_interval.times(100), n=check.items, groups=groups)


def _verdict(check: ScaleCheck) -> str:
    verdicts = {REVERSED: check.reversed, UNRELATED: check.unrelated, SHIFTED: check.shifted}
    return next((verdict for verdict, holds in verdicts.items() if holds), "")
