"""Answers as votes: only complete ones about real items, in order, one a person and item."""

from functools import partial

import pytest

from support.survey import forms
from support.survey.databases import new_store
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.answers import NewAnswer
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.people_answers import under_way, vote_question, votes_of
from tiltmeter.survey.persons import consent, enrol
from tiltmeter.survey.places import finish_item
from tiltmeter.survey.studies import open_study


class Backwards:
    """Wants the last item first, and one item from everybody."""

    each = 1

    def __init__(self, items):
        self.items, self.given = items, []

    def keys(self):
        return [item.key for item in self.items if item.kind == "real"][::-1]

    def gave(self, _, item):
        self.given.append(item)


def test_items_are_given_in_the_order_wanted_and_come_back_as_votes(tmp_path):
    form = read_form("label_text")
    order, real = Backwards(form.items), [i.key for i in form.items if i.kind == "real"]
    with new_store(tmp_path / "s.db") as store:
        study = store.save(partial(open_study, form=form))
        for person in range(2):
            who = store.save(partial(enrol, study=study)).id
            store.save(partial(consent, person=who))
            given = store.save(partial(lease_items, person=who, form=form, order=order))
            last = [one for one in given if one.round == 1]
            assert [one.item.key for one in last] == real[-1:]  # one at a time
            if person == 0:
                answer = NewAnswer(new_key(), "label", "label", "neither", 1, last[0].assignment)
                forms.save(store, form, who, [answer])
                assert store.read(partial(votes_of, study=study, question="label")) == []
                store.save(partial(finish_item, assignment=last[0].assignment, form=form))
        (vote,) = store.read(partial(votes_of, study=study, question="label"))
        assert (vote.item, vote.value) == (real[-1], "neither")
        assert store.read(partial(under_way, study=study)) == {real[-1]: 1}
        assert store.save(partial(lease_items, person=who, form=form, order=order)) == given
    assert order.given == [real[-1]] * 2


def test_the_question_of_labels_is_found():
    assert vote_question(read_form("label_text")).name == "label"
    with pytest.raises(BadInput, match="asks for no label"):
        vote_question(read_form("write_triples"))
