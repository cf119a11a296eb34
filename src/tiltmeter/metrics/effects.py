"""Intervals and tests for effect sizes of association tests.

Sources: Caliskan et al. 2017, doi:10.1126/science.aal4230; May et al. 2019, doi:10.18653/v1/N19-1063.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.association import LEVEL, Deviation, effect_size, first_side, permutation_p
from tiltmeter.stats.hypothesis_tests.permutation_tests import Alternative, Permuted, partition_test
from tiltmeter.stats.hypothesis_tests.t_tests import standardised_interval
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, cluster_sums, clustered, resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import BY_INTERVAL, excluding_level, stretched

FEWEST = 8
"""With fewer targets or words on a side there is no interval: none holds where associations are skewed."""
SKEWED = 1.0
"""With a skewness from here on, an interval comes with a caution."""
_TOO_FEW = f"a side has fewer than {FEWEST} {{}}, which show too little of how they vary"
MANY = 16
"""With at least so many targets on each side, the interval is a bootstrap."""


def infer_effect_size(
    sample: Sample, *, alternative: Alternative = "two-sided", tested: bool = True
) -> Inference:
    """Interval by noncentral t, or a bootstrap of many targets; permutation test. For `effect_size`.

    With fewer than `MANY` targets on a side, noncentral t is closer to 95 % and narrower, also for skewed
    targets; with more, the bootstrap does without its assumption of normal targets that vary alike. Clusters
    are ignored.

    Args:
        sample: Associations and sides, of `effect_size` or a partial of it.
        alternative: The alternative hypothesis; the published tests use "greater".
        tested: Whether there is a test.
    """
    s, side = _targets(sample)

    def interval() -> tuple[float, float, str]:
        x = first_side(s, side)
        sizes = int(x.sum()), int((~x).sum())
        value = float(sample.metric(s, side))
        if min(sizes) < FEWEST:
            raise Undefined(_TOO_FEW.format("targets"))
        if min(sizes) < MANY:
            low, high = standardised_interval(effect_size(s, side), *sizes)
            # In the population's standard deviations: a value near the largest possible may lie outside.
            return min(low, value), max(high, value), "noncentral t"
        drawn = _resampled(s, x, _deviation(sample), sample.rng)
        name = f"stretched bootstrap of the targets of each side, {RESAMPLES:,} draws"
        return *_ends(drawn, value, x, min(sizes)), name

    return uncertainty(
        interval,
        (lambda: _tested(s, side, sample.rng, alternative)) if tested else None,
        rough=_skewed(s[side == "X"], s[side != "X"]),
        test_first=True,
    )


def infer_effect_size_clustered(
    sample: Sample, *, alternative: Alternative = "two-sided", tested: bool = True
) -> Inference:
    """Interval and permutation test of `effect_size` by words, for tests with several sentences about one.

    The interval resamples words with all their sentences. The test permutes words, each with the mean
    association of its sentences; the sides need not have equally many. Sentences about one word are not
    independent: treating them as if they were makes intervals too narrow and p too small. `tested` is
    whether there is a test.
    """
    s, side = _targets(sample)
    words, rng = sample.clusters, sample.rng
    x = first_side(s, side)
    means = [_by_word(s[part], words[part])[0] for part in (x, ~x)]
    first = np.repeat([True, False], [len(mean) for mean in means])
    fewer = min(map(len, means))

    def test() -> tuple[float, str]:
        permuted = partition_test(np.concatenate(means), first, rng, alternative=alternative)
        return permuted.p, _test_named(permuted, alternative, "words")

    def interval() -> tuple[float, float, str]:
        if fewer < FEWEST:
            raise Undefined(_TOO_FEW.format("words"))
        drawn = _resampled_words(s, x, words, _deviation(sample), rng)
        name = f"stretched bootstrap of the words of each side, {RESAMPLES:,} draws"
        return *_ends(drawn, float(sample.metric(s, side)), x, fewer), name

    return uncertainty(interval, test if tested else None, rough=_skewed(*means), test_first=True)


def _skewed(*sides: Array) -> str:
    """A caution where the values of the two sides are so skewed that an interval is too narrow, else ""."""
    apart = np.concatenate([side - side.mean() for side in sides])
    variance = float((apart**2).mean())
    skewness = float((apart**3).mean()) / variance**1.5 if variance > LEVEL**2 else 0.0
    if abs(skewness) < SKEWED:
        return ""
    shown = f"{skewness:.1f}".replace("-", "−")
    return f"associations are skewed (skewness {shown}): the interval may be too narrow, p is not affected"


def compare_effect_sizes(sample: PairedSample) -> tuple[float, Inference]:
    """A's effect size minus B's; the targets of each side (whole words) are resampled for both models.

    Each model's effect is in its own standard deviations, so answers cannot be swapped for a test: p is the
    level at which the interval first excludes no difference.

    Raises:
        Undefined: One of the two models has no effect size.
    """
    value, clusters = sample.difference, sample.clusters
    s_a, s_b = as_numbers((sample.a[0], sample.b[0]))
    (side,) = as_labels(sample.a[1:2])
    x = first_side(s_a, side)
    of = "targets" if len(np.unique(clusters)) == len(clusters) else "words"
    fewer = min(len(np.unique(clusters[part])) for part in (x, ~x))

    def resampled() -> Array:
        if fewer < FEWEST:
            raise Undefined(_TOO_FEW.format(of))
        return _resampled_both(s_a, s_b, x, clusters, sample.rng)

    try:
        drawn = resampled()
        low, high = stretched(drawn, value, fewer, confidence=sample.confidence)
    except Undefined as undefined:
        return value, Inference(None, None, why=f"no interval and no test: {undefined}")
    most = 2 * _largest(x)
    return value, Inference(
        max(low, -most), min(high, most), excluding_level(drawn, value, fewer),
        f"stretched paired bootstrap of the {of} of each side, {RESAMPLES:,} draws",
        BY_INTERVAL,
    )  # fmt: skip


def _resampled_both(
    s_a: Array, s_b: Array, x: npt.NDArray[np.bool_], words: Labels, rng: np.random.Generator
) -> Array:
    """Differences of effect sizes on resamples of either side's words, shape (draws,)."""
    sides = []
    for part in (x, ~x):
        codes, k = clustered(words[part])
        rows = np.stack([np.ones(part.sum()), s_a[part], s_a[part] ** 2, s_b[part], s_b[part] ** 2])
        sides.append(resampled_sums(cluster_sums(rows.T, codes, k), rng))  # (draws, 5)
    return _effects(sides, 1) - _effects(sides, 3)


def _effects(sides: Sequence[Array], at: int, deviation: Deviation = "sample") -> Array:
    """Effect sizes from both sides' counts, sums in column `at` and sums of squares in the next."""
    n, total, squares = (sides[0] + sides[1])[:, [0, at, at + 1]].T
    # Rounding may leave equal values a little less than no variance.
    spread = np.sqrt(np.maximum(squares - total**2 / n, 0) / (n - (deviation == "sample")))
    spread[spread <= LEVEL] = np.nan
    apart = sides[0][:, at] / sides[0][:, 0] - sides[1][:, at] / sides[1][:, 0]
    return np.asarray(apart / spread, dtype=np.float64)


def _ends(drawn: Array, value: float, x: npt.NDArray[np.bool_], fewer: int) -> tuple[float, float]:
    """The interval, within the effects that are possible."""
    most = _largest(x)
    low, high = stretched(drawn, value, fewer)
    return max(low, -most), min(high, most)


def _largest(x: npt.NDArray[np.bool_]) -> float:
    """The largest possible effect: that of two sides that differ and do not vary; 2 for equal sides."""
    return float(1 / np.sqrt(x.mean() * (1 - x.mean())))


def _tested(
    s: Array, side: Labels, rng: np.random.Generator, alternative: Alternative
) -> tuple[float, str]:
    """The test's p and its name.

    Raises:
        Undefined: There is no test, also where the sides have different sizes.
    """
    try:
        permuted = permutation_p(s, side, rng, alternative=alternative)
    except BadInput as error:
        raise Undefined(str(error)) from error
    return permuted.p, _test_named(permuted, alternative, "targets")


def _test_named(permuted: Permuted, alternative: Alternative, dealt: str) -> str:
    sided = "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"
    partitions = (
        f"{'all' if permuted.exact else 'random'} {counted(permuted.partitions, 'partitions')}"
    )
    return f"{sided} permutation test, {partitions} of the {dealt}"


def _by_word(s: Array, words: Labels) -> tuple[Array, Array, Array]:
    """For each word: the mean of its targets' s, their number, and their sum of squares."""
    codes, k = clustered(words)
    count = np.bincount(codes, minlength=k).astype(np.float64)
    sums = cluster_sums(np.stack([s, s**2], axis=1), codes, k)  # (k, 2)
    return sums[:, 0] / count, count, sums[:, 1]


def _resampled_words(
    s: Array,
    x: npt.NDArray[np.bool_],
    words: Labels,
    deviation: Deviation,
    rng: np.random.Generator,
) -> Array:
    """Effect sizes of resamples of each side's words, shape (draws,); NaN where undefined."""
    totals = []
    for part in (x, ~x):
        mean, count, squares = _by_word(s[part], words[part])
        if len(mean) < 2:  # noqa: PLR2004  # one word drawn again and again is no resample
            raise Undefined("one side has sentences about a single word")
        of_word = np.stack([count, mean * count, squares], axis=1)  # (words, 3)
        totals.append(resampled_sums(of_word, rng))  # (draws, 3)
    return _effects(totals, 1, deviation)


def _resampled(
    s: Array, x: npt.NDArray[np.bool_], deviation: Deviation, rng: np.random.Generator
) -> Array:
    """Effect sizes of resamples, each side drawn separately, shape (draws,); NaN where undefined."""
    sides = [
        values[rng.integers(len(values), size=(RESAMPLES, len(values)))] for values in (s[x], s[~x])
    ]
    both = np.concatenate(sides, axis=1)  # (draws, n)
    apart = sides[0].mean(axis=1) - sides[1].mean(axis=1)
    spread = both.std(axis=1, ddof=deviation == "sample")
    spread[np.ptp(both, axis=1) <= LEVEL] = np.nan
    return np.asarray(apart / spread, dtype=np.float64)


def _targets(sample: Sample) -> tuple[Array, Labels]:
    """The association of each target, and which side it is on."""
    return as_numbers(sample.columns[:1])[0], as_labels(sample.columns[1:2])[0]


def _deviation(sample: Sample) -> Deviation:
    deviation: Deviation = getattr(sample.metric, "keywords", {}).get("deviation", "sample")
    return deviation
