"""The screens of a person, in order, with tests, training and repeats where they belong."""

from support.survey import forms
from tiltmeter.survey.flow import (
    FIRST,
    REPEAT,
    TRAINING,
    Assigned,
    missing,
    next_screen,
    screens,
    shown,
)
from tiltmeter.survey.form_file import read_form

TESTS = """
[[checks]]
kind = "name_item"
after = 1
text = "Which?"
[[checks]]
kind = "high_trait"
after = 2
text = "High?"
"""


def test_screens_come_in_order():
    form = forms.a_form(3, sampling="familiar = 2", rest=TESTS)
    one, two, _ = form.items
    given = [
        Assigned(7, one),
        Assigned(8, two),
        Assigned(9, one, REPEAT),
        Assigned(5, one, TRAINING),
    ]
    assert [screen.key for screen in screens(form, given)] == [
        "rate.5", "familiar", "rate.7", "check.name_item.7", "rate.8", "check.high_trait.8", "rate.9",
    ]  # fmt: skip


def test_demographics_come_last_and_marking_familiar_items_first():
    form = forms.without_country("familiar_groups")
    first, last = screens(form, [])
    assert (first.key, last.key) == ("familiar", "demographics")
    assert len(first.page.questions[0].options) == 30 and first.page.questions[0].several


def test_answers_decide_which_questions_come_and_when_it_ends():
    form = read_form("inference7")
    every = screens(form, [Assigned(1, form.items[0], FIRST), Assigned(2, form.items[1], FIRST)])
    answered = {(1, "judge", "valid"): "no"}
    assert [question.name for question in shown(every[0], answered)] == ["valid"]
    assert missing(every[0], answered) == () and missing(every[1], answered) == ("valid",)
    assert next_screen(every, answered, {"judge.1"}) == every[1]
    assert next_screen(every, answered, {"judge.1", "judge.2"}) is None
    plausible = answered | {(2, "judge", "valid"): "yes", (2, "judge", "plausible"): "yes"}
    assert "what" not in missing(every[1], plausible) and len(missing(every[1], plausible)) == 5
