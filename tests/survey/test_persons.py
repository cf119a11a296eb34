"""Platform ids are kept apart and can be erased; who withdraws leaves the id and that."""

from functools import partial

import pytest
from sqlalchemy import select, text

from support.survey import forms
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.outcomes import UNDER_WAY
from tiltmeter.survey.participants.erasing import people_with_id
from tiltmeter.survey.persons import enrol, erase_person, platform_of, withdraw
from tiltmeter.survey.schema import Base, Person
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import close_study, erase_identities, study_status

RAW = "5f1a9c0e7b2d4800aa17ff31"


@pytest.fixture
def form():
    return forms.a_form(2, rest="[repeat]\nitems = 1\n")


def everything(store):
    """All rows of all tables but `identity`, as text."""
    tables = [table for table in Base.metadata.sorted_tables if table.name != "identity"]
    return "\n".join(
        str(row) for t in tables for row in store.read(lambda s, t=t: s.execute(t.select()).all())
    )


def test_who_comes_again_with_the_same_id_is_the_same_person(store, form):
    study = forms.a_study(store, form)
    one, again, other = (
        store.save(partial(enrol, study=study, platform="prolific", ids={"PROLIFIC_PID": raw}))
        for raw in (RAW, RAW, "someone else")
    )
    assert one.id == again.id
    assert other.id != one.id
    without = {store.save(partial(enrol, study=study)).id for _ in range(2)}
    assert len(without) == 2


def test_raw_ids_are_in_one_table_only_and_can_be_erased(store, form):
    study = forms.a_study(store, form)
    person = forms.someone(store, study, RAW)
    forms.fill_in(store, form, person)
    assert RAW not in everything(store)
    assert store.read(partial(people_with_id, study=study, platform_id=RAW)) == (person,)
    assert store.save(partial(erase_identities, study=study, actor="test")) == 1
    with pytest.raises(BadInput, match="nobody in this study has this id"):
        store.read(partial(people_with_id, study=study, platform_id=RAW))
    again = store.save(partial(enrol, study=study, platform="prolific", ids={"PROLIFIC_PID": RAW}))
    assert again.id == person  # the study is still open: nobody takes part twice


def test_after_the_study_is_closed_its_key_is_erased_too(store, form):
    study = forms.a_study(store, form)
    forms.someone(store, study, RAW)
    store.save(partial(close_study, study=study, actor="test"))
    store.save(partial(erase_identities, study=study, actor="test"))
    assert store.read(lambda s: s.scalar(text("SELECT length(salt) FROM study"))) == 0
    with pytest.raises(BadInput, match="is closed"):
        store.save(partial(enrol, study=study))


def test_who_withdraws_leaves_the_platform_id_and_the_outcome(store, form):
    study = forms.a_study(store, form)
    stays, goes = (forms.someone(store, study, raw) for raw in ("stays", RAW))
    for person in (stays, goes):
        forms.fill_in(store, form, person)
    before = everything(store)
    assert before.count(goes) > 10
    left = store.save(partial(withdraw, person=goes))
    assert left.answers == 9
    assert goes not in everything(store)
    status = store.read(partial(study_status, study=study))
    assert status.people == {UNDER_WAY: 1, "withdrew": 1}
    assert (status.answers, status.identities) == (9, 2)
    left = store.read(lambda s: s.scalar(select(Person).where(Person.outcome == "withdrew")))
    assert (left.language, left.stratum, left.consented, left.linked) == ("", "", None, False)
    assert left.ended == left.started
    assert store.read(platform_of, left.id) == ("prolific", {"PROLIFIC_PID": RAW})
    again = store.save(partial(enrol, study=study, platform="prolific", ids={"PROLIFIC_PID": RAW}))
    assert (again.id, again.outcome) == (left.id, "withdrew")


def test_who_is_erased_leaves_nothing_but_a_count(store, form):
    study = forms.a_study(store, form)
    person = forms.someone(store, study, RAW)
    forms.fill_in(store, form, person)
    assert store.save(partial(erase_person, person=person, actor="test")) == 9
    assert RAW not in everything(store)
    status = store.read(partial(study_status, study=study))
    assert (status.people, status.erased, status.answers, status.identities) == ({}, 1, 0, 0)


def test_what_was_erased_is_gone_from_the_file(tmp_path, form):
    path = tmp_path / "survey.db"
    with SurveyStore(path) as store:
        study = forms.a_study(store, form)
        person = forms.someone(store, study, RAW)
        store.save(partial(erase_person, person=person, actor="test"))
        store.scrub()
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert RAW.encode() not in left
