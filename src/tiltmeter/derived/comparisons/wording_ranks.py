"""The order of models in each of several wordings, and their possible ranks in wordings like these."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Result
from tiltmeter.core.samples import ties_of
from tiltmeter.core.types import Array
from tiltmeter.core.wordings import AXIS
from tiltmeter.derived.comparisons.measures_over_models import SharedAnswers, shared_answers
from tiltmeter.derived.comparisons.model_ranks import CLOSEST, first_rank
from tiltmeter.run.measuring.over_wordings import cell_means, row_values
from tiltmeter.stats.confidence_intervals.crossed_means import FEWEST_LEVELS, differs_over_both

RANK = "model_rank"
INTERVAL = (
    "pairwise intervals over items and wordings, Bonferroni’s adjustment over a model’s rivals"
)
ROUNDING = 9
"""Decimals to which scores are rounded, so that rounding does not part models that are equal."""


def wording_ranks(results: Sequence[Result]) -> list[Estimate]:
    """The rank of each model in each wording and over all, for the first measure over all items.

    The rank over all has the range of ranks that it may have in wordings like these, from five wordings on
    and for means over answers. Nothing comes of results in one wording, or of which no value is the best.
    """
    head = results[0].headline
    if head is None or len(results) < 2 or not (first := first_rank(head)):  # noqa: PLR2004
        return []
    try:
        (answers,) = shared_answers(results, head.name)
    except (Undefined, BadInput):
        return []
    if answers.wordings is None:
        return []
    neutral = head.neutral or 0.0
    names = _names(results)
    meaning = Meaning(
        f"Rank by {head.meaning.title or head.name}", role="description", counts="items",
        decimals=0, caution=f"Rank 1 is the model whose value is {first}.",
    )  # fmt: skip
    whole = Estimate(
        RANK, None, None, None, None, len(answers.clusters), None, "", study=head.study,
        meaning=meaning, ties=head.ties,
    )  # fmt: skip
    try:
        ranges, why = possible_ranks(answers, first, neutral), ""
    except Undefined as undefined:
        ranges, why = [None] * len(names), f"no range: {undefined}"
    made = []
    for name, rank, ends in zip(names, _ranks(answers.values, first, neutral), ranges, strict=True):
        over_all = replace(whole, model=name, value=float(rank), why=why)
        if ends is not None:
            over_all = replace(over_all, low=float(ends[0]), high=float(ends[1]), interval=INTERVAL)
        made.append(over_all)
    for wording in np.unique(answers.wordings):
        rows = np.flatnonzero(answers.wordings == wording)
        try:
            values = np.array(
                [answers.metric(*(column[rows] for column in c)) for c in answers.columns]
            )
        except Undefined:
            continue
        made += [
            replace(whole, model=name, value=float(rank), n=len(rows), groups={AXIS: str(wording)})
            for name, rank in zip(names, _ranks(values, first, neutral), strict=True)
        ]
    return made


def _names(results: Sequence[Result]) -> list[str]:
    """The models' names, numbered where one stands for several results."""
    names = [result.card.model_name for result in results]
    return [
        f"{name} ({1 + names[:i].count(name)})" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]


def _scores(values: Array, first: str, neutral: float) -> Array:
    """A score that is highest for the value that ranks first."""
    if first.startswith(CLOSEST):
        values = -np.abs(values - neutral)
    elif first == "lowest":
        values = -values
    return np.asarray(np.round(values, ROUNDING))


def _ranks(values: Array, first: str, neutral: float) -> npt.NDArray[np.int64]:
    """The rank of each value from 1; equal ones share the best of theirs."""
    scores = _scores(values, first, neutral)
    return np.asarray(1 + (scores[None, :] > scores[:, None]).sum(axis=1))


def possible_ranks(
    answers: SharedAnswers, first: str, neutral: float
) -> Sequence[tuple[int, int] | None]:
    """The best and the worst rank of each model over items and wordings like these.

    Raises:
        Undefined: The measure is no mean over answers, or there are too few wordings or clusters.
    """
    m, wordings = answers.measure, answers.wordings
    values_of = row_values(m)
    if wordings is None or values_of is None:
        raise Undefined("the measure is no mean over answers")
    if (w := len(np.unique(wordings))) < FEWEST_LEVELS:
        raise Undefined(f"it takes {FEWEST_LEVELS} wordings, and there are {w}")
    rows = np.array([values_of.of(c, ties_of(answers.metric)) for c in answers.columns])
    counted = np.isfinite(rows).all(axis=0)
    cells = [cell_means(row[counted], answers.clusters[counted], wordings[counted]) for row in rows]
    models = len(cells)
    confidence = 1 - 0.05 / (models - 1)
    best, worst = np.ones(models, dtype=np.int64), np.full(models, models)
    for i, j in combinations(range(models), 2):
        better = differs_over_both(cells[i] - cells[j], confidence=confidence)
        if first.startswith(CLOSEST):
            # The nearer of two is known where both their difference and the side of their mean are.
            side = differs_over_both(cells[i] + cells[j] - 2 * neutral, confidence=confidence)
            better = -better * side
        elif first == "lowest":
            better = -better
        if better:
            high, low = (i, j) if better > 0 else (j, i)
            worst[high] -= 1
            best[low] += 1
    return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]
