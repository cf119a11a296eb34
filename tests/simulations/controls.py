"""How often intervals and tests of the effect minus placebo hold, by simulation.

Texts have a score of their own and edits of both kinds, which move it by random amounts; every edit and every
text before the edit has several replies with noise. In `ALARMS` group edits move scores as placebo edits do;
in `POWER` they have twice the mean square and in `STRONG` sixteen times.
"""

import sys
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from scipy.special import expit

from simulations.cases import Case, NullCase
from tiltmeter.core.measures import BASE_ARM, GROUP_ARM
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics.less_placebo import EditEffect, by_arm

ALARMS, POWER, STRONG = 0.0, 1.0, 15.0
LARGE = 10_000
"""Clusters from which a true value is computed."""


@dataclass(frozen=True)
class Design:
    """How many edits and replies there are, and how texts and replies vary."""

    called: str
    edits: tuple = (2, 2)
    """Group edits and placebo edits of a text."""
    replies: tuple = (2, 2, 2)
    """To a text before the edit, to a group edit, to a placebo edit."""
    sizes: object = lambda _, k: np.ones(k)
    """From a random generator and a number of clusters to how far edits move scores, shape (k,)."""
    noise: float = 1.0
    texts: int = 1
    """Texts of a cluster."""
    yes_no: bool = False
    probabilities: bool = False


def _lognormal(rng, k):
    return np.exp(0.8 * rng.normal(size=k))


def _few(rng, k):
    return np.where(rng.random(k) < 0.08, 4.0, 0.3)


DESIGNS = (
    Design("2 and 2 edits, normal"),
    Design("3 and 2 edits, log-normal, 4 and 2 replies", (3, 2), (2, 4, 2), _lognormal),
    Design("3 and 2 edits, 8 % of texts change much, 4 and 2 replies", (3, 2), (2, 4, 2), _few),
    Design("3 and 1 edits, much noise, 6 and 2 replies", (3, 1), (3, 6, 2), noise=3.0),
    Design("3 and 1 edits, no noise, 1 reply", (3, 1), (1, 1, 1), noise=0.0),
    Design("2 and 2 edits, no change but noise, 4 and 2 replies", (2, 2), (2, 4, 2),
           lambda _, k: np.zeros(k)),
    Design("3 and 2 edits, log-normal, 4 texts a cluster", (3, 2), (2, 4, 2), _lognormal, texts=4),
    Design("3 and 2 edits, yes or no, 6 and 3 replies", (3, 2), (3, 6, 3), yes_no=True),
)  # fmt: skip
BOUNDED = (
    Design(
        "3 and 2 edits of probabilities, normal, 4 and 2 replies",
        (3, 2),
        (2, 4, 2),
        probabilities=True,
    ),
    Design(
        "3 and 2 edits of probabilities, 8 % of texts change much, 1 reply",
        (3, 2),
        (1, 1, 1),
        _few,
        noise=0.2,
        probabilities=True,
    ),
    Design(
        "3 and 1 edits of probabilities, hardly any change, 1 reply",
        (3, 1),
        (1, 1, 1),
        lambda _, k: np.full(k, 0.05),
        noise=0.0,
        probabilities=True,
    ),
    Design(
        "3 and 2 edits of probabilities, log-normal, 4 texts a cluster",
        (3, 2),
        (2, 4, 2),
        _lognormal,
        texts=4,
        probabilities=True,
    ),
    DESIGNS[-1],
)
"""Of scores that have a largest change."""
CLUSTERS = (6, 10, 20, 50)


ARMS = np.array([BASE_ARM, GROUP_ARM, "placebo"])


def drawn(design, k, effect, rng):
    """The columns of `EditEffect` of k clusters."""
    n = k * design.texts
    size = np.repeat(design.sizes(rng, k), design.texts)[:, None]
    base = 2 * rng.normal(size=(n, 1))
    moves = [rng.normal(size=(n, edits)) for edits in design.edits]
    moves[0] *= (1 + effect) ** 0.5
    before, *after = (base + size * move for move in (np.zeros((n, 1)), *moves))
    columns = []
    for kind, (levels, replies) in enumerate(zip((before, *after), design.replies, strict=True)):
        shape = (*levels.shape, replies)
        scores = levels[..., None] + design.noise * rng.normal(size=shape)
        if design.probabilities:
            scores = expit(scores)
        if design.yes_no:
            scores = (rng.random(shape) < expit(1.5 * levels[..., None])) * 1.0
        text, edit, _ = np.indices(shape)
        columns.append(
            (
                scores.ravel(),
                np.repeat(ARMS[kind], text.size),
                text.ravel(),
                100 * kind + edit.ravel(),
            )
        )
    scores, arm, text, edit = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return scores, arm, text, edit, text // design.texts


def effect_of(design, number="excess"):
    bounded = design.yes_no or design.probabilities
    return EditEffect(number, by_arm, most=1.0 if bounded else np.inf, yes_no=design.yes_no)


def inferred(design, k, number, effect, rng, rng_of_test):
    metric, columns = effect_of(design, number), drawn(design, k, effect, rng)
    return metric.infer(Sample(metric, columns, columns[-1], rng_of_test))


@cache
def large(design, effect):
    """Many clusters."""
    columns = drawn(design, LARGE, effect, np.random.default_rng(7))
    return effect_of(design).compared(columns)


def true(design, effect, number):
    """The value of many clusters."""
    return getattr(large(design, effect), number)


def interval(design, k, number, rng, *, effect=POWER):
    sure = inferred(design, k, number, effect, rng, np.random.default_rng(0))
    return sure.low, sure.high, true(design, effect, number)


def compared(design, k, rng):
    """Two models, of which one has no effect."""
    metric = effect_of(design)
    a, b = drawn(design, k, POWER, rng), drawn(design, k, ALARMS, rng)
    sure = metric.compare(PairedSample(metric, a, b, a[-1], np.random.default_rng(0)))[1]
    apart = true(design, POWER, "excess") - true(design, ALARMS, "excess")
    return sure.low, sure.high, apart


def p_of(design, k, number, rng, *, effect=ALARMS):
    return inferred(design, k, number, effect, rng, rng).p


def least(design, k):
    """The lowest coverage: below that of others where clusters of texts have sizes of their own."""
    return 88.5 if design.texts > 1 and k < 20 else 92


KINDS = {"excess": "Student’s t over clusters", "wins": "score interval over clusters",
         "share": "Fieller’s interval over clusters", "raw": "Gaffke over clusters",
         "placebo": "Gaffke over clusters"}  # fmt: skip
NAMES = {"excess": "effect minus placebo", "wins": "wins over placebo", "share": "share of placebo",
         "raw": "effect of group edits", "placebo": "effect of placebo edits",
         "magnitude": "effect minus placebo, without noise"}  # fmt: skip
FLIPS = "sign-flip of clusters"
CONTROL_CASES = (
    *(
        Case("score interval over clusters" if design.yes_no and number == "excess" else KINDS[number],
             NAMES[number], f"{k} clusters, {design.called}", partial(interval, design, k, number),
             least(design, k), 100)
        for number, sizes in (("excess", CLUSTERS), ("wins", (6, 20)), ("share", (10, 50)))
        for design in DESIGNS
        for k in sizes
    ),
    *(
        Case(KINDS[number], NAMES[number], f"{k} clusters, {design.called}",
             partial(interval, design, k, number), 92, 100, 100)
        for number in ("raw", "placebo")
        for design in BOUNDED
        for k in (6, 20)
    ),
    *(
        Case(KINDS["excess"], "effect minus placebo, sixteen times the mean square",
             f"{k} clusters, {design.called}", partial(interval, design, k, "excess", effect=STRONG),
             least, 100, 100)
        for design, k, least in ((DESIGNS[1], 10, 80), (DESIGNS[1], 50, 85), (DESIGNS[2], 10, 45),
                                 (DESIGNS[2], 50, 85))
    ),
    *(
        Case(KINDS["excess"], "effect minus placebo of two models", f"{k} clusters, {design.called}",
             partial(compared, design, k), 92, 100)
        for design in DESIGNS[:3]
        for k in (10, 50)
    ),
)  # fmt: skip
CONTROL_NULL_CASES = tuple(
    NullCase(FLIPS, NAMES[number], f"{k} clusters, {design.called}", partial(p_of, design, k, number), 7.5,
             500)
    for number, sizes in (("excess", CLUSTERS), ("wins", (10, 50)), ("magnitude", (10, 50)))
    for design in DESIGNS
    if number != "magnitude" or max(design.replies) > 1
    for k in sizes
)  # fmt: skip


def power(design, k, trials=1000):
    """In how many of 100 samples the effect minus placebo, and wins, differ from those of placebo edits."""
    rng = np.random.default_rng([k, 3])
    found = [
        [p_of(design, k, number, rng, effect=POWER) < 0.05 for number in ("excess", "wins")]
        for _ in range(trials)
    ]
    return 100 * np.mean(found, axis=0)


if __name__ == "__main__":
    for design in DESIGNS:
        row = " | ".join(" / ".join(f"{p:.0f}" for p in power(design, k)) for k in CLUSTERS[1:])
        sys.stdout.write(f"| {design.called} | {row} |\n")
        sys.stdout.flush()
