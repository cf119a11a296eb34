"""What an association test comes to with other words, against slow and obvious code."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics import word_lists
from tiltmeter.metrics.association import effect_size

SIDE = np.array(["X", "X", "X", "Y", "Y", "Y"])


def table(seed=0, a=3, b=2):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, size=(6, a)), rng.uniform(-1, 1, size=(6, b))


def test_leaving_out_is_computing_it_again():
    of_a, of_b = table()
    words = np.arange(6).astype(str), np.array(["p", "q", "p"]), np.array(["r", "s"])
    effect, (x_and_y, a, b) = word_lists.effects_without_words((of_a, of_b), SIDE, words)
    s = of_a.mean(axis=1) - of_b.mean(axis=1)
    assert effect == effect_size(s, SIDE)
    for i in range(6):
        assert x_and_y[i] == effect_size(np.delete(s, i), np.delete(SIDE, i))
    only_q = effect_size(of_a[:, 1] - of_b.mean(axis=1), SIDE)
    assert a.tolist() == [
        only_q,
        effect_size(of_a[:, [0, 2]].mean(axis=1) - of_b.mean(axis=1), SIDE),
        only_q,
    ]
    assert b[0] == effect_size(of_a.mean(axis=1) - of_b[:, 1], SIDE)


def test_the_last_word_of_a_set_cannot_be_left_out():
    words = np.arange(6).astype(str), np.array(["p"] * 3), np.array(["r", "s"])
    _, (_, a, b) = word_lists.effects_without_words(table(), SIDE, words)
    assert np.isnan(a).all()
    assert np.isfinite(b).all()


def sample(without, side, cluster, effect=0.5):
    columns = np.full(len(without), effect), np.array(without), np.array(side), np.array(cluster)
    return Sample(word_lists.effect_of_words, columns, columns[3], np.random.default_rng(0))


def test_the_jackknife_by_hand():
    """Eight words a set, ±d in turns: a set's error is √(7/8 · 8 d²) = √7 d, four sets' twice that."""
    without = np.tile([0.51, 0.49], 16)
    side = np.repeat(list("XYAB"), 8)
    sure = word_lists.infer_effect_of_words(sample(without, side, np.arange(32)))
    half = 2.364624 * 2 * np.sqrt(7) * 0.01 * np.sqrt(8 / 7)  # t with 7 degrees of freedom
    assert (sure.low, sure.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_texts_of_one_word_count_once():
    without, side = np.tile([0.51, 0.49], 16), np.repeat(list("XYAB"), 8)
    once = word_lists.infer_effect_of_words(sample(without, side, np.arange(32)))
    twice = word_lists.infer_effect_of_words(
        sample(np.repeat(without, 2), np.repeat(side, 2), np.repeat(np.arange(32), 2))
    )
    assert once[:2] == twice[:2]
    columns = sample(np.repeat(without, 2), np.repeat(side, 2), np.repeat(np.arange(32), 2)).columns
    assert word_lists.words_counted(columns) == 32


def test_few_words_have_no_interval():
    without, side = np.tile([0.51, 0.49], 14), np.repeat(list("XYAB"), 7)
    sure = word_lists.infer_effect_of_words(sample(without, side, np.arange(28)))
    assert sure.low is None
    assert "fewer than 8 words" in sure.why


def test_the_word_that_changes_most_is_named():
    effect, side = np.full(3, 0.5), np.array(["A", "B", "X"])
    without, word = np.array([0.4, 0.8, np.nan]), np.array(["he", "she", "art"])
    columns = effect, without, side, word
    assert word_lists.largest_change(*columns) == pytest.approx(0.3)
    found = word_lists.name_largest_change(
        Sample(word_lists.largest_change, columns, np.arange(3), np.random.default_rng(0))
    )
    assert found.why == "without “she” of B"
    assert (word_lists.lowest_without(without), word_lists.highest_without(without)) == (0.4, 0.8)
    with pytest.raises(Undefined, match="no word"):
        word_lists.lowest_without(np.array([np.nan]))


def test_lists_without_an_effect_do_not_count():
    s = np.array([1.0, 0.0, 0.5, 0.5, 0.0, 1.0])
    side, of_list = np.array(list("XYXYXY")), np.repeat(["own", "flat", "other"], 2)
    assert word_lists.lists_counted((s, side, of_list)) == 2
    assert word_lists.lowest_over_lists(s, side, of_list) == pytest.approx(-(2**0.5))
    assert word_lists.highest_over_lists(s, side, of_list) == pytest.approx(2**0.5)
