"""Places of items: finished or in progress, by stratum."""

from functools import partial

from survey_forms import a_form, a_study, fill_in, someone
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.places import filled_places


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
