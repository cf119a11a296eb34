"""Bots that fill in a survey through its plain forms, as a browser without JavaScript does."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx2

from tiltmeter.core.errors import BadInput

STEPS = 5000
"""Pages after which a bot gives up."""
NO_VALUE = frozenset({"br", "hr", "img", "input", "link", "meta"})
WORDS = ("calm", "clever", "kind", "loud", "modern", "poor", "proud", "strong", "warm", "young")
Attributes = dict[str, str]
Fields = dict[str, str | list[str]]
"""What a form sends, by the names of its fields."""


@dataclass(slots=True)
class FormField:
    """One field of a form."""

    tag: str
    name: str
    attributes: Attributes
    shown: bool
    """False within a question that is skipped."""


@dataclass
class FormPage(HTMLParser):
    """A page as a bot sees it: its form, its main link, and the completion code."""

    text: str
    action: str = ""
    name: str = ""
    """Of the page, in the form file."""
    heading: str = ""
    """The item, where it is one short text."""
    shown: list[str] = field(default_factory=list)
    """The texts of the item, where they are not the heading."""
    questions: dict[str, str] = field(default_factory=dict)
    """The field of each question, by the question's name."""
    fields: list[FormField] = field(default_factory=list)
    link: str = ""
    code: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._hidden: list[bool] = []
        self._in_code = self._in_text = False
        self._in = self._question = ""
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, fields and links."""
        attributes = {name: value or "" for name, value in attrs}
        hidden = "hidden" in attributes or (bool(self._hidden) and self._hidden[-1])
        if tag not in NO_VALUE:
            self._hidden.append(hidden)
        if tag == "form":
            self.action, self.name = attributes["action"], attributes.get("data-page", "")
        elif tag == "fieldset":
            self._question = attributes.get("data-question", "")
        elif tag in {"input", "textarea", "button"} and attributes.get("name"):
            name = attributes["name"]
            self.fields.append(FormField(tag, name, attributes, not hidden))
            if self._question and name.startswith("q"):
                self.questions.setdefault(self._question, name.partition(".")[0])
        elif tag == "a" and attributes.get("class") == "button" and not self.link:
            self.link = attributes["href"]
        elif tag == "blockquote":
            self.shown.append("")
        self._in = tag
        self._in_code = attributes.get("id") == "code"
        self._in_text = tag == "textarea"

    def handle_endtag(self, tag: str) -> None:
        """Note that an element, and with it a hidden part, ends."""
        self._in_text, self._in = False, ""
        if tag not in NO_VALUE and self._hidden:
            self._hidden.pop()

    def handle_data(self, data: str) -> None:
        """Note the code, the item, and texts that are filled in already."""
        if self._in_code:
            self.code, self._in_code = data, False
        elif self._in == "h1":
            self.heading += data
        elif self._in == "blockquote":
            self.shown[-1] += data
        elif self._in_text and self.fields:
            self.fields[-1].attributes["value"] = data


@dataclass(frozen=True, slots=True)
class BotVisit:
    """How one bot's visit to the survey ended."""

    code: str
    """The completion code; "" where there was nothing left to answer."""
    pages: int


Answering = Callable[[FormPage], Fields]
"""What a bot sends for a page."""


def fill_in(client: httpx2.Client, start: str, answers: Answering) -> BotVisit:
    """Go through a survey from its first page to the completion code, with a client of its own.

    Raises:
        BadInput: The survey answers with an error, takes no answers of the bot, or never ends.
    """
    reply = client.get(start, follow_redirects=True)
    before: object = None
    for pages in range(1, STEPS):
        if reply.is_error and reply.status_code != httpx2.codes.UNPROCESSABLE_CONTENT:
            raise BadInput(f"a bot got status {reply.status_code} after {pages} pages")
        page = FormPage(reply.text)
        if page.code:
            return BotVisit(page.code, pages)
        if page.action:
            address, fields = urljoin(str(reply.url), page.action), answers(page)
            sent = (
                address,
                {name: value for name, value in fields.items() if name.startswith("q")},
            )
            if sent == before:  # the page came again with its errors: a bot would never end
                raise BadInput(f"a bot's answers on page {page.name!r} are not complete")
            before = sent
            reply = client.post(address, data=fields, follow_redirects=True)
        elif page.link:
            reply = client.get(urljoin(str(reply.url), page.link), follow_redirects=True)
        else:
            return BotVisit("", pages)
    raise BadInput(f"a bot saw {STEPS} pages and no end", "check the conditions of the form")


class RandomAnswers:
    """Random values for the fields that a person would see, and the others as they are."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 answers at random

    def __call__(self, page: FormPage) -> Fields:
        """What to send for a page."""
        filled = untouched(page)
        options: dict[str, list[FormField]] = {}
        for form_field in page.fields:
            if form_field.name in filled or not form_field.shown:
                continue
            if form_field.attributes.get("type", "") in {"radio", "checkbox"}:
                options.setdefault(form_field.name, []).append(form_field)
            else:
                filled[form_field.name] = form_field.attributes.get("value", "") or _typed(
                    form_field, self.rng
                )
        return filled | {name: _chosen(fields, self.rng) for name, fields in options.items()}


def untouched(page: FormPage) -> Fields:
    """The fields that a person does not fill in, and the first button."""
    kept: Fields = {}
    for form_field in page.fields:
        if form_field.attributes.get("type", "") == "hidden" or form_field.tag == "button":
            kept.setdefault(form_field.name, form_field.attributes.get("value", ""))
    return kept


def _chosen(fields: list[FormField], rng: random.Random) -> str | list[str]:
    """One of several options, or half of them where more than one may be chosen."""
    values = [form_field.attributes.get("value", "") for form_field in fields]
    chosen = [
        form_field.attributes["value"]
        for form_field in fields
        if "checked" in form_field.attributes
    ]
    if fields[0].attributes["type"] == "checkbox":
        return chosen or rng.sample(values, (len(values) + 1) // 2)
    return chosen[0] if chosen else rng.choice(values)


def _typed(form_field: FormField, rng: random.Random) -> str:
    if form_field.attributes.get("type") == "number":
        low, high = (float(form_field.attributes[bound]) for bound in ("min", "max"))
        return f"{rng.randint(round(low), round(high))}"
    return " ".join(rng.choices(WORDS, k=3))[: int(form_field.attributes.get("maxlength", "100"))]


def visits(start: str, count: int) -> Iterator[BotVisit]:
    """Let bots fill in a survey over HTTP at random, one after the other.

    Raises:
        BadInput: The address cannot be reached, or a bot gets an error.
    """
    for seed in range(count):
        with httpx2.Client(timeout=60) as client:
            try:
                yield fill_in(client, start, RandomAnswers(seed))
            except httpx2.HTTPError as error:
                why = f"{start} cannot be reached: {error}"
                raise BadInput(why, "start it with tiltmeter survey serve") from error
