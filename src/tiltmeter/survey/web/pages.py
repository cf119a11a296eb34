"""What the templates show of a screen."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tiltmeter.survey import flow
from tiltmeter.survey.form import CHECK_PAGE, FAMILIAR_PAGE, Form, SurveyItem, text_in
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.questions import ITEM, WRITTEN, FormQuestion
from tiltmeter.survey.web.interface_words import NAMES, RIGHT_TO_LEFT, words_in
from tiltmeter.survey.web.progress import PersonProgress


@cache
def templates() -> Environment:
    """The templates; every value is escaped."""
    loader = PackageLoader("tiltmeter.survey", "templates")
    return Environment(
        autoescape=True, loader=loader, undefined=StrictUndefined, trim_blocks=True,
        auto_reload=False,
    )  # fmt: skip


def rendered(template: str, form: Form, language: str, **values: object) -> str:
    """A page.

    Args:
        template: Its file, without ".html".
        form: Of the study.
        language: In which texts are shown.
        values: For the template.
    """
    return templates().get_template(f"{template}.html").render(
        language=language, direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
        words=words_in(language), title=text_in(form.title, language, form.languages),
        say=lambda text: text_in(text, language, form.languages), form=form, names=NAMES, **values,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question as a template shows it."""

    asked: FormQuestion
    number: int
    """Its fields are q0, k0, l0, …"""
    options: tuple[tuple[str, str, bool], ...]
    """Value, text, and whether it is chosen."""
    when: str
    """The answers on which the question depends, as JSON."""
    value: str
    parts: tuple[tuple[str, str], ...]
    """The texts of a pair or triple."""
    key: str
    """For the answer of a plain form."""
    last: str = ""
    """The key of the last stored answer."""
    text: str = ""
    """Empty where it is the text of the question above."""
    hidden: bool = False
    """Whether its condition does not hold so far."""
    missing: bool = False
    wrong: str = ""
    """What is wrong with what was typed."""


@dataclass(frozen=True, slots=True)
class ScreenView:
    """One screen as a template shows it."""

    key: str
    page: str
    assignment: str
    text: str
    heading: str
    """The item, where it is one short text."""
    shown: tuple[tuple[str, str], ...]
    """Texts of the item, with a label where there are several."""
    questions: tuple[QuestionView, ...]
    submit_key: str
    shown_at: int
    share: int
    """How much of the survey is done, in percent."""
    before: str


def screen_view(
    screen: flow.Screen,
    here: PersonProgress,
    form: Form,
    language: str,
    *,
    written: Mapping[str, object] | None = None,
    missing: Sequence[str] = (),
    wrong: Sequence[str] = (),
) -> ScreenView:
    """A screen with the answers that are stored, or those that were just typed."""
    item = screen.assigned.item if screen.assigned else None
    asked = {q.name for q in flow.shown(screen, here.answered)} | {*missing, *wrong}
    views: list[QuestionView] = []
    above = ""
    for number, question in enumerate(screen.page.questions):
        at = (screen.assignment, screen.page.name, question.name)
        value = (written or {}).get(question.name) or here.answered.get(at)
        text = _with_item(_text(question, form, language), item, form, language)
        views.append(
            replace(
                _question_view(question, number, form, language, value),
                text="" if text == above else text,
                hidden=question.name not in asked,
                last=here.keys.get(at, ""),
                missing=question.name in missing,
                wrong=_limits(question, language) if question.name in wrong else "",
            )
        )
        above = text
    shown = shown_texts(screen, form, language)
    short = len(shown) == 1 and screen.page.show == ("text",) and len(shown[0][1]) <= SHORT
    return ScreenView(
        key=screen.key,
        page=screen.page.name,
        assignment="" if screen.assignment is None else str(screen.assignment),
        text=_with_item(text_in(screen.page.text, language, form.languages), item, form, language),
        heading=shown[0][1] if short else "",
        shown=() if short else shown,
        questions=tuple(views),
        submit_key=new_key(),
        shown_at=now(),
        share=round(100 * here.share),
        before=here.before(screen.key) if form.back else "",
    )


SHORT = 40
"""Letters of an item's text that is shown as a heading, at most."""


def _text(question: FormQuestion, form: Form, language: str) -> str:
    if question.name == FAMILIAR_PAGE and not question.text:
        return words_in(language)["familiar"].format(n=form.sampling.familiar)
    return text_in(question.text, language, form.languages)


def _limits(question: FormQuestion, language: str) -> str:
    """Which numbers a slider takes, as a sentence."""
    low, high = f"{question.low:g}", f"{question.high:g}"
    return words_in(language)["range"].format(low=low, high=high)


def _with_item(text: str, item: SurveyItem | None, form: Form, language: str) -> str:
    if item is None:
        return text
    words: Words = item.texts.get("text", {})
    return text.replace(ITEM, text_in(words, language, form.languages) or item.key)


def shown_texts(screen: flow.Screen, form: Form, language: str) -> tuple[tuple[str, str], ...]:
    """The item's texts, with a label where there are several; test questions give none away."""
    item = screen.assigned.item if screen.assigned else None
    if item is None or screen.page.name == CHECK_PAGE:
        return ()
    names = [name for name in screen.page.show if name in item.texts]
    label = len(names) > 1
    return tuple(
        (
            name.replace("_", " ") if label else "",
            text_in(item.texts[name], language, form.languages),
        )
        for name in names
    )


def expected_answers(screen: flow.Screen, form: Form, language: str) -> tuple[tuple[str, str], ...]:
    """Questions of a screen with the answers that its training item expects, as texts."""
    if screen.assigned is None:
        return ()
    item, expected = screen.assigned.item, []
    for question in screen.page.questions:
        value = item.expected.get(question.name)
        labels = {o.value: text_in(o.text, language, form.languages) for o in question.options}
        if value is not None:
            text = _with_item(_text(question, form, language), item, form, language)
            expected.append((text, labels.get(str(value)) or str(value)))
    return tuple(expected)


def _question_view(
    question: FormQuestion, number: int, form: Form, language: str, value: object
) -> QuestionView:
    """A question without what depends on the others on its page."""
    chosen: Any = value if isinstance(value, list) else [value]
    typed: Any = value if isinstance(value, dict) else {}
    return QuestionView(
        asked=question,
        number=number,
        options=tuple(
            (
                option.value,
                text_in(option.text, language, form.languages) or option.value,
                option.value in chosen,
            )
            for option in question.options
        ),
        when=json.dumps({name: list(v) for name, v in question.when.wanted.items()}),
        value=f"{value:g}" if isinstance(value, float | int) else str(value or ""),
        parts=tuple((part, str(typed.get(part, ""))) for part in WRITTEN.get(question.kind, ())),
        key=new_key(),
    )
