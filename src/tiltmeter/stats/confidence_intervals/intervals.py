"""Intervals by formula: Wilson's for shares, also of clustered items, for differences, medians and means."""

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered, enough

CONFIDENCE = 0.95
LEAST = 1e-12
"""A standard error below this share of the value is rounding error."""
UNSEEN = 0.4
"""How fast the allowance for unseen clusters with only the rarer outcome decreases with the number of
clusters that this outcome would fill. It is the lowest value with which shares of 12 to 100 clusters had 93 %
coverage where 3 to 20 % of clusters are at one end and the others at any level."""
MISSED = 0.06
"""The probability that a sample contains none of the unseen clusters that an interval of differences allows
for. It must be below .07, which would leave 93 % coverage; at .05 the interval of clusters of two pairs
without a discordant one would be more than 1.5 times as wide as that of single pairs."""


AGREE = 0.1
"""If less than this share of the items is in clusters without a discordant pair, the allowance for unseen
clusters decreases in proportion."""


def wilson(successes: float, n: float, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Wilson score interval of a share, from 0 to 1 (Wilson 1927, doi:10.2307/2276774).

    Unlike the normal approximation it does not collapse: two wins out of two do not give 100 to 100.
    `successes` may include half credits; outcomes then vary less than binary ones, so the interval tends
    to be too wide. The share itself always lies inside.

    Raises:
        Undefined: n is 0.
        BadInput: Successes or confidence are out of range.

    >>> [round(end, 4) for end in wilson(2, 2)]
    [0.3424, 1.0]
    """
    from scipy.special import ndtri

    if n == 0:
        raise Undefined("no items")
    if not 0 <= successes <= n:
        raise BadInput(f"{successes:g} successes out of {n:,} are impossible")
    z = float(-ndtri(tail_of(confidence)))
    share, spread = successes / n, z * z / n
    middle = share + spread / 2
    half = (spread * share * (1 - share) + spread * spread / 4) ** 0.5
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    # Rounding must not push the share itself, or a bound of exactly 0 or 1, out of the interval.
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def wilson_effective(
    share: float, worth: float, freedom: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The Wilson interval of a share with an effective number of items.

    The effective number is reduced by Student's t, since the variance is itself an estimate (Franco et al.
    2019, https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503).

    Args:
        share: The share; values beyond 0 and 1 are clipped.
        worth: The effective number of items, share × (1 − share) / variance.
        freedom: The degrees of freedom of the variance.
        confidence: The confidence level.

    Raises:
        Undefined: The effective number of items is 0.

    >>> [round(end, 2) for end in wilson_effective(0.5, 20, 19)]
    [0.29, 0.71]
    """
    worth *= _few(freedom, confidence=confidence)
    return wilson(min(max(share, 0.0) * worth, worth), worth, confidence=confidence)


def _few(freedom: float, *, confidence: float) -> float:
    """The factor (z / t)², below 1, by which an estimated variance reduces the effective number of items."""
    from scipy.special import ndtri, stdtrit

    tail = tail_of(confidence)
    return float(ndtri(tail) / stdtrit(freedom, tail)) ** 2


def wilson_clustered(
    outcomes: Array, clusters: Labels, *, confidence: float = CONFIDENCE, full: float = 0.0
) -> tuple[float, float]:
    """The Wilson interval of a share of items that come in clusters, from 0 to 1.

    n is replaced by the effective number of items: n divided by the design effect (how much more the sums
    over clusters vary than those of independent items would; at least 1), reduced by Student's t. The
    variance of the sums is estimated by the jackknife, and t has its degrees of freedom: those of 1 / Σ
    share² clusters of equal size, where share is a cluster's part of all items, since a few large clusters
    pull the share towards themselves; and fewer if a few clusters are far from the others
    (`freedom_of_spread`). The interval does not collapse at 0 and at 1: if all outcomes are equal, nothing
    shows how much clusters differ, and it is the interval of as many items as there are clusters. If each
    item is its own cluster, or all belong to one, it is `wilson`; with one cluster it is about that cluster
    only.

    The sample may miss clusters that stand out: if one in ten has only the rarer outcome, 12 of 100 samples
    of 20 clusters have none of them. So the design effect is pulled towards that of clusters whose items are
    all alike, and the more so the fewer clusters the rarer outcome would fill. No interval is wider than with
    such clusters, each of which counts as one item.

    A true positive rate rests on only some of a cluster's texts, while in other clusters all texts may be
    positive. The design effect is then also pulled towards that of clusters of size `full`, and the more so
    the fewer of these the items would fill.

    Franco et al. 2019 (https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503) compare such intervals and
    recommend this one for clusters of similar sizes. Jackknife: Bell and McCaffrey 2002,
    https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X20020029058.

    Args:
        outcomes: The outcome of each item, 0 or 1 with half credits between; shape (n,).
        clusters: The cluster of each item, shape (n,).
        confidence: The confidence level.
        full: The size of a cluster if the share rests on all its items: that of the cluster of an average
            item. 0 if the share rests on all items anyway.

    Raises:
        Undefined: There are no items.

    >>> alike, apart = np.array(list("aabbccdd")), np.array(list("abcdefgh"))
    >>> outcomes = np.array([1.0, 1, 0, 0, 1, 1, 0, 0])
    >>> [round(end, 2) for end in wilson_clustered(outcomes, apart)]
    [0.22, 0.78]
    >>> [round(end, 2) for end in wilson_clustered(outcomes, alike)]
    [0.15, 0.85]
    >>> [round(end, 2) for end in wilson_clustered(outcomes, apart, full=4)]  # they would fill two clusters
    [0.18, 0.82]
    """
    n, hits = len(outcomes), float(outcomes.sum())
    codes, k = clustered(clusters)
    if k in {0, 1} or (k == n and full <= 1):
        return wilson(hits, n, confidence=confidence)
    share, sizes = hits / n, np.bincount(codes, minlength=k) / n
    worth = 1 / float(sizes @ sizes)  # the effective number of clusters, as if all had one size
    fuller = float(np.exp(-UNSEEN * n / full)) if full * worth > n * (1 + LEAST) else 0.0
    if np.ptp(outcomes) == 0:
        k_full = k + fuller * (n / full - k) if fuller else k
        return wilson(k_full * share, k_full, confidence=confidence)
    # Leaving out a cluster moves the share by the cluster's sum divided by the number of remaining items.
    spread = cluster_sums(outcomes - share, codes, k) / (1 - sizes)
    effect = (k - 1) / k * float(spread @ spread) / (n * share * (1 - share))
    unseen = float(np.exp(-UNSEEN * worth * min(share, 1 - share)))
    effect = max(effect, 1.0)
    effect += unseen * max(n / worth - effect, 0.0)
    effect += fuller * max(full - effect, 0.0)
    freedom = freedom_of_spread(spread, worth)
    least = worth + fuller * (n / full - worth) if fuller else worth
    items = max(n / effect * _few(freedom, confidence=confidence), least)
    return wilson(share * items, items, confidence=confidence)


def mean_interval(
    values: Array,
    clusters: Labels,
    within: tuple[float, float],
    *,
    far: bool = False,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The interval of the mean of values that have limits, for example values that are means themselves.

    It is the Wilson interval with the effective number of items given by the variance over clusters, which is
    nearly Student's t if the values are far from their limits. It does not collapse if all values are equal,
    and never leaves the limits.

    Args:
        values: One value per item, shape (n,).
        clusters: The cluster of each item, shape (n,).
        within: The lowest and the highest possible value.
        far: Whether a few single items may be far from the others, such as differences of two models that
            disagree about one term; clusters always may. There are then fewer degrees of freedom.
        confidence: The confidence level.

    Raises:
        Undefined: There are no items, or all belong to one cluster.

    >>> low, high = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.arange(5), (0, 10))
    >>> round(low, 1), round(high, 1)  # Student's t gives 1.04 to 4.96
    (1.5, 5.1)
    """
    least, most = within
    low, high = _score_of_mean(
        (values - least) / (most - least), clusters, far=far, confidence=confidence
    )
    return least + low * (most - least), least + high * (most - least)


def difference_interval(
    values: Array, clusters: Labels, most: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of a mean of differences of paired outcomes, many of them 0, from −`most` to `most`.

    The mean is that of the positive parts minus that of the negative ones, and their score intervals are
    combined into that of the difference (Newcombe 1998, method 10,
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I). It does not collapse if all
    outcomes are equal: two models that answer 13 pairs alike may still differ in others.

    If items come in clusters, n is divided by the design effect of the mean (as Eliasziw and Donner 1991 and
    Durkalski et al. 2003 do for McNemar's test). A few discordant clusters say little about that effect, and
    without any it is unknown. So if some clusters agree, each end is at least as far from the mean as it
    could be moved by clusters that differ entirely in one direction and that the sample happens to miss
    (`MISSED`). The interval then does not become narrower as more clusters have a discordant pair each way.
    docs/explanation/coverage/paired-differences.md compares it with others.

    Args:
        values: The difference of each item, from −`most` to `most`, shape (n,).
        clusters: The cluster of each item, shape (n,).
        most: The largest possible difference.
        confidence: The confidence level; .9 for an equivalence test at level .05.

    Raises:
        Undefined: There are no items, or all belong to one cluster.

    >>> [round(end, 2) for end in difference_interval(np.zeros(13), np.arange(13), 1)]
    [-0.23, 0.23]
    >>> one_each_way = np.array([1.0, -1] + [0] * 198)
    >>> for labels in (np.arange(200), np.arange(200) // 2):
    ...     print([round(100 * end, 1) for end in difference_interval(one_each_way, labels, 1)])
    [-2.3, 2.3]
    [-2.8, 2.8]
    """
    from scipy.special import ndtri, stdtrit

    codes, k = enough(clusters)
    n, tail = len(values), tail_of(confidence)
    differences = values / most
    mean, sizes = float(differences.mean()), np.bincount(codes, minlength=k) / n
    worth = 1 / float(sizes @ sizes)  # the effective number of clusters, as if all had one size
    effect = 1.0 if k == n else _design_effect(differences, codes, sizes)
    # Student's t reduces the number of items, since the spread is estimated, as in `wilson_effective`.
    fewer = float(ndtri(tail) / stdtrit(worth - 1, tail)) ** 2 * (1 - 1 / worth)
    parts = [np.maximum(differences, 0), np.maximum(-differences, 0)]
    (gained, least_gained, most_gained), (lost, least_lost, most_lost) = (
        _score_of_part(part, fewer, effect, confidence) for part in parts
    )
    spread = float(parts[0].std() * parts[1].std())
    alike = -gained * lost / spread if spread > LEAST else 0.0  # no item is in both parts

    def reach(one: float, other: float) -> float:
        return float((one**2 + other**2 - 2 * alike * one * other) ** 0.5)

    below, above = (
        reach(gained - least_gained, most_lost - lost),
        reach(most_gained - gained, lost - least_lost),
    )
    if k < n:
        agree = cluster_sums(np.abs(differences), codes, k) == 0
        hidden = 1 - min(MISSED, 1.2 * (1 - confidence)) ** (1 / worth)
        # Where nearly all clusters have discordant pairs, they show how far clusters differ.
        hidden *= min(1.0, float(sizes[agree].sum()) / AGREE)
        below, above = max(below, hidden * (1 + mean)), max(above, hidden * (1 - mean))
    return most * max(-1.0, mean - below), most * min(1.0, mean + above)


def _design_effect(differences: Array, codes: Integers, sizes: Array) -> float:
    """The design effect, at least 1: the mean's variance for clustered items over that for independent ones.

    It is the larger of two estimates, which are equal if all clusters have the same size. The first is from
    the sums over clusters. The second estimates the correlation within clusters from those with discordant
    pairs and applies it to clusters of all sizes: if whole clusters of two are discordant, those of thirty
    may be, too.
    """
    n, k = len(codes), len(sizes)
    mean, evenness = float(differences.mean()), float(sizes @ sizes)
    sums, squares = (cluster_sums(column, codes, k) for column in (differences, differences**2))
    alone = (float(squares.sum()) - n * mean**2) / (1 - evenness)
    if alone <= (n * LEAST) ** 2:
        return 1.0
    together = float(np.square(sums - mean * n * sizes) @ (1 / (1 - sizes))) / alone
    # For two items of a cluster: their product, and what it would be if they were equal.
    by_chance = mean**2 * n * (n * evenness - 1)
    product = float((sums**2 - squares).sum()) - by_chance
    equal = float(squares @ (n * sizes - 1)) - by_chance
    likeness = product / equal if 0 < product < equal else float(product > 0 < equal)
    return max(1.0, together, 1 + likeness * (n * evenness - 1))


def _score_of_part(
    part: Array, fewer: float, effect: float, confidence: float
) -> tuple[float, float, float]:
    """The mean of the gains or of the losses, from 0 to 1, and the bounds of its score interval."""
    mean, variance = float(part.mean()), float(part.var())
    # Outcomes between 0 and 1 vary less than binary ones, so the same number of them says more.
    worth = len(part) / effect
    if variance > LEAST**2:
        worth *= mean * (1 - mean) / variance * fewer
    return mean, *wilson(mean * worth, worth, confidence=confidence)


def _score_of_mean(
    values: Array, clusters: Labels, *, far: bool, confidence: float
) -> tuple[float, float]:
    """The bounds for a mean of values from 0 to 1."""
    codes, k = enough(clusters)
    sizes = np.bincount(codes, minlength=k) / len(values)
    mean = float(values.mean())
    spread = cluster_sums(values - mean, codes, k) / (1 - sizes) / len(values)
    variance = (k - 1) / k * float(spread @ spread)
    if variance <= LEAST**2:
        return wilson(k * mean, k, confidence=confidence)
    alone = k == len(values) and not far
    freedom = k - 1 if alone else freedom_of_spread(spread, 1 / float(sizes @ sizes))
    return wilson_effective(mean, mean * (1 - mean) / variance, freedom, confidence=confidence)


def median_interval(values: Array, clusters: Labels) -> tuple[float, float]:
    """The 95 % interval of a median, from one of the values to another, by the binomial distribution.

    The number of values below the true median is distributed like the heads of fair coin tosses. For
    independent values of any distribution the coverage is at least 95 %. Values in clusters count as fewer
    tosses, according to how much the number below the median varies (Woodruff 1952,
    doi:10.1080/01621459.1952.10483443).

    Raises:
        Undefined: The effective number of values is below six.

    >>> median_interval(np.arange(20.0), np.arange(20))  # P(X < 6) of 20 tosses is .021
    (5.0, 14.0)
    """
    from scipy.stats import binom

    n, middle = len(values), float(np.median(values))
    codes, k = clustered(clusters)
    below = (values < middle) + 0.5 * (values == middle) - 0.5
    sums = cluster_sums(below, codes, k)
    effect = k / max(k - 1, 1) * float(sums @ sums) / max(float(below @ below), LEAST)
    tosses = int(n / max(effect, 1.0)) if 1 < k < n else min(n, k)
    rank = int(binom.ppf(tail_of(), tosses, 0.5))
    if rank < 1:
        raise Undefined("a median of fewer than 6 independent values")
    ordered, place = np.sort(values), n * (rank - 1) // tosses
    return float(ordered[place]), float(ordered[n - 1 - place])


def student(
    value: float, error: float, freedom: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float, float]:
    """The interval and two-sided p against 0 of a value with a standard error, by Student's t.

    Raises:
        Undefined: There are no degrees of freedom, or the error is 0.

    >>> [round(number, 3) for number in student(2.0, 1.0, 4)]
    [-0.776, 4.776, 0.116]
    """
    from scipy.special import stdtr, stdtrit

    if freedom < 1:
        raise Undefined("the spread cannot be estimated from a single value")
    if error <= LEAST * max(1.0, abs(value)):
        raise Undefined("all values are equal, so the spread cannot be estimated")
    half = float(-stdtrit(freedom, tail_of(confidence))) * error
    return value - half, value + half, float(2 * stdtr(freedom, -abs(value) / error))


def student_p(value: float, half: float, freedom: int) -> float:
    """The two-sided p against 0 of a value, by Student's t, from its 95 % interval's half width towards 0.

    It is below .05 if the interval excludes 0.

    >>> round(student_p(2.0, 2.776, 4), 3)  # as `student` with an error of 1
    0.116
    """
    from scipy.special import stdtr, stdtrit

    return float(2 * stdtr(freedom, stdtrit(freedom, tail_of()) * abs(value) / half))


def student_half_width(squares: Array, counts: Array) -> Array:
    """Half the width of the 95 % interval of each of many means, by Student's t.

    NaN for fewer than two values and for values that are all equal, since these do not show how much they
    vary.

    Args:
        squares: The sum of squared deviations from each mean.
        counts: The number of values in each mean, of the same shape.

    >>> student_half_width(np.array([2.0, 0.0]), np.array([3.0, 1.0])).round(3)  # of 1, 2, 3 and of 4
    array([2.484,   nan])
    """
    from scipy.special import stdtrit

    half_widths = np.full(np.shape(squares), np.nan)
    determined = (counts > 1) & (squares > LEAST)
    n = counts[determined]
    half_widths[determined] = -stdtrit(n - 1, tail_of()) * np.sqrt(
        squares[determined] / (n - 1) / n
    )
    return half_widths


def tail_of(confidence: float = CONFIDENCE) -> float:
    """The probability in each tail outside an interval with this confidence level.

    Raises:
        BadInput: The confidence is not between 0 and 1.

    >>> tail_of(0.5)
    0.25
    """
    if not 0 < confidence < 1:
        raise BadInput(f"confidence {confidence:g} is not between 0 and 1", "write 0.95")
    return (1 - confidence) / 2
