"""Two words for one group as the control of two groups: pairs of items that differ in one word alone.

No item is added: what is compared are the items of a study in pairs, those of one frame with different words.
If the words are for two groups that is a group edit, and if they are for one group a control edit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.measures import ARM, EDIT, EDITED, GROUP_ARM, Measure
from tiltmeter.core.samples import as_labels, as_numbers
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.metrics.less_placebo import KEYS, EditEffect
from tiltmeter.stats.hypothesis_tests.edit_changes import Edits
from tiltmeter.stats.hypothesis_tests.excess_over_placebo import (
    ExcessOverPlacebo,
    excess_over_placebo,
)
from tiltmeter.stats.resampling.bootstrap import clustered
from tiltmeter.study_families.controls import Control, EditedScore, measures_less

LABELS = 2
"""The columns of labels before those of every effect: the group and the word."""


def in_pairs(item: Any, *, frame: str, word: str) -> Any:
    """An item that is compared with others of the same frame that have another word."""
    return replace(item, groups={**item.groups, ARM: GROUP_ARM, EDITED: frame, EDIT: word})


@dataclass(frozen=True, slots=True)
class WordPairs(EditEffect):
    """An effect over pairs of items of a frame.

    Columns: scores, the group and the word; then the arm, the frame, the item and the cluster.
    """

    def compared(self, columns: Sequence[Column]) -> ExcessOverPlacebo:
        """The differences between items of a frame with different words.

        Raises:
            Undefined: No frame has two words, or no cluster has pairs for one group and pairs for two.
        """
        labels = as_labels((*columns[-KEYS - LABELS : -KEYS], columns[1 - KEYS]))
        group, word, frame = (clustered(label)[0] for label in labels)
        scores, cluster = self._each(columns), np.asarray(columns[-1])
        known = np.flatnonzero(self.answered(columns))
        order = known[np.argsort(frame[known], kind="stable")]
        starts = np.flatnonzero(np.diff(frame[order])) + 1
        pairs = np.concatenate([*map(_pairs, np.split(order, starts))], axis=1)
        # Ordered by word, so that replies to one pair of words are replies to one edit.
        first, second = np.where(word[pairs[0]] > word[pairs[1]], pairs[::-1], pairs)
        apart = word[first] != word[second]
        first, second = first[apart], second[apart]
        if not len(first):
            raise Undefined("nothing has two words in the same frame")
        edits = (frame[first] * (word.max() + 1) + word[first]) * (word.max() + 1) + word[second]
        return excess_over_placebo(
            Edits(
                scores[first], scores[second], edits, group[first] == group[second], cluster[first],
                yes_no=self.yes_no,
            )
        )  # fmt: skip

    def answered(self, columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
        """Which rows have a score, shape (n,)."""
        scores = self._each(columns)
        return np.isin(scores, (0.0, 1.0)) if self.yes_no else np.isfinite(scores)

    def _each(self, columns: Sequence[Column]) -> Array:
        """The score of each row."""
        (arms,) = as_labels(columns[-KEYS : 1 - KEYS])
        return self.scores(as_numbers(columns[: -KEYS - LABELS]), arms)[1]


def _pairs(rows: Integers) -> Integers:
    """All pairs of these rows, shape (2, pairs)."""
    first, second = np.triu_indices(len(rows), 1)
    return np.stack([rows[first], rows[second]]).astype(np.int64)


@dataclass(frozen=True, slots=True)
class PairedWords(EditedScore):
    """A score of items that are compared in pairs; it reads scores, then the axis of groups, then `EDIT`."""

    @property
    def effect(self) -> EditEffect:
        """The effect minus that of two words for one group."""
        most = 1.0 if self.yes_no else self.most
        scale = 100.0 if self.yes_no else self.scale
        return WordPairs("excess", self.scores or _itself, scale, most, self.yes_no, paired=True)


def _itself(columns: Sequence[Array], arms: Any) -> tuple[Array, Array]:
    del arms
    return columns[0], columns[0]


def measures_of_pairs(control: Control, score: PairedWords) -> Iterator[Measure]:
    """The measures of `measures_less` over pairs of items that `in_pairs` has labelled."""
    for measure in measures_less(control, score):
        where = {axis: label for axis, label in measure.where.items() if axis != ARM}
        yield replace(measure, where=where, needs_labels={ARM: GROUP_ARM})
