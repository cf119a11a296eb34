"""Bots that fill in a survey through its plain forms, as a browser without JavaScript does.

Each says in its requests that it is a bot (`HEADER`), and the survey marks it as one. A study of people lets
in only bots that are sent in spite of that (`REALLY`).
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from ipaddress import ip_address
from urllib.parse import urljoin, urlsplit

import httpx2

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.certificates import certificates

HEADER, TRY, REALLY = "x-tiltmeter-bot", "try", "really"
"""What a bot's requests say, and the two values."""
OPT_OUT = ".opt_out"
"""How the name of a box for not answering ends."""
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
    """The page's name in the form file."""
    fields: list[FormField] = field(default_factory=list)
    link: str = ""
    code: str = ""
    outcome: str = ""
    """On a last page: how the visitor left (`outcomes.Outcome`)."""

    def __post_init__(self) -> None:
        super().__init__()
        self._hidden: list[bool] = []
        self._in_code = self._in_text = False
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, fields and links."""
        attributes = {name: value or "" for name, value in attrs}
        hidden = "hidden" in attributes or (bool(self._hidden) and self._hidden[-1])
        if tag not in NO_VALUE:
            self._hidden.append(hidden)
        if tag == "form":
            self.action, self.name = attributes["action"], attributes.get("data-page", "")
        elif tag in {"input", "textarea", "button"} and attributes.get("name"):
            self.fields.append(FormField(tag, attributes["name"], attributes, not hidden))
        elif tag == "a" and attributes.get("class") == "button" and not self.link:
            self.link = attributes["href"]
        self.outcome = self.outcome or attributes.get("data-outcome", "")
        self._in_code = attributes.get("id") == "code"
        self._in_text = tag == "textarea"

    def handle_endtag(self, tag: str) -> None:
        """Note that an element, and with it a hidden part, ends."""
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
    """How one bot's visit to the survey ended."""

    code: str
    """The code on the last page; "" where it has none."""
    pages: int
    outcome: str = ""
    """How it left (`outcomes.Outcome`)."""


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
        if reply.status_code == httpx2.codes.CONFLICT:
            raise live_study(start, reply.text)
        if reply.is_error and reply.status_code != httpx2.codes.UNPROCESSABLE_CONTENT:
            raise BadInput(f"a bot got status {reply.status_code} after {pages} pages")
        page = FormPage(reply.text)
        if page.outcome:
            return BotVisit(page.code, pages, page.outcome)
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


def random_answers(seed: int) -> Answering:
    """Random values for the fields that a person would see, and the others as they are."""
    rng = random.Random(seed)  # noqa: S311 answers at random

    def answers(page: FormPage) -> Fields:
        filled = untouched(page)
        options: dict[str, list[FormField]] = {}
        for field_ in page.fields:
            if field_.name in filled or not field_.shown:
                continue
            if field_.attributes.get("type", "") in {"radio", "checkbox"}:
                options.setdefault(field_.name, []).append(field_)
            else:
                filled[field_.name] = field_.attributes.get("value", "") or _typed(field_, rng)
        boxes = {name for name in options if name.endswith(OPT_OUT)}  # bots answer what they can
        return filled | {
            name: _chosen(fields, rng) for name, fields in options.items() if name not in boxes
        }

    return answers


def untouched(page: FormPage) -> Fields:
    """The fields that a person does not fill in, and the first button."""
    kept: Fields = {}
    for field_ in page.fields:
        if field_.attributes.get("type", "") == "hidden" or field_.tag == "button":
            kept.setdefault(field_.name, field_.attributes.get("value", ""))
    return kept


def _chosen(fields: list[FormField], rng: random.Random) -> str | list[str]:
    """One of several options, or half of them where more than one may be chosen."""
    values = [field_.attributes.get("value", "") for field_ in fields]
    chosen = [field_.attributes["value"] for field_ in fields if "checked" in field_.attributes]
    if fields[0].attributes["type"] == "checkbox":
        return chosen or rng.sample(values, (len(values) + 1) // 2)
    return chosen[0] if chosen else rng.choice(values)


def _typed(field_: FormField, rng: random.Random) -> str:
    for bounds in (("data-low", "data-high"), ("min", "max")):
        if field_.attributes.keys() >= {*bounds}:
            low, high = (float(field_.attributes[bound]) for bound in bounds)
            return f"{rng.randint(round(low), round(high))}"
    return " ".join(rng.choices(WORDS, k=3))[: int(field_.attributes.get("maxlength", "100"))]


def live_study(start: str, why: str) -> BadInput:
    """Why no bot fills in a study of people unless it must, and what else can be done."""
    way_out = (
        "try the form with `tiltmeter survey bots FORM`; --really sends bots in and marks them"
    )
    return BadInput(f"{start} is a live study: {why}", way_out)


def is_here(address: str) -> bool:
    """Whether an address is on this machine.

    >>> is_here("http://127.0.0.1:8000/"), is_here("http://[::1]:80"), is_here("https://study.example/")
    (True, True, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def visits(start: str, count: int, *, really: bool = False) -> Iterator[BotVisit]:
    """Let bots fill in a survey over HTTP at random, one after the other.

    Args:
        start: The address.
        count: How many bots.
        really: Whether to fill in a study of people as well.

    Raises:
        BadInput: The address cannot be reached, a bot gets an error, or this is a study of people.
    """
    if not really and not is_here(start):
        raise live_study(start, "it is not on this machine")
    for seed in range(count):
        headers = {HEADER: REALLY if really else TRY}
        with httpx2.Client(timeout=60, headers=headers, verify=certificates()) as client:
            try:
                yield fill_in(client, start, random_answers(seed))
            except httpx2.HTTPError as error:
                why = f"{start} cannot be reached: {error}"
                raise BadInput(why, "start it with tiltmeter survey serve") from error
