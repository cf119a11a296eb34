"""Who it was: the table of people, with ids of the platform only where they are asked for."""

import csv
import io
from functools import partial

import pytest

from support.survey.paid import RAW, a_paid_study
from tiltmeter.survey.accounts import audit_log
from tiltmeter.survey.collected import CheckResult, Collected, Participant, collect
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.participants.listing import (
    NOBODY,
    ListedPerson,
    PlatformIds,
    list_people,
    note_listing,
    people_csv,
)


@pytest.fixture
def study(store):
    number, people = a_paid_study(store)
    store.save(partial(mark_study, study=number))
    return store.read(partial(collect, study=number)), people


def test_everybody_who_came_is_listed_with_outcome_time_and_pay(store, study):
    collected, people = study
    listed = store.read(list_people, collected, ids=True)
    by_id = {person.ids.id.removeprefix(RAW): person for person in listed.people}
    assert listed.by_outcome == {"finished": 4, "screened out": 1, "withdrew": 1, "under way": 1}
    assert (listed.with_ids, listed.currency) == (6, "GBP")
    slower = by_id["slower"]
    assert (slower.person, slower.minutes, slower.answers) == (people["slower"], 15, 6)
    assert slower.pay and (slower.pay.amount, slower.pay.bonus) == (2, 1)
    assert slower.ids.submission == "session_slower"
    assert by_id["flat"].marks == ("straight_line",)
    assert by_id["here"].pay is None and by_id[""].ids == NOBODY
    # who withdrew has a new random id, and nothing else
    assert by_id["gone"].person not in people.values() and by_id["gone"].minutes == 0


def test_without_asking_no_id_is_read(store, study):
    listed = store.read(list_people, study[0], ids=False)
    assert listed.with_ids == 0 and RAW not in people_csv(listed)


def test_that_ids_were_shown_is_noted_without_them(store, study):
    listed = store.read(list_people, study[0], ids=True)
    store.save(note_listing, listed, "page", actor="ann")
    line = store.read(audit_log)[0]
    assert (line.actor, line.action) == ("ann", "show platform ids")
    assert line.detail == "warmth (page: 6)"


def test_wrong_answers_to_tests_are_counted(store):
    flags = [
        ("name_item", 1, True),
        ("attention", 2, True),
        ("attention", 3, False),
        ("speed", 3, True),
    ]
    marks = tuple(CheckResult(check, "", flagged, assignment=at) for check, at, flagged in flags)
    collected = Collected("x", read_form("label_text"), (Participant("p"),), (), marks={"p": marks})
    (person,) = store.read(list_people, collected, ids=False).people
    assert (person.checks_failed, person.marks) == (2, ("attention", "name_item", "speed"))


def test_no_cell_is_a_formula_and_a_form_without_pay_has_no_amounts(store):
    form = read_form("label_text")
    listed = store.read(list_people, Collected("x", form, (), ()), ids=True)
    assert listed.people == () and listed.currency == ""
    ids = PlatformIds("link", {"pid": "=cmd()"})
    person = ListedPerson("p", "finished", 1, 2, 0, 0, 0, (), "", None, ids)
    text = people_csv(type(listed)("x", (person,)))
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["id"], row["amount"], row["bonus"]) == ("'=cmd()", "", "")
    assert (row["started"], row["ended"]) == ("1970-01-01T00:00:00Z",) * 2


def test_marks_are_those_of_any_item():
    form = read_form("label_text")
    marks = {"p": (CheckResult("speed", "z", flagged=True, assignment=3),)}
    assert Collected("x", form, (), (), marks=marks).flags_of("p") == {"speed"}
    assert Collected("x", form, (), ()).flags_of("p") == frozenset()
