"""What a board will ask: each thing that the form does not say, and nothing where it says all."""

from importlib.resources import files

import pytest

from support.survey.forms import a_form
from tiltmeter.survey.consent.board_questions import board_questions, unwritten
from tiltmeter.survey.form_file import form_of

NEW = (files("tiltmeter.survey") / "templates" / "new_form.toml").read_text("utf-8")
COMPLETE = NEW.replace("TODO@", "ann@").replace("TODO_name", "mine").replace("TODO: ", "")


def asked(text):
    return {question.key for question in board_questions(form_of(text))}


def test_the_form_to_start_from_answers_everything_once_it_is_written():
    assert asked(COMPLETE) == set()
    assert unwritten(form_of(COMPLETE)) == ()


def test_texts_that_are_still_to_be_written_are_named():
    keys = unwritten(form_of(NEW))
    assert {"title", "consent", "study.contact", "pages[1].questions[1].text", "debriefing"} <= {
        *keys
    }
    assert "items[1].text" not in keys


@pytest.mark.parametrize(
    "key",
    ["investigator", "contact", "purpose", "eligibility", "minutes", "voluntary", "data", "access",
     "retention", "erasure"],
)  # fmt: skip
def test_each_fact_that_is_missing_is_asked_about(key):
    lines = [line for line in COMPLETE.splitlines() if not line.startswith(f"{key} = ")]
    assert asked("\n".join(lines)) == {f"study.{key}"}


def test_a_warning_does_for_risks():
    lines = [line for line in COMPLETE.splitlines() if not line.startswith("risks = ")]
    assert asked("\n".join(lines)) == set()


def test_volunteers_are_not_owed_anything_when_they_stop():
    free = COMPLETE.replace("amount = 2.00", "amount = 0")
    assert asked(free.replace("[outcomes.stopped]", "[outcomes.full]")) == set()
    assert asked(COMPLETE.replace("[outcomes.stopped]", "[outcomes.full]")) == {
        "outcomes.stopped.pay"
    }
    assert "pay.amount" in {question.key for question in board_questions(a_form())}


def test_links_and_html_that_do_nothing_are_named():
    form = form_of(COMPLETE.replace("### Your data", "<b>See</b> [us](http://a.org)"))
    assert [(q.key, q.question) for q in board_questions(form)] == [
        ("consent", "shown as typed: the link to http://a.org: write an https or mailto address"),
        ("consent", "shown as typed: the HTML <b>: use Markdown"),
    ]
