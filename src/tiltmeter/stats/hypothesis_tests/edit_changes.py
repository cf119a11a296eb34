"""What each edit of a text changes: its size at equal numbers of replies, and its square without noise."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

MOST_CHOICES = 100
"""If there are more ways to choose r of an edit's replies, only those in a row count, first after last."""
CELLS = 2_000_000
"""The maximum number of cells in a block of edits."""
DECIMALS = 10
"""Changes are rounded to so many decimals, so that equal ones are equal."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Scores of edited texts, one row for each reply to an edited text."""

    before: Array
    """The score of the text before the edit, shape (n,); NaN where there is none. With `texts`, the score
    before an edit is the mean over all rows of its text; else each row has its own."""
    after: Array
    """The score after the edit, shape (n,); NaN where there is none."""
    edits: Labels
    """Which edit it is: rows with the same label, of the same text and kind, are replies to one edit."""
    control: npt.NDArray[np.bool_]
    """True for edits that cannot matter (placebo), False for edits of groups; shape (n,)."""
    clusters: Labels
    """What is independent: the text, or what several texts share."""
    texts: Labels | None = None
    """The text that is edited, where a cluster has several. Edits are compared within a text; without it,
    within a cluster."""
    yes_no: bool = False
    """Whether scores are single answers, 1 or 0. The size of a change is then the probability that one
    answer before the edit and one after it differ, which needs no equal repeats."""


@dataclass(frozen=True, slots=True)
class EditChanges:
    """One row for each edit that has a reply."""

    unit: Integers
    """The text, or the cluster where there are no texts."""
    cluster: Integers
    control: Integers
    """1 for placebo edits, 0 for group edits."""
    repeats: Integers
    """The number of replies that changes of its text are compared at."""
    sizes: Array
    """The absolute change for each choice of that many of an edit's replies, shape (choices of all,)."""
    edit: Integers
    """The row of the edit that each of the sizes is of."""
    size: Array
    """The mean size of the change."""
    square: Array
    """The square of the change without noise; NaN where there is only one reply."""

    @classmethod
    def of(cls, edits: Edits) -> "EditChanges":
        """The changes by the edits that have a score before and after.

        Raises:
            Undefined: There is none.
            BadInput: Scores are said to be answers of yes or no and are other numbers than 1 and 0.
        """
        cluster, _ = clustered(edits.clusters)
        unit = cluster if edits.texts is None else _joined(cluster, clustered(edits.texts)[0])
        before = edits.before
        if edits.texts is not None:
            codes, k = clustered(unit)
            before = mean_by(before, codes, k)[codes]
        known = np.isfinite(before) & np.isfinite(edits.after)
        if not known.any():
            raise Undefined("no edit has a score before it and after it")
        kind = edits.control[known].astype(np.int64)
        edit, n = clustered(_joined(unit[known], clustered(edits.edits)[0][known], kind))
        first = np.full(n, len(edit), dtype=np.int64)
        np.minimum.at(first, edit, np.arange(len(edit)))
        units, cluster, control = unit[known][first], cluster[known][first], kind[first]
        counts = np.bincount(edit, minlength=n)
        codes, k = clustered(units)
        least = np.full(k, len(edit), dtype=np.int64)
        np.minimum.at(least, codes, counts)
        repeats = least[codes]
        changes = np.round(edits.after[known] - before[known], DECIMALS)
        sums, squares = (cluster_sums(values, edit, n) for values in (changes, changes**2))
        square = np.divide(
            sums**2 - squares, counts * (counts - 1), out=np.full(n, np.nan), where=counts > 1
        )
        sizes, choices = _sizes(changes, edit, repeats)
        size = cluster_sums(sizes, choices, n) / np.bincount(choices, minlength=n)
        if edits.yes_no:
            size = _flips(before[known], edits.after[known], edit, n)
        return cls(units, cluster, control, repeats, sizes, choices, size, square)

    def wins(self, units: Integers, k: int) -> Array:
        """How often a group edit changes more than a placebo edit of the same unit, less the opposite.

        Args:
            units: The unit of each edit, from 0 to k - 1.
            k: The number of units.

        Returns:
            From -1 to 1 where a unit has edits of both kinds, shape (k,); 0 elsewhere.
        """
        kinds = 2 * units + self.control
        shares = 1 / np.bincount(self.edit)[self.edit]
        weights = shares / np.bincount(kinds, minlength=2 * k)[kinds[self.edit]]
        unit = units[self.edit]
        order = np.lexsort((self.sizes, unit))
        unit, size, weights = unit[order], self.sizes[order], weights[order]
        new = np.append(True, (unit[1:] != unit[:-1]) | (size[1:] != size[:-1]))
        equal = np.cumsum(new) - 1  # the number of each size among those that differ in a unit
        group, placebo = (
            cluster_sums(
                np.where(self.control[self.edit[order]] == kind, weights, 0.0), equal, equal[-1] + 1
            )
            for kind in (0, 1)
        )
        unit = unit[new]
        starts = np.searchsorted(unit, np.arange(k))
        before = np.append(0.0, np.cumsum(placebo))
        below = before[:-1] - before[starts][unit]
        of_both = (np.bincount(kinds, minlength=2 * k).reshape(k, 2) > 0).all(axis=1)
        won = cluster_sums(group * (2 * below + placebo - 1), unit, k)
        return np.where(of_both, won.round(DECIMALS + 2), 0.0)


def _sizes(changes: Array, edit: Integers, repeats: Integers) -> tuple[Array, Integers]:
    """The absolute mean change of each choice of so many of an edit's replies, and the edit of each."""
    counts = np.bincount(edit, minlength=len(repeats))
    ordered, starts = np.argsort(edit, kind="stable"), np.cumsum(counts) - counts
    sizes, edits = [], []
    for n, r in sorted({*zip(counts.tolist(), repeats.tolist(), strict=True)}):
        chosen = _choices(n, r)
        alike = np.flatnonzero((counts == n) & (repeats == r))
        for block in np.array_split(alike, max(1, len(alike) * chosen.size // CELLS)):
            replies = changes[ordered[starts[block][:, None] + np.arange(n)]]  # (edits, replies)
            sizes.append(np.abs(replies[:, chosen].mean(axis=2)).round(DECIMALS).ravel())
            edits.append(np.repeat(block, len(chosen)))
    return np.concatenate(sizes), np.concatenate(edits)


def _choices(n: int, r: int) -> Integers:
    """The ways to choose r of n replies, shape (choices, r)."""
    if comb(n, r) <= MOST_CHOICES:
        return np.array(list(combinations(range(n), r)))
    return (np.arange(n)[:, None] + np.arange(r)) % n


def _flips(before: Array, after: Array, edit: Integers, n: int) -> Array:
    """The probability that an answer before each edit and one after it differ, shape (n,)."""
    if not (np.isin(after, (0.0, 1.0)).all() and (before >= 0).all() and (before <= 1).all()):
        raise BadInput("answers are numbers other than 0 and 1")
    counts = np.bincount(edit, minlength=n)
    b, e = (cluster_sums(values, edit, n) / counts for values in (before, after))
    flips: Array = (e + b - 2 * e * b).round(DECIMALS)
    return flips


def mean_by(values: Array, codes: Integers, k: int) -> Array:
    """The mean of the finite values with each of k codes, shape (k,); NaN where there is none."""
    known = np.isfinite(values)
    n = np.bincount(codes[known], minlength=k)
    sums, means = cluster_sums(values[known], codes[known], k), np.full(k, np.nan)
    np.divide(sums, n, out=means, where=n > 0)
    return means


def _joined(*codes: Integers) -> Integers:
    """A number for each row that is the same where all codes are; in the order of the codes."""
    joined = np.zeros(len(codes[0]), dtype=np.int64)
    for part in codes:
        joined = clustered(joined * (int(part.max(initial=0)) + 1) + part)[0]
    return joined
