"""A place is reserved at the consent: whoever comes a moment later is led to the last page."""

import threading
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from support.survey.databases import new_store
from support.survey.forms import (
    STAGES,
    a_form,
    a_study,
    answer,
    fill_in,
    one_screen,
    sixty,
    someone,
)
from tiltmeter.survey.assign import is_full, lease_items
from tiltmeter.survey.flow import screens
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.keys import now
from tiltmeter.survey.leaving import leave, time_out
from tiltmeter.survey.persons import enrol, withdraw
from tiltmeter.survey.places import MINUTE
from tiltmeter.survey.schema import Assignment, Person
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import close_study
from tiltmeter.survey.web.arriving import begin, go_on, is_over
from tiltmeter.survey.web.invitations import Invitation
from tiltmeter.survey.web.sessions import people_of


def opened(url):
    return SurveyStore(url) if url.startswith("postgresql") else new_store(Path(url))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "other.db")
    return request.getfixturevalue("postgres")


def comes(store, study, form, name, language="en"):
    """Somebody who agrees to take part; gives their random id and their outcome."""
    invitation = Invitation("warmth", "link", {"pid": name} if name else {})
    token = store.save(
        partial(begin, study=study, form=form, invitation=invitation, language=language,
                linked=False, old_token="")
    )  # fmt: skip
    person = store.read(partial(people_of, tokens={token}, study=study))[token]
    return person.id, person.outcome


def test_many_who_come_at_once_for_the_last_places_get_one_each_or_are_told(url):
    """Three places for nine people of two processes: three get work, and six find out before they agree."""
    form = a_form(1, sampling="votes = 3")
    with opened(url) as one, SurveyStore(url) as other:
        study = a_study(one, form)
        gate = threading.Barrier(9)
        found = []

        def come(number):
            gate.wait()
            found.append(comes((one, other)[number % 2], study, form, f"p{number}"))

        threads = [threading.Thread(target=come, args=(number,)) for number in range(9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        people = one.read(lambda s: [*s.scalars(select(Person))])
        given = one.read(lambda s: Counter(s.scalars(select(Assignment.state))))
    assert Counter(outcome for _, outcome in found) == {None: 3, "full": 6}
    assert {(p.outcome, p.consented is None) for p in people} == {(None, False), ("full", True)}
    assert given == {"leased": 3}


@pytest.mark.parametrize("how", ["stopped", "failed_checks", "withdrew", "timed_out"])
@pytest.mark.parametrize("done", [False, True])
def test_a_place_is_given_back_at_once_and_the_next_one_gets_work(store, how, done):
    form = a_form(1, sampling="votes = 1")
    study = a_study(store, form)
    first, _ = comes(store, study, form, "first")
    if done:
        fill_in(store, form, first)
    assert comes(store, study, form, "early")[1] == "full"
    if how == "withdrew":
        store.save(withdraw, person=first)
    elif how == "timed_out":
        assert store.save(time_out, study=study, form=form, at=now() + 31 * MINUTE) == 1
    else:
        store.save(leave, person=first, outcome=how)
    # finished answers that are kept and count keep their place
    keeps = done and how in {"stopped", "timed_out"}
    assert comes(store, study, form, "early")[1] == ("full" if keeps else None)


def test_activity_on_any_page_keeps_all_items_of_a_person(store, monkeypatch):
    form = a_form(2, sampling="each = 2\nvotes = 1\nlease = 10")
    study = a_study(store, form)
    at = now()
    clock = {"at": at}
    for module in ("assign", "persons", "places", "answers", "leaving", "web.arriving"):
        monkeypatch.setattr(f"tiltmeter.survey.{module}.now", lambda: clock["at"], raising=True)
    busy, _ = comes(store, study, form, "busy")
    given = store.read(lambda s: [*s.scalars(select(Assignment.id))])
    for minutes in (6, 12, 18, 24):
        clock["at"] = at + minutes * MINUTE
        answer(store, form, busy, given[0])
        assert comes(store, study, form, "other")[1] == "full"
    clock["at"] += 9 * MINUTE
    assert comes(store, study, form, "other")[1] == "full"
    clock["at"] += 2 * MINUTE
    assert comes(store, study, form, "other")[1] is None
    assert not store.save(go_on, person=busy, form=form)


def test_who_comes_back_gets_the_same_items_while_they_are_free(store):
    form = a_form(4, sampling="each = 2\nvotes = 1")
    study = a_study(store, form)
    person, _ = comes(store, study, form, "ann")
    before = store.save(lease_items, person=person, form=form)
    store.save(time_out, study=study, form=form, at=now() + 31 * MINUTE)
    assert store.save(go_on, person=person, form=form)
    assert store.save(lease_items, person=person, form=form) == before


def test_who_comes_back_after_their_items_went_to_others_has_timed_out_and_has_not_finished(store):
    """One of two items is done; the other one goes to somebody else, and nothing is left to do."""
    form = a_form(2, sampling="each = 2\nvotes = 1")
    study = a_study(store, form)
    late, _ = comes(store, study, form, "late")
    first, second = store.save(lease_items, person=late, form=form)
    one_screen(store, form, late, screens(form, [first])[0], 1_000_000, sixty, 20, {})
    store.save(time_out, study=study, form=form, at=now() + 31 * MINUTE)
    other, outcome = comes(store, study, form, "other")
    assert outcome is None
    given = store.save(lease_items, person=other, form=form)
    assert [item.item.key for item in given] == [second.item.key]
    assert not store.save(go_on, person=late, form=form)
    assert store.read(lambda s: s.get_one(Person, late).outcome) == "timed_out"


def test_who_was_away_for_longer_than_the_lease_has_not_finished_either(store):
    """People time out only after an hour here, but the item went to somebody else after half of it."""
    rest = "[outcomes.timed_out]\nminutes = 60\n"
    form = a_form(2, sampling="each = 2\nvotes = 1", rest=rest)
    study = a_study(store, form)
    late, _ = comes(store, study, form, "late")
    first, _ = store.save(lease_items, person=late, form=form)
    one_screen(store, form, late, screens(form, [first])[0], 1_000_000, sixty, 20, {})
    assert store.save(go_on, person=late, form=form)

    def away(session):
        for row in session.scalars(select(Assignment)):
            row.until -= 31 * MINUTE

    store.save(away)
    other, _ = comes(store, study, form, "other")
    assert len(store.save(lease_items, person=other, form=form)) == 1
    assert not store.save(go_on, person=late, form=form)
    assert store.read(lambda s: s.get_one(Person, late).outcome) == "timed_out"


def test_who_comes_back_and_finishes_other_items_has_lost_none(store):
    """The first item of two goes to somebody else; a third one comes in its place, and is finished."""
    form = a_form(3, sampling="each = 1\nvotes = 1")
    study = a_study(store, form)
    late, _ = comes(store, study, form, "late")
    (lost,) = store.save(lease_items, person=late, form=form)

    def gone(session):
        session.get_one(Person, late).seen -= 31 * MINUTE

    store.save(gone)
    assert store.save(time_out, study=study, form=form) == 1
    other = store.save(lambda s: enrol(s, study=study, platform="link", ids={"pid": "a"}).id)
    assert len(store.save(lease_items, person=other, form=form, among={lost.item.key})) == 1
    assert store.save(go_on, person=late, form=form)
    fill_in(store, form, late)
    given = store.save(lease_items, person=late, form=form)
    assert [i.assignment for i in given] != [lost.assignment]
    assert store.save(go_on, person=late, form=form)
    assert store.read(lambda s: s.get_one(Person, late).outcome) is None


def test_who_went_away_after_their_last_item_may_finish(store):
    form = a_form(1, sampling="votes = 1")
    study = a_study(store, form)
    late, _ = comes(store, study, form, "late")
    fill_in(store, form, late)
    store.save(time_out, study=study, form=form, at=now() + 31 * MINUTE)
    assert store.save(go_on, person=late, form=form)


def test_a_closed_study_is_full_for_people_who_have_not_begun(store):
    form = a_form(1)
    study = a_study(store, form)
    comes(store, study, form, "early")
    store.save(close_study, study, actor="test")
    full = partial(is_over, study=study, form=form)
    assert store.read(full, invitation=Invitation("warmth", "link", {"pid": "late"}))
    assert not store.read(full, invitation=Invitation("warmth", "link", {"pid": "early"}))
    assert comes(store, study, form, "late")[1] == "full"


def test_places_are_counted_by_stratum_for_whoever_comes(store):
    form = a_form(1, sampling="[sampling.quotas]\nwomen = 1\nmen = 1")
    study = a_study(store, form)
    store.save(lease_items, person=someone(store, study, stratum="men"), form=form)
    full = partial(is_full, study=study, form=form)
    assert (store.read(full, stratum="men"), store.read(full, stratum="women")) == (True, False)


def test_who_has_not_marked_what_is_familiar_holds_a_place(store):
    form = a_form(2, sampling="each = 1\nfamiliar = 2\nvotes = 1")
    study = a_study(store, form)
    found = [comes(store, study, form, name)[1] for name in "abc"]
    assert found == [None, None, "full"]


def test_common_and_test_items_alone_are_no_reason_to_come(store):
    form = a_form(2, sampling="votes = 1", common=1)
    study = a_study(store, form)
    assert [comes(store, study, form, name)[1] for name in "ab"] == [None, "full"]


def test_people_who_would_get_nothing_are_asked_nothing(store):
    form = form_of(STAGES.replace("each = 2", "each = 2\nvotes = 1"))
    study = a_study(store, form)
    people = [comes(store, study, form, name) for name in "abc"]
    assert [outcome for _, outcome in people] == [None, None, "full"]
    row = store.read(lambda s: s.get_one(Person, people[2][0]))
    assert row.consented is None
