"""Subspaces in which representations of texts differ by group: SentenceDebias and INLP.

For SentenceDebias, each sentence has one version for each group, such as "She is a doctor." and "He is a
doctor." The difference between a version and the mean of all versions of the sentence is the effect of the
group alone. The directions in which these differences vary most span the subspace.

Source: Liang et al. 2020, doi:10.18653/v1/2020.acl-main.488, after Bolukbasi et al. 2016, arXiv:1607.06520.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined, extra
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers

LEAST = 1e-10
"""A direction with a smaller share of the variance than this is a rounding error."""


@dataclass(frozen=True, slots=True)
class Subspace:
    """Directions, and the share of the variance within sets that each explains."""

    basis: Array
    """The directions, orthonormal, shape (k, d); the one that explains most comes first."""
    explained: Array
    """The share of the variance within sets that each direction explains, shape (k,), descending."""
    rank: int
    """The number of directions in which the data differ, and so the largest possible k."""


def principal(vectors: Array, sets: Integers, k: int) -> Subspace:
    """The k principal directions of the differences between vectors and the mean of their set.

    The sign of a direction is such that its component of largest absolute value is positive.

    Args:
        vectors: The vector of each text, shape (n, d).
        sets: The set to which each text belongs, shape (n,).
        k: The number of directions, at least 1.

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


HELD_OUT = 0.3
"""Share of the texts on which classifiers are tested, and from which none learns."""
BY_CHANCE = 0.01
"""A classifier counts as no better than chance up to this accuracy above the share of the largest class."""


@dataclass(frozen=True, slots=True)
class Nullspace:
    """The directions that were removed, and how well classes could be told apart before and after."""

    basis: Array
    """The directions that were removed, orthonormal, shape (k, d)."""
    accuracy: Array
    """Accuracy on held-out texts before anything was removed and after each round, shape (rounds + 1,)."""
    chance: float
    """Share of the most frequent class among the held-out texts."""


def nullspace(
    vectors: Array, labels: Integers, *, rounds: int, rng: np.random.Generator
) -> Nullspace:
    """Iterative nullspace projection: train a linear classifier, remove its directions, and repeat.

    This ends when a classifier is no better than chance, or finds no new direction.

    Args:
        vectors: The vector of each text, shape (n, d).
        labels: The class of each text, shape (n,), from two classes or more.
        rounds: The greatest number of rounds.
        rng: Divides the texts into learned from and held out.

    Raises:
        BadInput: There are fewer than one round, or fewer than ten texts of some class.
        Undefined: There is only one class, a number is not finite, or even the first classifier is no
            better than chance.
        MissingExtra: scikit-learn is not installed.
    """
    _check(vectors, labels, rounds)
    with extra("Iterative nullspace projection", "mitigate"):
        from sklearn.svm import LinearSVC
    kept, tried = _split(labels, rng)
    chance = float(np.unique(labels[tried], return_counts=True)[1].max() / len(tried))
    basis, accuracy = np.empty((0, vectors.shape[1])), []
    for turn in range(rounds + 1):
        left = vectors - (vectors @ basis.T) @ basis
        machine = LinearSVC(fit_intercept=False, dual=False, random_state=0)
        machine.fit(left[kept], labels[kept])
        accuracy.append(float(machine.score(left[tried], labels[tried])))
        # The classifier after the last round is only there to measure what that round has left.
        if turn == rounds or accuracy[-1] <= chance + BY_CHANCE:
            break
        grown = _orthonormal(np.concatenate([basis, machine.coef_]))
        # It found nothing new, or its directions are all there are and would leave nothing of the vectors.
        if len(grown) == len(basis) or len(grown) >= vectors.shape[1]:
            break
        basis = grown
    if not len(basis):
        raise Undefined(
            "a linear classifier cannot tell these groups by their representations better than chance, so "
            "there is nothing to take out"
        )
    return Nullspace(basis, np.array(accuracy), chance)


def _split(labels: Integers, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """The positions of the texts to learn from and to test on, with the same share of each class."""
    kept, tried = [], []
    for label in np.unique(labels):
        mine = rng.permutation(np.flatnonzero(labels == label))
        cut = max(1, round(HELD_OUT * len(mine)))
        tried.append(mine[:cut])
        kept.append(mine[cut:])
    return np.concatenate(kept), np.concatenate(tried)


def _orthonormal(rows: Array) -> Array:
    """An orthonormal basis of the space that the rows span, without directions that are rounding errors."""
    _, sizes, directions = np.linalg.svd(rows, full_matrices=False)
    return np.asarray(directions[sizes > 1e-6 * sizes[0]], dtype=np.float64)


def _check(vectors: Array, labels: Integers, rounds: int) -> None:
    if rounds < 1:
        raise BadInput(f"the number of rounds is {rounds}", "give 1 or more")
    if not np.isfinite(vectors).all():
        raise Undefined("some representations contain a value that is not a finite number")
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) < 2:  # noqa: PLR2004
        raise Undefined("all texts belong to one class, so there is nothing to distinguish")
    if counts.min() < 10:  # noqa: PLR2004
        raise BadInput(
            f"a class has only {counted(int(counts.min()), 'texts')}, too few for training and validation",
            "give a larger corpus, or words that occur in it",
        )
