"""How often intervals and tests of the effect less placebo hold, by simulation.

Texts have a score of their own and edits of both kinds, which move it by random amounts; every edit and every
text before the edit has several replies with noise. In `ALARMS` group edits move scores as placebo edits do;
in `POWER` they have twice the mean square.
"""

import sys
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from scipy.special import expit

from simulations.cases import Case, NullCase
from tiltmeter.stats.confidence_intervals.intervals import mean_interval
from tiltmeter.stats.hypothesis_tests.edit_changes import Edits
from tiltmeter.stats.hypothesis_tests.excess_over_placebo import (
    excess_over_placebo,
    flipped,
    t_interval,
)

ALARMS, POWER = 0.0, 1.0
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
CLUSTERS = (6, 10, 20, 50)


def drawn(design, k, effect, rng):
    """The effect less placebo of k clusters."""
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
        if design.yes_no:
            scores = (rng.random(shape) < expit(1.5 * levels[..., None])) * 1.0
        text, edit, _ = np.indices(shape)
        columns.append((scores.ravel(), text.ravel(), 100 * kind + edit.ravel()))
    scores, text, edit = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return excess_over_placebo(
        Edits(
            np.where(edit < 100, scores, np.nan), np.where(edit < 100, np.nan, scores), edit, edit >= 200,
            text // design.texts, text, design.yes_no,
        )
    )  # fmt: skip


@cache
def large(design, effect):
    """Many clusters."""
    return drawn(design, LARGE, effect, np.random.default_rng(7))


def true(design, effect, number):
    """The value of many clusters."""
    made = large(design, effect)
    return 100 * made.placebo / made.raw if number == "share" else getattr(made, number)


def interval(design, k, number, rng, *, effect=POWER):
    made = drawn(design, k, effect, rng)
    if number == "excess":
        bounded = partial(mean_interval, clusters=np.arange(k), within=(-1, 1))
        low, high = (bounded if design.yes_no else t_interval)(made.differences)
    else:
        low, high = made.wins_interval() if number == "wins" else made.share_interval()
    return low, high, true(design, effect, number)


def compared(design, k, rng):
    """Two models, of which one has no effect."""
    a, b = drawn(design, k, POWER, rng), drawn(design, k, ALARMS, rng)
    return *t_interval(a.less(b)), true(design, POWER, "excess") - true(design, ALARMS, "excess")


def p_of(design, k, number, rng, *, effect=ALARMS):
    made = drawn(design, k, effect, rng)
    if number == "excess":
        return flipped(made.differences, rng)
    return made.wins_p(rng) if number == "wins" else made.magnitude_p(rng)


def least(design, k):
    """The lowest coverage: below that of others where clusters of texts have sizes of their own."""
    return 88.5 if design.texts > 1 and k < 20 else 92


KINDS = {"excess": "Student’s t over clusters", "wins": "score interval over clusters",
         "share": "Fieller’s interval over clusters"}  # fmt: skip
NAMES = {"excess": "effect less placebo", "wins": "wins over placebo", "share": "share of placebo",
         "magnitude": "effect less placebo, without noise"}  # fmt: skip
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
        Case(KINDS["excess"], "effect less placebo of two models", f"{k} clusters, {design.called}",
             partial(compared, design, k), 92, 100)
        for design in DESIGNS[:3]
        for k in (10, 50)
    ),
)  # fmt: skip
CONTROL_NULL_CASES = tuple(
    NullCase(FLIPS, NAMES[number], f"{k} clusters, {design.called}", partial(p_of, design, k, number), 7.5)
    for number, sizes in (("excess", CLUSTERS), ("wins", (10, 50)), ("magnitude", (10, 50)))
    for design in DESIGNS
    if number != "magnitude" or max(design.replies) > 1
    for k in sizes
)  # fmt: skip


def power(design, k, trials=1000):
    """In how many of 100 samples the effect less placebo, and wins, differ from those of placebo edits."""
    rng = np.random.default_rng([k, 3])
    found = [
        (flipped(made.differences, rng) < 0.05, made.wins_p(rng) < 0.05)
        for made in (drawn(design, k, POWER, rng) for _ in range(trials))
    ]
    return 100 * np.mean(found, axis=0)


if __name__ == "__main__":
    for design in DESIGNS:
        row = " | ".join(" / ".join(f"{p:.0f}" for p in power(design, k)) for k in CLUSTERS[1:])
        sys.stdout.write(f"| {design.called} | {row} |\n")
        sys.stdout.flush()
