"""The sensitivity test (SeT): how much must the last layer change for a word to rank first?

A masked model gives the logits ℓ = Ah, where h is the input of its last layer A at the blank. For a token
t and a margin γ > 0, Δ is the size of the least change of A after which t leads all others:

    Δ(A, h, t) = min ‖A′ − A‖_F   such that   (A′h)_t ≥ (A′h)_j + γ   for all j ≠ t.

The smaller the change that is needed for a group to get a trait, the more the model associates the two.

**From the logits alone.** The constraints see A′ only through ℓ′ = A′h. Of all A′ with A′h = ℓ′ the
nearest to A is A + (ℓ′ − ℓ)hᵀ / ‖h‖², since any other part of A′ − A is orthogonal to h and only adds to
the norm. It lies ‖ℓ′ − ℓ‖ / ‖h‖ away. So Δ · ‖h‖ is the distance of ℓ from the cone
C = {ℓ′ : ℓ′_t ≥ ℓ′_j + γ}: the matrix A, of a row for each word of the vocabulary, is not needed.

**The distance.** Let u_j = ℓ_j − ℓ_t + γ be the excess of j. At the nearest point of C (by the
conditions of Karush, Kuhn and Tucker, with a multiplier λ_j ≥ 0 for each j) ℓ_t rises by a = Σ λ_j
and each ℓ_j falls by λ_j = max(0, u_j − a): those above the new level of t come down to γ below it, the
others stay. So a is the root of

    a = Σ_{j ≠ t} max(0, u_j − a),   and   Δ · ‖h‖ = sqrt(a² + Σ_{j ≠ t} max(0, u_j − a)²).

The right side falls and the left one rises with a: there is one root. Newton's steps from a = 0 reach it
from below without passing it, and end after a few, as there are finitely many sets of active j. The
paper solves the same projection by a loop over the sorted logits ("column squishing");
`tiltmeter.models.reading.readout.distances` finds the root from sorted logits, beside the model.

**Biases.** Where the last layer adds a bias, ℓ = Ah + b, the published code lets it change as well: it
appends b to A and 1 to h, so that ‖h‖² grows by 1. Without that, b stays as it is. The distance of the
logits is the same.

**The score** of a group and a trait compares with a sentence that names no group:

    SeT(group, trait) = ln Δ(prior) − ln Δ(group),

signed so that higher means more associated (the paper's equation 4.4 inverts the ratio and then takes the
negative). Equation 4.5 squares the norm; taken literally, every score would be twice as large, and no rank
would change.

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92; here after Sotnikova 2023, section 4.3.
"""

from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Integers

Bias: TypeAlias = Literal["changed", "kept"]
"""Whether the last layer's bias may change with its weights (‖h‖² then grows by 1)."""


def weight_change(distance: Array, length: Array, *, bias: Bias = "changed") -> Array:
    """Δ: the least change of the last layer (Frobenius norm), from the distance of the logits and ‖h‖.

    At least 0. All arrays have the same shape.

    Args:
        distance: Δ · ‖h‖, at least 0.
        length: ‖h‖, at least 0.
        bias: "changed" as in the published code (‖h‖² + 1 in place of ‖h‖²), or "kept".

    Raises:
        Undefined: A value is negative or not finite; or h = 0 and the bias is kept, so that no change of
            weights changes the logits.

    >>> weight_change(np.array([4.0]), np.array([3.0]), bias="kept").round(3).tolist()
    [1.333]
    >>> weight_change(np.array([4.0]), np.array([3.0])).round(3).tolist()  # 4 / √10
    [1.265]
    """
    for values, description in ((distance, "distance of the logits"), (length, "length of h")):
        _check_sizes(values, description)
    if bias == "kept" and not (length > 0).all():
        raise Undefined(
            f"h is 0 at {int((length == 0).sum())} of {counted(len(length), 'positions')}, where "
            "no change of weights "
            "changes the logits"
        )
    return np.asarray(distance / np.sqrt(length**2 + (bias == "changed")), dtype=np.float64)


def word_change(changes: Array, starts: Integers) -> Array:
    """Δ of words: the largest Δ of their pieces; shape (words,).

    Each piece is predicted with the pieces before it in place and those after it hidden. For all of
    them to lead, the layer must change at least as much as for the piece that needs the most, so this
    is a lower bound for the word (section 4.3.2, "Subwords").

    Args:
        changes: Δ of the pieces of all words, one word after the other; shape (pieces,).
        starts: Where each word's first piece is, shape (words,).

    >>> word_change(np.array([0.2, 0.5, 0.1]), np.array([0, 2])).tolist()
    [0.5, 0.1]
    """
    _check_starts(len(changes), starts)
    return np.asarray(np.maximum.reduceat(changes, starts), dtype=np.float64)


def association(change: Array, prior: Array) -> Array:
    """SeT: ln Δ(prior) − ln Δ(group), the paper's score; 0 where the group makes no difference.

    Above 0 where the trait needs a smaller change to rank first in the group's sentence than in the
    sentence without a group. +∞ where the trait already leads only with the group, −∞ only without it, 0 if
    it leads in both: never NaN.

    Args:
        change: Δ in the sentences with the group.
        prior: Δ in the sentences without it, the same shape.

    Raises:
        Undefined: A value is negative or not finite.

    >>> association(np.array([0.5, 0.2, 0.0]), np.array([1.0, 0.2, 0.3])).round(3).tolist()
    [0.693, 0.0, inf]
    """
    for values in (change, prior):
        _check_sizes(values, "change")
    with np.errstate(divide="ignore"):
        above, below = np.log(prior), np.log(change)
    equal = change == prior
    return np.subtract(above, below, out=np.zeros_like(above), where=~equal)


def published_score(
    changes: Array, starts: Integers, *, pieces: Literal["min", "sum"] = "min"
) -> Array:
    """The published code's score of a word, before the prior's is subtracted; shape (words,).

    ln(1 − Δ) for each piece; "min" takes the lowest of a word's pieces (Cao et al. 2022; equal to
    ln(1 − Δ) of `word_change`), "sum" adds them up (Cao et al. 2023, stereotype leakage). At most 0, for a
    trait that leads already; −∞ at Δ = 1. A group's score is the difference from the prior's, which needs
    no ratio of two small numbers but has no value beyond Δ = 1.

    Args:
        changes: Δ of the pieces of all words, one word after the other; shape (pieces,).
        starts: Where each word's first piece is, shape (words,).
        pieces: How a word's pieces are combined.

    Raises:
        Undefined: Some Δ is above 1, where the published code gives NaN.

    >>> published_score(np.array([0.2, 0.5, 0.0]), np.array([0, 2])).round(3).tolist()
    [-0.693, 0.0]
    >>> published_score(np.array([0.2, 0.5]), np.array([0]), pieces="sum").round(3).tolist()
    [-0.916]
    """
    _check_sizes(changes, "change")
    _check_starts(len(changes), starts)
    beyond = int((changes > 1).sum())
    if beyond:
        raise Undefined(
            f"{beyond} of {counted(len(changes), 'changes')} {verb_for(beyond, 'are')} above 1, "
            "where ln(1 − Δ) is undefined; the "
            "paper's score, a ratio, is defined there"
        )
    with np.errstate(divide="ignore"):
        scores = np.log1p(-changes) + 0.0  # 0, not −0
    combine = np.minimum if pieces == "min" else np.add
    return np.asarray(combine.reduceat(scores, starts), dtype=np.float64)


def _check_sizes(values: Array, description: str) -> None:
    bad = int((~((values >= 0) & (values < np.inf))).sum())
    if bad:
        raise Undefined(f"{bad} of {values.size} have a negative or non-finite {description}")


def _check_starts(pieces: int, starts: Integers) -> None:
    edges = np.append(starts, pieces)
    if not len(starts) or starts[0] != 0 or (np.diff(edges) <= 0).any():
        raise BadInput(f"starts {starts.tolist()} do not split {pieces} pieces into words")
