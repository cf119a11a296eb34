"""What arrives again under its key is stored once, and what stands under it stays."""

from functools import partial

import survey_forms
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.new_rows import store_new
from tiltmeter.survey.tables import PageEvent


def test_only_new_keys_are_stored_and_taken_ones_are_given_back(store):
    study = survey_forms.a_study(store, survey_forms.a_form(1))
    person = survey_forms.someone(store, study)

    def row(key, kind):
        return {
            "key": key, "study_id": study, "person_id": person, "screen": "rate",
            "assignment_id": None, "kind": kind, "client_time": 1, "server_time": 2,
        }  # fmt: skip

    one, two = new_key(), new_key()
    assert store.save(partial(store_new, kind=PageEvent, rows={})) == {}
    assert store.save(partial(store_new, kind=PageEvent, rows={one: row(one, "shown")})) == {}
    both = {one: row(one, "hidden"), two: row(two, "visible")}
    found = store.save(partial(store_new, kind=PageEvent, rows=both))
    assert {key: held["kind"] for key, held in found.items()} == {one: "shown", two: "visible"}
