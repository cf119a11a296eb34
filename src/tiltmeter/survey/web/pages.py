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
from tiltmeter.survey.form import CHECK_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.languages.interface_words import words_in
from tiltmeter.survey.languages.language_codes import Direction, direction
from tiltmeter.survey.languages.page_texts import PageText
from tiltmeter.survey.order.form_order import alternatives, place_names, with_names
from tiltmeter.survey.order.person_order import PersonOrder
from tiltmeter.survey.page_count import page_count
from tiltmeter.survey.question import ITEM, FormQuestion, RatingQuestion, Value
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

    def said(self, words: Words, names: Mapping[str, str] | None = None) -> PageText:
        """A text of the form, which may be in another language than the page; `names` as in `prose`."""
        text = with_names(self.say(words), names or {})
        return PageText(text, self.form.language_of(words, self.language), self.language)

    def prose(self, words: Words, under: int = 1, names: Mapping[str, str] | None = None) -> Markup:
        """A text of the form with paragraphs, below a heading of that level.

        `names` has what words in braces stand for.
        """
        return markdown_html(self.say(words), under=under, names=names)

    def names(self, screen: flow.Screen, order: PersonOrder) -> dict[str, Markup]:
        """What words such as `{item}` stand for on a screen: the item, and the places of its texts."""
        places = self.places(screen, order)
        names = {name: escape(place) for name, place in places.items()}
        if screen.assigned:
            item = screen.assigned.item
            names[ITEM] = escape(self.said(item.texts.get("text", {})) or item.key)
        return names

    def places(self, screen: flow.Screen, order: PersonOrder) -> dict[str, str]:
        """What words such as `{reply_1}` stand for on a screen."""
        return place_names(screen.page, order.texts(screen.page, screen.turn))

    def about(self, words: Words, screen: flow.Screen, order: PersonOrder) -> Markup:
        """A text of a screen, which may name its item, and say at which place one of its texts is shown."""
        return Markup(with_names(escape(self.say(words)), self.names(screen, order)))  # noqa: S704 escaped

    def question(self, question: FormQuestion, screen: flow.Screen, order: PersonOrder) -> Markup:
        """The text of a question."""
        if question.name == FAMILIAR_PAGE and not question.text:
            return escape(self.words["familiar"].format(n=self.form.sampling.familiar))
        return self.about(question.text, screen, order)

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

    def shown(self, screen: flow.Screen, order: PersonOrder) -> tuple[tuple[str, PageText], ...]:
        """The item's texts, with a label where there are several; test questions give none away.

        Texts that change places have the labels of their places.
        """
        item = screen.assigned.item if screen.assigned else None
        if item is None or screen.page.name == CHECK_PAGE:
            return ()
        names = [name for name in screen.page.show if name in item.texts]
        labels = [self.label(screen.page, name) if len(names) > 1 else "" for name in names]
        written, mixed = alternatives(screen.page), order.texts(screen.page, screen.turn)
        at_place = dict(zip(written, mixed, strict=True))
        names = [at_place.get(name, name) for name in names]
        return tuple(zip(labels, (self.said(item.texts[name]) for name in names), strict=True))

    def label(self, page: Page, name: str) -> str:
        """What stands above an item's text of this name, where a page shows several."""
        return self.say(page.labels.get(name, {})) or name.replace("_", " ")

    def expected(
        self, screen: flow.Screen, answered: flow.Answered, order: PersonOrder
    ) -> tuple[ExpectedAnswer, ...]:
        """Questions of a screen with the answers that its training item expects."""
        if screen.assigned is None:
            return ()
        item, expected = screen.assigned.item, []
        for question in screen.page.questions:
            value = item.expected.get(question.name)
            given = answered.get((screen.assignment, screen.page.name, question.name))
            if value is not None:
                texts = (self.answer(question, one, screen, order) for one in (given, value))
                expected.append(ExpectedAnswer(self.question(question, screen, order), *texts))
        return tuple(expected)

    @staticmethod
    def typed(value: object) -> str:
        """What a field shows of an answer; "" where the person chose not to answer."""
        if isinstance(value, float | int):
            return f"{value:g}"
        return "" if value == OPTED_OUT else str(value or "")

    def answer(
        self, question: FormQuestion, value: Value | None, screen: flow.Screen, order: PersonOrder
    ) -> str:
        """An answer as text; "" for none."""
        if value is None:
            return ""
        places = self.places(screen, order)
        labels = {o.value: with_names(self.say(o.text), places) for o in question.options}
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


@dataclass(frozen=True, slots=True)
class End:
    """What is shown at one side of a slider, and the number that it stands for."""

    text: str
    number: float


def _ends(question: FormQuestion, words: FormWords, *, swapped: bool) -> tuple[End, ...]:
    """The ends of a slider as they are shown, the first at the side where lines begin; () for other kinds."""
    if not isinstance(question, RatingQuestion):
        return ()
    ends = (
        End(words.say(question.left), question.low),
        End(words.say(question.right), question.high),
    )
    return ends[::-1] if swapped else ends


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
    order, page = here.order, screen.page
    texts, places = order.texts(page, screen.turn), words.places(screen, order)
    faults = dict.fromkeys(missing, words.words["needed"])
    asked = {q.name for q in flow.shown(screen, here.answered)} | {*missing, *wrong}
    notes = {q.name: q.range_note(words.words) for q in screen.page.questions}
    faults |= {name: notes[name] for name in wrong}
    first_fault = next((q.name for q in screen.page.questions if q.name in faults), "")
    questions: list[dict[str, object]] = []
    above = ""
    numbers = {question.name: number for number, question in enumerate(page.questions)}
    for question in order.questions(page, texts):
        number = numbers[question.name]
        at = (screen.assignment, screen.page.name, question.name)
        ends = _ends(question, words, swapped=order.swapped(page, question))
        value = (written or {}).get(question.name) or here.answered.get(at)
        text = words.question(question, screen, order)
        questions.append(
            {
                "asked": question,
                "number": number,  # its fields are q0, k0, l0, …
                "text": "" if text == above else text,
                "plain": text.striptags(),
                "caption": " – ".join(end.text for end in ends) or text,
                "ends": ends,
                "swapped": order.swapped(page, question),
                "options": [
                    (option.value, words.said(option.text, places) or option.value)
                    for option in order.options(page, question, texts)
                ],
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
        "text": words.prose(page.text, names=words.names(screen, order)),
        "heading": words.say(page.title), "shown": words.shown(screen, order),
        "questions": questions, "submit_key": new_key(),
        "shown_at": now(), "share": math.floor(100 * here.share(words.form)),
        "place": words.place(screen, here), "practice": words.practice(screen),
        "before": here.before(screen.key, words.form),
        **_after_a_wrong_attempt(screen, words),
    }  # fmt: skip
