"""Which answers a question takes."""

import math

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.questions import AnswerOption, FormQuestion
from tiltmeter.survey.values import checked_value

SLIDER = FormQuestion("warm", "slider", low=-50, high=50)
ONE = FormQuestion("a", "choice", options=(AnswerOption("yes", {}), AnswerOption("no", {})))
SEVERAL = FormQuestion("b", "choice", options=ONE.options, several=True)
TEXT = FormQuestion("c", "text", longest=5)
PAIR = FormQuestion("d", "pair", longest=5)


@pytest.mark.parametrize(
    ("question", "value", "stored"),
    [
        (SLIDER, 0, 0.0),
        (SLIDER, -50, -50.0),
        (ONE, "no", "no"),
        (SEVERAL, ["no", "yes"], ["yes", "no"]),
        (TEXT, "नमस्", "नमस्"),
        (PAIR, {"first": "a", "second": "b"}, {"first": "a", "second": "b"}),
    ],
)
def test_answers_are_stored_as_they_are(question, value, stored):
    assert checked_value(question, value) == stored


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (SLIDER, None), (SLIDER, True), (SLIDER, "5"), (SLIDER, 51), (SLIDER, math.nan),
        (ONE, "maybe"), (ONE, ["yes"]), (ONE, None), (ONE, 1),
        (SEVERAL, []), (SEVERAL, ["yes", "yes"]), (SEVERAL, "maybe"),
        (TEXT, " "), (TEXT, "longer"), (TEXT, "\x00"), (TEXT, "\ud800"), (TEXT, 1),
        (PAIR, {"first": "a"}), (PAIR, {"first": "a", "second": ""}), (PAIR, ["a", "b"]),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(question, value):
    with pytest.raises(BadInput, match="answer again"):
        checked_value(question, value)
