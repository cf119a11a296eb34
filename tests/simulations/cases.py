"""What is simulated for docs/explanation/coverage: coverage of intervals, and how often tests reject."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined

NOMINAL = 95
LEVEL = 0.05
LEAST = 93
"""In percent: so often intervals contain the true value, whatever the pattern it is drawn from."""


@dataclass(frozen=True)
class Case:
    """One kind of interval on data of one size."""

    kind: str
    of: str
    n: str
    trial: Callable
    """From a random generator to (low, high, true value); low is None where it is refused."""
    least: float
    """The coverage may not be lower, in percent."""
    most: float
    """Nor higher."""
    trials: int = 1000


@dataclass(frozen=True)
class PatternCase:
    """One kind of interval on data of one size, whatever pattern the truth is drawn from."""

    kind: str
    of: str
    n: str
    trial: Callable
    """From the name of a pattern and a random generator to (low, high, true value)."""
    patterns: tuple
    trials: int = 400


@dataclass(frozen=True)
class NullCase:
    """One kind of test on data without a difference."""

    kind: str
    of: str
    n: str
    trial: Callable
    """From a random generator to p."""
    most: float
    """It may not reject more often at the level of 5 %, in percent."""
    trials: int = 1000


def contained(case, rng, *pattern):
    """Of each trial whether its interval contains the true value; None where there is no interval."""
    for _ in range(case.trials):
        try:
            low, high, true = case.trial(*pattern, rng)
        except Undefined:
            yield None
        else:
            yield None if low is None else low <= true <= high


def counted(outcomes):
    """How many trials have an interval, and how many of these contain the true value."""
    made = [inside for inside in outcomes if inside is not None]
    return len(made), sum(made)


def coverage(case, seed=0):
    """The percentage of trials with an interval whose interval contains the true value."""
    made, inside = counted(contained(case, np.random.default_rng(seed)))
    assert_mostly_made(case, made, case.trials)
    return 100 * inside / made


def assert_mostly_made(case, made, tried):
    """Nine trials of ten have an interval, within two standard errors."""
    slack = 2 * (0.9 * 0.1 * tried) ** 0.5
    assert made > 0.9 * tried - slack, f"{case.kind}: only {made} of {tried} have an interval"


def by_pattern(case, seed=0):
    """Of each pattern how many trials have an interval, and how many of these contain the true value."""
    return {
        pattern.name: counted(contained(case, of_pattern(pattern, seed), pattern.name))
        for pattern in case.patterns
    }


def of_pattern(pattern, seed):
    """The random numbers of a pattern, the same whichever others are tried."""
    return np.random.default_rng([seed, *pattern.name.encode()])


def least_of_patterns(case):
    """Two standard errors below, since the lowest of up to nine shares is low by chance alone."""
    return LEAST - 2 * (NOMINAL * (100 - NOMINAL) / case.trials) ** 0.5


def worst_pattern(case, seed=0):
    """The lowest coverage over the patterns, and which has it; a pattern may have no interval."""
    shares = {
        name: 100 * inside / made
        for name, (made, inside) in by_pattern(case, seed).items()
        if made > case.trials / 10
    }
    name = min(shares, key=shares.get)
    return shares[name], name


def rejected(case, rng):
    """Of each trial whether the test rejects; one without a p does not."""
    for _ in range(case.trials):
        try:
            p = case.trial(rng)
        except Undefined:
            yield False
        else:
            yield p is not None and p <= LEVEL


def rejections(case, seed=0):
    """The percentage of trials in which the test rejects."""
    return 100 * sum(rejected(case, np.random.default_rng(seed))) / case.trials


def row(case):
    """A row of a table of docs/explanation/coverage, without the share found."""
    nominal = round(100 * LEVEL) if isinstance(case, NullCase) else NOMINAL
    return f"| {case.kind} | {case.of} | {case.n} | {nominal} |"


def concentrated_row(case):
    """The start of a row of the table with a column for each pattern where few clusters stand out."""
    return f"| {case.kind} | {case.of} | {case.n} | by pattern |"
