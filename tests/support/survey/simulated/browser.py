"""A browser of a simulated participant: pages as it reads them, requests over a good or a bad line."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2

from support.survey.replaying import NO_CERTIFICATES, SeenPage
from tiltmeter.survey.keys import new_key

TRIES = 400
"""Requests after which nobody waits any longer."""


@dataclass
class StudyPage(SeenPage):
    """A page with what `answers.js` reads of it, and all its forms and buttons."""

    assignment: int | None = None
    outcome: str = ""
    """How somebody left whose last page it is."""
    asked: dict[str, list[str]] = field(default_factory=dict)
    """The options of each question that is shown, by its name; [] where a number or text is wanted."""
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The least and the largest number, by question."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """Names and values of the buttons."""

    def __post_init__(self):
        self._shown = True
        super().__post_init__()

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        found = {name: value or "" for name, value in attrs}
        if tag == "form" and found.get("data-assignment"):
            self.assignment = int(found["data-assignment"])
        elif "data-outcome" in found:
            self.outcome = found["data-outcome"]
        elif tag == "fieldset":
            self._shown = "hidden" not in found and not self._hidden[-1]
        elif tag == "button" and found.get("name"):
            self.buttons.append((found["name"], found.get("value", "")))
        if self._question and self._shown and found.get("name", "").startswith("q"):
            options = self.asked.setdefault(self._question, [])
            if found.get("type") == "radio":
                options.append(found["value"])
            elif "data-low" in found:
                self.bounds[self._question] = (float(found["data-low"]), float(found["data-high"]))

    @property
    def submit_key(self):
        """The key under which a screen of the form is submitted; "" on other pages."""
        return self.hidden.get("submit_key", "")

    @property
    def hidden(self):
        """The fields that no person fills in."""
        kept = {}
        for one in self.fields:
            if one.attributes.get("type") == "hidden":
                kept.setdefault(one.name, one.attributes.get("value", ""))
        return kept


@dataclass
class Browser:
    """One browser with its cookies."""

    address: str
    rng: random.Random
    script: bool = True
    """Whether it runs JavaScript."""
    slow: bool = False
    """Whether replies get lost, so that requests are sent again."""
    again: int = 0
    """Requests that were sent more than once."""

    async def __aenter__(self):
        self.client = httpx2.AsyncClient(
            base_url=self.address,
            timeout=60,
            verify=NO_CERTIFICATES,
            headers={"accept-language": "en"},
        )
        return self

    async def __aexit__(self, *_):
        await self.client.aclose()

    async def open(self, path):
        """The page at an address, wherever it leads."""
        return await self._followed(await self._answered("GET", path))

    async def submit(self, page, fields):
        """Send a page's form; gives the page that follows, and whether the form was accepted."""
        reply = await self._answered("POST", page.action, data=page.hidden | fields)
        if (
            self.slow and self.rng.random() < 0.2
        ):  # the reply was lost, and the form is sent once more
            self.again += 1
            reply = await self._answered("POST", page.action, data=page.hidden | fields)
        accepted = reply.status_code == httpx2.codes.SEE_OTHER
        return await self._followed(reply), accepted

    async def post(self, page, question, value, supersedes=None):
        """Send one answer as `answers.js` does; gives its key once it is acknowledged, else ""."""
        answer = {
            "key": new_key(), "page": page.name, "question": question, "value": value,
            "time": time.time_ns() // 10**6, "assignment": page.assignment, "supersedes": supersedes,
        }  # fmt: skip
        body, headers = {"answers": [answer], "events": []}, {"x-csrf-token": page.hidden["csrf"]}
        for _ in range(1 + (self.slow and self.rng.random() < 0.3)):
            reply = await self._answered("POST", "/api/answers", json=body, headers=headers)
        stored = reply.json().get("stored", []) if reply.status_code == httpx2.codes.OK else []
        return answer["key"] if answer["key"] in stored else ""

    async def _followed(self, reply):
        while reply.status_code == httpx2.codes.SEE_OTHER:
            reply = await self._answered("GET", reply.headers["location"])
        return StudyPage(reply.text)

    async def _answered(self, method, path, **what):
        """The reply to a request that is sent until it is answered, also after the server was killed."""
        for attempt in range(TRIES):
            try:
                if self.slow and self.rng.random() < 0.1:
                    await self._lost(method, path, what)
                reply = await self.client.request(method, path, **what)
            except httpx2.HTTPError:
                reply = None
            if reply is not None and reply.status_code < httpx2.codes.INTERNAL_SERVER_ERROR:
                return reply
            self.again += 1
            await asyncio.sleep(min(0.05 * 2**attempt, 0.5) * self.rng.uniform(0.5, 1.5))
        raise TimeoutError(f"{method} {path} was never answered")

    async def _lost(self, method: str, path: str, what: dict[str, Any]) -> None:
        """Send a request and go away before its reply comes."""
        self.again += 1
        try:
            async with asyncio.timeout(self.rng.uniform(0.001, 0.02)):
                await self.client.request(method, path, **what)
        except TimeoutError:
            return
