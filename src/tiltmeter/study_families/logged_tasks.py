"""Tasks of other programs that are no study here: the accuracy and every score that their logs hold.

Such a study is made for a log and again for its result, from the names of its measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference, Meaning
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.samples import Sample, as_numbers
from tiltmeter.core.study import Study
from tiltmeter.core.types import Array, Column
from tiltmeter.metrics.labels import rate
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import median_interval, wilson_clustered

PREFIX = "log:"
"""Names of such studies begin with it, and go on with the task's."""
ACCURACY, CORRECT = "accuracy", "correct"
"""The measure, and the score that it counts: 1 for an answer that the program took as right, 0 otherwise."""
OVER = ((), EVERY)


def mean_score(scores: Array) -> float:
    """The mean of a score as the program gave it, whatever its range, over the samples that have it.

    Raises:
        Undefined: No sample has it.

    >>> mean_score(np.array([0.0, 1.0, 0.5, np.nan]))
    0.5
    """
    there = scores[~np.isnan(scores)]
    if not len(there):
        raise Undefined("no sample has this score")
    return float(np.mean(there))


def count_scored(columns: Sequence[Column]) -> int:
    """How many samples have the score."""
    (scores,) = as_numbers(columns)
    return int((~np.isnan(scores)).sum())


def _scored(sample: Sample) -> Sample:
    """The sample without the rows that lack the score: they show nothing of how it varies."""
    (scores,) = as_numbers(sample.columns)
    there = ~np.isnan(scores)
    return replace(sample, columns=[scores[there]], clusters=sample.clusters[there])


def infer_accuracy(sample: Sample) -> Inference:
    """The interval of the share, over the documents whose answers were judged; no test."""
    return rate.infer(_scored(sample))


def infer_mean(sample: Sample) -> NoReturn:
    """No interval of scores that go beyond 0 to 1, but that of their median in the reason; no test.

    Nothing says how large a score of any size may be that was not drawn: where three in a hundred are at 50,
    and of log-normal and Pareto-distributed scores, bootstraps of documents contained the mean in 58 to 92 of
    100 samples. The median has an interval whatever the distribution.

    Raises:
        Undefined: Always, with the reason.
    """
    sample = _scored(sample)
    values = _varying(sample)
    raise Undefined(
        "scores outside 0 to 1 can have any size, and no interval for their mean is safe against "
        f"rare large ones; {_median(values, sample)}"
    )


def _varying(sample: Sample) -> Array:
    values = np.asarray(sample.columns[0], dtype=np.float64)
    if len(np.unique(values)) == 1:
        raise Undefined("every sample has the same score")
    return values


def infer_mean_share(sample: Sample) -> Inference:
    """Wilson's interval over documents where each score is 0 or 1, Gaffke's where some are between; no test.

    Raises:
        Undefined: All scores are the same, so that nothing shows how they vary.
    """
    sample = _scored(sample)
    values = _varying(sample)
    if np.isin(values, (0, 1)).all():
        low, high = wilson_clustered(values, sample.clusters)
        return Inference(low, high, interval="Wilson, by documents")
    low, high = bounded_mean(values, sample.clusters, (0, 1))
    how = "Gaffke interval over documents, on a scale from 0 to 1"
    return Inference(low, high, interval=how)


def _median(values: Array, sample: Sample) -> str:
    """The median in words, with its interval where it has one."""
    text = f"their median is {np.median(values):.4g}"
    try:
        low, high = median_interval(values, sample.clusters)
    except Undefined as undefined:
        return f"{text} (no interval: {undefined})"
    return f"{text} (95 % interval {low:.4g} to {high:.4g})"


def logged_study(name: str, scores: Mapping[str, bool]) -> Study[Any]:
    """The study of a task.

    Args:
        name: Of the task, behind the prefix.
        scores: The scores that have a measure, `accuracy` among them or not, and whether each lies from 0
            to 1 in all samples. A subset cannot show that: its scores may all be small by chance.
    """
    task = name.removeprefix(PREFIX)
    ordered = sorted(scores, key=lambda score: score != ACCURACY)
    measures = [_measure(score, is_share=scores[score]) for score in ordered]

    def load(source: object = None, **reading: object) -> Dataset[Any]:
        del source, reading
        way_out = "run it with the program that logged it, and import the log"
        raise BadInput(f"{task} is a task of another program", way_out)

    return Study(
        name=name, title=f"{task}: a task of another program", version="1",
        source=f"{task}, a task of the program that wrote the log.",
        measures_what="How often the program took an answer as right, and the means of its other scores.",
        not_what=(
            "What is right, and what a score means, was decided by the program; Tiltmeter adds "
            "intervals and comparisons. They are about other documents of the same kind."
        ),
        load=load, sample=load, rules=(), measures=tuple(measures),
    )  # fmt: skip


def scales(measures: Mapping[str, Meaning]) -> dict[str, bool]:
    """Whether each score of a logged study lies from 0 to 1: as `logged_study` takes them."""
    return {name: meaning.most == 1 for name, meaning in measures.items()}


def _measure(score: str, *, is_share: bool) -> Measure:
    if score == ACCURACY:
        return Measure(
            ACCURACY, rate, (CORRECT,), "%", neutral=None, over=OVER, infer=infer_accuracy,
            summary="The share of samples whose answer the program took as right.",
            meaning=Meaning("Accuracy", role="cost", counts="samples", better="higher",
                            sentence="has a right answer to $value of $n $counts"),
        )  # fmt: skip
    least, most = (0, 1) if is_share else (None, None)
    return Measure(
        score, mean_score, (score,), "", neutral=None, over=OVER,
        infer=infer_mean_share if is_share else infer_mean, rests_on=count_scored,
        summary=f"The mean of {score} as the program scored it.",
        meaning=Meaning(f"Mean of {score}", role="description", counts="samples", least=least, most=most),
    )  # fmt: skip
