"""Pages and questions of a form file."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from tiltmeter.survey.form import (
    ITEM,
    WRITTEN,
    AnswerOption,
    Condition,
    FormQuestion,
    Kind,
    Page,
    Part,
)
from tiltmeter.survey.form_reading import FormReading

PAGE = ("name", "part", "text", "when", "show", "questions")
QUESTION = (
    "name", "kind", "text", "required", "when", "options", "several", "low", "high", "left",
    "right", "rows", "longest", "warn_distance",
)  # fmt: skip
OF_KIND: Mapping[str, tuple[str, ...]] = {
    "choice": ("options", "several"),
    "scale": ("options",),
    "slider": ("low", "high", "left", "right", "rows"),
    "text": ("longest",),
    "pair": ("longest", "warn_distance"),
    "triple": ("longest",),
}
"""Keys that only some kinds have."""
PARTS: tuple[Part, ...] = ("item", "training", "start", "end")
KINDS: tuple[Kind, ...] = get_args(Kind)
FEWEST = 2
"""Options of a choice."""


def page_of(reading: FormReading, table: Mapping[str, Any], at: str) -> Page:
    """A page of the form."""
    name = reading.plain(table, "name", at, needed=True)
    at = f"page {name!r}" if name else at
    reading.known(table, PAGE, at)
    part = reading.among(table, "part", at, PARTS)
    groups = reading.tables(
        table, "questions", lambda t, where: [*questions_of(reading, t, f"{at}, {where}")]
    )
    questions = tuple(itertools.chain.from_iterable(groups))
    if not questions:
        reading.complain(f"{at} has no questions", "begin each with [[pages.questions]]")
    page = Page(
        name=name,
        part=part,
        questions=questions,
        text=reading.words(table, "text", at),
        when=reading.condition(table, at),
        show=reading.plains(table, "show", at),
    )
    check_page(reading, page, at)
    return page


def questions_of(reading: FormReading, table: Mapping[str, Any], at: str) -> Iterator[FormQuestion]:
    """The questions of one table: several sliders where it has `rows`."""
    rows = "rows" in table
    name = reading.plain(table, "name", at, needed=not rows)
    at = f"{at.rsplit(', ', 1)[0]}, question {name!r}" if name else at
    reading.known(table, QUESTION, at)
    if "kind" not in table:
        reading.complain(f"{at} has no kind", f"write one of {', '.join(KINDS)}")
    kind = reading.among(table, "kind", at, KINDS)
    for key in itertools.chain.from_iterable(OF_KIND.values()):
        if key in table and key not in OF_KIND[kind]:
            reading.complain(f"{at}: a {kind} has no {key}", "remove it, or change the kind")
    one = one_question(reading, table, name, kind, at)
    if not rows:
        check_question(reading, one, at)
        yield one
        return
    for row, where in reading.tables(table, "rows", lambda t, where: (t, f"{at}, {where}")):
        reading.known(row, ("name", "left", "right"), where)
        slider = FormQuestion(
            name=reading.plain(row, "name", where, needed=True),
            kind="slider",
            text=one.text,
            required=one.required,
            when=one.when,
            low=one.low,
            high=one.high,
            left=reading.words(row, "left", where, needed=True),
            right=reading.words(row, "right", where, needed=True),
        )
        check_question(reading, slider, where)
        yield slider


def one_question(
    reading: FormReading, table: Mapping[str, Any], name: str, kind: Kind, at: str
) -> FormQuestion:
    """The question that a table describes."""
    plain = FormQuestion(name, kind)
    return FormQuestion(
        name=name,
        kind=kind,
        text=reading.words(table, "text", at, needed=kind != "slider"),
        required=reading.flag(table, "required", at, default=True),
        when=reading.condition(table, at),
        options=tuple(options_of(reading, table, at)),
        several=reading.flag(table, "several", at, default=False),
        low=reading.finite(table, "low", at, plain.low),
        high=reading.finite(table, "high", at, plain.high),
        left=reading.words(table, "left", at),
        right=reading.words(table, "right", at),
        longest=reading.count(table, "longest", at, plain.longest),
        warn_distance=reading.count(table, "warn_distance", at),
    )


def options_of(reading: FormReading, table: Mapping[str, Any], at: str) -> list[AnswerOption]:
    """The options of a choice or scale; a plain text is value and label in one."""
    value = table.get("options", [])
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return [AnswerOption(one, reading.of_one_language(one, f"{at}: options")) for one in value]
    return reading.tables(
        table, "options", lambda t, where: option_of(reading, t, f"{at}, {where}"), "options"
    )


def option_of(reading: FormReading, table: Mapping[str, Any], at: str) -> AnswerOption:
    """One option: its value in exports, and its label."""
    reading.known(table, ("value", "text"), at)
    return AnswerOption(
        reading.plain(table, "value", at, needed=True),
        reading.words(table, "text", at, needed=True),
    )


def check_question(reading: FormReading, question: FormQuestion, at: str) -> None:
    """What a question needs beyond its parts."""
    if question.kind in {"choice", "scale"}:
        values = [option.value for option in question.options]
        if len(values) < FEWEST:
            reading.complain(f"{at} has {len(values)} options", 'write options = ["…", "…"]')
        if any(len(value.splitlines()) > 1 or value != value.strip() for value in values):
            # Browsers change line breaks in what they send.
            reading.complain(
                f"{at} has a value with a line break, or with space around it",
                'write { value = "…", text = "…" }',
            )
        if len(set(values)) < len(values):
            reading.complain(f"{at} has an option twice", "give each option its own value")
    if question.kind == "slider":
        if question.low >= question.high:
            span = f"from {question.low:g} to {question.high:g}"
            reading.complain(f"{at} runs {span}", "write low and high, low first")
        if not (question.left and question.right):
            reading.complain(f"{at} has no text at an end", "write left and right")
    if question.kind in WRITTEN and question.when.wanted:
        reading.complain(f"{at} is a {question.kind} with a condition", "give it a page of its own")


def check_page(reading: FormReading, page: Page, at: str) -> None:
    """Names that occur once, conditions on questions that came before, and items where there are some."""
    before: dict[str, FormQuestion] = {}
    for question in page.questions:
        where = f"{at}, question {question.name!r}"
        if question.name in before:
            reading.complain(f"{where} occurs twice", "give each question its own name")
        check_condition(reading, question.when, before, where)
        before[question.name] = question
    texts = [page.text, *(question.text for question in page.questions)]
    named = any(ITEM in text for words in texts for text in words.values())
    if page.part in {"start", "end"} and (named or page.show):
        why = f"{at} shows an item, but its part is {page.part!r}"
        reading.complain(why, 'write part = "item", or leave out show and {item}')


def check_condition(
    reading: FormReading, condition: Condition, before: Mapping[str, FormQuestion], at: str
) -> None:
    """A condition names earlier questions and values that these can have."""
    for name, values in condition.wanted.items():
        question = before.get(name)
        if question is None:
            known = ", ".join(before) or "none"
            reading.complain(f"{at}: when names {name!r}", f"name an earlier question: {known}")
        elif not question.options:
            reading.complain(f"{at}: when names the {question.kind} {name!r}", "name a choice")
        else:
            known_values = [option.value for option in question.options]
            for value in values:
                if value not in known_values:
                    reading.complain(
                        f"{at}: when names {value!r}, which {name!r} cannot be",
                        f"known: {', '.join(known_values)}",
                    )
