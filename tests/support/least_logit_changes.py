"""The distance of the sensitivity test by Newton's steps over all logits: slow, and easy to check.

The product finds the same root from sorted logits, in `tiltmeter.models.reading.readout.distances`; the
derivation is in `tiltmeter.studies.group_traits.sensitivity`.
"""

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers

MARGIN = 1.0
"""γ of the paper: by how much the target must lead."""
_CELLS = 1_000_000
"""The most logits of one block, which bounds the memory."""


def logit_change(logits: Array, targets: Integers, *, margin: float = MARGIN) -> Array:
    """The least change of each row of logits after which its target leads by `margin`; at least 0.

    0 where the target leads already. Adding a constant to all logits changes nothing; impossible tokens
    (a logit of −∞) are ignored. Takes time in proportion to the logits.

    Args:
        logits: Shape (n, vocabulary).
        targets: The token that is to lead in each row, shape (n,).
        margin: γ, above 0.

    Returns:
        Shape (n,): Δ · ‖h‖ of the sensitivity test.

    Raises:
        BadInput: The margin is not above 0, or a target is not in the vocabulary.
        Undefined: A logit is NaN or +∞, or a target is impossible.

    The target must rise by a and the other come down to 1 below it: 2 − a = 0 + a − 1, so a = 3/2, and
    both move by that.

    >>> logit_change(np.array([[0.0, 2.0]]), np.array([0])).round(3).tolist()  # √(2 · 1.5²)
    [2.121]
    """
    _check(logits, targets, margin)
    changes = np.empty(len(logits))
    step = max(1, _CELLS // max(1, logits.shape[1]))
    for start in range(0, len(logits), step):
        part = slice(start, start + step)
        changes[part] = _distances(logits[part].astype(np.float64), targets[part], margin)
    return changes


def _distances(logits: Array, targets: Integers, margin: float) -> Array:
    at_target = targets[:, None]
    over = logits - np.take_along_axis(logits, at_target, axis=1) + margin  # u, (n, vocabulary)
    np.put_along_axis(over, at_target, -np.inf, axis=1)
    rise, left = np.zeros(len(over)), np.arange(len(over))
    while len(left):
        higher = over[left] > rise[left, None]
        total = np.where(higher, over[left], 0.0).sum(axis=1)
        next_rise = total / (higher.sum(axis=1) + 1)
        goes_on = next_rise > rise[left]
        left = left[goes_on]
        rise[left] = next_rise[goes_on]
    fall = np.maximum(over - rise[:, None], 0.0)
    return np.asarray(np.sqrt(rise**2 + np.square(fall).sum(axis=1)), dtype=np.float64)


def _check(logits: Array, targets: Integers, margin: float) -> None:
    if not 0 < margin < np.inf:
        raise BadInput(f"a margin of {margin} is not above 0", "the paper uses 1")
    if logits.ndim != 2 or targets.shape != logits.shape[:1]:
        raise BadInput(
            f"targets of shape {targets.shape} do not fit logits of shape {logits.shape}"
        )
    width = logits.shape[1]
    if ((targets < 0) | (targets >= width)).any():
        raise BadInput(f"a target is not among the {width:,} tokens of the vocabulary")
    bad = int((~(logits < np.inf)).any(axis=1).sum())
    if bad:
        raise Undefined(f"{bad} of {len(logits)} rows have a logit that is not a number")
    impossible = int(np.isneginf(np.take_along_axis(logits, targets[:, None], axis=1)).sum())
    if impossible:
        raise Undefined(f"{impossible} of {len(logits)} targets have a logit of −∞")
