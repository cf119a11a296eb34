"""Two models on the same association tests: differences of effect sizes, test by test."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.analysis.paired import (
    Number,
    columns,
    estimate,
    interval,
    matched,
    note,
    rng_of,
)
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Estimate, Inference, Record, Result
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.association import LEVEL, effect_size
from tiltmeter.metrics.contextual import combined_effect
from tiltmeter.stats.bootstrap import RESAMPLES, cluster_sums, clustered, resampled_sums
from tiltmeter.stats.intervals import percentiles

TARGETS, DRAWS = "association", "effect"
"""What the records of a target hold, and those of a draw of contexts."""
UNIT = "standard deviations"
Mask: TypeAlias = npt.NDArray[np.bool_]


def is_association(result: Result) -> bool:
    """Whether it is of association tests, of words alone or in context."""
    groups = result.records[0].groups if result.records else {}
    return "test" in groups and ("side" in groups or is_of_draws(result))


def is_of_draws(result: Result) -> bool:
    """Whether its records are draws of contexts."""
    return "side" not in result.records[0].groups and any(
        DRAWS in record.scores for record in result.records
    )


def compare_effects(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """A's effect size less B's, each test for itself; 0 where they are equal.

    The interval resamples the targets of each side (whole words, where several sentences are about one)
    with both models' associations. There is no test: either model's effect is in its own standard
    deviations, so nothing can change places.

    In context it is the difference of combined effects, and its interval resamples draws, which hold the
    same contexts for both models.

    Raises:
        BadInput: They have no item in common, or their contexts are not the same.
    """
    mine, yours = matched(a, b)
    left_out = len(a.records) + len(b.records) - 2 * len(mine)
    why = note(a, b, left_out)
    if is_of_draws(a):
        _same_contexts(a, b)
        return list(_of_draws(a, b, mine, yours, why, seed))
    return list(_of_targets(a, b, mine, yours, why, seed))


def _same_contexts(a: Result, b: Result) -> None:
    corpora = [result.card.data.get("corpus") for result in (a, b)]
    drawn = [
        {name: result.card.settings.get(name) for name in ("draws", "contexts", "longest", "drawn")}
        for result in (a, b)
    ]
    if corpora[0] != corpora[1] or drawn[0] != drawn[1]:
        raise BadInput(
            "the two results are of different contexts, from other corpora or drawn in other ways",
            "run both models with the same corpus and settings",
        )


def _of_targets(
    a: Result, b: Result, mine: Sequence[Record], yours: Sequence[Record], why: str, seed: int
) -> Iterator[Estimate]:
    (s_a,), (s_b,) = (
        columns(result.card, records, [TARGETS])
        for result, records in ((a, mine), (b, yours))
    )  # fmt: skip
    test, side = (np.array([r.groups.get(axis, "") for r in mine]) for axis in ("test", "side"))
    words = np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in mine])
    by_words = any(r.cluster for r in mine)
    of = "words" if by_words else "targets"
    kind = f"paired bootstrap of the {of} of each side, {RESAMPLES:,} draws"
    for name in dict.fromkeys(test.tolist()):
        here = test == name
        groups = {"test": str(name)}
        value, reason = None, ""
        sure = Inference(None, None)
        try:
            value = effect_size(s_a[here], side[here]) - effect_size(s_b[here], side[here])
            rng = rng_of(seed, "effect_size_difference", groups)
            drawn = _resampled(s_a[here], s_b[here], side[here] == "X", words[here], rng)
            sure, reason = interval(partial(percentiles, drawn), kind=kind)
        except Undefined as undefined:
            reason = str(undefined) if value is None else f"no interval: {undefined}"
        told = "; ".join(text for text in (why, reason) if text)
        shown = Number("effect_size_difference", value, UNIT, 0, groups, told)
        yield estimate(a, b, shown, sure, n=int(here.sum()), tied=0)


def _resampled(s_a: Array, s_b: Array, x: Mask, words: Labels, rng: np.random.Generator) -> Array:
    """Differences of effect sizes on resamples of either side's words, shape (draws,)."""
    sides = []
    for part in (x, ~x):
        codes, k = clustered(words[part])
        if k < 2:  # noqa: PLR2004
            raise Undefined("one side is about a single word only")
        rows = np.stack([np.ones(part.sum()), s_a[part], s_a[part] ** 2, s_b[part], s_b[part] ** 2])
        sides.append(resampled_sums(cluster_sums(rows.T, codes, k), rng))  # (draws, 5)
    return _effects(sides, 1) - _effects(sides, 3)


def _effects(sides: Sequence[Array], at: int) -> Array:
    """From counts, sums and squares of both sides."""
    n, total, squares = ((sides[0] + sides[1])[:, i] for i in (0, at, at + 1))
    spread = np.sqrt(np.maximum(squares - total**2 / n, 0) / (n - 1))
    spread[spread <= LEVEL] = np.nan
    apart = sides[0][:, at] / sides[0][:, 0] - sides[1][:, at] / sides[1][:, 0]
    return np.asarray(apart / spread, dtype=np.float64)


def _of_draws(
    a: Result, b: Result, mine: Sequence[Record], yours: Sequence[Record], why: str, seed: int
) -> Iterator[Estimate]:
    effects, variances = (
        [np.array([r.scores.get(name, np.nan) for r in records]) for records in (mine, yours)]
        for name in (DRAWS, "variance")
    )
    places: dict[str, list[int]] = {}
    for i, record in enumerate(mine):
        places.setdefault(record.groups.get("test", ""), []).append(i)
    kind = f"paired bootstrap of draws of contexts, {RESAMPLES:,} draws"
    for name, rows in places.items():
        groups = {"test": name}
        value, reason, sure = None, "", Inference(None, None)
        try:
            of_a, of_b = (
                combined_effect(e[rows], v[rows]) for e, v in zip(effects, variances, strict=True)
            )
            value = of_a - of_b
            rng = rng_of(seed, "combined_effect_difference", groups)
            apart = np.stack([np.ones(len(rows)), effects[0][rows] - effects[1][rows]], axis=1)
            sums = resampled_sums(apart, rng)
            # about the pooled difference: pooling weighs draws, plain means of draws do not
            drawn = value + sums[:, 1] / sums[:, 0] - apart[:, 1].mean()
            sure, reason = interval(partial(percentiles, drawn), kind=kind)
        except Undefined as undefined:
            reason = str(undefined)
        told = "; ".join(text for text in (why, reason) if text)
        shown = Number("combined_effect_difference", value, UNIT, 0, groups, told)
        yield estimate(a, b, shown, sure, n=len(rows), tied=0)
