"""Answers that change when a text is edited: a word misspelt, letters swapped or masked.

Columns, one row an edit: `before_said`, `after_said`, `before_said_positive` and `after_said_positive`, as in
`metrics.labels`. Edits without an answer before or after are left out.

>>> answer, positive = np.array([0.0, 0, 1, 0]), np.array([1.0, 1, 0, 1])
>>> later, positive_later = np.array([0.0, 1, 0, 1]), np.array([1.0, 0, 1, 0])
>>> columns = answer, later, positive, positive_later
>>> flip_rate(*columns), edit_effect(*columns), flips_to(*columns), flips_away(*columns)
(75.0, -25.0, 1.0, 2.0)
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.counts import LEFT_OUT, count_of, few_texts, interval_by_texts, share
from tiltmeter.stats.hypothesis_tests.exact_tests import mcnemar_exact, sign_flip
from tiltmeter.stats.resampling.bootstrap import count_of_clusters

TO, AWAY, OTHER, SAME = range(4)
"""Cells: towards the category asked about, away from it, between other options, no change."""


def _changes(columns: Sequence[Array]) -> Integers:
    answer, later, positive, positive_later = columns
    asked = positive >= 0
    unanswered = np.where(asked, positive_later, np.minimum(answer, later)) < 0
    cells = np.select(
        [unanswered, asked & (positive_later > positive), asked & (positive_later < positive),
         ~asked & (answer != later)],
        [LEFT_OUT, TO, AWAY, OTHER],
        SAME,
    )  # fmt: skip
    return np.asarray(cells, dtype=np.int64)


def _why(counts: Array) -> str:
    if counts.sum():
        return "no edit is of a text about which a category is asked"
    return "no edit has an answer both before and after"


flip_rate = share(
    "flip_rate", _changes, 4, gains=(TO, AWAY, OTHER), rests=(TO, AWAY, OTHER, SAME), why=_why
)
"""The share of edits that change the answer, either way. From 0 to 100."""
edit_effect = share(
    "edit_effect", _changes, 4, gains=(TO,), losses=(AWAY,), rests=(TO, AWAY, SAME), why=_why
)
"""By how many percentage points an edit makes the answer "of the category" more frequent; 0 is no effect."""
flips_to = count_of("flips_to", _changes, 4, (TO,), _why)
"""How many edits make the model say that the text is of the category."""
flips_away = count_of("flips_away", _changes, 4, (AWAY,), _why)
"""How many edits make the model no longer say that the text is of the category."""


def flipped_texts(*columns: Column) -> float:
    """How many texts have an edit that changes the answer; the last column is the text of each edit.

    Raises:
        Undefined: No edit has an answer before and after.
    """
    *answers, texts = columns
    cells = _changes(as_numbers(answers))
    if (cells == LEFT_OUT).all():
        raise Undefined(_why(np.zeros(4)))
    return float(np.unique(texts[np.isin(cells, (TO, AWAY, OTHER))]).size)


def texts_asked(columns: Sequence[Column]) -> int:
    """How many texts there are, from the columns of `flipped_texts`."""
    return int(np.unique(columns[-1]).size)


def infer_effect(sample: Sample) -> Inference:
    """Score intervals over texts; exact McNemar test, or a sign-flip test where a text has several edits."""
    cells = _changes(as_numbers(sample.columns))
    return uncertainty(
        lambda: interval_by_texts(sample),
        lambda: _tested(cells, sample.clusters, sample.rng),
        rough=few_texts(count_of_clusters(sample.clusters)),
    )


def _tested(cells: Integers, clusters: Labels, rng: np.random.Generator) -> tuple[float, str]:
    flipped = (cells == TO) | (cells == AWAY)
    if not flipped.any():
        raise Undefined("no edit changes an answer")
    kept = cells != LEFT_OUT
    if len(np.unique(clusters[kept])) == kept.sum():
        p = mcnemar_exact(int((cells == TO).sum()), int((cells == AWAY).sum()))
        return p, "exact McNemar test against 0"
    signs = np.where(cells == TO, 1.0, -1.0)[flipped]
    return sign_flip(signs, clusters[flipped], rng), "sign-flip test of whole texts against 0"
