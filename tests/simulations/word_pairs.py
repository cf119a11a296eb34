"""How often intervals of two words for two groups, less two words for one group, contain the true value.

A word moves the score of a frame by an amount of its own, as does its group. Words are the same in all
frames and some of what they move is common to all of these: the true value is that of these words.
"""

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from scipy.special import expit

from simulations.cases import Case, NullCase
from simulations.controls import KINDS, LARGE
from tiltmeter.core.measures import GROUP_ARM
from tiltmeter.core.samples import Sample
from tiltmeter.study_families.word_pairs import PairedWords

GROUPS = np.array([0, 0, 0, 1, 1, 2])
"""The group of each word."""
WORDS = len(GROUPS)


@dataclass(frozen=True)
class Design:
    """How far groups and words move scores."""

    called: str
    group: float = 1.0
    word: float = 1.0
    """Standard deviation between words in one frame."""
    common: float = 0.5
    """The same of what is common to all frames."""
    sizes: object = lambda _, k: np.ones(k)
    """From a random generator and a number of frames to how far scores move, shape (k,)."""
    yes_no: bool = False


DESIGNS = (
    Design("normal"),
    Design("log-normal", sizes=lambda rng, k: np.exp(0.8 * rng.normal(size=k))),
    Design("8 % of frames move much", sizes=lambda rng, k: np.where(rng.random(k) < 0.08, 4.0, 0.3)),
    Design("groups do not matter", group=0.0, common=0.0),
    Design("yes or no", yes_no=True),
)  # fmt: skip


def columns(design, k, rng):
    """Scores, groups and words of k frames; then the arm, the frame, the item and the cluster."""
    common = design.common * np.random.default_rng(5).normal(size=WORDS)
    size = design.sizes(rng, k)[:, None]
    of_word = design.word * rng.normal(size=(k, WORDS)) + common
    scores = size * (design.group * rng.normal(size=(k, 3))[:, GROUPS] + of_word)
    if design.yes_no:
        scores = (rng.random(scores.shape) < expit(2 * scores)) * 1.0
    frame, word = (part.ravel() for part in np.indices(scores.shape))
    labels = GROUPS[word].astype(str), word.astype(str), np.full(len(word), GROUP_ARM)
    return [scores.ravel(), *labels, frame.astype(str), np.arange(len(word)), frame]


def effect(design, number):
    words = PairedWords("score", (), "", called="", moves="", yes_no=design.yes_no)
    return replace(words.effect, number=number)


@cache
def true(design, number):
    return effect(design, number)(*columns(design, LARGE, np.random.default_rng(7)))


def inferred(design, k, number, rng, rng_of_test):
    made, metric = columns(design, k, rng), effect(design, number)
    return metric.infer(Sample(metric, made, made[-1], rng_of_test))


def trial(design, k, number, rng):
    sure = inferred(design, k, number, rng, np.random.default_rng(0))
    return sure.low, sure.high, true(design, number)


def p_of(design, k, rng):
    return inferred(design, k, "excess", rng, rng).p


NAMES = {
    "excess": "effect less same group",
    "wins": "wins over same group",
    "share": "share of same group",
}


def least(design, number):
    """The lowest coverage: a mean that few frames make up is missed where these are not in the sample."""
    if number != "excess":
        return 92
    return {"8 % of frames move much": 65, "log-normal": 88}.get(design.called, 92)


NUMBERS = (
    *(("excess", design, 10) for design in DESIGNS),
    *(("excess", design, 50) for design in DESIGNS[1:3]),
    *(("wins", design, 10) for design in (DESIGNS[0], DESIGNS[-1])),
    ("share", DESIGNS[0], 50),
)
CASES = tuple(
    Case(KINDS["wins" if design.yes_no and number == "excess" else number], NAMES[number],
         f"{k} frames of 6 words, {design.called}", partial(trial, design, k, number),
         least(design, number), 100, 200)
    for number, design, k in NUMBERS
)  # fmt: skip
NULL_CASES = tuple(
    NullCase("sign-flip of clusters", NAMES["excess"], f"{k} frames of 6 words, {design.called}",
             partial(p_of, design, k), 7.5, 400)
    for design in DESIGNS
    if not design.group
    for k in (10, 50)
)  # fmt: skip
