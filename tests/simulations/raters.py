"""How many raters who answer in another way are marked by the check over all their answers, by simulation.

`python -m simulations.raters` prints the counts that docs/agreement.md has; the number of seeds is its
argument.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tiltmeter.analyses.agreement.annotator_scales import EVERY, scale_checks
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.stats.raters.scale_check import ScaleCheck


class Crowd(NamedTuple):
    """Raters of groups on sliders from 0 to 100; the first are reversed, the next careless."""

    raters: int = 80
    reversed_raters: int = 0
    careless: int = 0
    groups: int = 20
    questions: int = 16
    noise: float = 18
    """Standard deviation of one answer about what the rater thinks; that of what raters think is 22."""


class Marks(NamedTuple):
    """How many raters of each kind are marked."""

    reversed_found: int
    unrelated_found: int
    wrong_mark: int
    """Reversed or careless raters with the mark of the other kind, or as shifted."""
    good_marked: int
    """Other raters with any mark."""
    of_questions: int
    """Marks of single questions, of all raters."""


def crowd(seed: int, of: Crowd) -> Judgments:
    """Each rates four groups on all questions, some turned round, some at random."""
    rng = np.random.default_rng(seed)
    truth = np.clip(50 + 22 * rng.normal(size=(of.groups, of.questions)), 2, 98)
    answers = np.full((of.questions, of.groups, of.raters), np.nan)
    for rater in range(of.raters):
        seen = rng.choice(of.groups, 4, replace=False)
        noise = 3 * rng.normal() + of.noise * rng.normal(size=(4, of.questions))
        given = np.clip(truth[seen] + noise, 0, 100)
        if rater < of.reversed_raters:
            given = 100 - given
        elif rater < of.reversed_raters + of.careless:
            given = rng.uniform(0, 100, size=(4, of.questions))
        answers[:, seen, rater] = np.round(given).T
    return Judgments(
        "crowd", "0", tuple(f"p{n}" for n in range(of.raters)), tuple(f"g{n}" for n in range(of.groups)),
        {f"q{n}": table for n, table in enumerate(answers)},
    )  # fmt: skip


def marks(seed: int, of: Crowd) -> Marks:
    """What the check says of a crowd whose raters are known."""
    judgments = crowd(seed, of)
    checks = scale_checks(judgments, dict.fromkeys(judgments.answers, "interval"), 0)
    single = [check for name, each in checks.items() if name != EVERY for check in each]
    every = checks[EVERY]
    turned, random = of.reversed_raters, of.reversed_raters + of.careless
    return Marks(
        sum(check.reversed for check in every[:turned]),
        sum(check.unrelated for check in every[turned:random]),
        sum(check.unrelated or check.shifted for check in every[:turned])
        + sum(check.reversed or check.shifted for check in every[turned:random]),
        _marked(every[random:]),
        _marked(single),
    )


def _marked(checks: Sequence[ScaleCheck]) -> int:
    return sum(check.reversed or check.unrelated or check.shifted for check in checks)


CROWDS = {
    "500 raters, 3 reversed, 50 at random": Crowd(500, 3, 50),
    "the same, with twice the noise": Crowd(500, 3, 50, noise=36),
    "80 raters, 3 reversed, 8 at random": Crowd(80, 3, 8),
    "80 raters alike": Crowd(80),
}

if __name__ == "__main__":
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, of in CROWDS.items():
        sys.stdout.write(f"{name}\n")
        for seed in range(seeds):
            counts = ", ".join(f"{k} {v}" for k, v in marks(seed, of)._asdict().items())
            sys.stdout.write(f"  seed {seed}: {counts}\n")
            sys.stdout.flush()
