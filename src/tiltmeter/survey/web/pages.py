"""What the templates show of a screen."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tiltmeter.survey import flow
from tiltmeter.survey.form import CHECK_PAGE, FAMILIAR_PAGE, Form, SurveyItem
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.questions import ITEM, WRITTEN, FormQuestion
from tiltmeter.survey.web.progress import PersonProgress

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
WORDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("interface_words.toml").read_text("utf-8")
)
"""What buttons and notes say, by language and by what they are for; English for other languages.

No native speaker has read the others than English: pages in these languages say so (`unread`), until the form
names the language under `words_read`.
"""
NAMES: Mapping[str, str] = {code: words["name"] for code, words in WORDS.items()}
"""Names of languages, each in itself, by code."""


def words_in(language: str) -> Mapping[str, str]:
    """The words of a language.

    >>> words_in("ru")["back"], words_in("fr")["back"]
    ('Назад', 'Back')
    """
    return WORDS.get(language, WORDS["en"])


@cache
def templates() -> Environment:
    """The templates; every value is escaped."""
    loader = PackageLoader("tiltmeter.survey", "templates")
    return Environment(
        autoescape=True, loader=loader, undefined=StrictUndefined, trim_blocks=True,
        auto_reload=False,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class FormWords:
    """A form in one of its languages."""

    form: Form
    language: str

    def page(self, template: str, **values: object) -> str:
        """A page with these values, from the template of this name (its file without ".html")."""
        direction = "rtl" if self.language in RIGHT_TO_LEFT else "ltr"
        return templates().get_template(f"{template}.html").render(
            language=self.language, direction=direction, words=words_in(self.language),
            unread="" if self.language in self.form.words_read else words_in(self.language)["unread"],
            title=self.say(self.form.title), say=self.say, form=self.form, names=NAMES, **values,
        )  # fmt: skip

    def say(self, words: Words) -> str:
        """A text of the form."""
        return self.form.say(words, self.language)

    def about(self, words: Words, item: SurveyItem | None) -> str:
        """A text of the form that may name an item."""
        text = self.say(words)
        return (
            text.replace(ITEM, self.say(item.texts.get("text", {})) or item.key) if item else text
        )

    def question(self, question: FormQuestion, item: SurveyItem | None) -> str:
        """The text of a question."""
        if question.name == FAMILIAR_PAGE and not question.text:
            return words_in(self.language)["familiar"].format(n=self.form.sampling.familiar)
        return self.about(question.text, item)

    def place(self, screen: flow.Screen, here: PersonProgress) -> str:
        """Which page this is, and of how many where no further items can come."""
        shown = [s for s in here.screens if s == screen or flow.shown(s, here.answered)]
        n, total = shown.index(screen) + 1 if screen in shown else len(shown), len(shown)
        assigned = [s.assigned for s in here.screens if s.assigned]
        first = {a.assignment for a in assigned if a.round == flow.FIRST}
        if self.form.repeat and not any(a.round == flow.REPEAT for a in assigned):
            total += self.form.repeat.items * len(self.form.part("item"))
        real = sum(item.kind != "training" for item in self.form.items)
        may_grow = len(first) < (self.form.sampling.each or real) and screen.page.part != "end"
        return words_in(self.language)["page" if may_grow else "page_of"].format(n=n, total=total)

    def shown(self, screen: flow.Screen) -> tuple[tuple[str, str], ...]:
        """The item's texts, with a label where there are several; test questions give none away."""
        item = screen.assigned.item if screen.assigned else None
        if item is None or screen.page.name == CHECK_PAGE:
            return ()
        names = [name for name in screen.page.show if name in item.texts]
        labels = [name.replace("_", " ") if len(names) > 1 else "" for name in names]
        return tuple(zip(labels, (self.say(item.texts[name]) for name in names), strict=True))

    def expected(self, screen: flow.Screen) -> tuple[tuple[str, str], ...]:
        """Questions of a screen with the answers that its training item expects, as texts."""
        if screen.assigned is None:
            return ()
        item, expected = screen.assigned.item, []
        for question in screen.page.questions:
            value = item.expected.get(question.name)
            labels = {option.value: self.say(option.text) for option in question.options}
            if value is not None:
                answer = labels.get(str(value)) or str(value)
                expected.append((self.question(question, item), answer))
        return tuple(expected)


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
    texts: tuple[tuple[str, str], ...]
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
    place: str
    """Such as "Page 3 of 12"."""
    before: str


SHORT = 40
"""Letters of an item's text that is shown as a heading, at most."""


def screen_view(
    screen: flow.Screen,
    here: PersonProgress,
    words: FormWords,
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
        text = words.question(question, item)
        view = _question_view(
            question, (written or {}).get(question.name) or here.answered.get(at), words
        )
        views.append(
            replace(
                view, number=number, text="" if text == above else text,
                hidden=question.name not in asked, last=here.keys.get(at, ""),
                missing=question.name in missing,
                wrong=_range(question, words.language) if question.name in wrong else "",
            )
        )  # fmt: skip
        above = text
    shown = words.shown(screen)
    short = len(shown) == 1 and screen.page.show == ("text",) and len(shown[0][1]) <= SHORT
    return ScreenView(
        key=screen.key,
        page=screen.page.name,
        assignment="" if screen.assignment is None else str(screen.assignment),
        text=words.about(screen.page.text, item),
        heading=shown[0][1] if short else "",
        shown=() if short else shown,
        questions=tuple(views),
        submit_key=new_key(),
        shown_at=now(),
        share=round(100 * here.share),
        place=words.place(screen, here),
        before=here.before(screen.key) if words.form.back else "",
    )


def _question_view(question: FormQuestion, value: object, words: FormWords) -> QuestionView:
    """A question without what depends on the others on its page."""
    chosen: Any = value if isinstance(value, list) else [value]
    typed: Any = value if isinstance(value, dict) else {}
    return QuestionView(
        question, 0,
        tuple((o.value, words.say(o.text) or o.value, o.value in chosen) for o in question.options),
        json.dumps({name: list(values) for name, values in question.when.wanted.items()}),
        f"{value:g}" if isinstance(value, float | int) else str(value or ""),
        tuple((part, str(typed.get(part, ""))) for part in WRITTEN.get(question.kind, ())),
        new_key(),
    )  # fmt: skip


def _range(question: FormQuestion, language: str) -> str:
    """Which numbers a slider takes, as a sentence."""
    low, high = f"{question.low:g}", f"{question.high:g}"
    return words_in(language)["range"].format(low=low, high=high)
