"""Bots take no places from people, are counted apart, and can be erased without anybody else."""

from functools import partial

from sqlalchemy import select

from support.survey.forms import a_form, a_study, fill_in, someone
from tiltmeter.survey.bot_persons import answers_of_bots, bots, erase_bots, has_people
from tiltmeter.survey.people_answers import under_way, votes_of
from tiltmeter.survey.persons import give_demographics, unlinked_demographics
from tiltmeter.survey.places import filled_places
from tiltmeter.survey.schema import Assignment, Person

AGE = """
[demographics]
[[demographics.questions]]
kind = "choice"
name = "age"
text = "How old are you?"
options = ["young", "old"]
"""


def test_bots_have_places_of_their_own(store):
    form = a_form(1, sampling="votes = 1")
    study = a_study(store, form)
    fill_in(store, form, someone(store, study, bot=True))
    assert not store.read(partial(has_people, study=study))
    assert len(store.read(partial(votes_of, study=study, question="cold - warm"))) == 1
    person = someone(store, study)
    fill_in(store, form, person)
    held = store.read(lambda s: s.execute(select(Assignment.bot, Assignment.state)).all())
    assert [tuple(row) for row in held] == [(True, "done"), (False, "done")]
    (place,) = store.read(partial(filled_places, study=study))
    assert place.people == 1
    votes = store.read(partial(votes_of, study=study, question="cold - warm"))
    assert [vote.person for vote in votes] == [person]
    assert not store.read(partial(under_way, study=study))


def test_bots_are_erased_and_nobody_else(store):
    form = a_form(2, rest=AGE)
    study = a_study(store, form)
    for bot in (True, False, True):
        who = someone(store, study, bot=bot)
        fill_in(store, form, who)
        store.save(partial(give_demographics, person=who, form=form, answers={"age": "old"}))
    assert store.read(partial(unlinked_demographics, study=study)) == []
    assert len(store.read(partial(unlinked_demographics, study=study, bots=True))) == 2
    assert store.read(partial(answers_of_bots, study=study)) == 2 * 2 * 3
    assert store.save(partial(erase_bots, study=study, actor="test")) == 2
    assert store.read(partial(bots, study=study)) == store.read(
        partial(answers_of_bots, study=study)
    )
    assert store.read(partial(unlinked_demographics, study=study, bots=True)) == []
    assert [p.bot for p in store.read(lambda s: [*s.scalars(select(Person))])] == [False]
