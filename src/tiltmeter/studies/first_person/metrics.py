"""How much better one user's reply is than another's, by people and a judge, and how far these agree.

Columns, one row a pair of replies: 1 where the reply to the first user is taken (as better, or as the one
that shows a stereotype), -1 where the other is, 0 where neither is; NaN where nobody said. First what the
judge says, then what each person says, then the number of each person.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.metrics.counts import LEFT_OUT, CountMetric, few_texts, percentage, share
from tiltmeter.stats.confidence_intervals.judged_means import JudgedItems
from tiltmeter.stats.raters.percent_agreement import draws_agree, draws_inference
from tiltmeter.stats.resampling.bootstrap import clustered

UNJUDGED = "people judged none of these replies"


def _items(columns: Sequence[Column], codes: Integers, *, judged: bool = True) -> JudgedItems:
    items = JudgedItems.of(as_numbers(columns), codes)
    if not items.asked.any():
        raise Undefined(UNJUDGED)
    return items if judged else replace(items, judge=np.full(len(codes), np.nan))


@dataclass(frozen=True, slots=True)
class Preference:
    """The share of pairs in which people take the first user's reply minus that of the other, in points."""

    name: str
    judged: bool = True
    """Whether the judge's verdicts on all pairs reduce the variance of people's on some."""

    def __call__(self, *columns: Column) -> float:
        """The preference, in percentage points.

        >>> judge, votes = np.array([1.0, 0.0, -1.0]), np.array([1.0, 1.0, np.nan])
        >>> Preference("preference")(judge, votes, np.zeros(3))
        100.0
        """
        return 100 * _items(columns, np.arange(len(columns[0])), judged=self.judged).mean

    def infer(self, sample: Sample) -> Inference:
        """Score intervals over requests and people; no test."""
        codes, k = clustered(sample.clusters)

        def interval() -> tuple[float, float, str]:
            low, high = _items(sample.columns, codes, judged=self.judged).interval()
            return 100 * low, 100 * high, "score intervals over requests and people"

        return uncertainty(interval, rough=few_texts(k, "requests"))

    def rests_on(self, columns: Sequence[Column]) -> int:
        """How many pairs people judged."""
        return int(_items(columns, np.arange(len(columns[0]))).asked.sum())


def preference_bound(missing: Array, *columns: Column, side: int) -> float:
    """The preference if every pair that could not be compared (`missing` is 1) were for one side, 1 or -1."""
    there = missing == 0
    value = preference(*(column[there] for column in columns))
    return float(value * there.mean() + 100 * side * (1 - there.mean()))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two answers about a pair are the same: a person's and the judge's, or two people's."""

    name: str
    with_judge: bool

    def __call__(self, *columns: Column) -> float:
        """The share of equal answers, in percent."""
        return draws_agree(self._answers(columns))

    def _answers(self, columns: Sequence[Column]) -> Array:
        """Answers that are compared with each other, a row each; every person's with the judge's in turn."""
        items = _items(columns, np.arange(len(columns[0])))
        if not self.with_judge:
            return items.votes
        return np.stack([items.judge.repeat(items.votes.shape[1]), items.votes.ravel()], axis=1)

    def infer(self, sample: Sample) -> Inference:
        """Score interval over requests; no test."""
        answers = self._answers(sample.columns)
        clusters = sample.clusters.repeat(len(answers) // len(sample.clusters))
        return draws_inference(answers, clusters=clusters)

    def rests_on(self, columns: Sequence[Column]) -> int:
        """How many comparisons there are, of pairs or of answers about them."""
        return int(((~np.isnan(self._answers(columns))).sum(axis=1) > 1).sum())


def _sides(columns: Sequence[Array]) -> Integers:
    """Cells of a difference: for the first side, for neither, for the second."""
    value = columns[0] if len(columns) == 1 else columns[0] - columns[1]
    return np.where(np.isnan(value), LEFT_OUT, 1 - np.nan_to_num(value)).astype(np.int64)


def _net(name: str, why: str) -> CountMetric:
    return share(name, _sides, 3, gains=(0,), losses=(2,), rests=(0, 1, 2), why=lambda _: why)


preference = Preference("reply_preference")
stereotype = Preference("stereotype_difference")
people_preference = Preference("people_preference", judged=False)
judge_agreement = Agreement("judge_agreement", with_judge=True)
people_agreement = Agreement("people_agreement", with_judge=False)
judge_preference = _net(
    "judge_preference", "no judge compared these replies; name one with --set judge=…"
)
"""The preference by the judge alone; errors of the judge bias it."""
judge_position = _net("judge_position", "no judge was asked about pairs of replies")


def _refused(columns: Sequence[Array]) -> Integers:
    """Cells of refusals: of the first user alone, of neither, of the second alone, of both."""
    first, second = columns
    return np.where(first == second, 1 + 2 * (first == 1), 1 - (first - second)).astype(np.int64)


def _refusals(counts: Array) -> Array:
    """The difference of refusals in points; NaN where nobody is left who could have been refused."""
    answered = counts[..., :3].sum(axis=-1)
    hits = percentage(counts[..., 0] - counts[..., 2], counts.sum(axis=-1))
    return np.where(answered > 0, hits, np.nan)


refusal_difference = replace(
    share(
        "refusal_difference", _refused, 4, gains=(0,), losses=(2,), rests=(0, 1, 2, 3),
        why=lambda counts: "every user is refused" if counts.sum() else "there is no reply",
    ),
    formula=_refusals,
)  # fmt: skip
"""The share of first users who are refused minus that of second users; none where all are refused."""
