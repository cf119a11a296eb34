"""Studies are opened once, and read back as they were."""

from dataclasses import replace
from functools import partial

import pytest

from support.survey import forms
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey.form_file import built_in, read_form
from tiltmeter.survey.places import filled_places
from tiltmeter.survey.studies import (
    check_no_other_answers,
    form_of_study,
    open_study,
    study_named,
    study_status,
)


@pytest.mark.parametrize("name", built_in())
def test_a_form_is_read_back_as_it_was(store, name, tmp_path):
    form = forms.filled(read_form(name), tmp_path)
    study = store.save(partial(open_study, form=form))
    assert store.read(partial(form_of_study, study=study)) == form
    assert store.save(partial(open_study, form=form)) == study


def test_another_form_needs_another_name(store):
    one, other = forms.a_form(2), forms.a_form(3)
    with pytest.raises(BadInput, match="the database has no study"):
        store.read(study_named)
    study = store.save(partial(open_study, form=one))
    with pytest.raises(BadInput, match="with another form or other items"):
        store.save(partial(open_study, form=other))
    assert store.save(partial(open_study, form=other, name="second")) != study
    with pytest.raises(BadInput, match="has 2 studies; name one of them: second, warmth"):
        store.read(study_named)
    with pytest.raises(UnknownName, match="Known: second, warmth"):
        store.read(partial(study_named, name="third"))
    assert store.read(partial(study_named, name="warmth")) == study
    with pytest.raises(BadInput, match="has no items"):
        store.save(partial(open_study, form=forms.a_form(0), name="empty"))


def test_the_status_counts_people_answers_and_items(store):
    form = forms.a_form(3, sampling="each = 2", rest="[repeat]\nitems = 1\n")
    study = forms.a_study(store, form)
    forms.fill_in(store, form, forms.someone(store, study, "raw"))
    forms.someone(store, study)
    status = store.read(partial(study_status, study=study))
    assert (status.people, status.answers, status.identities) == ({"under way": 2}, 9, 1)
    places = store.read(partial(filled_places, study=study))
    assert sorted(place.people for place in places) == [0, 1, 1]


def test_a_form_does_not_come_beside_the_answers_to_another_unasked(store):
    first, second = forms.a_form(3), replace(forms.a_form(3), name="second")
    study = forms.a_study(store, first)
    store.read(check_no_other_answers, second)  # nobody has answered yet
    forms.fill_in(store, first, forms.someone(store, study, "raw"))
    store.read(check_no_other_answers, first)
    with pytest.raises(
        BadInput, match=r"another form \('warmth'\).*--database FILE.*--study second"
    ):
        store.read(check_no_other_answers, second)
    store.save(partial(open_study, form=second))
    store.read(check_no_other_answers, second)  # it is there by choice
