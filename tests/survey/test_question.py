"""Which answers a question takes."""

import math

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.question import AnswerOption
from tiltmeter.survey.questions.choice import ChoiceQuestion
from tiltmeter.survey.questions.pair import PairQuestion
from tiltmeter.survey.questions.slider import SliderQuestion
from tiltmeter.survey.questions.text import TextQuestion

SLIDER = SliderQuestion("warm", low=-50, high=50)
ONE = ChoiceQuestion("a", options=(AnswerOption("yes", {}), AnswerOption("no", {})))
SEVERAL = ChoiceQuestion("b", options=ONE.options, several=True)
TEXT = TextQuestion("c", longest=5)
PAIR = PairQuestion("d", longest=5)


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
    assert question.checked(value) == stored


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
        question.checked(value)
