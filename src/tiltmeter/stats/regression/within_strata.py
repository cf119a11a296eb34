"""How values differ with a predictor that was drawn at random, within strata and over people."""

from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.resampling.jackknife import jackknife_error

FEWEST = 10
"""People without whom nothing is said: with fewer, a jackknife over people is too rough."""
POWER = 0.8
JACKKNIFE = "Student’s t, jackknife over people"
LEAST = 1e-9
"""An error below this share of the values is rounding."""


class WithinSlope(NamedTuple):
    """A slope within strata, with its uncertainty over people."""

    slope: float
    inference: Inference
    people: int
    """The number of people in strata where the predictor varies."""


def within_slope(y: Array, x: Array, strata: Integers, people: Integers) -> WithinSlope:
    """The slope of y over x within strata, with an interval over people.

    Strata have means of their own, such as each question about each item. Each person is left out in turn,
    and the interval is by Student's t with one degree of freedom fewer than people who have values in a
    stratum in which x varies.

    Args:
        y: Values, shape (n,).
        x: The predictor: 0 and 1 for two halves, or a place.
        strata: The number of each value's stratum.
        people: The number of who gave it.

    Raises:
        Undefined: x does not vary within any stratum, too few people have such values, or no value varies.

    >>> y, x = np.tile([1.0, 3.0, 5.0, 7.0], 6), np.tile([0.0, 0.0, 1.0, 1.0], 6)
    >>> round(within_slope(y, x, np.zeros(24, int), np.arange(24)).slope, 6)
    4.0
    """
    from scipy.special import stdtr, stdtrit

    by_stratum = _sums(y, x, strata)
    varies = _parts(by_stratum)[1] > LEAST
    kept = varies[strata]
    if not kept.any():
        raise Undefined("it was the same for everybody who answered")
    y, x, strata, people = y[kept], x[kept], strata[kept], people[kept]
    by_stratum = _sums(y, x, strata)
    tops, bottoms = _parts(by_stratum)
    top, bottom = float(tops.sum()), float(bottoms.sum())
    cells, cell = np.unique(np.stack([people, strata]), axis=1, return_inverse=True)
    without = by_stratum[:, cells[1]] - _sums(y, x, cell.reshape(-1).astype(np.int64))
    top_change, bottom_change = (
        part - whole[cells[1]] for part, whole in zip(_parts(without), (tops, bottoms), strict=True)
    )
    _, person = np.unique(cells[0], return_inverse=True)
    count = int(person.max()) + 1
    if count < FEWEST:
        reason = f"answers of at least {FEWEST} people are needed, and there are {count}"
        raise Undefined(f"too few to say: {reason}")
    left_top = top + np.bincount(person, top_change)
    left_bottom = bottom + np.bincount(person, bottom_change)
    if (left_bottom <= LEAST * bottom).any():
        raise Undefined("too few to say: it varies only with a single person’s answers")
    slope = top / bottom
    error = jackknife_error(left_top / left_bottom)
    if error <= LEAST * max(1.0, float(np.abs(y).max())):
        raise Undefined("all answers are equal")
    freedom = count - 1
    half = float(stdtrit(freedom, 0.975)) * error
    inference = Inference(
        slope - half, slope + half, float(2 * stdtr(freedom, -abs(slope) / error)), JACKKNIFE,
        f"{JACKKNIFE}, of no difference", mde=half + float(stdtrit(freedom, POWER)) * error,
    )  # fmt: skip
    return WithinSlope(slope, inference, count)


def mean_excess(hits: Array, chances: Array, people: Integers) -> WithinSlope:
    """How much oftener something happened than by chance, as a share, with an interval over people.

    It is made as in `within_slope`, with an error that is at least that of independent values by chance: few
    hits would otherwise seem certain.

    Args:
        hits: 1 where it happened and 0 elsewhere, shape (n,).
        chances: The probability of each by chance.
        people: The number of the person of each.

    Raises:
        Undefined: Too few people have values.

    >>> round(mean_excess(np.tile([1.0, 0.0], 10), np.full(20, 0.25), np.arange(20)).slope, 6)
    0.25
    """
    from scipy.special import stdtr, stdtrit

    _, person = np.unique(people, return_inverse=True)
    y = hits - chances
    sums, counts = np.bincount(person, y), np.bincount(person)
    if len(sums) < FEWEST:
        needed = f"answers of at least {counted(FEWEST, 'people')} are needed"
        raise Undefined(f"too few to say: {needed}, and there are {len(sums)}")
    mean = float(y.mean())
    error = jackknife_error((sums.sum() - sums) / (counts.sum() - counts))
    error = max(error, float(np.sqrt(np.sum(chances * (1 - chances)))) / len(y))
    freedom = len(sums) - 1
    half = float(stdtrit(freedom, 0.975)) * error
    inference = Inference(
        mean - half, mean + half, float(2 * stdtr(freedom, -abs(mean) / error)), JACKKNIFE,
        f"{JACKKNIFE}, of no difference", mde=half + float(stdtrit(freedom, POWER)) * error,
    )  # fmt: skip
    return WithinSlope(mean, inference, len(sums))


def _sums(y: Array, x: Array, groups: Integers) -> Array:
    """By group: how many values, and the sums of x, y, x² and xy; shape (5, groups)."""
    return np.stack(
        [np.bincount(groups, weights) for weights in (np.ones(len(y)), x, y, x * x, x * y)]
    )


def _parts(sums: Array) -> tuple[Array, Array]:
    """By group: the sums of products of x and y, and of squares of x, around their means."""
    n, of_x, of_y, squares, products = sums
    n = np.maximum(n, 1)
    return products - of_x * of_y / n, squares - of_x * of_x / n
