"""What the templates show of a screen."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from tiltmeter.survey import flow
from tiltmeter.survey.form import CHECK_PAGE, FAMILIAR_PAGE, Form, SurveyItem
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.question import ITEM, FormQuestion
from tiltmeter.survey.web import static_files
from tiltmeter.survey.web.progress import PersonProgress

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
LANGUAGES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("interface_words.toml").read_text("utf-8")
)
"""What buttons and notes say, by language and by what they are for; English for other languages.

No native speaker has read the others than English: pages in these languages say so (`unread`), until the form
names the language under `words_read`.
"""
NAMES: Mapping[str, str] = {code: words["name"] for code, words in LANGUAGES.items()}
"""Names of languages, each in itself, by code."""


def words_in(language: str) -> Mapping[str, str]:
    """The words of a language.

    >>> words_in("ru")["back"], words_in("fr")["back"]
    ('Назад', 'Back')
    """
    return LANGUAGES.get(language, LANGUAGES["en"])


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
    }
    return made


def _fields_of(question: FormQuestion) -> Template:
    """The template of a question's fields."""
    return _template_of(question.html)


@cache
def _template_of(source: str) -> Template:
    return templates().from_string(source)


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
) -> dict[str, object]:
    """What page.html shows of a screen, with the answers that are stored, or those that were just typed."""
    item = screen.assigned.item if screen.assigned else None
    shown = words.shown(screen)
    short = len(shown) == 1 and screen.page.show == ("text",) and len(shown[0][1]) <= SHORT
    asked = {q.name for q in flow.shown(screen, here.answered)} | {*missing, *wrong}
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
                "caption": " – ".join(map(words.say, question.ends)) or text,
                "when": json.dumps(
                    {name: [*values] for name, values in question.when.wanted.items()}
                ),
                "value": f"{value:g}" if isinstance(value, float | int) else str(value or ""),
                "chosen": value if isinstance(value, list) else [value],
                "texts": value if isinstance(value, dict) else {},
                "key": new_key(),  # for the answer of a plain form
                "last": here.keys.get(at, ""),
                "hidden": question.name not in asked,  # its condition does not hold so far
                "missing": question.name in missing,
                "wrong": question.range_note(words_in(words.language))
                if question.name in wrong
                else "",
            }
        )
        above = text
    return {
        "key": screen.key, "page": screen.page.name, "assignment": screen.assignment,
        "text": words.about(screen.page.text, item), "heading": shown[0][1] if short else "",
        "shown": () if short else shown, "questions": questions, "submit_key": new_key(),
        "shown_at": now(), "share": round(100 * here.share), "place": words.place(screen, here),
        "before": here.before(screen.key) if words.form.back else "",
    }  # fmt: skip
