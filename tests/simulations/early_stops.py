"""Trials of a simulation until it is decided whether a share is too low, and no more."""

from dataclasses import dataclass, replace
from math import log

import numpy as np

from simulations.cases import (
    LEVEL,
    NOMINAL,
    assert_mostly_made,
    contained,
    least_of_patterns,
    of_pattern,
    rejected,
)

MISSED = 0.1
"""How often a share so low that it matters may pass because the trials ended early."""
LOWER = 5
"""In points: so far below the least share of all trials is a share that matters."""


@dataclass(frozen=True)
class Decision:
    """What was decided after so many trials, of which some had a result."""

    enough: bool
    tried: int
    made: int


def shortened(case):
    """The case with a tenth of its trials, or forty; and 2.5 standard errors of their percentage.

    Of 100 trials, coverage of 84 % in place of 95 % is then noticed four times in five. There are a thousand
    cases, so that two standard errors would fail several that are right.
    """
    trials = max(case.trials // 10, min(case.trials, 40))
    return replace(case, trials=trials), 2.5 * (NOMINAL * (100 - NOMINAL) / trials) ** 0.5


def often_enough(outcomes, trials, least, usual=NOMINAL):
    """Whether at least so many percent of the trials are True, where as many as is usual are expected.

    It is decided as soon as too many are False for all trials to have enough True ones, or, by Wald's test of
    two shares, when a share of five points below the least would have shown with a probability of nine in
    ten. Outcomes that are None count in neither. Intervals that are right, which nearly all are, need a third
    of the trials.
    """
    low, high = (least - LOWER) / 100, usual / 100
    weights = {True: log(low / high), False: log((1 - low) / (1 - high))}
    most_false = trials * (1 - least / 100)
    weight = tried = made = false = 0
    for outcome in outcomes:
        tried += 1
        if outcome is None:
            continue
        made += 1
        false += not outcome
        weight += weights[bool(outcome)]
        if false > most_false:
            return Decision(False, tried, made)
        if weight < log(MISSED):
            break
    # With fewer results than trials the allowance shrinks with them.
    return Decision(weight < log(MISSED) or false <= made * (1 - least / 100), tried, made)


def covers(case, least, seed=0):
    """Whether intervals of the case contain the true value often enough, by a shortened simulation."""
    short, slack = shortened(case)
    outcomes = contained(short, np.random.default_rng(seed))
    decided = often_enough(outcomes, short.trials, least - slack, usual=min(least + 2, 99))
    assert_mostly_made(case, decided.made, decided.tried)
    return decided.enough


def patterns_not_covered(case, seed=0):
    """Patterns in which intervals contain the true value too seldom; one may have no interval."""
    short, slack = shortened(case)
    for pattern in case.patterns:
        outcomes = contained(short, of_pattern(pattern, seed), pattern.name)
        decided = often_enough(outcomes, short.trials, least_of_patterns(short) - slack)
        if not decided.enough and decided.made > decided.tried / 10:
            yield pattern.name


def rejects_seldom(case, seed=0):
    """Whether the test rejects no more often than it may."""
    short, slack = shortened(case)
    outcomes = (not rejects for rejects in rejected(short, np.random.default_rng(seed)))
    return often_enough(
        outcomes, short.trials, 100 - case.most - slack, usual=100 * (1 - LEVEL)
    ).enough
