"""A survey with many people at once: answers stored per second and how long each takes.

200 people rate 5 groups each on 16 sliders; the server is a process of its own, this one is all the
browsers. At "one slider every 1 to 2 s" people come within 20 s and answer at a realistic pace: they
determine the rate, and the times are how long they wait. "Flat out", everybody sends the next request as
soon as the last one is answered: the rate is what the server can do, and the times only follow from it
(people divided by rate).
Afterwards the database is checked; a note lists the answers that are missing or wrong.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from benchmarks._frame import Row, Settings, Value
from benchmarks._postgres import postgres_server, why_none
from benchmarks._survey_people import Pace, Traffic, take_part
from benchmarks._survey_server import LoadForm, SurveyProcess, faults

FLAT_OUT, HUMAN = Pace(), Pace(1.0, 2.0, arrival=20.0)
STORING = ("answer", "submit")
"""Requests that store answers."""
PERCENTILES = (50, 95, 99)


def rows(settings: Settings) -> Iterator[Row]:
    """Each database, each kind of browser, at both paces."""
    form = LoadForm(4, 2, 3) if settings.tiny else LoadForm(40 if settings.quick else 200)
    for name in ("SQLite", "PostgreSQL"):
        case = f"{form.people} people at once, {form.pages} pages of {form.sliders} sliders, {name}"
        if name == "PostgreSQL" and (why := why_none()):
            yield Row(case, "tiltmeter survey serve", skipped=why)
            continue
        with ExitStack() as stack:
            server = stack.enter_context(postgres_server()) if name == "PostgreSQL" else None
            for number, (pace, script) in enumerate(
                [
                    (p, s)
                    for s in (True, False)
                    for p in (HUMAN, FLAT_OUT)
                    if not settings.tiny or p is FLAT_OUT
                ]
            ):
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                database = (
                    server.new_database(f"load{number}") if server else str(folder / "survey.db")
                )
                yield crowd_row(case, form, folder, database, pace, script=script)


def crowd_row(
    case: str, form: LoadForm, folder: Path, database: str, pace: Pace, *, script: bool
) -> Row:
    """One crowd at one server, measured."""
    survey = SurveyProcess(form, folder, database)
    traffic = Traffic()
    begun, before = time.perf_counter(), survey.cpu_seconds()
    asyncio.run(take_part(survey.address, form.people, pace, traffic, script=script))
    took, cpu = time.perf_counter() - begun, survey.cpu_seconds() - before
    survey.stop()
    wrong = faults(database, form, traffic.acknowledged)
    how = "each answer posted at once" if script else "whole pages submitted"
    speed = (
        "flat out" if pace is FLAT_OUT else f"one slider every {pace.least:g} to {pace.most:g} s"
    )
    return Row(case, f"{how}, {speed}", took, _values(traffic, took, cpu), "; ".join(wrong))


def _values(traffic: Traffic, took: float, cpu: float) -> dict[str, Value]:
    saving = [s for kind in STORING for s in traffic.seconds.get(kind, [])]
    pages = traffic.seconds["page"]
    return {
        "answers/s": len(traffic.acknowledged) / took,
        "requests/s": traffic.requests / took,
        **{f"save p{p} ms": float(1000 * np.percentile(saving, p)) for p in PERCENTILES},
        **{f"page p{p} ms": float(1000 * np.percentile(pages, p)) for p in PERCENTILES},
        "status 5xx": traffic.failures,
        "server cores": cpu / took,
    }
