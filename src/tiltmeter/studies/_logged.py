"""Tasks of other programs that are no study here: the accuracy and every score that their logs hold.

Such a study is made for a log and again for its result, from the names of its measures.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Inference, Meaning
from tiltmeter.core.samples import Sample, as_numbers
from tiltmeter.core.study import EVERY, Measure, Study
from tiltmeter.core.types import Array, Column
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.metrics.labels import rate
from tiltmeter.stats.intervals import wilson_clustered

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


def infer_mean(sample: Sample) -> Inference:
    """Wilson's interval over documents where each score is 0 or 1, else a bootstrap of documents; no test.

    Raises:
        Undefined: All scores are the same, so that nothing shows how they vary.
    """
    sample = _scored(sample)
    values = np.asarray(sample.columns[0], dtype=np.float64)
    if len(np.unique(values)) == 1:
        raise Undefined("every sample has the same score")
    if not np.isin(values, (0, 1)).all():
        return bootstrapped(sample)
    low, high = wilson_clustered(values, sample.clusters)
    return Inference(low, high, interval="Wilson, by documents")


def logged_study(name: str, scores: Sequence[str]) -> Study[Any]:
    """The study of a task, with a measure for each of these scores, `accuracy` among them or not."""
    task = name.removeprefix(PREFIX)
    measures = [_measure(score) for score in sorted(scores, key=lambda score: score != ACCURACY)]

    def load(source: object = None, **reading: object) -> Dataset[Any]:
        del source, reading
        way_out = "run it with the program that logged it, and import the log"
        raise BadInput(f"{task} is a task of another program", way_out)

    return Study(
        name=name, title=f"{task}: a task of another program", version="1", source="the log",
        measures_what="How often the program took an answer as right, and the means of its other scores.",
        not_what="What is right, and what a score means, is the program's decision: Tiltmeter adds intervals "
        "and comparisons. They are about other documents of the same kind.",
        load=load, sample=load, rules=(), measures=tuple(measures),
    )  # fmt: skip


def _measure(score: str) -> Measure:
    if score == ACCURACY:
        return Measure(
            ACCURACY, rate, (CORRECT,), "%", neutral=None, over=OVER, infer=infer_accuracy,
            summary="The share of samples whose answer the program took as right.",
            meaning=Meaning("Accuracy", role="cost", counts="samples", better="higher",
                            sentence="has a right answer to $value of $n $counts"),
        )  # fmt: skip
    return Measure(
        score, mean_score, (score,), "", neutral=None, over=OVER, infer=infer_mean, rests_on=count_scored,
        summary=f"The mean of {score} as the program scored it.",
        meaning=Meaning(f"Mean of {score}", role="description", counts="samples"),
    )  # fmt: skip
