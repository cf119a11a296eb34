"""How often intervals of questions with groups, beside control questions, contain the true value."""

from functools import cache, partial

import numpy as np

from simulations.cases import PatternCase
from simulations.patterns import CONCENTRATED, HELD_OUT, LARGE, PATTERNS
from tiltmeter.core.measures import GROUP_ARM
from tiltmeter.core.samples import Sample
from tiltmeter.studies.bbq.control_questions import CONTROL, MEASURES

PATTERN = {pattern.name: pattern for pattern in (*PATTERNS, *CONCENTRATED, *HELD_OUT)}
METRICS = {
    measure.name: measure.metric for measure in MEASURES if measure.where["context"] == "ambiguous"
}
SIZES = {"6 templates of 20": (6, 20), "40 templates of 10": (40, 10)}


def columns(pattern, templates, each, rng):
    """Which option is right, which is answered, the arm and the template; half are control questions.

    These lean half as much, and have a leaning of their own in each template.
    """
    items = PATTERN[pattern].items(rng, templates, each)
    control = np.arange(items.n) % 2 == 1
    own = 0.5 * rng.normal(size=int(items.code.max()) + 1)
    x = np.where(control, 0.5 * items.x + own[items.code], items.x)
    truth = rng.integers(0, 3, size=items.n)
    answers = np.where(rng.random(items.n) < 0.2, truth, np.where(np.abs(x) < 0.5, 2, x < 0))
    answers = np.where(rng.random(items.n) < 0.05, -1, answers)
    arms = np.where(control, CONTROL, GROUP_ARM)
    return [truth * 1.0, answers * 1.0, arms, items.code]


@cache
def true_value(name, pattern, each):
    return METRICS[name](*columns(pattern, LARGE // each, each, np.random.default_rng(17)))


def trial(name, templates, each, pattern, rng):
    made, metric = columns(pattern, templates, each, rng), METRICS[name]
    sure = metric.infer(Sample(metric, made, made[-1], np.random.default_rng(0)))
    return sure.low, sure.high, true_value(name, pattern, each)


CONTROL_QUESTION_CASES = tuple(
    PatternCase(
        "score intervals over templates", name, n, partial(trial, name, *size), PATTERNS, 400
    )
    for name in METRICS
    for n, size in SIZES.items()
)
