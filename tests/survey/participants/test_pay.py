"""Pay by outcome, pay an hour, and the bonus that makes up for slow pages, by hand."""

from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.survey import forms
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.files.chosen_answers import AnswerChoice
from tiltmeter.survey.collected import (
    CheckResult,
    Collected,
    PageTime,
    Participant,
    Response,
    collect,
)
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.participants.pay import check_marks, pay_report

PAY = "[pay]\namount = 2.00\nhourly = 12.00\n"
OUTCOMES = "[outcomes.screened_out]\npay = 0.14\n[outcomes.withdrew]\npay = 2.00\n"


def a_study(people, pages=(), rest=PAY + OUTCOMES, **named):
    return Collected("x", forms.a_form(2, rest=rest), tuple(people), (), tuple(pages), **named)


def test_the_hour_is_the_time_on_pages_without_other_tabs():
    people = (*map(Participant, "abc"), Participant("d", outcome=None))
    pages = (
        PageTime("a", "s.1", 600), PageTime("b", "s.1", 300), PageTime("c", "s.1", 1500, hidden=300),
        PageTime("d", "s.1", 9),
    )  # fmt: skip
    report = pay_report(a_study(people, pages))
    assert [round(one.hourly, 2) for one in report.people] == [12, 24, 6]
    assert (report.median, report.bonuses) == (12, 2)  # c: 12 × 1200 s / 3600 s − 2
    assert report.tenth == pytest.approx(6 + 0.2 * 6)
    assert pay_report(a_study(people, pages), hourly=Decimal(24)).bonuses == 2 + 0 + 6


def test_everybody_who_left_is_owed_what_the_form_pays_their_outcome():
    outcomes = ("finished", "finished", "screened_out", "withdrew", "stopped", "declined")
    people = [Participant(name, outcome=of) for name, of in zip("abcdef", outcomes, strict=True)]
    report = pay_report(a_study([*people, Participant("g", outcome=None)]))
    rows = [(of.outcome, of.people, of.each, of.amounts) for of in report.by_outcome]
    assert rows == [
        ("finished", 2, Decimal("2.00"), Decimal("4.00")),
        ("screened_out", 1, Decimal("0.14"), Decimal("0.14")),
        ("declined", 1, None, 0),
        ("withdrew", 1, Decimal("2.00"), Decimal("2.00")),
        ("stopped", 1, None, 0),
    ]
    assert (report.amounts, report.bonuses, report.total) == (Decimal("6.14"), 0, Decimal("6.14"))
    assert (report.median, report.timed) == (None, 0)


def test_the_promised_rate_holds_for_all_whose_work_is_paid():
    people = [
        Participant(name, outcome=of)
        for name, of in (("a", "screened_out"), ("b", "stopped"), ("c", "finished"))
    ]
    pages = [PageTime(name, "s.1", 61) for name in "abc"]
    report = pay_report(a_study(people, pages))
    # 61 s at 12 an hour are 0.20333…, of which 0.07 are missing to 0.14, rounded up.
    assert [one.top_up for one in report.people] == [Decimal("0.07"), 0, 0]


@given(st.lists(st.floats(0, 1e5), max_size=50), st.integers(0, 10_000), st.integers(0, 10_000))
def test_sums_are_those_of_the_people_to_the_cent_and_the_rate_is_reached(seconds, amount, rate):
    people = [Participant(str(n)) for n in range(len(seconds))]
    pages = [PageTime(str(n), "s.1", s) for n, s in enumerate(seconds)]
    rest = f"[pay]\namount = {amount / 100}\nhourly = {rate / 100}\n"
    report = pay_report(a_study(people, pages, rest))
    assert (
        report.total == sum(one.total for one in report.people) == report.amounts + report.bonuses
    )
    for one in report.people:
        assert one.total == round(one.total, 2) and one.amount == Decimal(amount) / 100
        if amount:
            earned = one.total * 3_600_000
            assert earned >= report.target * round(one.seconds * 1000)
            less = (one.total - Decimal("0.01")) * 3_600_000
            assert not one.top_up or less < report.target * round(one.seconds * 1000)


def test_people_are_chosen_by_the_marks_of_anything_that_is_theirs():
    marks = {
        "a": (CheckResult("speed", "z", flagged=True, assignment=1),),
        "b": (CheckResult("speed", "z", flagged=False),),
    }
    study = a_study(map(Participant, "abc"), marks=marks)
    report = pay_report(study, choice=AnswerChoice(without=("speed",)))
    assert ([one.person for one in report.people], report.left_out) == (["b", "c"], 1)
    listed = AnswerChoice(participants={"c": frozenset()})
    assert pay_report(study, choice=listed).total == 2
    check_marks(study, ["speed", "hidden_tab"])
    with pytest.raises(UnknownName, match="Did you mean 'speed'"):
        check_marks(study, ["speeed"])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [("amount = 0.125", "write at most two decimals"), ("amount = -1", "write a number from 0")],
)
def test_amounts_are_whole_cents(wrong, says):
    with pytest.raises(BadItems, match=says):
        forms.a_form(2, rest=f"[pay]\n{wrong}\n")


def test_each_four_examples_of_four_types_earn_a_bonus():
    form = forms.a_form(2, rest=PAY + "variety = 1.00\n")
    types = ["age", "religion", "gender", "disability", "age"]
    responses = tuple(
        Response("a", "write", "bias_type", name, item=str(i)) for i, name in enumerate(types)
    )
    found = Collected("x", form, (Participant("a"),), responses, (PageTime("a", "s", 900),))
    (one,) = pay_report(found).people
    # 900 s at 12 an hour are 3.00, which amount and variety reach.
    assert (one.amount, one.variety, one.top_up, one.total, one.hourly) == (2, 1, 0, 3, 12)


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
