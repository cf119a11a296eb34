"""How each annotator uses the scale of each question: reversed or shifted."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.types import Array
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.raters.kappa_and_alpha import Level
from tiltmeter.stats.raters.scale_check import ScaleCheck, marked, scale_check

REVERSED, SHIFTED = "reversed", "shifted"
"""Verdicts on how an annotator uses a scale."""
MATTERS = 0.05
"""Annotators reversed over all their answers are turned round in a question too, where they are at least
this share of its annotators: fewer hardly change the agreement."""
MANY_ANNOTATORS = 30
"""With more annotators than this, α without each of them is not computed: a single one hardly changes it."""
FEWEST_SINGLE = 10
"""So many items of a question an annotator must have answered for a check of this question alone, where there
are several questions and many annotators: fewer show nothing after adjustment."""
SCALE_R = quantity(
    "scale_r", "Correlation with the mean of the others", "r", decimals=2, least=-1, most=1
)
SLOPE = quantity("scale_slope", "Slope on the mean of the others", "slope")
SHIFT = quantity("scale_shift", "Shift from the others", "shift")
ALPHA_WITHOUT = quantity("alpha_without", "α without this annotator", "α without", decimals=2)
SCALE_QUANTITIES = (SCALE_R, SLOPE, SHIFT, ALPHA_WITHOUT)


def scale_checks(
    judgments: Judgments, kinds: Mapping[str, Level], seed: int
) -> dict[str, list[ScaleCheck]]:
    """Each annotator's scale by question; marks are adjusted over annotators and questions."""
    ordered = {
        question: answers
        for question, answers in judgments.answers.items()
        if question not in judgments.words or question in judgments.ordered
    }
    names = list(ordered)
    # Each question starts from the same seed: its check does not depend on which others are asked about.
    tables = [
        _checks(ordered[name], kinds[name], seed, several=len(judgments.answers) > 1)
        for name in names
    ]
    return dict(zip(names, marked(tables), strict=True))


def _checks(answers: Array, level: Level, seed: int, *, several: bool) -> list[ScaleCheck]:
    """The checks of one question, of annotators for whom it can show something."""
    are_many = answers.shape[1] > MANY_ANNOTATORS
    if not are_many:
        return scale_check(answers, rng=np.random.default_rng(seed), level=level)
    fewest = FEWEST_SINGLE if several else 1
    wanted = np.flatnonzero((~np.isnan(answers)).sum(axis=0) >= fewest)
    return scale_check(answers, rng=np.random.default_rng(seed), level=None, of=wanted.tolist())


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
    if check.alpha is not None:
        yield ALPHA_WITHOUT.at(check.alpha_without, n=check.items, groups=groups)


def _verdict(check: ScaleCheck) -> str:
    verdicts = {REVERSED: check.reversed, SHIFTED: check.shifted}
    return next((verdict for verdict, holds in verdicts.items() if holds), "")
