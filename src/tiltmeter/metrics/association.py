"""Association tests (WEAT, SEAT, CEAT): are X and Y associated differently with A and B?

X and Y are targets (names of two groups), A and B attributes (pleasant, unpleasant). In SEAT the words
are in template sentences, in CEAT in sentences of a corpus: the same numbers from other vectors.

A target's association s with A or B does not depend on the other targets: everything here starts from
one number per target, s, and the side ("X" or "Y") it is on.

Sources: Caliskan et al. 2017, doi:10.1126/science.aal4230 (WEAT); May et al. 2019,
doi:10.18653/v1/N19-1063 (SEAT).
"""

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.hypothesis_tests.permutation_tests import (
    DRAWS,
    Alternative,
    Permuted,
    partition_test,
)

Deviation: TypeAlias = Literal["sample", "population"]
"""Which standard deviation: divided by n − 1, as in SEAT's published code, or by n."""
LEVEL = 1e-12
"""Cosines that differ by no more than this are equal up to rounding."""


def associations(targets: Array, a: Array, b: Array) -> Array:
    """s(w, A, B) = mean cos(w, A) − mean cos(w, B) of each target w; from −2 to 2, 0 is no leaning.

    With vectors of length 1, the mean cosine with w is the product of w and the mean of the others, so the
    time grows with the number of words, not with the number of pairs of words.

    Args:
        targets: One vector per target, shape (n, d).
        a: One vector per word of A, shape (words of A, d).
        b: One vector per word of B, shape (words of B, d).

    Returns:
        Shape (n,).

    Raises:
        Undefined: A set is empty, or a vector is 0 or not finite and so has no direction.
        BadInput: The vectors have different dimensions.

    >>> targets = np.array([[2.0, 0.0], [3.0, 3.0]])
    >>> associations(targets, np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).tolist()
    [1.0, 0.0]
    """
    w, towards, away = _directions(targets, a, b)
    return np.asarray(w @ (towards.mean(axis=0) - away.mean(axis=0)), dtype=np.float64)


def cosines(targets: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """The cosine of each target with each word of A, shape (n, words of A), and of B.

    Arguments and errors as of `associations`, which needs less time.

    >>> [c.round(2).tolist() for c in cosines(np.array([[3.0, 3.0]]), np.eye(2), np.eye(2)[:1])]
    [[[0.71, 0.71]], [[0.71]]]
    """
    w, towards, away = _directions(targets, a, b)
    return np.asarray(w @ towards.T, np.float64), np.asarray(w @ away.T, np.float64)


def effect_size(s: Array, side: Labels, *, deviation: Deviation = "sample") -> float:
    """Difference of the mean s of X and of Y, in standard deviations of all s; 0 is no difference.

    Above 0, X is closer to A, and Y to B. With n words on either side it lies within
    ±2 √((2n − 1) / 2n), or ±2 with deviation="population". The paper does not say which it uses.

    Args:
        s: Each target's association, shape (n,).
        side: "X" or "Y", shape (n,).
        deviation: "sample" divides by n − 1, "population" by n.

    Raises:
        Undefined: A side has no words, an association is not a finite number, or all are equal.
        BadInput: A side is neither "X" nor "Y".

    >>> effect_size(np.array([1.0, 1, 0, 0]), np.array(["X", "X", "Y", "Y"]))  # √3
    1.732...
    >>> effect_size(np.array([1.0, 1, 0, 0]), np.array(list("XXYY")), deviation="population")
    2.0
    """
    x = first_side(s, side)
    if np.ptp(s) <= LEVEL:
        raise Undefined("all words have the same association, so the standard deviation is 0")
    return float((s[x].mean() - s[~x].mean()) / s.std(ddof=deviation == "sample"))


def permutation_p(
    s: Array, side: Labels, rng: np.random.Generator, *, alternative: Alternative = "two-sided",
    draws: int = DRAWS,
) -> Permuted:  # fmt: skip
    """WEAT's permutation test: the share of equal-sized partitions that differ at least as much.

    Over all partitions if there are few enough, otherwise over a random sample that includes the observed
    one. The published tests are one-sided ("greater"). Partitions that differ exactly as much count, as in
    SEAT's published code; Caliskan et al. count only those that differ more, which would give p = 0 for
    the most extreme partition.

    Args:
        s: Each target's association, shape (n,).
        side: "X" or "Y", as many of either, shape (n,).
        rng: Where the randomness comes from; an exact test draws none.
        alternative: "greater" tests whether X is closer to A than expected by chance.
        draws: The number of partitions drawn where there are too many.

    Raises:
        Undefined: As `effect_size`.
        BadInput: A side is neither "X" nor "Y", or there are not as many of either.

    >>> s, side = np.array([0.4, 0.3, 0.2, 0.1]), np.array(["X", "X", "Y", "Y"])
    >>> permutation_p(s, side, np.random.default_rng(0), alternative="greater").p  # 1 of 6
    0.16...
    """
    x = first_side(s, side)
    if 2 * x.sum() != len(x):
        raise BadInput(
            f"X has {int(x.sum())} words and Y {int((~x).sum())}; the test needs sets of equal size",
            "leave words out, or use the effect size, which does not need equal sets",
        )
    if np.ptp(s) <= LEVEL:
        raise Undefined("all words have the same association, so there is no difference to test")
    return partition_test(s, x, rng, alternative=alternative, draws=draws)


def first_side(s: Array, side: Labels) -> npt.NDArray[np.bool_]:
    """Which targets are in X."""
    x, y = side == "X", side == "Y"
    if s.shape != side.shape or not (x | y).all():
        raise BadInput(
            f"{counted(len(side), 'sides')} for {counted(len(s), 'words')}; each must be X or Y"
        )
    if not x.any() or not y.any():
        raise Undefined(f"there are no words in {'Y' if x.any() else 'X'}")
    bad = int(np.count_nonzero(~np.isfinite(s)))
    if bad:
        raise Undefined(
            f"{bad} of {counted(len(s), 'words')} {verb_for(bad, 'have')} an association that is "
            "not a finite number"
        )
    return np.asarray(x, dtype=np.bool_)


def _directions(targets: Array, a: Array, b: Array) -> tuple[Array, Array, Array]:
    """The vectors of all three scaled to length 1; see `associations`."""
    if not targets.shape[1:] == a.shape[1:] == b.shape[1:]:
        raise BadInput(
            f"vectors of shapes {targets.shape}, {a.shape} and {b.shape} cannot be compared"
        )
    return _units(targets, "targets"), _units(a, "A"), _units(b, "B")


def _units(vectors: Array, description: str) -> Array:
    """The vectors scaled to length 1, in double precision; `description` names them in errors."""
    if not len(vectors):
        raise Undefined(f"there are no words in {description}")
    vectors = vectors.astype(np.float64)
    bad = int((~np.isfinite(vectors)).any(axis=1).sum())
    if bad:
        raise Undefined(
            f"{bad} of {counted(len(vectors), 'vectors')} of {description} {verb_for(bad, 'contain')} "
            "a value that is not a finite number"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    zero = int((lengths == 0).sum())
    if zero:
        raise Undefined(
            f"{zero} of {counted(len(vectors), 'vectors')} of {description} {verb_for(zero, 'are')} 0 and so "
            f"{verb_for(zero, 'have')} no direction"
        )
    return np.asarray(vectors / lengths, dtype=np.float64)
