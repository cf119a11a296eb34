"""Subspaces in which representations of matched texts differ: SentenceDebias.

Each sentence is there in several versions, one a group: "She is a doctor." and "He is a doctor." What is
left of a version after the mean of its set is taken off is what the group alone makes of it. The
directions in which that varies most are the subspace.

Source: Liang et al. 2020, doi:10.18653/v1/2020.acl-main.488, after Bolukbasi et al. 2016, arXiv:1607.06520.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers

LEAST = 1e-10
"""A direction with a smaller share of the variance than this is rounding."""


@dataclass(frozen=True, slots=True)
class Subspace:
    """Directions, and how much of the variance within sets each explains."""

    basis: Array
    """Orthonormal, shape (k, d); the one that explains most first."""
    explained: Array
    """Share of the variance within sets, shape (k,); from 0 to 1, falling."""
    rank: int
    """How many directions the data have: no more can be asked for."""


def principal(vectors: Array, sets: Integers, k: int) -> Subspace:
    """The k principal directions of what is left after each set's mean.

    Signs are fixed so that the largest number of a direction is positive.

    Args:
        vectors: One a text, shape (n, d).
        sets: Which set each text belongs to, shape (n,).
        k: How many directions, at least 1.

    Raises:
        BadInput: k is below 1, or larger than the rank of the data.
        Undefined: No set has two members that differ, or a number is not finite.

    Sets that differ in the first number only:

    >>> vectors = np.array([[1.0, 0], [-1, 0], [5, 7], [3, 7]])
    >>> subspace = principal(vectors, np.array([0, 0, 1, 1]), 1)
    >>> subspace.basis.tolist(), subspace.explained.tolist()
    ([[1.0, 0.0]], [1.0])
    """
    if k < 1:
        raise BadInput(f"the number of directions is {k}", "give 1 or more")
    if not np.isfinite(vectors).all():
        raise Undefined("some representations contain a value that is not a finite number")
    _, codes = np.unique(sets, return_inverse=True)
    sizes = np.bincount(codes)
    sums = np.zeros((len(sizes), vectors.shape[1]))
    np.add.at(sums, codes, vectors)
    left = vectors - (sums / sizes[:, None])[codes]
    # the d × d matrix of second moments has the same directions, and does not grow with the texts
    values, directions = np.linalg.eigh(left.T @ left)
    values, directions = np.maximum(values[::-1], 0.0), directions[:, ::-1].T
    total = float(values.sum())
    if total <= LEAST * max(1.0, float(np.square(vectors).sum())):
        raise Undefined(
            "all versions of a sentence have the same representation, so there is no direction in which "
            "they differ"
        )
    shares = values / total
    rank = int((shares > LEAST).sum())
    if k > rank:
        raise BadInput(
            f"{k} directions were requested, but the representations differ in only {rank}",
            f"use {rank} or fewer, or more sentences",
        )
    basis = (
        directions[:k]
        * np.sign(directions[np.arange(k), np.abs(directions[:k]).argmax(axis=1)])[:, None]
    )
    return Subspace(basis, shares[:k], rank)
