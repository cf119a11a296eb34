"""What a review board will ask about a form and does not find in it: warnings, which stop nobody.

The questions are those of the Common Rule on informed consent (45 CFR 46.116) and of article 13 of the GDPR,
as far as a form can answer them, and what panels ask of studies.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, get_args

from tiltmeter.core.reading.typed_values import OTHERS, fields_of
from tiltmeter.survey.consent.form_markdown import not_shown
from tiltmeter.survey.consent.pay_promises import mentions_pay
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_reading import MARKDOWN

PLACEHOLDER = "TODO"
"""In texts that are still to be written."""
_OF_STUDY = (
    ("investigator", "who is responsible for the study"),
    ("contact", "whom people can ask"),
    ("board", "which ethics board reviewed the study"),
    ("protocol", "the board's number for the study"),
    ("purpose", "what the study is to find out"),
    ("eligibility", "who can take part, and from which age"),
    ("minutes", "how long it takes"),
    ("voluntary", "that people can decline and stop, and what this costs them"),
    ("data", "which data are kept"),
    ("access", "who sees the data"),
    ("retention", "how long the data are kept"),
    ("erasure", "how people have their data erased"),
)
"""Keys of `[study]`, and what a board wants to know of each."""


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """Something that a review board will ask."""

    key: str
    """Where the form answers it, such as "study.contact"."""
    question: str
    """What the board wants to know, as a clause: "which ethics board reviewed the study"."""


def board_questions(form: Form) -> tuple[BoardQuestion, ...]:
    """What a board will ask about the form, in the order in which people read the answers; () for nothing.

    >>> from tiltmeter.survey.form_file import read_form
    >>> [q.key for q in board_questions(read_form("label_text")) if "erase" in q.question]
    ['study.erasure']
    """
    return (*_missing(form), *_shown_as_typed(form))


def unwritten(form: Form) -> tuple[str, ...]:
    """Keys of texts that still hold a TODO."""
    return tuple(text.key for text in _texts(form, "") if PLACEHOLDER in text.text)


def _missing(form: Form) -> Iterator[BoardQuestion]:
    for key, question in _OF_STUDY:
        if not getattr(form.study, key):
            yield BoardQuestion(f"study.{key}", question)
    if not form.study.risks and not form.warning:
        yield BoardQuestion("study.risks", "what may be unpleasant or harmful; or a warning")
    if form.pay is None:
        yield BoardQuestion("pay.amount", "what people are paid; 0 where they are not")
    if form.pay.amount if form.pay else mentions_pay(form):
        outcomes = form.outcomes
        if outcomes.stopped is None or outcomes.stopped.pay is None:
            yield BoardQuestion("outcomes.stopped.pay", "what people are paid who stop")
        if outcomes.withdrew is None or outcomes.withdrew.pay is None:
            question = "what people are paid who have their answers erased"
            yield BoardQuestion("outcomes.withdrew.pay", question)
    if not form.debriefing:
        yield BoardQuestion("debriefing", "what people learn about the study at the end")


def _shown_as_typed(form: Form) -> Iterator[BoardQuestion]:
    """Links, pictures and HTML that pages do not show as such."""
    for text in _texts(form, ""):
        for why in not_shown(text.text) if text.is_markdown else ():
            yield BoardQuestion(text.key, f"shown as typed: {why}")


@dataclass(frozen=True, slots=True)
class _FormText:
    key: str
    text: str
    """The text in every language of the form, one after the other."""
    is_markdown: bool


def _texts(part: Any, path: str) -> Iterator[_FormText]:
    """Every text of a table of the form and of the tables in it; what items are about is left out."""
    kind: Any = type(part)
    for key, read in fields_of(kind).items():
        value, marks = getattr(part, read.name), get_args(read.hint)[1:]
        here = f"{path}.{key}".removeprefix(".")
        if isinstance(value, str):
            yield _FormText(here, value, is_markdown=False)
        elif isinstance(value, Mapping) and key != OTHERS:
            texts = [text for text in value.values() if isinstance(text, str)]
            yield _FormText(here, "\n".join(texts), is_markdown=MARKDOWN in marks)
        elif is_dataclass(value):
            yield from _texts(value, here)
        elif isinstance(value, tuple):
            for number, entry in enumerate(value, start=1):
                if is_dataclass(entry):
                    yield from _texts(entry, f"{here}[{number}]")
