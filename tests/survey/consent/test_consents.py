"""What a person agreed to is kept, once for each thing that they agreed to, until they are erased."""

from functools import partial

from support.survey.browsing import rows
from support.survey.forms import a_form, a_study, someone
from tiltmeter.survey.consent.consents import consents_of, last_consent
from tiltmeter.survey.persons import consent, withdraw
from tiltmeter.survey.schema import ConsentRecord


def test_each_thing_that_a_person_agrees_to_is_stored_once(store):
    form = a_form()
    study = a_study(store, form)
    person = someone(store, study)
    agree = partial(consent, person=person)
    store.save(agree)
    store.save(partial(agree, language="ru"))
    store.save(partial(agree, language="ru", linked=True))
    stored = store.read(partial(consents_of, study=study))
    assert [(c.language, c.linked) for c in stored] == [("", False), ("ru", False), ("ru", True)]
    assert {c.form_sha256 for c in stored} == {form.sha256}
    assert store.read(partial(last_consent, person=person)).linked


def test_who_withdraws_leaves_no_consent(store):
    person = someone(store, a_study(store, a_form()))
    store.save(partial(withdraw, person=person))
    assert rows(store, ConsentRecord) == []
