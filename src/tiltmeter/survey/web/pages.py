"""What the templates show of a screen."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from tiltmeter.data.files.missing_words import OPTED_OUT
from tiltmeter.survey import flow
from tiltmeter.survey.consent.form_markdown import markdown_html
from tiltmeter.survey.form import CHECK_PAGE, FAMILIAR_PAGE, Form, SurveyItem
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.languages.interface_words import words_in
from tiltmeter.survey.languages.language_codes import Direction, direction
from tiltmeter.survey.languages.page_texts import PageText
from tiltmeter.survey.page_count import page_count
from tiltmeter.survey.question import ITEM, FormQuestion, Value
from tiltmeter.survey.web import static_files
from tiltmeter.survey.web.progress import PersonProgress


@cache
def templates() -> Environment:
    """The templates; every value is escaped."""
    loader = PackageLoader("tiltmeter.survey", "templates")
    made = Environment(
        autoescape=True, loader=loader, undefined=StrictUndefined, trim_blocks=True,
        auto_reload=False,
    )  # fmt: skip
    made.globals |= {
        "fields_of": _fields_of,
        "static": static_files.address,
        "style": static_files.style,
        "invalid": _invalid,
    }
    return made


def _invalid(question: Mapping[str, object]) -> Markup:
    """Attributes of a field of a question that is not answered, or not well; none elsewhere."""
    if not question["fault"]:
        return Markup()
    attributes = Markup(' aria-invalid="true" aria-describedby="fault{}"')
    return attributes.format(question["number"])


def _fields_of(question: FormQuestion) -> Template:
    """The template of a question's fields."""
    return _template_of(question.html)


@cache
def _template_of(source: str) -> Template:
    return templates().from_string(source)


@dataclass(frozen=True, slots=True)
class OfferedLanguage:
    """A language that a form can be read in, as the choice of languages shows it."""

    code: str
    name: str
    """What it calls itself."""
    direction: Direction


def offered_languages(form: Form) -> list[OfferedLanguage]:
    """The languages of a form."""
    return [
        OfferedLanguage(code, words_in(code, form.words)["name"], direction(code))
        for code in form.languages
    ]


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What was to be answered to a question of a training item, beside what was; all as texts."""

    question: Markup
    given: str
    """"" where nothing was answered."""
    expected: str


@dataclass(frozen=True, slots=True)
class FormWords:
    """A form in one of its languages."""

    form: Form
    language: str

    def page(self, template: str, **values: object) -> str:
        """A page with these values, from the template of this name (its file without ".html")."""
        return templates().get_template(f"{template}.html").render(
            language=self.language, direction=direction(self.language), words=self.words,
            title=self.say(self.form.title), say=self.say, said=self.said, prose=self.prose,
            form=self.form,
            offered=offered_languages(self.form), **values,
        )  # fmt: skip

    @property
    def words(self) -> Mapping[str, str]:
        """What buttons and notes say."""
        return words_in(self.language, self.form.words)

    def say(self, words: Words) -> str:
        """A text of the form."""
        return self.form.say(words, self.language)

    def said(self, words: Words) -> PageText:
        """A text of the form, which may be in another language than the page."""
        return PageText(self.say(words), self.form.language_of(words, self.language), self.language)

    def prose(self, words: Words, under: int = 1, item: SurveyItem | None = None) -> Markup:
        """A text of the form with paragraphs, below a heading of that level; it may name an item."""
        names = {ITEM: self._name(item)} if item else {}
        return markdown_html(self.say(words), under=under, names=names)

    def _name(self, item: SurveyItem) -> Markup:
        return escape(self.said(item.texts.get("text", {})) or item.key)

    def about(self, words: Words, item: SurveyItem | None) -> Markup:
        """A text of the form that may name an item."""
        text = escape(self.say(words))
        return text.replace(ITEM, self._name(item)) if item else text

    def question(self, question: FormQuestion, item: SurveyItem | None) -> Markup:
        """The text of a question."""
        if question.name == FAMILIAR_PAGE and not question.text:
            return escape(self.words["familiar"].format(n=self.form.sampling.familiar))
        return self.about(question.text, item)

    def place(self, screen: flow.Screen, here: PersonProgress) -> str:
        """Which page this is, of all that may come."""
        count = page_count(self.form, here.screens, screen)
        return self.words["page_of"].format(n=count.page, total=count.pages)

    def practice(self, screen: flow.Screen) -> str:
        """Which practice item this is, and that it does not count; "" elsewhere."""
        if screen.assigned is None or screen.assigned.round != flow.TRAINING:
            return ""
        keys = [item.key for item in self.form.items if item.kind == "training"]
        number = keys.index(screen.assigned.item.key) + 1
        return self.words["practice"].format(n=number, total=len(keys))

    def shown(self, screen: flow.Screen) -> tuple[tuple[str, PageText], ...]:
        """The item's texts, with a label where there are several; test questions give none away."""
        item = screen.assigned.item if screen.assigned else None
        if item is None or screen.page.name == CHECK_PAGE:
            return ()
        names = [name for name in screen.page.show if name in item.texts]
        labels = [self.label(screen.page, name) if len(names) > 1 else "" for name in names]
        return tuple(zip(labels, (self.said(item.texts[name]) for name in names), strict=True))

    def label(self, page: Page, name: str) -> str:
        """What stands above an item's text of this name, where a page shows several."""
        return self.say(page.labels.get(name, {})) or name.replace("_", " ")

    def expected(self, screen: flow.Screen, answered: flow.Answered) -> tuple[ExpectedAnswer, ...]:
        """Questions of a screen with the answers that its training item expects."""
        if screen.assigned is None:
            return ()
        item, expected = screen.assigned.item, []
        for question in screen.page.questions:
            value = item.expected.get(question.name)
            given = answered.get((screen.assignment, screen.page.name, question.name))
            if value is not None:
                texts = (self.answer(question, one) for one in (given, value))
                expected.append(ExpectedAnswer(self.question(question, item), *texts))
        return tuple(expected)

    @staticmethod
    def typed(value: object) -> str:
        """What a field shows of an answer; "" where the person chose not to answer."""
        if isinstance(value, float | int):
            return f"{value:g}"
        return "" if value == OPTED_OUT else str(value or "")

    def answer(self, question: FormQuestion, value: Value | None) -> str:
        """An answer as text; "" for none."""
        if value is None:
            return ""
        labels = {option.value: self.say(option.text) for option in question.options}
        several = value if isinstance(value, list) else [value]
        texts = (f"{one:g}" if isinstance(one, float | int) else str(one) for one in several)
        return ", ".join(labels.get(text) or text for text in texts)


def _after_a_wrong_attempt(screen: flow.Screen, words: FormWords) -> dict[str, object]:
    """What stands above the questions about the instructions when they are asked again."""
    attempts = screen.attempt_of
    if attempts is None or attempts.attempt(screen.page.name) == 1:
        return {"again": "", "reread": ""}
    reread = words.prose(words.form.instructions) if attempts.repeat_instructions else ""
    again = words.say(attempts.wrong) or words.words["misread"]
    return {"again": again, "reread": reread}


def screen_view(
    screen: flow.Screen,
    here: PersonProgress,
    words: FormWords,
    *,
    written: Mapping[str, object] | None = None,
    missing: Sequence[str] = (),
    wrong: Sequence[str] = (),
) -> dict[str, object]:
    """What page.html shows of a screen, with the answers that are stored, or those that were just typed."""
    item = screen.assigned.item if screen.assigned else None
    faults = dict.fromkeys(missing, words.words["needed"])
    asked = {q.name for q in flow.shown(screen, here.answered)} | {*missing, *wrong}
    notes = {q.name: q.range_note(words.words) for q in screen.page.questions}
    faults |= {name: notes[name] for name in wrong}
    first_fault = next((q.name for q in screen.page.questions if q.name in faults), "")
    questions: list[dict[str, object]] = []
    above = ""
    for number, question in enumerate(screen.page.questions):
        at = (screen.assignment, screen.page.name, question.name)
        value = (written or {}).get(question.name) or here.answered.get(at)
        text = words.question(question, item)
        questions.append(
            {
                "asked": question,
                "number": number,  # its fields are q0, k0, l0, …
                "text": "" if text == above else text,
                "plain": text.striptags(),
                "caption": " – ".join(map(words.say, question.ends)) or text,
                "when": json.dumps(
                    {name: [*values] for name, values in question.when.wanted.items()}
                ),
                "value": words.typed(value),
                "chosen": value if isinstance(value, list) else [value],
                "texts": value if isinstance(value, dict) else {},
                "key": new_key(),  # for the answer of a plain form
                "last": here.keys.get(at, ""),
                "hidden": question.name not in asked,  # its condition does not hold so far
                "fault": faults.get(question.name, ""),
                "first_fault": question.name == first_fault,
            }
        )
        above = text
    return {
        "key": screen.key, "page": screen.page.name, "assignment": screen.assignment,
        "text": words.prose(screen.page.text, item=item), "heading": words.say(screen.page.title),
        "shown": words.shown(screen), "questions": questions, "submit_key": new_key(),
        "shown_at": now(), "share": math.floor(100 * here.share(words.form)),
        "place": words.place(screen, here), "practice": words.practice(screen),
        "before": here.before(screen.key) if words.form.back else "",
        **_after_a_wrong_attempt(screen, words),
    }  # fmt: skip
