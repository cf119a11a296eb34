"""A form that promises to pay people who stop is asked how, whether or not it says what is paid."""

import pytest

from support.survey.forms import FORM
from tiltmeter.survey.consent.board_questions import board_questions
from tiltmeter.survey.consent.pay_promises import mentions_pay
from tiltmeter.survey.form_file import form_of

PROMISES = (
    "You can stop at any time and will still be paid.",
    "Wer abbricht, wird trotzdem bezahlt.",
    "Vous serez rémunéré même si vous arrêtez.",
    "Вам заплатят, даже если вы остановитесь.",
    "即使停止，您仍将获得报酬。",
    "रुकने पर भी भुगतान मिलेगा।",
    "ستحصل على أجرك حتى لو توقفت.",
)


def a_form(consent, rest=""):
    text = FORM.format(top="", sampling="each = 1", rest=rest).replace("Do you agree?", consent)
    return form_of(f'{text}\n[[items]]\nid = "a"\ntext = "a"\n')


@pytest.mark.parametrize("consent", PROMISES)
def test_a_promise_without_an_outcome_that_keeps_it_is_asked_about(consent):
    asked = {question.key for question in board_questions(a_form(consent))}
    assert {"outcomes.stopped.pay", "outcomes.withdrew.pay"} <= asked
    kept = "[outcomes.stopped]\npay = 1\n[outcomes.withdrew]\npay = 1\n"
    asked = {question.key for question in board_questions(a_form(consent, kept))}
    assert not asked & {"outcomes.stopped.pay", "outcomes.withdrew.pay"}


def test_a_consent_without_such_words_promises_nothing():
    assert not mentions_pay(a_form("You can stop at any time. Do you agree to take part?"))
    assert not mentions_pay(a_form("We pay attention to your privacy."))
