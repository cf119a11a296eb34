"""Jackknife standard errors, from leaving out one part of the data at a time."""

import numpy as np

from tiltmeter.core.types import Array


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
