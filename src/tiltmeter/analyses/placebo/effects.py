"""What edits change in a table of scores: sizes, effects minus placebo, signed changes, without noise."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiltmeter.analyses.placebo.edit_table import PLACEBO, EditTable
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.types import Array, Groups, Integers, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.metrics.less_placebo import FIELLER, OF_EFFECT, SCORE, STUDENT
from tiltmeter.stats.confidence_intervals.intervals import mean_interval
from tiltmeter.stats.hypothesis_tests.edit_changes import Edits
from tiltmeter.stats.hypothesis_tests.excess_over_placebo import (
    FEW,
    TEST,
    ExcessOverPlacebo,
    enough_clusters,
    excess_over_placebo,
    flipped,
    t_interval,
)
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

AXIS = "axis"
EQUAL, CELLS = "equal", "cells"
"""Conventions: changes at equal repeats, clusters counting equally; or each edit of a text by all its
replies, edits counting equally, as szabo2026 has them."""
LESS = quantity(
    "effect_less_placebo", "Effect minus placebo", "minus placebo", counts="edits", decimals=3, neutral=0.0,
    neutral_is="no more than placebo edits", sides=("placebo edits change more", "group edits change more"),
    interval=STUDENT, test=TEST, role="lean",
)  # fmt: skip
EFFECT = quantity(
    "effect", "Mean size of the change", "mean |change|", counts="edits", decimals=3, least=0
)
PLACEBO_EFFECT = quantity(
    "placebo_effect", "Mean size of the change by placebo edits", "placebo", counts="edits", decimals=3,
    least=0,
)  # fmt: skip
SHARE = quantity(
    "share_of_placebo", "Share of the effect that placebo explains", "share", counts="edits", unit=OF_EFFECT,
    least=0, interval=FIELLER,
)  # fmt: skip
WINS = quantity(
    "wins_over_placebo", "How often a group edit changes more than a placebo edit", "wins", counts="edits",
    unit="%", neutral=50.0, neutral_is="as often as not", interval=SCORE, test=TEST,
    sides=("placebo edits change more", "group edits change more"),
)  # fmt: skip
CHANGE = quantity(
    "mean_change", "Mean change", "mean change", counts="edits", decimals=3, neutral=0.0,
    neutral_is="no change", sides=("lower after the edit", "higher after the edit"), interval=STUDENT,
    test=TEST,
)  # fmt: skip
SQUARE = quantity(
    "mean_square_change", "Mean square of the change, without noise", "mean square", counts="edits",
    decimals=3,
)  # fmt: skip
MAGNITUDE = quantity(
    "magnitude_less_placebo", "Effect minus placebo, without noise", "without noise", counts="edits",
    decimals=3, neutral=0.0, neutral_is="no more than placebo edits", test=TEST,
    sides=("placebo edits change more", "group edits change more"),
)  # fmt: skip
TOO_FEW = "no edit has enough replies"
QUANTITIES = (LESS, EFFECT, PLACEBO_EFFECT, SHARE, WINS, MAGNITUDE, CHANGE, SQUARE)


@dataclass(frozen=True, slots=True)
class PlaceboEffects:
    """Computes the numbers of a table."""

    table: EditTable
    convention: str = EQUAL
    least: int = 1
    """The fewest replies that an edit, or a text before it, needs to count."""
    seed: int = 0

    def at(self, groups: Groups, model: str | None = None) -> list[Estimate]:
        """The numbers of the edits of an axis, or of all group edits, on the texts of a model or of all.

        Args:
            groups: {"axis": AXIS}, where "placebo" stands for the placebo edits by themselves; {} for all
                group edits.
            model: The model; None for all.
        """
        axis = groups.get(AXIS)
        alone = axis == PLACEBO
        rows = self.table.rows(None if axis is None or alone else (axis,), model)
        cells = TextChanges.of(self.table, rows, self.least)
        own = cells.control == alone
        n, k = int(own.sum()), len(np.unique(cells.cluster[own]))
        made: list[Estimate] = []
        try:
            less, effect, placebo, compared = self._compared(cells)
        except Undefined as undefined:
            made.append(LESS.at(None, n=n, why=str(undefined), groups=groups))
        else:
            sizes = EFFECT.at(float((placebo if alone else effect).mean()), n=n, groups=groups)
            made += [sizes] if alone else [
                LESS.at(float(less.mean()), self._inference(less, bounded=cells.yes_no), n=n, groups=groups,
                        clusters=len(less)),
                sizes,
                PLACEBO_EFFECT.at(float(placebo.mean()), n=int((~own).sum()), groups=groups),
                *self._further(effect, placebo, compared, n, groups),
            ]  # fmt: skip
        if not n:
            return [*made, *(of.at(None, groups=groups, why=TOO_FEW) for of in (CHANGE, SQUARE))]
        changes = self._by_cluster(cells.change, cells, own)
        sure = self._inference(changes, bounded=cells.yes_no)
        made.append(CHANGE.at(float(changes.mean()), sure, n=n, groups=groups, clusters=k))
        squares = self._by_cluster(cells.square, cells, own & np.isfinite(cells.square))
        why = "" if len(squares) else "it takes two replies to an edit and to its text"
        square = float(squares.mean()) if len(squares) else None
        made.append(SQUARE.at(square, n=n, groups=groups, why=why))
        return made

    @property
    def replies(self) -> str:
        """At how many replies changes are compared over all edits, in a sentence; "" where each has one."""
        try:
            made = excess_over_placebo(
                TextChanges.of(self.table, self.table.rows(), self.least).edits
            )
        except Undefined:
            return ""
        low, high = made.repeats
        if high == 1 or self.convention != EQUAL:
            return ""
        of = f"{low}" if low == high else f"{low} to {high}"
        return f"Changes by all edits are compared at {of} replies, those of an axis at as many or more."

    def _compared(
        self, cells: "TextChanges"
    ) -> tuple[Array, Array, Array, ExcessOverPlacebo | None]:
        """By cluster the effect minus placebo, the size of changes by group edits and by placebo edits.

        Raises:
            Undefined: No text has edits of both kinds.
        """
        if self.convention == EQUAL:
            made = excess_over_placebo(cells.edits)
            return made.differences, made.by_group, made.by_placebo, made
        sizes = np.abs(cells.change)
        if not (0 < cells.control.sum() < len(sizes)):
            raise Undefined("no text has edits of both kinds")
        effect, placebo = (
            self._by_cluster(sizes, cells, cells.control == kind) for kind in (False, True)
        )
        if len(effect) != len(placebo):
            raise Undefined("some clusters have edits of one kind only")
        return effect - placebo, effect, placebo, None

    def _by_cluster(self, values: Array, cells: "TextChanges", own: npt.NDArray[np.bool_]) -> Array:
        """A number for each cluster whose mean is the mean of these cells, shape (clusters,).

        At equal repeats clusters count equally, and texts in a cluster. Where cells do, the number is the
        mean and how far the cluster moves it.
        """
        if not own.any():
            return np.zeros(0)
        codes, k = clustered(cells.cluster[own])
        if self.convention == EQUAL:
            texts, first, n = _firsts(cells.text[own])
            of_texts = cluster_sums(values[own], texts, n) / np.bincount(texts, minlength=n)
            return cluster_sums(of_texts, codes[first], k) / np.bincount(codes[first], minlength=k)
        mean, n = float(values[own].mean()), len(codes)
        return mean + cluster_sums(values[own] - mean, codes, k) * k / n

    def _further(
        self, effect: Array, placebo: Array, made: ExcessOverPlacebo | None, n: int, groups: Groups
    ) -> list[Estimate]:
        """The share that placebo explains, how often group edits change more, and without noise."""
        whole = float(effect.mean())
        share = 100 * float(placebo.mean()) / whole if whole else None
        why = "" if whole else "no group edit changes the score"
        if made is None:
            return [SHARE.at(share, n=n, groups=groups, why=why)]
        rng, rough = np.random.default_rng(self.seed), few_texts(len(effect), "clusters", least=FEW)
        spread = uncertainty(lambda: (*made.share_interval(), SHARE.interval), rough=rough)
        wins = uncertainty(
            lambda: (*made.wins_interval(), WINS.interval),
            lambda: (made.wins_p(rng), TEST),
            rough=rough,
        )
        found = [
            SHARE.at(
                share, spread if whole else Inference(None, None), n=n, groups=groups, why=why
            ),
            WINS.at(made.wins, wins, n=n, groups=groups),
        ]
        try:
            sure = uncertainty(None, lambda: (made.magnitude_p(rng), TEST))
            found.append(MAGNITUDE.at(made.magnitude, sure, n=n, groups=groups))
        except Undefined as undefined:
            found.append(MAGNITUDE.at(None, n=n, groups=groups, why=str(undefined)))
        return found

    def _inference(self, values: Array, *, bounded: bool) -> Inference:
        """The interval of the mean over clusters, by Student's t, and the sign-flip test of clusters."""

        def interval() -> tuple[float, float, str]:
            if not bounded:
                return *t_interval(values), STUDENT
            k = enough_clusters(len(values))
            return *mean_interval(values, np.arange(k), (-1.0, 1.0)), SCORE

        return uncertainty(
            interval,
            lambda: (flipped(values, np.random.default_rng(self.seed)), TEST),
            rough=few_texts(len(values), "clusters", least=FEW),
        )


@dataclass(frozen=True, slots=True)
class TextChanges:
    """A row for each edit of a text: the change between the means of the replies to both."""

    text: Integers
    cluster: Integers
    control: npt.NDArray[np.bool_]
    change: Array
    square: Array
    """The square of the change less what noise adds to it; NaN with a single reply on a side."""
    edits: Edits
    """The replies to these edits and to their texts."""

    @classmethod
    def of(cls, table: EditTable, rows: Integers, least: int) -> "TextChanges":
        """The edits of these rows with at least so many replies on both sides."""
        texts, _ = clustered(table.text[rows])
        labels = np.char.add(np.char.add(table.text[rows], "\0"), table.edit[rows])
        cell, first, n = _firsts(labels)
        counts = np.bincount(cell, minlength=n)
        scores, is_base = table.scores[rows], table.axis[rows] == ""
        mean = cluster_sums(scores, cell, n) / counts
        spread = cluster_sums((scores - mean[cell]) ** 2, cell, n)
        noise = np.divide(spread, counts * (counts - 1), out=np.full(n, np.nan), where=counts > 1)
        base = np.full(int(texts.max(initial=0)) + 1, -1)
        bases = np.flatnonzero(is_base[first] & (counts >= least))
        base[texts[first[bases]]] = bases
        edits = np.flatnonzero(~is_base[first] & (counts >= least) & (base[texts[first]] >= 0))
        before = base[texts[first[edits]]]
        change = np.round(mean[edits] - mean[before], 10)
        kept = np.isin(cell, np.concatenate([edits, before]))
        cluster, _ = clustered(table.cluster[rows])
        binary = bool(np.isin(table.scores, (0.0, 1.0)).all())
        return cls(
            texts[first[edits]], cluster[first[edits]], table.axis[rows][first[edits]] == PLACEBO, change,
            change**2 - noise[edits] - noise[before],
            Edits(
                np.where(is_base, scores, np.nan)[kept], np.where(is_base, np.nan, scores)[kept],
                table.edit[rows][kept], (table.axis[rows] == PLACEBO)[kept], table.cluster[rows][kept],
                table.text[rows][kept], yes_no=binary,
            ),
        )  # fmt: skip

    @property
    def yes_no(self) -> bool:
        """Whether all scores of the table are 0 or 1."""
        return self.edits.yes_no


def _firsts(labels: Labels) -> tuple[Integers, Integers, int]:
    """The code of each label, where each code comes first, and how many there are."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return codes.ravel(), first, len(first)
