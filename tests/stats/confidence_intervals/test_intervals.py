"""Wilson's intervals against scipy's, by hand, and by how often they cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.confidence_intervals.intervals import (
    difference_interval,
    mean_interval,
    median_interval,
    wilson,
    wilson_clustered,
)


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("n", [1, 2, 7, 60, 1508, 1_000_000])
@pytest.mark.parametrize("share", [0, 0.3, 0.5, 1])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_wilson_is_scipys(n, share, confidence):
    wins = round(share * n)
    theirs = binomtest(wins, n).proportion_ci(confidence, method="wilson")
    assert wilson(wins, n, confidence=confidence) == pytest.approx(
        (theirs.low, theirs.high), abs=1e-12
    )


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_the_share_and_mirrors(n, data):
    wins = data.draw(st.integers(0, 2 * n)) / 2
    low, high = wilson(wins, n)
    assert 0 <= low <= wins / n <= high <= 1
    assert wilson(n - wins, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_wilson_of_whole_clusters_by_hand():
    # Six clusters of four: sums of 1 and 3 deviate by 1 from the mean of 2, and leaving one out moves the
    # share by 6/5 of that, so the design effect is 5/6 · 6 · (6/5)² / (24 · 1/4) = 1.2. To its 4 for
    # clusters of items all alike it is drawn by exp(−0.4 · 6 / 2). t has 5 degrees of freedom.
    outcomes = np.array([[1.0, 0, 0, 0], [1, 1, 1, 0]] * 3).ravel()
    items = 24 / (1.2 + np.exp(-1.2) * 2.8) * (1.959964 / 2.570582) ** 2
    half = (1.959964**2 / items / 4 + (1.959964**2 / items) ** 2 / 4) ** 0.5
    half /= 1 + 1.959964**2 / items
    found = wilson_clustered(outcomes, np.repeat(np.arange(6), 4))
    assert found == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_clusters_of_equal_items_are_one_item_each():
    outcomes = np.array([1.0, 1, 0, 0, 1, 1, 0, 0])
    assert wilson_clustered(outcomes, np.array(list("aabbccdd"))) == pytest.approx(wilson(2, 4))


@given(st.lists(st.integers(0, 6), min_size=3, max_size=30))
def test_no_interval_of_clusters_is_wider_than_that_of_one_item_a_cluster(hits):
    """And none is shorter than that of independent items."""
    outcomes = np.array([[i < n for i in range(6)] for n in hits]).ravel() * 1.0
    low, high = wilson_clustered(outcomes, np.repeat(np.arange(len(hits)), 6))
    share = outcomes.mean()
    widest, shortest = (wilson(share * n, n) for n in (len(hits), 6 * len(hits)))
    assert widest[0] - 1e-9 <= low <= shortest[0] + 1e-9
    assert shortest[1] - 1e-9 <= high <= widest[1] + 1e-9


def covered(level, far, share, clusters, each, trials=400):
    rng, inside = np.random.default_rng(7), 0
    for _ in range(trials):
        rates = np.where(rng.random(clusters) < share, far, level)
        outcomes = (rng.random((clusters, each)) < rates[:, None]).ravel() * 1.0
        low, high = wilson_clustered(outcomes, np.repeat(np.arange(clusters), each))
        inside += low <= share * far + (1 - share) * level <= high
    return 100 * inside / trials


@pytest.mark.parametrize(("clusters", "each"), [(12, 20), (20, 10), (40, 20)])
def test_shares_of_few_clusters_that_stand_out_are_covered(clusters, each):
    for level, far, share in ((0.05, 0.95, 0.1), (0.95, 0.05, 0.1), (0.2, 0.95, 0.05)):
        assert (
            covered(level, far, share, clusters, each) >= 91.5
        )  # 93, less a standard error and a half


def test_one_large_cluster_among_small_ones_makes_the_interval_wider():
    outcomes = np.tile([1.0, 0.0, 0.0, 1.0, 1.0, 0.0], 5)
    level, uneven = np.repeat(np.arange(6), 5), np.minimum(np.arange(30), 5)
    low, high = wilson_clustered(outcomes, level)
    wide = wilson_clustered(outcomes, uneven)
    assert wide[0] < low and high < wide[1]
    assert wilson_clustered(np.ones(30), uneven) == wilson(
        6, 6
    )  # no more than that many are independent


def test_wilson_of_clusters_without_a_say_is_plain():
    outcomes = np.array([1.0, 0, 1, 1, 0])
    for labels in ("abcde", "aaaaa"):
        assert wilson_clustered(outcomes, np.array(list(labels))) == wilson(3, 5)
    with pytest.raises(Undefined, match="no items"):
        wilson_clustered(np.array([]), np.array([], dtype=str))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=40))
def test_wilson_of_clusters_holds_the_share_mirrors_and_is_no_narrower(items):
    outcomes = np.array([float(hit) for hit, _ in items])
    labels = np.array([str(cluster) for _, cluster in items])
    low, high = wilson_clustered(outcomes, labels)
    assert 0 <= low <= outcomes.mean() + 1e-12 and outcomes.mean() - 1e-12 <= high <= 1
    assert wilson_clustered(1 - outcomes, labels) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    plain = wilson(outcomes.sum(), len(outcomes))
    assert low <= plain[0] + 1e-12 and high >= plain[1] - 1e-12


def test_wilson_of_clusters_covers_where_the_plain_one_does_not():
    draw, covered, plainly = rng(5), 0, 0
    labels = np.repeat(np.arange(25), 12).astype(str)
    for _ in range(400):
        chances = draw.beta(0.6, 1.4, size=25)  # mean 0.3, items of a cluster much alike
        outcomes = (draw.random(300) < np.repeat(chances, 12)).astype(float)
        low, high = wilson_clustered(outcomes, labels)
        covered += low <= 0.3 <= high
        low, high = wilson(outcomes.sum(), 300)
        plainly += low <= 0.3 <= high
    assert covered >= 0.91 * 400
    assert plainly < 0.75 * 400


@pytest.mark.parametrize("bad", [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(bad):
    with pytest.raises(BadInput, match="impossible"):
        wilson(*bad)


def test_no_items_and_no_confidence():
    with pytest.raises(Undefined, match="no items"):
        wilson(0, 0)
    with pytest.raises(BadInput, match="between 0 and 1"):
        wilson(1, 2, confidence=95)


def test_wilson_covers_as_often_as_it_says():
    for true in (0.5, 0.6):
        wins, times = np.unique(rng(5).binomial(200, true, size=4000), return_counts=True)
        inside = [low <= true <= high for low, high in (wilson(int(w), 200) for w in wins)]
        assert 0.93 <= np.average(inside, weights=times) <= 0.97


@given(st.integers(6, 200))
def test_the_interval_of_a_median_leaves_out_as_much_as_coins_do(n):
    low, high = median_interval(np.arange(n, dtype=float), np.arange(n))
    assert low == n - 1 - high
    assert binom.cdf(low, n, 0.5) <= 0.025  # so likely no more than `low` lie below the true median
    assert binom.cdf(low + 1, n, 0.5) > 0.025


def test_clusters_of_equal_values_are_worth_one_value_each():
    values = np.random.default_rng(0).normal(size=30)
    alone = median_interval(values, np.arange(30))
    low, high = median_interval(np.repeat(values, 4), np.repeat(np.arange(30), 4))
    assert low <= alone[0] < alone[1] <= high
    with pytest.raises(Undefined, match="fewer than 6"):
        median_interval(np.repeat(values[:4], 50), np.repeat(np.arange(4), 50))


def test_a_mean_of_values_that_hardly_vary_has_nearly_student_s_interval():
    values = 50 + np.random.default_rng(0).normal(size=30)
    half = 2.045 * values.std(ddof=1) / 30**0.5
    low, high = mean_interval(values, np.arange(30), (0, 100))
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.05)
    apart = mean_interval(values - 49, np.arange(30), (-100, 100))
    assert apart == pytest.approx((low - 49, high - 49), abs=0.02)
    assert mean_interval(np.ones(4), np.arange(4), (0, 1)) == pytest.approx(wilson(4, 4))


def test_where_a_value_may_be_far_from_the_others_there_are_fewer_degrees_of_freedom():
    far, near = np.array([9.0] + [-1] * 9), np.array([-1.0, 1] * 5)
    for values, wider in ((far, True), (near, False)):
        plain, freed = (
            np.ptp(mean_interval(values, np.arange(10), (-100, 100), far=may))
            for may in (False, True)
        )
        assert (freed > 1.2 * plain) == wider and (wider or freed == plain)


def test_a_difference_never_leaves_its_limits_and_never_collapses():
    low, high = difference_interval(np.array([1.0, 1, 1, -1]), np.arange(4), 1)
    assert -1 <= low < 0
    assert 0.5 < high <= 1
    # thirteen pairs alike, and seven pairs alike: more data, a narrower interval
    widths = [np.ptp(difference_interval(np.zeros(n), np.arange(n), 100)) for n in (13, 7)]
    assert 40 < widths[0] < widths[1] < 120


def test_differences_over_clusters_count_what_repeats_once():
    values = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], size=40)
    alone = difference_interval(values, np.arange(40), 1)
    again = difference_interval(np.repeat(values, 10), np.repeat(np.arange(40), 10), 1)
    assert again == pytest.approx(alone, abs=0.02)
    order = np.random.default_rng(4).permutation(400)
    shuffled = np.repeat(values, 10)[order], np.repeat(np.arange(40), 10)[order]
    assert difference_interval(*shuffled, 1) == pytest.approx(again)
    for interval, limits in ((difference_interval, 1), (mean_interval, (-1, 1))):
        with pytest.raises(Undefined, match="one cluster"):
            interval(np.zeros(3), np.zeros(3, dtype=int), limits)


SIZES = {
    "alone": lambda k: np.ones(k, dtype=int),
    "twos": lambda k: np.full(k, 2),
    "eight twos": lambda k: np.where(np.arange(k) < 8, 2, 1),
    "tens": lambda k: np.full(k, 10),
    "unequal": lambda k: np.resize([1, 1, 2, 5, 30, 1, 2, 1, 2, 5], k),
}


def labels_of(sizes, k):
    return np.repeat(np.arange(k), SIZES[sizes](k))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("ahead", [0, 1, 3])
@pytest.mark.parametrize("k", [20, 150])
def test_further_discordant_pairs_each_way_never_narrow_an_interval_of_differences(k, ahead, sizes):
    """In clusters that had no discordant pair, while a tenth of the items is in such."""
    labels = labels_of(sizes, k)
    firsts = rng(k + ahead).permutation(np.flatnonzero(np.diff(labels, prepend=-1)))
    values, widths = np.zeros(len(labels)), []
    values[firsts[:ahead]] = 1
    for gained, lost in zip(firsts[ahead::2], firsts[ahead + 1 :: 2], strict=False):
        differ = np.isin(labels, labels[values != 0])
        if differ.mean() > 0.9:
            break
        widths.append(np.ptp(difference_interval(values, labels, 1)))
        values[gained], values[lost] = 1, -1
    assert len(widths) > 5
    assert (np.diff(widths) > -1e-9).all()


@pytest.mark.parametrize("pairs", [60, 200, 1000])
@pytest.mark.parametrize("sizes", ["twos", "eight twos"])
def test_clusters_that_are_alike_by_chance_only_widen_an_interval_of_differences_by_half_at_most(
    sizes, pairs
):
    labels = labels_of(sizes, pairs if sizes == "eight twos" else pairs // 2)[:pairs]
    for discordant in range(11):
        values = np.zeros(pairs)
        values[rng(discordant).permutation(pairs)[: 2 * discordant]] = np.resize(
            [1, -1], 2 * discordant
        )
        alone, clustered = (
            np.ptp(difference_interval(values, of, 1)) for of in (np.arange(pairs), labels)
        )
        assert alone * (1 - 1e-9) <= clustered < 1.5 * alone


def test_two_of_sixty_answers_that_differ_do_not_make_an_interval_of_differences_explode():
    values = np.zeros(60)
    values[[3, 41]] = 1, -1
    for sizes, most in (("alone", 0.08), ("eight twos", 0.09), ("twos", 0.1)):
        labels = labels_of(sizes, 52 if sizes == "eight twos" else 60 if sizes == "alone" else 30)
        low, high = difference_interval(values, labels, 1)
        assert low == pytest.approx(-high)
        assert high < most


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 100]), st.sampled_from([0.8, 0.95, 0.99]))
def test_an_interval_of_differences_mirrors_and_holds_its_value(seed, most, confidence):
    random = rng(seed)
    k = int(random.integers(2, 30))
    labels = np.repeat(np.arange(k), random.integers(1, 9, size=k))
    rate = random.random()
    values = (
        most
        * random.choice([-1, -0.5, 0, 0.5, 1], size=len(labels))
        * (random.random(len(labels)) < rate)
    )
    low, high = difference_interval(values, labels, most, confidence=confidence)
    assert -most <= low <= values.mean() <= high <= most
    assert low < high
    swapped = difference_interval(-values, labels, most, confidence=confidence)
    assert swapped == pytest.approx((-high, -low))
    order = random.permutation(len(labels))
    moved = difference_interval(values[order], labels[order], most, confidence=confidence)
    assert moved == pytest.approx((low, high))
    wider = difference_interval(values, labels, most, confidence=0.995)
    assert wider[0] <= low + 1e-9 * most
    assert high - 1e-9 * most <= wider[1]


def test_an_interval_of_differences_allows_for_clusters_that_the_sample_happens_to_have_none_of():
    """Whole clusters of five, one way: 93 % of the samples without one still have the true value inside."""
    k = 40
    share = 1 - 0.07 ** (1 / k)  # so rare that 7 % of samples have none
    for sizes in ("tens", "unequal"):
        labels = labels_of(sizes, k)
        high = difference_interval(np.zeros(len(labels)), labels, 1)[1]
        assert high > share
    hits = 0
    for trial in range(300):
        away = rng(trial).random(k) < share
        values = away[np.arange(k * 10) // 10] * 1.0
        low, high = difference_interval(values, labels_of("tens", k), 1)
        hits += low <= share <= high
    assert hits >= 0.93 * 300


def test_whole_discordant_clusters_of_two_say_that_larger_ones_may_be_whole_too():
    labels = labels_of("unequal", 100)
    small = np.flatnonzero(np.bincount(labels)[labels] == 2)
    whole, apart = np.zeros(len(labels)), np.zeros(len(labels))
    whole[small[:12]] = 1
    apart[small[::2][:12]] = 1
    assert np.ptp(difference_interval(whole, labels, 1)) > 1.2 * np.ptp(
        difference_interval(apart, labels, 1)
    )


def test_few_items_of_large_clusters_say_as_little_as_the_clusters_they_would_fill():
    outcomes, alone = np.array([0.0, 0, 1, 0, 0]), np.arange(5)
    plain = wilson_clustered(outcomes, alone)
    low, high = wilson_clustered(outcomes, alone, full=8)
    assert low < plain[0] and high > plain[1] + 0.1
    nothing = np.zeros(5)
    assert wilson_clustered(nothing, alone, full=8)[1] > wilson_clustered(nothing, alone)[1] + 0.1
    many = np.tile(outcomes, 40)
    assert wilson_clustered(many, np.arange(200), full=8) == pytest.approx(
        wilson_clustered(many, np.arange(200)), abs=0.001
    )
    pairs = np.repeat(alone, 2)
    whole = wilson_clustered(np.repeat(outcomes, 2), pairs, full=2)
    assert whole == wilson_clustered(np.repeat(outcomes, 2), pairs)


def test_a_rate_of_texts_that_one_cluster_in_ten_has_most_of_is_covered():
    rng, truth = np.random.default_rng(3), 0.095 * 0.9 / (0.095 + 0.045) + 0.045 * 0.1 / 0.14
    held, before = [], []
    for _ in range(300):
        far = rng.random(12) < 0.1
        mine = rng.random((12, 8)) < np.where(far, 0.95, 0.05)[:, None]
        if mine.any(axis=1).sum() < 2:
            continue
        outcomes = (rng.random((12, 8)) < np.where(far, 0.9, 0.1)[:, None])[mine] * 1.0
        clusters = np.repeat(np.arange(12), mine.sum(axis=1))
        for full, kept in ((8.0, held), (0.0, before)):
            low, high = wilson_clustered(outcomes, clusters, full=full)
            kept.append(low <= truth <= high)
    assert np.mean(held) >= 0.93
    assert np.mean(before) < 0.9
