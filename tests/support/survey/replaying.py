"""Served surveys, and people who give answers that are known beforehand, over HTTP."""

import os
import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import uuid4

import httpx2

from tiltmeter.survey.form import FAMILIAR_PAGE
from tiltmeter.survey.form_file import form_of, form_text
from tiltmeter.survey.question import Value
from tiltmeter.survey.web.bots import FormPage, fill_in, untouched

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Made once: loading all certificates takes longer than a page."""
AT_ONCE = 8
"""People who answer at the same time."""
Said = Mapping[str, Mapping[str, Value]]
"""One person's answers: by item as it is shown, and question."""


def adapted(name, *changes):
    """The text of a built-in form after some replacements, each of which must find something."""
    text = form_text(name)
    for pattern, new in changes:
        text, found = re.subn(pattern, new, text, flags=re.DOTALL | re.MULTILINE)
        assert found, pattern
    return form_of(text).text


EVERYBODY_CHOOSES = (
    (r"^\[sampling\].*?(?=^\[)", "[sampling]\nfamiliar = 1\n\n"),
)  # fmt: skip
"""People mark the items that they are going to judge, without a limit on people per item."""


NO_ITEMS = ((r"^\[\[items\]\].*", ""),)
"""The items come as a table."""


@contextmanager
def served(folder, form, *options):
    """A survey in a process of its own; gives its address. Its answers are in survey.db."""
    (folder / "form.toml").write_text(form, "utf-8")
    command = ["survey", "serve", "form.toml", "--port", "0", *map(str, options)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tiltmeter", *command], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield re.search(r"http://\S+/", line)[0]
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "All acknowledged answers are in survey.db" in errors, errors


@dataclass
class SeenPage(FormPage):
    """A page as people see it, with its item and questions."""

    shown: list[str] = field(default_factory=list)
    """The texts of the item."""
    questions: dict[str, str] = field(default_factory=dict)
    """The field of each question, by the question's name."""

    def __post_init__(self):
        self._in = self._question = ""
        super().__post_init__()

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        self._in, attributes = tag, dict(attrs)
        name = attributes.get("name") or ""
        if tag == "fieldset":
            self._question = attributes.get("data-question", "")
        elif tag == "blockquote":
            self.shown.append("")
        elif self._question and name.startswith("q"):
            self.questions.setdefault(self._question, name.partition(".")[0])

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        self._in = ""

    def handle_data(self, data):
        super().handle_data(data)
        if self._in == "blockquote":
            self.shown[-1] += data


def given(say):
    """Bots that give the answers to a page, by question, that `say` has for it."""

    def answers(plain: FormPage):
        page, filled = SeenPage(plain.text), untouched(plain)
        for question, value in say(page).items() if page.questions else ():
            name = page.questions[question]
            if isinstance(value, dict):
                filled |= {f"{name}.{part}": text for part, text in value.items()}
            else:
                filled[name] = value if isinstance(value, list | str) else f"{value:.17g}"
        return filled

    return answers


def one_person(address, name, said: Said | None, *, key, say=None, **query):
    """One person's way through a survey.

    Args:
        address: Where it is served.
        name: The person's id.
        said: Their answers; None where they answer whatever they are given.
        key: The item of a page.
        say: Answers by item, where `said` is None.
        query: Of the address, such as the language.
    """

    def answers(page: SeenPage) -> Mapping[str, Value]:
        if page.name == FAMILIAR_PAGE:
            return {FAMILIAR_PAGE: [*said]}
        if "person" in page.questions:
            return {"person": name}
        return say(key(page)) if said is None else said[key(page)]

    with httpx2.Client(timeout=120, verify=NO_CERTIFICATES) as client:
        start = str(httpx2.URL(address).copy_merge_params({"pid": uuid4().hex, **query}))
        return fill_in(client, start, given(answers))


def replayed(address, people: Iterable[tuple[str, Said | None]], *, all_end=True, **named):
    """All people's visits, several at a time; each ends with the completion code."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        done = [threads.submit(one_person, address, *person, **named) for person in people]
        visits = [one.result() for one in done]
    assert all(one.code for one in visits) or not all_end
    return visits


def item_in_text(form, language):
    """Which item a page is about that shows its one text."""
    keys = {item.texts["text"][language]: item.key for item in form_of(form).items}
    return lambda page: keys[page.shown[0]]
