"""People are found by either id, and erased in whatever database."""

import pytest
from sqlalchemy import text

from support.survey import forms
from support.survey.browsing import rows
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.engines import engine_for
from tiltmeter.survey.participants.erasing import erase_people, people_with_id
from tiltmeter.survey.schema import AuditEntry, Person, PlatformIdentity, StudyRow
from tiltmeter.survey.store import SurveyStore


@pytest.fixture
def study(store):
    return forms.a_study(store, forms.a_form(2))


def test_somebody_is_found_by_random_id_and_by_the_id_on_the_platform(store, study):
    ann, ben = (forms.someone(store, study, name) for name in ("5f1", "5f12"))
    assert store.read(people_with_id, study=study, person=ann) == (ann,)
    assert store.read(people_with_id, study=study, platform_id=" 5f12 ") == (ben,)
    for wrong in ({"person": "5f1"}, {"platform_id": ann}, {"platform_id": "5f"}, {}):
        with pytest.raises(BadInput, match="nobody"):
            store.read(people_with_id, study=study, **wrong)


def test_an_id_of_the_study_or_a_submission_is_nobodys(store, study):
    ids = {"PROLIFIC_PID": "p1", "STUDY_ID": "study7", "SESSION_ID": "s1"}
    forms.someone(store, study, ids=ids)
    for wrong in ("study7", "s1"):
        with pytest.raises(BadInput, match="nobody in this study") as error:
            store.read(people_with_id, study=study, platform_id=wrong)
        assert wrong not in str(error.value)


def test_who_came_through_two_platforms_is_erased_twice(store, study):
    forms.someone(store, study, "5f1")
    forms.someone(store, study, platform="link", ids={"pid": "5f1"})
    other = forms.someone(store, study, "5f2")
    found = store.read(people_with_id, study=study, platform_id="5f1")
    assert len(found) == 2
    assert store.save(erase_people, people=found, actor="ann") == 0
    assert [person.id for person in rows(store, Person)] == [other]
    assert [identity.person_id for identity in rows(store, PlatformIdentity)] == [other]
    assert rows(store, StudyRow)[0].erased == 2
    assert {(line.action, line.detail) for line in rows(store, AuditEntry)} == {
        ("erase one person", "warmth")
    }


def test_people_of_another_study_are_not_found(store, study):
    forms.someone(store, study, "5f1")
    with pytest.raises(BadInput):
        store.read(people_with_id, study=study + 1, platform_id="5f1")


@pytest.mark.slow
def test_an_erased_id_is_in_no_table_of_postgresql(postgres_server, postgres):
    with SurveyStore(postgres) as store:
        study = forms.a_study(store, forms.a_form(2))
        for n in range(50):
            forms.someone(store, study, f"5f1a9c0e7d3b{n:03}" * 4)
        found = store.read(people_with_id, study=study, platform_id="5f1a9c0e7d3b017" * 4)
        store.save(erase_people, people=found, actor="ann")
        store.scrub()
        engine = engine_for(store.url, "", readers=1)
        with engine.connect() as connection:
            connection.execute(text("CHECKPOINT"))
        engine.dispose()
    files = (postgres_server.folder / "data" / "base").rglob("*")
    content = b"".join(file.read_bytes() for file in files if file.is_file())
    assert b"5f1a9c0e7d3b018" in content and b"5f1a9c0e7d3b017" not in content
