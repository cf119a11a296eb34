"""People who take part in a survey at the same time, over HTTP: what their browsers send, and when.

With JavaScript a browser posts every answer as soon as it is given, and submits the page at the end;
without, it submits the page alone. Whatever is not acknowledged is sent again with the same keys.
"""

import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tiltmeter.survey.keys import new_key

SLIDERS = 16
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
QUESTION = re.compile(r'data-question="([^"]+)"')
PLACE = re.compile(
    r'<form method="post" action="([^"]+)".*?data-page="([^"]+)" data-assignment="(\d+)"', re.DOTALL
)
CODE = re.compile(r'id="code"[^>]*>([^<]+)<')
Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people are: seconds from one slider to the next, from the least to the most; 0 is flat out."""

    least: float = 0.0
    most: float = 0.0
    arrival: float = 0.0
    """Seconds within which all of them open the link."""

    def pause(self, rng: random.Random, sliders: int = 1) -> float:
        """Seconds for so many sliders."""
        return sum(rng.uniform(self.least, self.most) for _ in range(sliders))


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An answer that the server said it has stored."""

    person: str
    page: str
    question: str
    assignment: int
    value: float


@dataclass
class Traffic:
    """What was sent, how long each request took, and what was acknowledged."""

    acknowledged: dict[str, Acknowledged] = field(default_factory=dict)
    """By key."""
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """By kind of request: those that were answered."""
    statuses: Counter[int] = field(default_factory=Counter)
    again: int = 0
    """Requests that had to be sent again."""
    codes: Counter[str] = field(default_factory=Counter)
    """Completion codes that people were shown."""

    def took(self, kind: str, seconds: float, status: int) -> None:
        """Note a request that was answered."""
        self.seconds.setdefault(kind, []).append(seconds)
        self.statuses[status] += 1

    @property
    def requests(self) -> int:
        """Requests that were answered."""
        return sum(map(len, self.seconds.values()))

    @property
    def failures(self) -> int:
        """Answers with a status of 500 or more."""
        return sum(count for status, count in self.statuses.items() if status >= 500)


@dataclass
class SurveyParticipant:
    """One person with one browser."""

    name: str
    client: httpx2.AsyncClient
    traffic: Traffic
    pace: Pace
    script: bool
    """Whether the browser runs JavaScript."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.name)

    async def take_part(self) -> None:
        """From the link to the completion code."""
        page = await self._send("page", "GET", f"/?PROLIFIC_PID={self.name}")
        page = await self._send("page", "POST", "/consent", data=_hidden(page) | {"agree": "yes"})
        while not (code := CODE.search(page)):
            page = await self._answer(page)
        self.traffic.codes[code[1]] += 1

    async def _answer(self, page: str) -> str:
        """Answer one page; gives the next."""
        action, assignment, hidden, given = self.opinions(page)
        values = {f"q{number}": one.value for number, one in enumerate(given)}
        if self.script:
            for one in given:
                await asyncio.sleep(self.pace.pause(self.rng))
                await self._post_answer(one, hidden["csrf"])
        else:
            await asyncio.sleep(self.pace.pause(self.rng, len(given)))
        fields = hidden | {field: f"{value:g}" for field, value in values.items()}
        submitted = await self._once("submit", "POST", action, data=fields)
        if not self.script:
            keys = (hidden[field.replace("q", "k")] for field in values)
            self.traffic.acknowledged |= dict(zip(keys, given, strict=True))
        following = await self._send("page", "GET", submitted.headers["location"])
        if self.script:
            await self._post_hidden(action.rpartition("/")[2], assignment, hidden["csrf"])
        return following

    def opinions(self, page: str) -> tuple[str, int, Fields, list[Acknowledged]]:
        """Where a page's form goes, its assignment and hidden fields, and an answer to each question."""
        found = PLACE.search(page)
        if found is None:
            raise ValueError("neither a page of sliders nor the end")
        given = [
            Acknowledged(
                self.name, found[2], question, int(found[3]), float(self.rng.randint(0, 100))
            )
            for question in QUESTION.findall(page)
        ]
        return found[1], int(found[3]), _hidden(page), given

    def one_answer(self, page: str) -> tuple[dict[str, Any], str]:
        """What a browser posts of the first question of a page, and the token beside it."""
        _, _, hidden, given = self.opinions(page)
        return _batch(given[0]), hidden["csrf"]

    def filled(self, page: str) -> tuple[str, Fields]:
        """Where a page's form goes, and its fields, filled in."""
        action, _, hidden, given = self.opinions(page)
        fields = {f"q{number}": f"{one.value:g}" for number, one in enumerate(given)}
        return action, hidden | fields

    def hidden(self, page: str) -> Fields:
        """The fields of a page that nobody fills in."""
        return _hidden(page)

    async def _post_answer(self, one: Acknowledged, csrf: str) -> None:
        """Send an answer until it is acknowledged."""
        stored = await self._post("answer", _batch(one), csrf)
        self.traffic.acknowledged |= dict.fromkeys(stored, one)

    async def _post_hidden(self, screen: str, assignment: int, csrf: str) -> None:
        """A page that is left is hidden; the next one sends that."""
        body = {
            "key": new_key(), "screen": screen, "kind": "hidden", "time": time.time_ns() // 10**6,
            "assignment": assignment,
        }  # fmt: skip
        await self._post("event", {"answers": [], "events": [body]}, csrf)

    async def _post(self, kind: str, batch: dict[str, Any], csrf: str) -> list[str]:
        headers = {"x-csrf-token": csrf}
        reply = await self._once(kind, "POST", "/api/answers", json=batch, headers=headers)
        stored: list[str] = reply.json()["stored"]
        return stored

    async def _send(self, kind: str, method: str, path: str, **what: Any) -> str:
        """The page to which a request leads in the end."""
        reply = await self._once(kind, method, path, **what)
        while reply.status_code == httpx2.codes.SEE_OTHER:
            reply = await self._once("page", "GET", reply.headers["location"])
        return str(reply.text)

    async def _once(self, kind: str, method: str, path: str, **what: Any) -> httpx2.Response:
        """One request, sent again until it is answered."""
        for attempt in range(1000):
            begun = time.perf_counter()
            try:
                reply = await self.client.request(method, path, **what)
            except httpx2.HTTPError:
                await self._wait(attempt)
                continue
            self.traffic.took(kind, time.perf_counter() - begun, reply.status_code)
            if reply.status_code < 400:
                return reply
            if reply.status_code < 500:
                raise ValueError(
                    f"{method} {path}: status {reply.status_code}: {reply.text[-500:]}"
                )
            await self._wait(attempt)
        raise TimeoutError(f"{method} {path} was never answered")

    async def _wait(self, attempt: int) -> None:
        self.traffic.again += 1
        await asyncio.sleep(min(0.05 * 2**attempt, 1.0) * self.rng.uniform(0.5, 1.5))


def _hidden(page: str) -> Fields:
    """The hidden fields of a page's form."""
    return dict(HIDDEN.findall(page))


def _batch(one: Acknowledged) -> dict[str, Any]:
    """What a browser sends of one answer."""
    body = {
        "key": new_key(), "page": one.page, "question": one.question, "value": one.value,
        "time": time.time_ns() // 10**6, "assignment": one.assignment, "supersedes": None,
    }  # fmt: skip
    return {"answers": [body], "events": []}


async def take_part(
    address: str, people: int, pace: Pace, traffic: Traffic, *, script: bool, first: int = 0
) -> None:
    """Let people go through a survey, all at the same time.

    Args:
        address: Of the survey.
        people: How many.
        pace: How fast each of them is.
        traffic: Where it is noted what they sent.
        script: Whether their browsers run JavaScript.
        first: Number of the first person; each has an id of their own.
    """

    async def one(number: int) -> None:
        name = f"person{number}"
        await asyncio.sleep(random.Random(name).uniform(0, pace.arrival))
        async with httpx2.AsyncClient(base_url=address, timeout=60, verify=False) as client:
            await SurveyParticipant(name, client, traffic, pace, script).take_part()

    async with asyncio.TaskGroup() as group:
        for number in range(first, first + people):
            group.create_task(one(number))
