"""Models ranked by a measure of their answers to the same items, each with the range of ranks it may have."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from tiltmeter.analysis.measures_over_models import shared_answers
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.samples import rng_of
from tiltmeter.core.study import PAIRED
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap import enough, resamples
from tiltmeter.stats.bootstrap_intervals import stretched
from tiltmeter.stats.paired_resampling import affordable
from tiltmeter.stats.rank_ranges import rank_ranges

DRAWS = 400


@dataclass(frozen=True, slots=True)
class ModelRanks:
    """What the models' common items say of their order in one measure."""

    first: str
    """What rank 1 is: "closest to 50", "lowest"."""
    n: int
    """How many items all models scored."""
    draws: int
    ranks: Sequence[tuple[int, int]]
    """The best and the worst rank of each model in 95% of the resamples."""
    differences: Mapping[tuple[int, int], Estimate]
    """Of each two models, by their places: the first one's value less the second's."""


def comparable(results: Sequence[Result]) -> list[list[int]]:
    """The places of results of one study that may be ranked: on the same data, scored and counted alike.

    Baselines, which no rule scores, stand beside the results of each rule.
    """
    alike: dict[tuple[object, frozenset[str]], list[int]] = {}
    for place, result in enumerate(results):
        card = result.card
        if not card.title and card.model and card.data["sha256"]:
            is_baseline = card.model.get("kind") == "baseline"
            rules = frozenset(() if is_baseline else card.alike or [card.rule])
            data = (card.data["sha256"], card.data.get("items"), *sorted(card.settings.items()))
            how = (card.study, data, card.convention, card.ties)
            alike.setdefault((how, rules), []).append(place)
    scored = {how for how, rules in alike if rules}
    return [
        sorted({*places, *alike.get((how, frozenset()), [])})
        for (how, rules), places in alike.items() if rules or how not in scored
    ]  # fmt: skip


def rank_models(results: Sequence[Result], estimate: Estimate) -> ModelRanks:
    """Rank results that are `comparable` by a measure over all items; `estimate` is the first result's.

    Items, or whole clusters, are resampled with all models' answers.

    Raises:
        Undefined: No value of the measure is best, or it has none for some model or resample.
        BadInput: Their study is not installed here.
    """
    first = first_rank(estimate)
    if len(results) < 2 or not first:  # noqa: PLR2004
        raise Undefined("fewer than two models have a value" if first else "no value is the best")
    (answers,) = shared_answers(results, estimate.name)
    codes, k = enough(answers.clusters)
    n, values = len(codes), answers.values
    draws = affordable(n * len(results), DRAWS)
    drawn = np.array([
        [answers.metric(*(column[rows] for column in columns)) for columns in answers.columns]
        for counts in resamples(k, rng_of(0, estimate.name), draws=draws)
        for rows in (np.repeat(np.arange(n), times[codes]) for times in counts)
    ]).T  # fmt: skip
    within = estimate.meaning.range(estimate.unit)
    score = partial(_score, first=first, neutral=estimate.neutral or 0.0)
    ranks = rank_ranges(values, drawn, k, tied=0.0, within=within, score=score)
    unit, meaning = PAIRED.unit_of(estimate.unit), estimate.meaning
    whole = replace(estimate, value=None, low=None, high=None, p=None, bound="", unit=unit,
                    meaning=meaning.of_difference(meaning, estimate.unit))  # fmt: skip
    differences = {}
    for i, j in combinations(range(len(values)), 2):
        apart = float(values[i] - values[j])
        with suppress(Undefined):  # two that are the same on all resamples
            low, high = stretched(drawn[i] - drawn[j], apart, k)
            differences[i, j] = replace(whole, value=apart, low=low, high=high)
    return ModelRanks(first, n, draws, ranks, differences)


def first_rank(estimate: Estimate) -> str:
    """Which value of a measure ranks first; "" where none does.

    >>> first_rank(Estimate("rate", 57.3, None, None, None, 240, neutral=50, unit="%"))
    'closest to 50'
    """
    meaning = estimate.meaning
    if meaning.better or meaning.magnitude:
        return "highest" if meaning.better == "higher" else "lowest"
    is_lean = meaning.role == "lean" and estimate.neutral is not None
    return f"closest to {estimate.neutral:g}" if is_lean else ""


def _score(values: Array, *, first: str, neutral: float) -> Array:
    """What is highest of the value that ranks first."""
    if first == "highest":
        return values
    return -values if first == "lowest" else -np.abs(values - neutral)
