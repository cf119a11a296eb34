"""How often written answers give the right label: accuracy, precision, recall, F1 and rates of odd replies.

Columns, one row a reply: `truth` and `said` are indices of options, `truth_positive` and `said_positive` say
whether that is the label asked about (1 or 0). -1 stands for none; a reply without an answer has it. Values
are percentages. What has no value raises `Undefined` with the reason; it is never 0.

>>> truth, answer = np.array([1.0, 1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, -1.0, 1.0, 0.0])
>>> precision(truth, answer), recall(truth, answer), specificity(truth, answer), f1(truth, answer)
(50.0, 50.0, 50.0, 50.0)
>>> nothing = np.full(5, -1.0)
>>> accuracy(nothing, nothing, truth, answer), strict_accuracy(nothing, nothing, truth, answer)
(50.0, 40.0)
>>> f1(truth, np.zeros(5))
Traceback (most recent call last):
    ...
tiltmeter.core.errors.Undefined: no text was said to be of the category
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.metrics.counts import LEFT_OUT, CountMetric, count_of, options_of, percentage, share

TP, FN, FP, TN, NO_ANSWER = range(5)
"""Cells of a table of two labels; the last is a reply without an answer."""
RIGHT, WRONG, MISSING = range(3)
"""Cells that accuracy counts."""


def _two_labels(columns: Sequence[Array]) -> Integers:
    """The cell of each text, from the columns truth_positive and said_positive."""
    truth, answer = columns
    # np.select takes several times as long, and there may be tens of thousands of small tables.
    answered = np.where(truth > 0, np.where(answer > 0, TP, FN), np.where(answer > 0, FP, TN))
    cells = np.where(truth < 0, LEFT_OUT, np.where(answer < 0, NO_ANSWER, answered))
    return np.asarray(cells, dtype=np.int64)


def _why_two(counts: Array) -> str:
    if not counts.sum():
        return "no text has a known label"
    if not counts[:NO_ANSWER].sum():
        return "no reply has an answer"
    if not counts[TP] + counts[FN]:
        return "no answered text is of the category"
    if not counts[TP] + counts[FP]:
        return "no text was said to be of the category"
    return "all answered texts are of the category"


def _f1(counts: Array) -> Array:
    tp, fn, fp = counts[..., TP], counts[..., FN], counts[..., FP]
    value = percentage(2 * tp, 2 * tp + fn + fp)
    return np.where((tp + fn > 0) & (tp + fp > 0), value, np.nan)


_of_two = partial(share, cells=_two_labels, size=5, why=_why_two, unanswered=(NO_ANSWER,))
precision = _of_two("precision", gains=(TP,), rests=(TP, FP))
"""The share of texts said to be of the category that are. From 0 to 100."""
recall = _of_two("recall", gains=(TP,), rests=(TP, FN))
"""The share of answered texts of the category that were said to be. From 0 to 100."""
specificity = _of_two("specificity", gains=(TN,), rests=(TN, FP))
"""The share of answered texts outside the category that were said to be outside. From 0 to 100."""
f1 = CountMetric(
    "f1", _two_labels, 5, _f1, _why_two, rests=(TP, FN, FP, TN), unanswered=(NO_ANSWER,)
)
"""Harmonic mean of precision and recall. From 0 to 100; without a value where one of them has none."""

CONFUSION: Mapping[tuple[str, str], CountMetric] = {
    truth_and_answer: count_of("reply_count", _two_labels, 5, (cell,), _why_two)
    for truth_and_answer, cell in {
        ("no", "no"): TN, ("no", "yes"): FP, ("yes", "no"): FN, ("yes", "yes"): TP,
    }.items()
}  # fmt: skip
"""How many replies each cell of the table has, by whether the text is of the category and whether the reply
says so."""
unanswered = count_of("unanswered", _two_labels, 5, (NO_ANSWER,), _why_two)
"""How many replies have no answer."""
matches = count_of("matches", _two_labels, 5, (TP, TN), _why_two)
"""How many replies give the right label."""
mismatches = count_of("mismatches", _two_labels, 5, (FP, FN), _why_two)
"""How many replies give the wrong label."""


def _rightness(columns: Sequence[Array]) -> Integers:
    """Columns: truth, said, truth_positive, said_positive. Of a category asked about, only that counts."""
    truth, answer, truth_positive, said_positive = columns
    asked = truth_positive >= 0
    right = np.where(asked, truth_positive == said_positive, truth == answer)
    missing = np.where(asked, said_positive, answer) < 0
    unknown = ~asked & (truth < 0)
    cells = np.where(unknown, LEFT_OUT, np.where(missing, MISSING, np.where(right, RIGHT, WRONG)))
    return np.asarray(cells, dtype=np.int64)


def _why_right(counts: Array) -> str:
    return "no reply has an answer" if counts.sum() else "no text has a known label"


_of_right = partial(share, cells=_rightness, size=3, why=_why_right, unanswered=(MISSING,))
accuracy = _of_right("accuracy", gains=(RIGHT,), rests=(RIGHT, WRONG))
"""The share of right answers among replies with an answer. From 0 to 100."""
strict_accuracy = _of_right("strict_accuracy", gains=(RIGHT,), rests=(RIGHT, WRONG, MISSING))
"""The share of right answers among all replies: one without an answer is wrong. From 0 to 100."""


def _all_labels(columns: Sequence[Array], options: int) -> Integers:
    """Columns: truth, said, truth_positive. Where labels on a par are asked about, only those count."""
    truth, answer, truth_positive = columns
    on_a_par = (truth_positive < 0) & (truth >= 0)
    kept = on_a_par if on_a_par.any() else truth >= 0
    cells = np.where(kept & (answer >= 0), truth * options + answer, LEFT_OUT)
    return np.asarray(cells, dtype=np.int64)


def _tables(counts: Array) -> Array:
    options = round(counts.shape[-1] ** 0.5)
    return counts.reshape(*counts.shape[:-1], options, options)  # (…, truth, said)


def _each_f1(counts: Array) -> Array:
    table = _tables(counts)
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    true, answered = table.sum(axis=-1), table.sum(axis=-2)
    single = percentage(2 * hits, true + answered)
    return np.where((true > 0) & (answered > 0), single, np.nan)


def _macro_f1(counts: Array) -> Array:
    table, single = _tables(counts), _each_f1(counts)
    true, answered = table.sum(axis=-1), table.sum(axis=-2)
    absent = (true == 0) & (answered == 0)  # an option of another list
    among = (~absent).sum(axis=-1)
    total = np.where(absent, 0.0, single).sum(axis=-1)
    means = np.divide(total, among, out=np.full(np.shape(among), np.nan), where=among > 0)
    return np.asarray(means, dtype=np.float64)


def _why_macro(counts: Array) -> str:
    table = _tables(counts)
    true, answered = table.sum(axis=1), table.sum(axis=0)
    if not counts.sum():
        return "no reply to a text with a known label has an answer"
    never = int(((true > 0) & (answered == 0)).sum())
    if never:
        return f"{never} of {counted(int((true > 0).sum()), 'labels')} {verb_for(never, 'were')} never said"
    return "a label was said that no answered text has"


macro_f1 = CountMetric("macro_f1", _all_labels, 0, _macro_f1, _why_macro, each=_each_f1)
"""Mean of the F1 of all labels. From 0 to 100; without a value where one of them has none."""


def _flags(columns: Sequence[Array]) -> Integers:
    """One column of 1 and 0; anything else does not count."""
    (flag,) = columns
    cells = np.where(flag == 1, 0, np.where(flag == 0, 1, LEFT_OUT))
    return np.asarray(cells, dtype=np.int64)


def _why_flags(counts: Array) -> str:
    del counts
    return "this is known of none of the replies"


rate = share("rate", _flags, 2, gains=(0,), rests=(0, 1), why=_why_flags)
"""The share of rows whose flag is 1. From 0 to 100."""
opposite_rate = share("opposite_rate", _flags, 2, gains=(1,), rests=(0, 1), why=_why_flags)
"""The share of rows whose flag is 0. From 0 to 100."""


@dataclass(frozen=True, slots=True)
class RepeatError:
    """The standard error of a metric over repeats of all questions: sd over repeats / √repeats.

    It says how much the mean over repeats would change if the same texts were asked again, and nothing about
    other texts. In percentage points; at least 0.

    Raises:
        Undefined: Each text was asked once, or the metric has no value in some repeat.

    >>> truth, answer = np.array([1.0, 0, 1, 0]), np.array([1.0, 0, 1, 1])
    >>> RepeatError(precision)(truth, answer, np.array([0.0, 0, 1, 1]))
    25.0
    """

    metric: CountMetric

    def __call__(self, *columns: Column) -> float:
        """Columns: those of the metric, then `repeat`."""
        values = by_repeat(self.metric, *columns)
        if len(values) == 1:
            raise Undefined("each text was asked once")
        return float(values.std(ddof=1) / len(values) ** 0.5)


def by_repeat(metric: CountMetric, *columns: Column) -> Array:
    """The metric's value in each repeat, in order; columns as those of `RepeatError`.

    Raises:
        Undefined: It has none in some repeat.
    """
    repeats, codes = np.unique(np.asarray(columns[-1]), return_inverse=True)
    read = columns[:-1]
    counts = metric.counts_by(read, codes.ravel(), len(repeats), options_of(read))
    values = metric.formula(counts)
    lost = np.flatnonzero(np.isnan(values))
    if len(lost):
        raise Undefined(
            f"in {len(lost)} of {counted(len(repeats), 'repeats')}, {metric.why(counts[lost[0]])}"
        )
    return values
