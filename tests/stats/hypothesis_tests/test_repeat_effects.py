"""Repeats that differ by more than chance are found, and no others."""

import numpy as np
import pytest

from tiltmeter.stats.hypothesis_tests.repeat_effects import repeat_effect


def long(table):
    """A table of questions by repeats as rows: values, questions, repeats."""
    question, repeat = np.indices(table.shape)
    return table.ravel().astype(float), question.ravel(), repeat.ravel()


def test_by_hand():
    """Three questions in two repeats: sums 3 and 1, squares within 2 · ½, so Q = (2 · 1²) / 1 = 2."""
    values, question, repeat = long(np.array([[1, 0], [1, 0], [1, 1]]))
    assert repeat_effect([values], question, repeat) == pytest.approx(
        0.1572992
    )  # of chi-square, 1 df


def test_without_differences_nothing_is_found():
    values, question, repeat = long(np.repeat([[1], [0], [1]], 4, axis=1))
    assert repeat_effect([values], question, repeat) == 1
    assert repeat_effect([], question, repeat) == 1


def test_the_order_of_rows_and_repeats_changes_nothing():
    rng = np.random.default_rng(0)
    values, question, repeat = long(rng.random((20, 3)) < 0.4)
    p = repeat_effect([values], question, repeat)
    order = rng.permutation(60)
    assert repeat_effect([values[order]], question[order], 7 - repeat[order]) == pytest.approx(p)


def test_columns_are_paid_for_and_missing_values_are_a_kind():
    values, question, repeat = long(np.array([[1, 0], [1, 0], [1, 0], [1, 0], [1, 1]]))
    alone = repeat_effect([values], question, repeat)
    other = long(np.array([[1, 0], [0, 1], [1, 0], [0, 1], [1, 1]]))[0]
    assert repeat_effect([values, other], question, repeat) == pytest.approx(2 * alone)
    missing = np.where(values > 0, 1.0, np.nan)
    assert repeat_effect([missing], question, repeat) == pytest.approx(alone)


def test_questions_that_lack_a_repeat_are_left_out():
    values, question, repeat = long(np.array([[1, 0], [1, 0], [1, 0]]))
    more = [np.r_[values, 1.0], np.r_[question, 3], np.r_[repeat, 0]]
    assert repeat_effect([more[0]], more[1], more[2]) == repeat_effect([values], question, repeat)


def test_the_size_is_that_of_the_level():
    rng, level, trials = np.random.default_rng(1), 0.2, 400
    for shares in (np.full((30, 1), 0.5), rng.beta(0.5, 0.5, size=(30, 1)), np.full((30, 1), 0.05)):
        found = sum(
            repeat_effect(
                *([c] if i == 0 else c for i, c in enumerate(long(rng.random((30, 5)) < shares)))
            )
            < level
            for _ in range(trials)
        )
        assert found / trials < level + 2 * (level * (1 - level) / trials) ** 0.5
