"""Constant and copied answers: probabilities by hand, and what chance explains."""

import numpy as np
import pytest

from tiltmeter.stats.raters.answer_patterns import by_person, constant_answers, copied_answers
from tiltmeter.stats.raters.person_checks import QuestionAnswers


def question(table, nominal=False):
    return QuestionAnswers(np.asarray(table, dtype=float), nominal)


def test_the_probability_of_constant_answers_by_hand():
    # The others answer 0 and 1 half and half to each of five items: one weight of the usual half.
    others = np.array([[0.0, 1, 0, 1], [1, 0, 1, 0]])[[0, 1, 0, 1, 0]]
    (only,) = constant_answers([question(np.column_stack([others, np.zeros(5)]))])
    assert (only.person, only.answers) == (4, 5)
    assert only.p == pytest.approx(2 * 2 * 0.5**5)  # two answers, and the smaller of two tests
    assert not only.is_marked


def test_one_answer_to_each_question_is_constant_too():
    rng = np.random.default_rng(0)
    tables = [rng.integers(0, 5, (8, 6)) / 4 for _ in range(2)]
    tables[0][:, 3], tables[1][:, 3] = 0.25, 0.75
    found = constant_answers([question(table) for table in tables])
    assert [(each.person, each.answers, each.is_marked) for each in found] == [(3, 16, True)]


def test_what_everybody_answers_is_no_mark():
    usual = np.zeros((40, 30))
    usual[::13, ::7] = 1
    assert not any(each.is_marked for each in constant_answers([question(usual)]))
    assert copied_answers([question(usual)]) == []


def test_copies_name_the_two_people_and_their_common_answers():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 101, (30, 5)) / 100
    table[:, 4] = table[:, 1]
    table[20:, 1] = np.nan
    copies = copied_answers([question(table)])
    assert [(c.first, c.second, c.common) for c in copies] == [(1, 4, 20)]
    assert [*by_person(copies)] == [(1, 4, 20), (4, 1, 20)]


def test_few_common_answers_of_people_who_agree_are_no_copies():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 3, (14, 1))
    agreeing = np.where(rng.random((14, 60)) < 0.9, label, rng.integers(0, 3, (14, 60)))
    assert copied_answers([question(agreeing, nominal=True)]) == []
