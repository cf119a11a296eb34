"""An outcome is decided once; items of people who left go to others, and answers are kept."""

from functools import partial

import pytest

from support.survey.forms import a_form, a_study, answer, fill_in, someone
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.collected import collect
from tiltmeter.survey.keys import now
from tiltmeter.survey.leaving import farewell, finish, leave, time_out, turn_away
from tiltmeter.survey.places import MINUTE, filled_places
from tiltmeter.survey.schema import Person

CHECK = '[[checks]]\nkind = "name_item"\nafter = 1\ntext = "Which?"\n[outcomes.failed_checks]\n'


def outcome(store, person):
    return store.read(lambda s: s.get_one(Person, person).outcome)


def test_the_first_outcome_stands(store):
    form = a_form(1)
    person = someone(store, a_study(store, form))
    for name in ("stopped", "finished", "timed_out"):
        store.save(leave, person=person, outcome=name)
    assert outcome(store, person) == "stopped"


def test_who_had_agreed_is_not_turned_away(store):
    form = a_form(1)
    study = a_study(store, form)
    person = someone(store, study, "raw")
    gone = partial(turn_away, study=study, outcome="declined", platform="prolific", language="en")
    assert store.save(gone, ids={"PROLIFIC_PID": "raw"}) == person
    assert outcome(store, person) is None
    other = store.save(gone, ids={"PROLIFIC_PID": "other"})
    assert outcome(store, other) == "declined"


def test_people_are_gone_after_the_minutes_of_the_form_and_keep_what_they_have_done(store):
    form = a_form(2, sampling="votes = 1", rest="[outcomes.timed_out]\nminutes = 5\n")
    study = a_study(store, form)
    person = someone(store, study)
    (first, _) = store.save(lease_items, person=person, form=form)
    answer(store, form, person, first.assignment)
    away = partial(time_out, study=study, form=form)
    assert store.save(away, at=now() + 4 * MINUTE) == 0
    assert store.save(away, at=now() + 6 * MINUTE) == 1
    assert store.save(away, at=now() + 6 * MINUTE) == 0
    assert outcome(store, person) == "timed_out"
    places = store.read(filled_places, study)
    assert [sum(place.working.values()) for place in places] == [0, 0]
    assert len(store.read(collect, study).responses) == 1


@pytest.mark.parametrize(
    ("named", "expected"), [("group 0", "finished"), ("no idea", "failed_checks")]
)
def test_who_fails_the_checks_has_another_outcome_and_no_place(store, named, expected):
    form = a_form(1, sampling="votes = 1", rest=f"{CHECK}after = 1\n")
    study = a_study(store, form)
    person = someone(store, study)
    fill_in(store, form, person, others={"name_item": named})
    assert store.save(finish, person=person, form=form) == expected
    other = someone(store, study)
    given = store.save(lease_items, person=other, form=form)
    assert len(given) == (expected == "failed_checks")
    assert len(store.read(collect, study).responses) == 4  # whatever the checks found


def test_the_address_has_the_code_and_the_id(store):
    table = '[outcomes.stopped]\ncode = "S 1"\nurl = "https://panel.example/?cc={code}&id={id}"\n'
    form = a_form(1, rest=table)
    study = a_study(store, form)
    person = someone(store, study, "a/b")
    assert store.read(farewell, person=person, form=form) is None
    store.save(leave, person=person, outcome="stopped")
    shown = store.read(farewell, person=person, form=form)
    assert (shown.code, shown.url) == ("S 1", "https://panel.example/?cc=S%201&id=a%2Fb")
