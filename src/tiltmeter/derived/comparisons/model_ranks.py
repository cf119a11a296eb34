"""Models ranked by a measure of their answers to the same items, each with the range of ranks it may have."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from tiltmeter.core.conventions import FIXED_LABELS
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import ALPHA, Estimate, Inference
from tiltmeter.core.measures import PAIRED, Compare
from tiltmeter.core.results import Result
from tiltmeter.core.samples import PairedSample, rng_of
from tiltmeter.core.types import Array
from tiltmeter.derived.comparisons.comparable_numbers import Conditions, conditions, tokens_of
from tiltmeter.derived.comparisons.measures_over_models import SharedAnswers, shared_answers
from tiltmeter.metrics.paired_difference import compare_resampled
from tiltmeter.stats.ranks.rank_ranges import pair_p_values, rank_ranges
from tiltmeter.stats.resampling.bootstrap import enough, resamples
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.stats.resampling.paired_resampling import affordable

DRAWS = 400
ALL_TESTED = 4
"""Up to this many models, all pairs are tested as `compare` does; beyond it, only those with the leading
one."""
CLOSEST = "closest to "


@dataclass(frozen=True, slots=True)
class ModelRanks:
    """What the models' common items say of their order in one measure."""

    first: str
    """What rank 1 is: "closest to 50", "lowest"."""
    n: int
    """How many items all models scored."""
    draws: int
    ranks: Sequence[tuple[int, int]]
    """The best and the worst rank of each model, all at 95 % confidence."""
    differences: Mapping[tuple[int, int], Estimate]
    """The first model's value less the second's for each two models, by their places."""


def comparable(results: Sequence[Result]) -> list[list[int]]:
    """The places of results of one study that may be ranked: on the same data, scored and counted alike.

    Baselines, which no rule scores, stand beside the results of each rule.
    """
    alike: dict[tuple[Conditions, frozenset[str]], list[int]] = {}
    for place, result in enumerate(results):
        card = result.card
        if not card.title and card.model and card.data["sha256"]:
            how = conditions(card)
            alike.setdefault((replace(how, rules=frozenset()), how.rules), []).append(place)
    scored = {how for how, rules in alike if rules}
    return [
        sorted({*places, *alike.get((how, frozenset()), [])})
        for (how, rules), places in alike.items() if rules or how not in scored
    ]  # fmt: skip


def rank_models(results: Sequence[Result], estimate: Estimate) -> ModelRanks:
    """Rank results that are `comparable` by a measure over all items; `estimate` is the first result's.

    Items, or whole clusters, are resampled with all models' answers. Each two models are held against each
    other on them; where the study brings a paired comparison, that decides, of up to four models for each
    two, of more for the leading one with each other. So no model is alone in the first rank that does not
    differ significantly from the second one in `compare`.

    Raises:
        Undefined: No value of the measure is best, or it has none for some model or resample; or it depends
            on how models split texts into tokens, and they split them differently.
        BadInput: Their study is not installed here.
    """
    first = first_rank(estimate)
    if len(results) < 2 or not first:  # noqa: PLR2004
        raise Undefined("fewer than two models have a value" if first else "no value is the best")
    if estimate.meaning.by_token and len({tokens_of(result) for result in results}) > 1:
        raise Undefined("the models split texts into different tokens, so it is not comparable")
    (answers,) = shared_answers(results, estimate.name)
    codes, k = enough(answers.clusters)
    n, values = len(codes), answers.values
    draws = affordable(n * len(results), DRAWS)
    drawn = np.array([
        [answers.metric(*(column[rows] for column in columns)) for columns in answers.columns]
        for counts in resamples(k, rng_of(0, estimate.name), draws=draws)
        for rows in (np.repeat(np.arange(n), times[codes]) for times in counts)
    ]).T  # fmt: skip
    is_closest = first.startswith(CLOSEST)
    scores = _score(values, first=first, neutral=estimate.neutral or 0.0)
    p = pair_p_values(values, drawn, k, neutral=estimate.neutral if is_closest else None)
    differences = _differences(estimate, values, drawn, k)
    fixed = bool(results[0].card.data.get(FIXED_LABELS))
    for i, j in _tested_pairs(scores):
        sure = _paired_inference(answers, i, j, fixed=fixed, is_likely=bool(p[i, j] < ALPHA))
        if sure is None or sure.low is None or sure.high is None:
            continue
        none = answers.measure.comparison.neutral if answers.measure.comparison else 0.0
        by_test = p[i, j] if sure.p is None else sure.p
        if sure.low <= none <= sure.high:  # significant is what interval and test agree on
            by_test = 1.0
        # The test knows nothing of the neutral value between the two.
        p[i, j] = p[j, i] = max(by_test, p[i, j]) if is_closest else by_test
        if (i, j) in differences and not none:
            differences[i, j] = replace(differences[i, j], low=sure.low, high=sure.high)
    return ModelRanks(first, n, draws, rank_ranges(scores, p), differences)


def _differences(
    estimate: Estimate, values: Array, drawn: Array, units: int
) -> dict[tuple[int, int], Estimate]:
    """The difference between each two models, with its interval from the resamples."""
    meaning = estimate.meaning.of_difference(estimate.meaning, estimate.unit)
    whole = replace(estimate, value=None, low=None, high=None, p=None, bound="",
                    unit=PAIRED.unit_of(estimate.unit), meaning=meaning)  # fmt: skip
    differences = {}
    for i, j in combinations(range(len(values)), 2):
        apart = float(values[i] - values[j])
        with suppress(Undefined):  # two that are the same on all resamples
            low, high = stretched(drawn[i] - drawn[j], apart, units)
            differences[i, j] = replace(whole, value=apart, low=low, high=high)
    return differences


def _tested_pairs(scores: Array) -> list[tuple[int, int]]:
    """The pairs that are held against each other as `compare` does."""
    m, leading = len(scores), int(np.argmax(scores))
    return [pair for pair in combinations(range(m), 2) if m <= ALL_TESTED or leading in pair]


def _paired_inference(
    answers: SharedAnswers, i: int, j: int, *, fixed: bool, is_likely: bool
) -> Inference | None:
    """The interval and p of the comparison of two models; None where there is none or it is undefined.

    The default comparison takes thousands of resamples, so it only confirms a difference that is likely.
    """
    comparison = answers.measure.comparison
    if comparison is None or comparison.reads:
        return None
    by: Compare | None = comparison.by or getattr(answers.measure.metric, "compare", None)
    if by is None and is_likely:
        by = compare_resampled
    if by is None:
        return None
    of_a, of_b = (answers.columns[place] for place in (i, j))
    name = comparison.name_of(answers.measure.name)
    sample = PairedSample(answers.metric, of_a, of_b, answers.clusters, rng_of(0, name), fixed)
    try:
        _, sure = by(sample)
    except Undefined:
        return None
    return sure


def first_rank(estimate: Estimate) -> str:
    """Which value of a measure ranks first; "" where none does.

    >>> first_rank(Estimate("rate", 57.3, None, None, None, 240, neutral=50, unit="%"))
    'closest to 50'
    """
    meaning = estimate.meaning
    if meaning.better or meaning.magnitude:
        return "highest" if meaning.better == "higher" else "lowest"
    is_lean = meaning.role == "lean" and estimate.neutral is not None
    return f"{CLOSEST}{estimate.neutral:g}" if is_lean else ""


def _score(values: Array, *, first: str, neutral: float) -> Array:
    """A score that is highest for the value that ranks first."""
    if first == "highest":
        return values
    if first == "lowest":
        return -values
    # Rounding must not tell two apart that are equally far from neutral.
    return -np.round(np.abs(values - neutral), 9).astype(np.float64)
