"""Checks of all answers of a person: by hand, against Pearson, and under relabelling."""

import numpy as np
import pytest

from tiltmeter.stats.raters.person_checks import QuestionAnswers, person_checks

_ = np.nan


def checks(*tables, nominal=False):
    questions = [QuestionAnswers(table, nominal) for table in tables]
    return person_checks(questions, rng=np.random.default_rng(0))


def crowd(seed=0, items=40, people=8):
    rng = np.random.default_rng(seed)
    return np.clip(rng.uniform(0, 1, (items, 1)) + rng.normal(0, 0.15, (items, people)), 0, 1)


def test_the_correlation_is_pearsons_with_the_mean_of_the_others():
    table = crowd()
    table[5:, 3] = _
    first, fourth = (checks(table)[i] for i in (0, 3))
    others = np.nanmean(table[:, 1:], axis=1)
    assert first.r == pytest.approx(np.corrcoef(table[:, 0], others)[0, 1])
    assert first.shift == pytest.approx(float((table[:, 0] - others).mean()))
    assert fourth.answers == 5


def test_two_labels_are_a_scale_with_two_ends():
    table = (crowd() > 0.5).astype(float)
    as_numbers, as_labels = checks(table), checks(table + 7, nominal=True)
    for number, label in zip(as_numbers, as_labels, strict=True):
        assert label.r == pytest.approx(number.r)


def test_a_reversed_person_and_one_at_random_are_found_whatever_their_column():
    table = crowd()
    table[:, 1] = 1 - table[:, 1]
    table[:, 6] = np.random.default_rng(3).random(40)
    found = checks(table)
    assert [check.person for check in found if check.reversed] == [1]
    assert [check.person for check in found if check.unrelated] == [6]
    assert not any(check.cannot_tell for check in found)
    turned = checks(table[:, ::-1])[::-1]
    assert [check.r for check in turned] == pytest.approx([check.r for check in found])
    assert [(c.reversed, c.unrelated) for c in turned] == [(c.reversed, c.unrelated) for c in found]


def test_p_of_a_permutation_is_that_of_all_orders():
    # Of the 24 orders of four different answers one is the order of the others, and one its reverse.
    table = np.column_stack([np.arange(4.0), np.arange(4.0), np.arange(4.0)]) / 3
    (first, *_rest) = checks(table)
    assert first.r == pytest.approx(1)
    assert first.related_p == pytest.approx(1 / 24, abs=0.01)
    assert first.reversed_p == pytest.approx(1)
    assert first.cannot_tell  # four answers


def test_p_is_even_under_no_relation():
    rng = np.random.default_rng(0)
    table = (rng.random((30, 120)) < 0.1).astype(float)  # skewed, nobody related to anybody
    ps = np.array([check.related_p for check in checks(table) if check.related_p is not None])
    assert (ps < 0.05).mean() <= 0.1
    assert not any(check.unrelated or check.reversed for check in checks(table))


def test_what_cannot_be_computed_has_a_reason():
    table = crowd(items=10)
    table[:, 0] = 0.5
    table[2:, 1] = _
    constant, few = checks(table)[:2]
    assert constant.r is None and constant.why == "the answers are all the same"
    assert constant.cannot_tell and constant.power is None
    assert few.r is None and few.why == "only 2 answers shared with others"
    assert checks() == []


def test_power_grows_with_the_number_of_answers():
    few, many = (checks(crowd(items=items, people=12))[0].power for items in (8, 60))
    assert many is not None and (few or 0) < many
