"""CEAT: association in context, over many draws of contexts, pooled by a random-effects model.

Sources: Guo and Caliskan 2021, doi:10.1145/3461702.3462536; for one group, Cao et al. 2022, equation 4.3 of
the thesis version, doi:10.18653/v1/2022.naacl-main.92.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.association import LEVEL
from tiltmeter.stats.hypothesis_tests.permutation_tests import Alternative
from tiltmeter.stats.regression.pooling import Pooled, random_effects
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import BY_INTERVAL, excluding_level, stretched

Variance: TypeAlias = Literal["associations", "effect_size"]
"""How an effect's sampling variance is estimated: as the variance of the associations (Guo and Caliskan),
or as the usual one of a standardised difference of two means."""


class Effects(NamedTuple):
    """Each draw's effect size and its variance, shape (draws,); NaN where there is none."""

    effects: Array
    variances: Array


def effects_of_draws(x: Array, y: Array, a: Array, b: Array, *, variance: Variance) -> Effects:
    """WEAT's effect size of each draw (standard deviation with n − 1), and its variance.

    Args:
        x: One vector of length 1 for each draw and word of X, shape (draws, words of X, d).
        y: As many draws, shape (draws, words of Y, d).
        a: As many draws, shape (draws, words of A, d).
        b: As many draws, shape (draws, words of B, d).
        variance: How the variance is estimated.

    >>> e = np.eye(2)[None]
    >>> draws = effects_of_draws(e[:, :1], e[:, 1:], e[:, :1], e[:, 1:], variance="associations")
    >>> draws.effects, draws.variances  # s is 1 and −1: 2 / √2, and 2
    (array([1.41421356]), array([2.]))
    """
    away = a.mean(axis=1) - b.mean(axis=1)  # (draws, d)
    s = np.einsum("nwd,nd->nw", np.concatenate([x, y], axis=1), away)  # (draws, targets)
    first = x.shape[1]
    return _standardised(s[:, :first], s[:, first:], variance)


def leanings_of_draws(g: Array, a: Array, b: Array, *, variance: Variance) -> Effects:
    """The effect size of a single group: its mean cosine with A minus that with B, in standard deviations.

    Args:
        g: The group's vector in each draw, of length 1, shape (draws, d).
        a: Shape (draws, words of A, d).
        b: Shape (draws, words of B, d).
        variance: How the variance is estimated.
    """
    return _standardised(
        np.einsum("nd,nwd->nw", g, a), np.einsum("nd,nwd->nw", g, b), variance
    )  # fmt: skip


def _standardised(first: Array, second: Array, variance: Variance) -> Effects:
    """Differences of means in standard deviations of both together, row by row."""
    both = np.concatenate([first, second], axis=1)  # (draws, n)
    spread = both.std(axis=1, ddof=1) if both.shape[1] > 1 else np.zeros(len(both))
    level = np.ptp(both, axis=1) <= LEVEL
    spread = np.where(level, np.nan, spread)
    effects = (first.mean(axis=1) - second.mean(axis=1)) / spread
    if variance == "associations":
        return Effects(effects, spread**2)
    return Effects(effects, sampling_variance(effects, first.shape[1], second.shape[1]))


def sampling_variance(effects: Array, n: int, m: int) -> Array:
    """Variance of a standardised difference d of two means, of n and m values.

    (n + m) / nm + d² / 2(n + m).

    Source: Hedges and Olkin 1985, chapter 5, for large samples.

    >>> float(sampling_variance(np.array([1.0]), 4, 4)[0])
    0.5625
    """
    return np.asarray((n + m) / (n * m) + effects**2 / (2 * (n + m)), dtype=np.float64)


def combined_effect(effect: Array, variance: Array) -> float:
    """The pooled effect size of all draws: above 0, X (or the group) is closer to A than to B.

    Raises:
        Undefined: A draw has no effect size, or there is none.

    >>> combined_effect(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    1.2
    """
    return _pooled(effect, variance).effect


def lowest_over_lists(effect: Array, variance: Array, of_list: Labels) -> float:
    """The lowest combined effect of a test with its own and with other lists of words.

    >>> ones, lists = np.ones(4), np.array(["own", "own", "other", "other"])
    >>> round(lowest_over_lists(np.array([1.0, 1.0, 0.5, 0.7]), ones, lists), 2)
    0.6
    """
    return min(_over_lists(effect, variance, of_list))


def highest_over_lists(effect: Array, variance: Array, of_list: Labels) -> float:
    """The highest combined effect of a test with its own and with other lists of words."""
    return max(_over_lists(effect, variance, of_list))


def lists_counted(columns: Sequence[Column]) -> int:
    """How many lists there are, the test's own among them."""
    return len(np.unique(as_labels(columns[2:3])[0]))


def _over_lists(effect: Array, variance: Array, of_list: Labels) -> list[float]:
    return [
        combined_effect(effect[of_list == name], variance[of_list == name])
        for name in np.unique(of_list)
    ]


def spread_between_draws(effect: Array) -> float:
    """Standard deviation of the effect sizes over draws: how much depends on the contexts; at least 0.

    Raises:
        Undefined: There are fewer than two draws, or one has no effect size.

    >>> spread_between_draws(np.array([1.0, 2.0, 3.0]))
    1.0
    """
    _check(effect)
    if len(effect) < 2:  # noqa: PLR2004
        raise Undefined("there is only one draw, so there is no spread over draws")
    return float(effect.std(ddof=1))


def _pooled(effect: Array, variance: Array) -> Pooled:
    _check(effect)
    return random_effects(effect, variance)


def _check(effect: Array) -> None:
    lost = int(np.isnan(effect).sum())
    if lost:
        raise Undefined(
            f"in {lost:,} of {counted(len(effect), 'draws')} all words have the same association"
        )


def infer_combined_effect(sample: Sample, *, alternative: Alternative = "two-sided") -> Inference:
    """The random-effects model's own interval and t test, over draws. For `combined_effect`."""
    pooled = _pooled(*as_numbers(sample.columns))
    try:
        low, high = pooled.interval()
    except Undefined as undefined:
        return Inference(None, None, why=f"no interval and no test: {undefined}")
    sided = "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"
    return Inference(
        low,
        high,
        pooled.p(alternative),
        "random-effects model over draws of contexts, Knapp and Hartung’s error",
        f"{sided} t test of the random-effects model",
    )


def infer_effect_of_list(sample: Sample) -> Inference:
    """The interval of `infer_combined_effect`, without a test: of many lists, none is singled out."""
    return infer_combined_effect(sample)._replace(p=None, test="")


def compare_combined_effects(sample: PairedSample) -> tuple[float, Inference]:
    """A's combined effect minus B's; draws, which have the same contexts for both, are resampled.

    Each model's effect is in its own standard deviations, so answers cannot be swapped for a test: p is the
    level at which the interval first excludes no difference.

    Raises:
        Undefined: One of the two models has no combined effect.
    """
    value = sample.difference
    first, second = as_numbers((sample.a[0], sample.b[0]))
    apart = np.stack([np.ones(len(first)), first - second], axis=1)
    sums = resampled_sums(apart, sample.rng)
    # centred on the pooled difference, which weighs draws; the resampled plain means do not
    drawn = value + sums[:, 1] / sums[:, 0] - apart[:, 1].mean()
    name = f"stretched paired bootstrap of draws of contexts, {RESAMPLES:,} draws"
    return value, uncertainty(
        lambda: (*stretched(drawn, value, len(apart), confidence=sample.confidence), name),
        lambda: (excluding_level(drawn, value, len(apart)), BY_INTERVAL),
    )
