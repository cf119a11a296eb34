"""Demographics cannot be joined with the people who gave them."""

from functools import partial

import pytest
from sqlalchemy import select, text

from support.survey import forms
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.persons import (
    BATCH,
    give_demographics,
    release_waiting,
    unlinked_demographics,
    waiting,
)
from tiltmeter.survey.schema import UnlinkedAnswers

REST = """
[demographics]
[[demographics.questions]]
name = "age"
kind = "slider"
low = 18
high = 99
left = "18"
right = "99"
"""


@pytest.fixture
def form():
    return forms.a_form(2, rest=REST)


def give(store, form, person, age):
    operation = partial(give_demographics, person=person, form=form, answers={"age": age})
    return store.save(operation)


def test_they_wait_until_there_are_enough_and_come_in_another_order(store, form):
    study = forms.a_study(store, form)
    orders = set()
    for batch in range(1, 6):
        before = [r["age"] for r in store.read(partial(unlinked_demographics, study=study))]
        for number in range(BATCH):
            assert store.read(partial(waiting, study=study)) == number
            assert give(store, form, forms.someone(store, study), 20 + number)
        ages = [r["age"] for r in store.read(partial(unlinked_demographics, study=study))]
        assert sorted(ages) == sorted([20, 21, 22, 23, 24] * batch)
        assert store.read(partial(waiting, study=study)) == 0
        orders.add(tuple(ages[len(before) :]))
    assert orders != {(20, 21, 22, 23, 24)}


def test_a_retry_is_not_a_second_person(store, form):
    study = forms.a_study(store, form)
    person = forms.someone(store, study)
    assert give(store, form, person, 30) and not give(store, form, person, 30)
    assert store.read(partial(waiting, study=study)) == 1


def test_few_are_never_released(store, form):
    study = forms.a_study(store, form)
    for _ in range(BATCH - 1):
        give(store, form, forms.someone(store, study), 30)
    assert store.save(partial(release_waiting, study=study)) == 0
    assert store.read(partial(unlinked_demographics, study=study)) == []


def test_rows_have_no_person_no_time_and_keys_that_say_nothing(store, form):
    study = forms.a_study(store, form)
    people = [forms.someone(store, study) for _ in range(BATCH)]
    waited = set()
    for person in people:
        give(store, form, person, 30)
        waited |= set(store.read(lambda s: s.scalars(select(UnlinkedAnswers.key)).all()))
    assert {c.name for c in UnlinkedAnswers.__table__.columns} == {
        "key", "study_id", "released", "bot", "answers",
    }  # fmt: skip
    final = set(store.read(lambda s: s.scalars(select(UnlinkedAnswers.key)).all()))
    assert len(final & waited) == BATCH and len(waited) == 2 * BATCH - 1
    if store.is_sqlite:  # SQLite has no hidden number of the row either
        sql = text("SELECT sql FROM sqlite_master WHERE name = 'unlinked'")
        assert "WITHOUT ROWID" in store.read(lambda s: s.scalar(sql))


def test_answers_are_checked(store, form):
    person = forms.someone(store, forms.a_study(store, form))
    with pytest.raises(BadInput, match="not between 18 and 99"):
        give(store, form, person, 12)
    with pytest.raises(BadInput, match="no question 'name'"):
        store.save(partial(give_demographics, person=person, form=form, answers={"name": "x"}))
    assert give(store, form, person, 30)
