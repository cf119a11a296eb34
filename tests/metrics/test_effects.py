"""How sure effect sizes are, by targets and by words."""

import itertools
from functools import partial

import numpy as np
import pytest

from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics import effects
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.effects import (
    compare_effect_sizes,
    infer_effect_size,
    infer_effect_size_clustered,
)

SIDE = np.array(list("XXXXXXYYYYYY"))
WORDS = np.array(["a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"])


def rng(seed=1):
    return np.random.default_rng(seed)


def drawn(seed=0):
    """Two sentences a word, which are nearly alike."""
    words = np.random.default_rng(seed).normal(size=6)
    return np.repeat(words, 2) + np.random.default_rng(seed + 1).normal(size=12) * 0.01


def test_dealing_words_is_dealing_their_means():
    s = drawn(7)
    found = infer_effect_size_clustered(Sample(effect_size, [s, SIDE], WORDS, rng()))
    means = [s[word == WORDS].mean() for word in "abcdef"]
    seen = abs(sum(means[:3]) - sum(means[3:]))
    deals = [
        abs(sum(means[i] for i in first) - sum(means[i] for i in range(6) if i not in first))
        for first in itertools.combinations(range(6), 3)
    ]
    assert found.p == pytest.approx(sum(d >= seen - 1e-9 for d in deals) / 20)
    assert found.test == "two-sided permutation test, all 20 partitions of the words"


def test_words_make_the_interval_wider_than_their_sentences():
    words, side = np.repeat(np.arange(16), 4), np.repeat(["X", "Y"], 32)
    s = rng(7).normal(size=16)[words] + 0.5 * rng(8).normal(size=64)
    by_target = infer_effect_size(Sample(effect_size, [s, side], np.arange(64), rng()))
    by_word = infer_effect_size_clustered(Sample(effect_size, [s, side], words, rng()))
    assert by_word.high - by_word.low > by_target.high - by_target.low
    assert by_word.p > by_target.p


def test_resamples_of_words_are_the_metric_of_all_their_sentences(monkeypatch):
    s = drawn(9)
    picked = np.array([[2, 1, 0]])  # the first word twice, the second once
    monkeypatch.setattr(effects, "resampled_sums", lambda sums, _: picked @ sums)
    (value,) = effects._resampled_words(s, SIDE == "X", WORDS, "sample", rng())
    rows = [0, 1, 0, 1, 2, 3, 6, 7, 6, 7, 8, 9]
    assert value == pytest.approx(effect_size(s[rows], SIDE))


def test_one_sided_p_is_for_the_side_that_is_asked():
    s = np.where(SIDE == "X", 1.0, 0.0) + rng().normal(size=12) * 0.1
    both, above = (
        infer_effect_size(Sample(effect_size, [s, SIDE], np.arange(12), rng()), alternative=a)
        for a in ("two-sided", "greater")
    )
    assert above.p == pytest.approx(1 / 924)
    assert both.p == pytest.approx(2 / 924)
    assert "one-sided (greater)" in above.test


def test_a_side_of_one_word_has_no_interval_by_words():
    words = np.where(SIDE == "X", "a", WORDS)
    found = infer_effect_size_clustered(Sample(effect_size, [drawn(), SIDE], words, rng()))
    assert found.low is None
    assert "fewer than 8 words" in found.why
    assert found.p is not None


@pytest.mark.parametrize("sides", ["XYYYYYYYY", "XXXXXXXYYYYYYYY"])
def test_a_side_of_few_targets_has_no_interval(sides):
    s, side = rng().normal(size=len(sides)), np.array(list(sides))
    found = infer_effect_size(Sample(effect_size, [s, side], np.arange(len(sides)), rng()))
    assert (found.low, found.high) == (None, None)
    assert "no interval: a side has fewer than 8 targets" in found.why


@pytest.mark.parametrize("by", [effect_size, partial(effect_size, deviation="population")])
def test_sides_that_hardly_vary_have_an_interval_around_the_value_or_none(by):
    side, within = np.repeat(["X", "Y"], [8, 9]), rng().normal(size=17)
    for spread in (0.05, 0.01, 1e-3):
        s = (side == "X") + spread * within
        found = infer_effect_size(Sample(by, [s, side], np.arange(17), rng()))
        assert found.low <= by(s, side) <= found.high <= 17 / 72**0.5 + 1e-9
    found = infer_effect_size(
        Sample(by, [(side == "X") + 1e-5 * within, side], np.arange(17), rng())
    )
    assert found.low is None and "the values within a side hardly vary" in found.why


@pytest.mark.parametrize(
    ("each", "by"), [(8, "noncentral t"), (15, "noncentral t"), (16, "stretched")]
)
def test_many_targets_are_resampled_and_few_are_not(each, by):
    s, side = rng().normal(size=2 * each), np.repeat(["X", "Y"], each)
    found = infer_effect_size(Sample(effect_size, [s, side], np.arange(2 * each), rng()))
    assert found.interval.startswith(by)
    assert found.low < effect_size(s, side) < found.high


def test_resamples_take_both_models_associations_of_the_same_words(monkeypatch):
    rng = np.random.default_rng(0)
    s_a, s_b = rng.normal(size=8), rng.normal(size=8)
    words = np.array(list("aabbccdd"))
    x = np.repeat([True, False], 4)
    picked = np.array([[2, 0], [1, 1]])  # one resample of the first word twice, one of both
    monkeypatch.setattr(effects, "resampled_sums", lambda sums, _: picked @ sums)
    side = np.array(list("XXXXYYYY"))
    twice = [0, 1, 0, 1, 4, 5, 4, 5]
    expected = [effect_size(s[r], side) for r in (twice, np.arange(8)) for s in (s_a, s_b)]
    np.testing.assert_allclose(
        effects._resampled_both(s_a, s_b, x, words, rng),
        [expected[0] - expected[1], expected[2] - expected[3]],
    )


def two_models(each, words=None, *, seed=0):
    """Both models' associations of so many targets on either side, and their words."""
    draw, side = rng(seed), np.repeat(["X", "Y"], each)
    a, b = (draw.normal(size=2 * each) for _ in range(2))
    clusters = np.arange(2 * each) if words is None else np.arange(2 * each) // each * words + (
        np.arange(2 * each) % words
    )  # fmt: skip
    return PairedSample(effect_size, [a, side], [b, side], clusters, rng())


@pytest.mark.parametrize("words", [2, 3, 7])
def test_a_difference_of_effects_over_few_words_has_no_interval_and_no_test(words):
    """With two words on a side, Student’s t would stretch it to some 15 times what effects can differ by."""
    value, found = compare_effect_sizes(two_models(84, words))
    assert value == pytest.approx(two_models(84, words).difference)
    assert (found.low, found.high, found.p) == (None, None, None)
    assert found.why.startswith("no interval and no test: a side has fewer than 8 words")


@pytest.mark.parametrize("seed", range(20))
def test_a_difference_of_effects_stays_within_what_effects_can_differ_by(seed):
    """Equal sides have effects from −2 to 2, so differences from −4 to 4."""
    found = compare_effect_sizes(two_models(8, seed=seed))[1]
    assert -4 <= found.low < found.high <= 4
    opposite = two_models(8, seed=seed)
    opposite.a[0][:8] += 50
    opposite.b[0][:8] -= 50
    found = compare_effect_sizes(opposite)[1]
    assert found.high <= 4


@pytest.mark.parametrize("seed", range(30))
def test_interval_and_p_of_a_difference_of_effects_agree(seed):
    found = compare_effect_sizes(two_models(12, seed=seed))[1]
    assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


@pytest.mark.parametrize(("far", "cautioned"), [(0.0, False), (6.0, True)])
def test_skewed_associations_have_a_caution_with_their_interval(far, cautioned):
    """A target of each side lies far above the others, which are symmetric."""
    each = np.array([-1.0, -0.5, -0.2, 0.2, 0.5, 1.0, -0.1, 0.1 + far])
    columns = [np.concatenate([each, each + 0.5]), np.repeat(["X", "Y"], 8)]
    by_targets = infer_effect_size(Sample(effect_size, columns, np.arange(16), rng()))
    by_words = infer_effect_size_clustered(Sample(effect_size, columns, np.arange(16), rng()))
    for sure in (by_targets, by_words):
        assert sure.low is not None and ("associations are skewed" in sure.why) == cautioned
