"""Items go to someone else when a lease runs out, and not while their person works."""

from functools import partial

import survey_forms
from tiltmeter.survey.assign import assigned_to, lease_items
from tiltmeter.survey.keys import now
from tiltmeter.survey.leases import MINUTE, expire, finish_item, renew_lease


def lease(store, form, person, **named):
    found = store.save(partial(lease_items, person=person, form=form, **named))
    return [one.item.key for one in found]


def test_a_lease_that_runs_out_gives_the_place_back_and_late_answers_are_kept(store):
    form = survey_forms.a_form(1, sampling="votes = 1\nlease = 10")
    study = survey_forms.a_study(store, form)
    slow, quick = (survey_forms.someone(store, study) for _ in range(2))
    begun = now()
    (mine,) = store.save(partial(lease_items, person=slow, form=form, at=begun))
    assert lease(store, form, quick, at=begun + 9 * MINUTE) == []
    assert lease(store, form, quick, at=begun + 11 * MINUTE) == ["g0"]
    assert not store.save(partial(renew_lease, assignment=mine.assignment, form=form))
    assert store.save(partial(finish_item, assignment=mine.assignment, form=form)) == "late"
    assert [one.item.key for one in store.read(partial(assigned_to, person=slow))] == ["g0"]


def test_who_comes_back_in_time_keeps_the_place(store):
    form = survey_forms.a_form(1, sampling="votes = 1\nlease = 10")
    study = survey_forms.a_study(store, form)
    slow, other = (survey_forms.someone(store, study) for _ in range(2))
    begun = now()
    (mine,) = store.save(partial(lease_items, person=slow, form=form, at=begun))
    late = begun + 11 * MINUTE
    assert store.save(partial(expire, study=study, at=late)) == 1
    assert store.save(partial(renew_lease, assignment=mine.assignment, form=form, at=late))
    assert lease(store, form, other, at=late) == []
