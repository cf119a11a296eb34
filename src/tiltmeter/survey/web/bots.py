"""Bots that fill in a survey at random through its plain forms, as a browser without JavaScript does."""

import random
from collections.abc import Iterator
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
    fields: list[FormField] = field(default_factory=list)
    link: str = ""
    code: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._hidden: list[bool] = []
        self._in_code = self._in_text = False
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, fields and links."""
        found = {name: value or "" for name, value in attrs}
        hidden = "hidden" in found or (bool(self._hidden) and self._hidden[-1])
        if tag not in NO_VALUE:
            self._hidden.append(hidden)
        if tag == "form":
            self.action = found["action"]
        elif tag in {"input", "textarea", "button"} and found.get("name"):
            self.fields.append(FormField(tag, found["name"], found, not hidden))
        elif tag == "a" and found.get("class") == "button" and not self.link:
            self.link = found["href"]
        self._in_code = found.get("id") == "code"
        self._in_text = tag == "textarea"

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._in_text = False
        if tag not in NO_VALUE and self._hidden:
            self._hidden.pop()

    def handle_data(self, data: str) -> None:
        """Note the code, and texts that are filled in already."""
        if self._in_code:
            self.code, self._in_code = data, False
        elif self._in_text and self.fields:
            self.fields[-1].attributes["value"] = data


@dataclass(frozen=True, slots=True)
class BotVisit:
    """What one bot did."""

    code: str
    """The completion code; "" where there was nothing left to answer."""
    pages: int


def fill_in(client: httpx2.Client, start: str, seed: int) -> BotVisit:
    """Go through a survey from its first page to the completion code.

    Args:
        client: With a cookie jar of its own.
        start: Address of the first page.
        seed: Of the random answers.

    Raises:
        BadInput: The survey answers with an error, or never ends.
    """
    rng = random.Random(seed)  # noqa: S311 answers at random
    reply = client.get(start, follow_redirects=True)
    for pages in range(1, STEPS):
        if reply.is_error and reply.status_code != httpx2.codes.UNPROCESSABLE_CONTENT:
            raise BadInput(f"a bot got status {reply.status_code} after {pages} pages")
        page = FormPage(reply.text)
        if page.code:
            return BotVisit(page.code, pages)
        if page.action:
            address = urljoin(str(reply.url), page.action)
            reply = client.post(address, data=_answers(page, rng), follow_redirects=True)
        elif page.link:
            reply = client.get(urljoin(str(reply.url), page.link), follow_redirects=True)
        else:
            return BotVisit("", pages)
    raise BadInput(f"a bot saw {STEPS} pages and no end", "check the conditions of the form")


def _answers(page: FormPage, rng: random.Random) -> dict[str, str | list[str]]:
    """Random values for the fields that a person would see, and the others as they are."""
    found: dict[str, str | list[str]] = {}
    options: dict[str, list[FormField]] = {}
    for one in page.fields:
        kind = one.attributes.get("type", "")
        if kind == "hidden" or one.tag == "button":
            found.setdefault(one.name, one.attributes.get("value", ""))
        elif one.shown and kind in {"radio", "checkbox"}:
            options.setdefault(one.name, []).append(one)
        elif one.shown:
            found[one.name] = one.attributes.get("value", "") or _typed(one, rng)
    return found | {name: _chosen(fields, rng) for name, fields in options.items()}


def _chosen(fields: list[FormField], rng: random.Random) -> str | list[str]:
    """One of several options, or half of them where more than one may be chosen."""
    values = [one.attributes.get("value", "") for one in fields]
    chosen = [one.attributes["value"] for one in fields if "checked" in one.attributes]
    if fields[0].attributes["type"] == "checkbox":
        return chosen or rng.sample(values, (len(values) + 1) // 2)
    return chosen[0] if chosen else rng.choice(values)


def _typed(one: FormField, rng: random.Random) -> str:
    """A number or some words."""
    if one.attributes.get("type") == "number":
        low, high = (float(one.attributes[end]) for end in ("min", "max"))
        return f"{rng.randint(round(low), round(high))}"
    return " ".join(rng.choices(WORDS, k=3))[: int(one.attributes.get("maxlength", "100"))]


def visits(start: str, count: int) -> Iterator[BotVisit]:
    """Let bots fill in a survey over HTTP, one after the other.

    Raises:
        BadInput: The address cannot be reached, or a bot gets an error.
    """
    for seed in range(count):
        with httpx2.Client(timeout=60) as client:
            try:
                yield fill_in(client, start, seed)
            except httpx2.HTTPError as error:
                why = f"{start} cannot be reached: {error}"
                raise BadInput(why, "start it with tiltmeter survey serve") from error
