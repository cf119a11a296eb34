"""Answers are stored once, under the person who gave them, and never changed."""

from functools import partial

import pytest
from sqlalchemy import func, select, text

from support.survey import forms
from support.survey.browsing import rows
from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_events
from tiltmeter.survey.assign import assigned_to, lease_items
from tiltmeter.survey.flow import screens
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.persons import enrol, respondent
from tiltmeter.survey.places import MINUTE
from tiltmeter.survey.schema import Answer, Assignment, PageEvent


@pytest.fixture
def form():
    return forms.a_form(2)


@pytest.fixture
def study(store, form):
    return forms.a_study(store, form)


@pytest.fixture
def person(store, study):
    return forms.someone(store, study)


@pytest.fixture
def first(store, form, person):
    return store.save(partial(lease_items, person=person, form=form))[0].assignment


def count(store):
    return store.read(lambda s: s.scalar(select(func.count()).select_from(Answer)))


def current(store, person):
    found = store.read(partial(current_answers, person=person))
    return {question: value for (_, _, question), value in found.items()}


def test_the_same_answer_sent_twice_is_stored_once(store, form, person, first):
    key = forms.answer(store, form, person, first)
    assert forms.answer(store, form, person, first, key=key) == key
    assert count(store) == 1


def test_a_key_stands_for_one_answer_of_one_person(store, form, study, person, first):
    key = forms.answer(store, form, person, first)
    with pytest.raises(BadInput, match="stands for another answer"):
        forms.answer(store, form, person, first, key=key, value=61)
    other = forms.someone(store, study)
    (theirs, _) = store.save(partial(lease_items, person=other, form=form))
    with pytest.raises(BadInput, match="stands for another answer"):
        forms.answer(store, form, other, theirs.assignment, key=key)
    with pytest.raises(BadInput, match="was not given to this person"):
        forms.answer(store, form, other, first)
    assert current(store, other) == {}


def test_a_later_answer_replaces_an_earlier_one_and_both_are_kept(store, form, person, first):
    early, late = new_key(1000), new_key(2000)
    forms.answer(store, form, person, first, key=late, value=20, supersedes=early)
    forms.answer(store, form, person, first, key=early, value=80)  # arrives after a retry
    assert current(store, person) == {"cold - warm": 20}
    assert count(store) == 2
    wrong_clock = new_key(500)
    forms.answer(store, form, person, first, key=wrong_clock, value=30, supersedes=late)
    assert current(store, person) == {"cold - warm": 30}


def test_the_database_itself_refuses_to_change_an_answer(store, form, person, first):
    forms.answer(store, form, person, first)
    with pytest.raises(StorageError, match="answers are never changed"):
        store.save(lambda session: session.execute(text("UPDATE answer SET question = 'x'")))
    assert current(store, person) == {"cold - warm": 60}


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"question": "tall - short"}, "there is no question 'tall - short'"),
        ({"page": "other"}, "there is no question"),
        ({"value": 101}, "not between 0 and 100"),
        ({"value": None}, "no number"),
        ({"key": "00000000-0000-4000-8000-000000000000"}, "no UUIDv7"),
    ],
)
def test_what_the_form_does_not_ask_is_refused(store, form, person, first, wanted, reason):
    with pytest.raises(BadInput, match=reason):
        forms.answer(store, form, person, first, **wanted)
    assert count(store) == 0


def test_one_bad_answer_stores_none_of_those_sent_with_it(store, form, person, first):
    good, bad = (NewAnswer(new_key(), "rate", "cold - warm", value, 1, first) for value in (1, 999))
    with pytest.raises(BadInput):
        forms.save(store, form, person, [good, bad])
    assert count(store) == 0


def test_nobody_answers_before_consent(store, form, study):
    person = store.save(partial(enrol, study=study)).id
    (first, _) = store.save(partial(lease_items, person=person, form=form))
    with pytest.raises(BadInput, match="before consent"):
        forms.answer(store, form, person, first.assignment)


def test_an_answer_lengthens_the_lease(store, form, person, first):
    later = now() + 100 * MINUTE
    new = NewAnswer(new_key(), "rate", "cold - warm", 1, 1, first)
    forms.save(store, form, person, [new], at=later)
    until = store.read(lambda s: s.get_one(Assignment, first).until)
    assert until == later + form.sampling.lease * MINUTE


def test_events_are_stored_once_and_only_of_known_kinds(store, person, first):
    def save(event):
        return store.save(lambda s: save_events(s, [(respondent(s, person), event)]))

    event = NewEvent(new_key(), f"rate.{first}", "shown", 1, first)
    for _ in range(2):
        assert save(event) == [event.key]
    with pytest.raises(BadInput, match="no page event"):
        save(NewEvent(new_key(), "x", "read", 1))


def test_the_code_comes_when_every_answer_is_there(store, form, person):
    assigned = store.save(partial(lease_items, person=person, form=form))
    with pytest.raises(
        BadInput, match="not answered yet: cold - warm, poor - wealthy, weak - strong"
    ):
        store.save(partial(finish, person=person, form=form))
    screen = screens(form, assigned)[0]
    shown = NewEvent(new_key(), screen.key, "shown", 1, screen.assignment)
    left = forms.submit(store, form, person, screen, shown, at=2)
    assert left == ("cold - warm", "poor - wealthy", "weak - strong")
    forms.fill_in(store, form, person)
    code = store.save(partial(finish, person=person, form=form))
    assert len(code) == 8
    states = store.read(lambda s: set(s.scalars(select(Assignment.state))))
    assert states == {"done"}


def test_a_screen_of_someone_else_cannot_be_submitted(store, form, person, study, first):
    (screen, *_) = screens(form, store.read(partial(assigned_to, person=person)))
    other = forms.someone(store, study)
    shown = NewEvent(new_key(), screen.key, "shown", 1, first)
    with pytest.raises(BadInput, match="not given to this person"):
        forms.submit(store, form, other, screen, shown, at=2)


def test_only_new_keys_are_stored_and_what_is_there_stays(store):
    study = forms.a_study(store, forms.a_form(1))
    one, two = new_key(), new_key()

    person = forms.someone(store, study)

    def sent(*keys_and_kinds, by=person):
        events = [NewEvent(key, "rate", kind, 1) for key, kind in keys_and_kinds]
        return store.save(
            lambda session: save_events(session, [(respondent(session, by), e) for e in events])
        )

    assert sent() == []
    assert sent((one, "shown")) == [one]
    assert sent((one, "hidden"), (two, "visible")) == [one, two]
    kinds = {event.key: event.kind for event in rows(store, PageEvent)}
    assert kinds == {one: "shown", two: "visible"}
    with pytest.raises(BadInput, match="is taken"):
        sent((two, "shown"), by=forms.someone(store, study))
