"""Answers that no longer count stay stored and are left out of exports."""

from functools import partial

from support.survey import forms
from tiltmeter.survey import flow
from tiltmeter.survey.answers import withdraw_answers
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.formats import tables
from tiltmeter.survey.marking import find_marks
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.schema import Answer

PAGES = """
name = "pages"
title = "Pages"
consent = "Do you agree?"

[[pages]]
name = "judge"
part = "item"
show = ["text"]
[[pages.questions]]
name = "valid"
kind = "choice"
text = "Valid?"
options = ["yes", "no"]
[[pages.questions]]
name = "plausible"
kind = "choice"
text = "Plausible?"
when = { valid = "yes" }
options = ["yes", "no"]

[[pages]]
name = "why"
part = "item"
when = { plausible = "yes" }
[[pages.questions]]
name = "why"
kind = "text"
text = "Why?"

[[items]]
id = "1"
text = "one"
"""


def test_an_answer_withdraws_those_that_hang_on_it_also_on_later_pages(store):
    form = form_of(PAGES)
    study = forms.a_study(store, form)
    person = forms.someone(store, study)
    (one,) = store.save(partial(lease_items, person=person, form=form))
    give = partial(forms.answer, store, form, person, one.assignment)
    first = give("valid", "yes", page="judge")
    give("plausible", "yes", page="judge")
    give("why", "=because", page="why")
    give("valid", "no", page="judge", supersedes=first)
    flagged = find_marks(store.read(partial(collect, study=study)))[person]
    assert {m.check for m in flagged if m.flagged} == {"skip_logic"}

    for _ in range(2):
        store.save(
            partial(
                withdraw_answers, person=person, form=form, screens=flow.screens(form, [one]),
                cleared=(), at=5,
            )
        )  # fmt: skip
    place = (one.assignment, "judge", "valid")
    assert store.read(partial(current_answers, person=person)) == {place: "no"}
    stored = store.read(lambda s: [(a.question, a.value, a.client_time) for a in s.query(Answer)])
    assert stored[4:] == [("plausible", None, 5), ("why", None, 5)]
    collected = store.read(partial(collect, study=study))
    assert [row["question"] for row in tables.answers(collected)[1]] == ["valid"]
    assert not any(mark.flagged for mark in find_marks(collected)[person])
