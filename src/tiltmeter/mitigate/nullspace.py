"""Directions by which a linear classifier tells groups apart, found and taken out again and again: INLP.

Source: Ravfogel et al. 2020, Null It Out, doi:10.18653/v1/2020.acl-main.647.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput, MissingExtra, Undefined
from tiltmeter.core.types import Array, Integers

HELD_OUT = 0.3
"""Share of the texts on which a classifier is tried, and from which none learns."""
BY_CHANCE = 0.01
"""A classifier that is no further above the most frequent class than this tells nothing any more."""


@dataclass(frozen=True, slots=True)
class Nullspace:
    """What was taken out, and how well groups could be told before each round and after the last."""

    basis: Array
    """The directions that were found, orthonormal, shape (k, d)."""
    accuracy: Array
    """On held-out texts, shape (rounds + 1,): before anything was taken out, and after each round."""
    chance: float
    """Share of the most frequent class among the held-out texts."""


def nullspace(
    vectors: Array, labels: Integers, *, rounds: int, rng: np.random.Generator
) -> Nullspace:
    """Train a linear classifier, take its directions out, and so on, until it tells nothing.

    Args:
        vectors: One a text, shape (n, d).
        labels: The class of each text, shape (n,); two classes or more.
        rounds: At most so many.
        rng: Splits the texts.

    Raises:
        BadInput: Fewer than one round, or than ten texts of some class.
        Undefined: There is one class, or a number is not finite.
        MissingExtra: scikit-learn is not installed.
    """
    _check(vectors, labels, rounds)
    try:
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingExtra("Iterative nullspace projection", "mitigate") from error
    kept, tried = _split(labels, rng)
    chance = float(np.unique(labels[tried], return_counts=True)[1].max() / len(tried))
    basis, accuracy = np.empty((0, vectors.shape[1])), []
    for turn in range(rounds + 1):
        left = vectors - (vectors @ basis.T) @ basis
        machine = LinearSVC(fit_intercept=False, dual=False, random_state=0)
        machine.fit(left[kept], labels[kept])
        accuracy.append(float(machine.score(left[tried], labels[tried])))
        if turn == rounds or accuracy[-1] <= chance + BY_CHANCE:
            break
        grown = _orthonormal(np.concatenate([basis, machine.coef_]))
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
    """Places of the texts to learn from and to try on, with the same share of each class."""
    kept, tried = [], []
    for label in np.unique(labels):
        mine = rng.permutation(np.flatnonzero(labels == label))
        cut = max(1, round(HELD_OUT * len(mine)))
        tried.append(mine[:cut])
        kept.append(mine[cut:])
    return np.concatenate(kept), np.concatenate(tried)


def _orthonormal(rows: Array) -> Array:
    """Directions that span the same, by falling size; what is rounding is left out."""
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
            f"a class has only {counts.min()} texts, too few for training and validation",
            "give a larger corpus, or words that occur in it",
        )
