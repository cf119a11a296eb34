"""A hundred people at the same moment: how long each of them waits for a survey's reply.

The worst that can happen: all send each request of a visit (the link, the consent, a page, an answer, a
submitted page) at once, and the last one waits for all others. The server is a process of its own, and this
one is all the browsers. A static file of the same server, asked for in the same way before each step, shows
what the machine, Python and HTTP cost by themselves: the ratio carries over to other machines. "server ms" is
the server's processor time for one person: a hundred times that is what the last one waits for on one core.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import numpy as np

from benchmarks._frame import Row, Settings
from benchmarks._survey_people import Pace, SurveyParticipant, Traffic
from benchmarks._survey_server import LoadForm, SurveyProcess

ROUNDS = 3
"""Crowds, each with people of its own; the medians over them are given."""
STATIC = "a static file"
ICON = "/static/icon.svg"
Step = Callable[["Visitor"], Awaitable[httpx2.Response]]


class Visitor(SurveyParticipant):
    """A person who takes one step at a time, as a browser without JavaScript would, and posts an answer."""

    page = ""
    """Where they are."""

    async def static(self) -> httpx2.Response:
        """A file that needs no database."""
        return await self.client.get(ICON)

    async def link(self) -> httpx2.Response:
        """Open the link, which leads to the consent."""
        return await self.client.get(f"/?PROLIFIC_PID={self.name}", follow_redirects=True)

    async def agree(self) -> httpx2.Response:
        """Agree, which hands out items, and come to the first page."""
        data = self.hidden(self.page) | {"agree": "yes"}
        return await self.client.post("/consent", data=data, follow_redirects=True)

    async def answer(self) -> httpx2.Response:
        """Post one answer."""
        body, csrf = self.one_answer(self.page)
        return await self.client.post("/api/answers", json=body, headers={"x-csrf-token": csrf})

    async def submit(self) -> httpx2.Response:
        """Submit the page, and come to the next one."""
        action, fields = self.filled(self.page)
        return await self.client.post(action, data=fields, follow_redirects=True)


STEPS: dict[str, Step] = {
    "open the link": Visitor.link,
    "agree, first page": Visitor.agree,
    "save an answer": Visitor.answer,
    "submit a page, next page": Visitor.submit,
}


def rows(settings: Settings) -> Iterator[Row]:
    """What each step takes, and how much longer that is than a static file."""
    people = 4 if settings.tiny else 100
    rounds = 1 if settings.tiny or settings.quick else ROUNDS
    form = LoadForm(rounds * people, pages=2, sliders=3 if settings.tiny else 16)
    with tempfile.TemporaryDirectory() as folder:
        survey = SurveyProcess(form, Path(folder), str(Path(folder) / "survey.db"))
        crowds = [asyncio.run(_crowd(survey, people, number)) for number in range(rounds)]
        survey.stop()
    case = f"{people} people at the same moment, a page of {form.sliders} sliders, SQLite"
    static = [crowd[STATIC].figures[1] for crowd in crowds]
    for name in crowds[0]:
        steps = [crowd[name] for crowd in crowds]
        p50, p95, slowest = map(float, np.median([step.figures for step in steps], axis=0))
        ratios = [step.figures[1] / other for step, other in zip(steps, static, strict=True)]
        each = float(np.median([1000 * step.cpu / len(step.seconds) for step in steps]))
        values = {"p50 ms": p50, "p95 ms": p95, "slowest ms": slowest, "server ms": each}
        yield Row(
            case, name, None, {**values, "p95, times a static file": float(np.median(ratios))}
        )


@dataclass
class Waits:
    """What one step of one crowd took."""

    seconds: list[float] = field(default_factory=list)
    """For each person, until the reply was there."""
    cpu: float = 0.0
    """Processor seconds of the server for all of them."""

    @property
    def figures(self) -> Sequence[float]:
        """Median, 95th percentile and maximum in milliseconds."""
        return [1000 * float(value) for value in np.percentile(self.seconds, [50, 95, 100])]


async def _crowd(survey: SurveyProcess, people: int, number: int) -> dict[str, Waits]:
    """What so many people wait at each step."""
    traffic, waits = Traffic(), {name: Waits() for name in (STATIC, *STEPS)}
    clients = [httpx2.AsyncClient(base_url=survey.address, timeout=60) for _ in range(people)]
    visitors = [
        Visitor(f"person{number}-{place}", client, traffic, Pace(), script=True)
        for place, client in enumerate(clients)
    ]
    await asyncio.gather(*(visitor.static() for visitor in visitors))  # connections are open now
    for name, step in STEPS.items():
        for what, taken in ((STATIC, Visitor.static), (name, step)):
            before = survey.cpu_seconds()
            waits[what].seconds += await asyncio.gather(*(_timed(v, taken) for v in visitors))
            waits[what].cpu += survey.cpu_seconds() - before
    await asyncio.gather(*(client.aclose() for client in clients))
    return waits


async def _timed(visitor: Visitor, step: Step) -> float:
    """Take one step; gives the seconds until its reply was there."""
    begun = time.perf_counter()
    reply = await step(visitor)
    waited = time.perf_counter() - begun
    reply.raise_for_status()
    if "<form" in reply.text:
        visitor.page = reply.text
    return waited
