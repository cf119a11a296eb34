"""Which answers a question takes."""

import math
from collections.abc import Mapping

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.questions import WRITTEN, FormQuestion, Value

LARGEST = 1e15
"""Numbers beyond it are not written out in messages."""


def checked_value(question: FormQuestion, value: object) -> Value:
    """The answer as it is stored.

    A slider has no answer until it was touched: None is never one.

    >>> checked_value(FormQuestion("age", "slider", low=0, high=100), 50)
    50.0

    Raises:
        BadInput: It is no answer to this question.
    """
    why = why_wrong(question, value)
    if why:
        raise BadInput(f"{question.name!r}: {why}", "answer again")
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {name: str(value[name]) for name in WRITTEN[question.kind]}
    if isinstance(value, list):
        return [option.value for option in question.options if option.value in value]
    return float(value)  # type: ignore[arg-type] # `_wrong` has seen that it is a number


def why_wrong(question: FormQuestion, value: object) -> str:
    """Why a value is no answer; "" where it is one.

    >>> why_wrong(FormQuestion("age", "slider", low=0, high=100), 150)
    '150 is not between 0 and 100'
    """
    if question.kind == "slider":
        return _wrong_number(question, value)
    if question.kind == "text":
        return _wrong_text(question, value)
    if question.kind in WRITTEN:
        return _wrong_texts(question, value)
    return _wrong_option(question, value)


def _wrong_number(question: FormQuestion, value: object) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or (isinstance(value, float) and math.isnan(value)):
        return "the slider has no number"
    assert isinstance(value, int | float)  # noqa: S101  (for mypy)
    if not question.low <= value <= question.high:
        shown = f"{value:g}" if abs(value) < LARGEST else "a number of this size"
        return f"{shown} is not between {question.low:g} and {question.high:g}"
    return ""


def _wrong_text(question: FormQuestion, value: object) -> str:
    if not isinstance(value, str) or (question.required and not value.strip()):
        return "no text"
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        return "the text has characters that cannot be stored"
    if len(value) > question.longest:
        return f"{len(value)} letters; {question.longest} are allowed"
    return ""


def _wrong_texts(question: FormQuestion, value: object) -> str:
    names = WRITTEN[question.kind]
    if not isinstance(value, Mapping) or set(value) != set(names):
        return f"needs the texts {', '.join(names)}"
    return next((why for name in names if (why := _wrong_text(question, value[name]))), "")


def _wrong_option(question: FormQuestion, value: object) -> str:
    known = {option.value for option in question.options}
    chosen = value if isinstance(value, list) and question.several else [value]
    if not all(isinstance(picked, str) for picked in chosen) or not set(chosen) <= known:
        return f"{value!r} is not one of {', '.join(sorted(known))}"
    if (question.required and not chosen) or len(set(chosen)) < len(chosen):
        return "choose each option once, and at least one"
    return ""
