"""Places of items: finished or in progress, by stratum; given to someone else when a lease runs out."""

from functools import partial
from types import SimpleNamespace

import pytest

from support.survey.forms import a_form, a_study, fill_in, someone
from tiltmeter.survey.assign import assigned_to, lease_items
from tiltmeter.survey.keys import now
from tiltmeter.survey.places import MINUTE, expire, filled_places, finish_item, retake
from tiltmeter.survey.schema import Assignment


def test_places_are_counted_by_stratum_and_the_rest_is_short(store):
    quotas = "each = 2\nvotes = 2\n[sampling.quotas]\nwomen = 1\nmen = 1"
    form = a_form(2, sampling=quotas)
    study = a_study(store, form)
    fill_in(store, form, someone(store, study, stratum="women"))
    man = someone(store, study, stratum="men")
    store.save(partial(lease_items, person=man, form=form))
    places = store.read(partial(filled_places, study=study))
    assert [(one.item, one.done, one.working) for one in places] == [
        ("g0", {"women": 1}, {"men": 1}), ("g1", {"women": 1}, {"men": 1}),
    ]  # fmt: skip
    assert all(one.is_short(form.sampling) for one in places)
    fill_in(store, form, man)
    places = store.read(partial(filled_places, study=study))
    assert [(one.people, one.is_short(form.sampling)) for one in places] == [(2, False)] * 2


@pytest.fixture
def clock(monkeypatch):
    """What `assign` takes for the time."""
    shown = SimpleNamespace(at=0)
    monkeypatch.setattr("tiltmeter.survey.assign.now", lambda: shown.at)
    return shown


def lease(store, form, person):
    found = store.save(partial(lease_items, person=person, form=form))
    return [one.item.key for one in found]


def taken_again(store, form, assigned, at):
    return store.save(
        lambda s: retake(s, s.get_one(Assignment, assigned.assignment), form=form, at=at)
    )


def test_a_lease_that_runs_out_gives_the_place_back_and_late_answers_are_kept(store, clock):
    form = a_form(1, sampling="votes = 1\nlease = 10")
    study = a_study(store, form)
    slow, quick = (someone(store, study) for _ in range(2))
    begun = now()
    clock.at = begun
    (mine,) = store.save(partial(lease_items, person=slow, form=form))
    clock.at = begun + 9 * MINUTE
    assert lease(store, form, quick) == []
    clock.at = begun + 11 * MINUTE
    assert lease(store, form, quick) == ["g0"]
    assert not taken_again(store, form, mine, clock.at)
    assert store.save(partial(finish_item, assignment=mine.assignment, form=form)) == "late"
    assert [one.item.key for one in store.read(partial(assigned_to, person=slow))] == ["g0"]


def test_who_comes_back_in_time_keeps_the_place(store, clock):
    form = a_form(1, sampling="votes = 1\nlease = 10")
    study = a_study(store, form)
    slow, other = (someone(store, study) for _ in range(2))
    begun = now()
    clock.at = begun
    (mine,) = store.save(partial(lease_items, person=slow, form=form))
    late = begun + 11 * MINUTE
    assert store.save(partial(expire, study=study, at=late)) == 1
    assert taken_again(store, form, mine, late)
    clock.at = late
    assert lease(store, form, other) == []
