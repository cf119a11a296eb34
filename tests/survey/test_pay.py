"""Pay an hour, and the bonus that makes up for slow pages, by hand."""

from functools import partial

import pytest

from support.survey import forms
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.answers import finish
from tiltmeter.survey.collected import Collected, PageTime, Participant, Response, collect
from tiltmeter.survey.pay import pay_report

PAY = "[pay]\namount = 2.00\nhourly = 12.00\n"


def test_the_hour_is_the_time_on_pages_without_other_tabs():
    form = forms.a_form(2, rest=PAY)
    people = (*map(Participant, "abc"), Participant("d", outcome=None))
    pages = (
        PageTime("a", "s.1", 600), PageTime("b", "s.1", 300), PageTime("c", "s.1", 1500, hidden=300),
        PageTime("d", "s.1", 9),
    )  # fmt: skip
    report = pay_report(Collected("x", form, people, (), pages))
    assert [round(one.hourly, 2) for one in report.people] == [12, 24, 6]
    assert (report.median, report.bonuses) == (12, 2)  # c: 12 × 1200 s / 3600 s − 2
    assert report.tenth == pytest.approx(6 + 0.2 * 6)
    assert pay_report(Collected("x", form, people, (), pages), hourly=24).bonuses == 2 + 0 + 6


def test_each_four_examples_of_four_types_earn_a_bonus():
    form = forms.a_form(2, rest=PAY + "variety = 1.00\n")
    types = ["age", "religion", "gender", "disability", "age"]
    responses = tuple(
        Response("a", "write", "bias_type", name, item=str(i)) for i, name in enumerate(types)
    )
    found = Collected("x", form, (Participant("a"),), responses, (PageTime("a", "s", 600),))
    assert pay_report(found).people[0].amount == 3


def test_time_on_all_screens_counts(store):
    form = forms.a_form(2, rest=PAY)
    study = forms.a_study(store, form)
    person = forms.someone(store, study)
    forms.fill_in(store, form, person, seconds=300)
    store.save(partial(finish, person=person, form=form))
    (one,) = pay_report(store.read(partial(collect, study=study))).people
    assert (one.seconds, one.amount, one.hourly) == (600, 2, 12)


def test_a_form_without_pay_has_no_report():
    with pytest.raises(BadInput, match=r"write \[pay\]"):
        pay_report(Collected("x", forms.a_form(2), (), ()))
