"""Jackknife standard errors, from leaving out one part of the data at a time."""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels


def jackknife_error(without: Array) -> float:
    """The jackknife standard error of a value: √((k − 1) / k · Σ (each − their mean)²).

    Source: Tukey 1958, Bias and confidence in not-quite large samples.

    Args:
        without: The value computed without each of the k parts, shape (k,).

    >>> jackknife_error(np.array([2.5, 2.0, 1.5]))  # of the mean of 1, 2 and 3: 1 / √3
    0.577...
    """
    k = len(without)
    return float(np.sqrt((k - 1) / k * np.square(without - without.mean()).sum()))


def half_width_over_samples(without: Array, samples: Labels) -> float:
    """Half of a 95 % interval of a value that rests on several samples, each drawn by itself: √Σ (t error)².

    Each sample adds the jackknife error over its members, times Student's t with one degree of freedom fewer
    than members. It errs on the wide side, all the more the fewer members the smallest sample has.

    Args:
        without: The value computed without each member of any sample, shape (k,).
        samples: The sample of each member.

    Raises:
        Undefined: A sample has one member, or the value is unknown without one of them.

    >>> round(half_width_over_samples(np.array([2.5, 2.0, 1.5]), np.array(["a", "a", "a"])), 3)
    2.484
    """
    from scipy.special import stdtrit

    names, counts = np.unique(samples, return_counts=True)
    for name, count in zip(names, counts, strict=True):
        if count < 2:  # noqa: PLR2004
            raise Undefined(f"{name} has {count}, and it takes 2")
    if not np.isfinite(without).all():
        raise Undefined("all of them have the same one in common")
    square = 0.0
    for name in names:
        members = without[samples == name]
        square += float(stdtrit(len(members) - 1, 0.975) * jackknife_error(members)) ** 2
    return float(square**0.5)
