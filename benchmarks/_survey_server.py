"""A survey for load: its form, the process that serves it, and what its database must hold afterwards."""

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx2
from sqlalchemy import select

from benchmarks._postgres import free_port
from benchmarks._survey_people import Acknowledged
from tiltmeter.survey.schema import Answer, Assignment, ItemRow, PlatformIdentity
from tiltmeter.survey.store import SurveyStore

STUDY = "load"
SECONDS = 60
"""In which a server must have started."""


@dataclass(frozen=True, slots=True)
class LoadForm:
    """A form of pages with sliders, without a way back, for so many people."""

    people: int
    pages: int = 5
    sliders: int = 16

    @property
    def votes(self) -> int:
        """People for each of the items, of which there are twice as many as pages."""
        return self.people // 2

    @property
    def answers(self) -> int:
        """Answers when everybody has finished."""
        return self.people * self.pages * self.sliders

    @property
    def text(self) -> str:
        """The form file."""
        rows = ", ".join(
            f'{{ name = "low {n} - high {n}", left = "low {n}", right = "high {n}" }}'
            for n in range(self.sliders)
        )
        items = "".join(
            f'\n[[items]]\nid = "group{n}"\ntext = "group {n}"\n' for n in range(2 * self.pages)
        )
        return (
            f'name = "{STUDY}"\ntitle = "Many people"\nconsent = "Do you agree?"\nback = false\n'
            f"[sampling]\neach = {self.pages}\nvotes = {self.votes}\n"
            '[[pages]]\nname = "rate"\npart = "item"\nshow = ["text"]\n'
            '[[pages.questions]]\nkind = "slider"\nlow = 0\nhigh = 100\n'
            f'text = "How are {{item}} seen?"\nrows = [{rows}]\n{items}'
        )


class SurveyProcess:
    """`tiltmeter survey serve` in a process of its own, at one address even when it is started again."""

    def __init__(self, form: LoadForm, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        (folder / "form.toml").write_text(form.text, "utf-8")
        self.start()

    def start(self, *launcher: str) -> None:
        """Start it, under another program where one is given, and wait until it answers."""
        command = [
            *(launcher or (sys.executable,)), "-m", "tiltmeter", "survey", "serve", "form.toml",
            "--port", str(self.port), "--database", self.database,
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            try:
                httpx2.get(f"{self.address}/static/icon.svg")
            except httpx2.TransportError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"the server did not start: {self.kill()}")

    def kill(self) -> str:
        """End it with SIGKILL; gives what it had written to standard error."""
        return self._end(signal.SIGKILL)

    def stop(self) -> str:
        """End it as Ctrl+C does; gives what it had written to standard error."""
        return self._end(signal.SIGINT)

    def cpu_seconds(self) -> float:
        """Processor time that it has used."""
        fields = (
            Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / 100  # user and system, in clock ticks

    def _end(self, how: int) -> str:
        self.process.send_signal(how)
        return self.process.communicate(timeout=SECONDS)[1]


def faults(database: str, form: LoadForm, acknowledged: Mapping[str, Acknowledged]) -> list[str]:
    """What is wrong in the database after everybody has finished; nothing, it is hoped.

    Every acknowledged answer must be there once, under the person who gave it and with its value; there
    must be one answer to every question and no other; and every item must have exactly its people.
    """
    with SurveyStore(database) as store:
        rows = store.read(lambda session: session.execute(
            select(Answer, PlatformIdentity.raw)
            .join(PlatformIdentity, PlatformIdentity.person_id == Answer.person_id)
        ).all())  # fmt: skip
        done = store.read(lambda session: session.execute(
            select(ItemRow.key, Assignment.state).outerjoin(Assignment)
        ).all())  # fmt: skip
        owners = store.read(lambda session: dict(session.execute(
            select(Assignment.id, PlatformIdentity.raw)
            .join(PlatformIdentity, PlatformIdentity.person_id == Assignment.person_id)
        ).all()))  # fmt: skip
    stored = Counter(row.key for row, _ in rows)
    held = {
        row.key: Acknowledged(
            raw["PROLIFIC_PID"], row.page, row.question, row.assignment_id, row.value
        )
        for row, raw in rows
    }
    places = Counter((row.assignment_id, row.question) for row, _ in rows)
    votes = Counter(key for key, state in done if state == "done")
    found = {
        "acknowledged answers that are not stored": sum(key not in held for key in acknowledged),
        "acknowledged answers that are stored otherwise": sum(
            held.get(key, one) != one for key, one in acknowledged.items()
        ),
        "answers stored twice": sum(n - 1 for n in [*stored.values(), *places.values()]),
        "answers too many or too few": abs(len(rows) - form.answers),
        "answers about another person's item": sum(
            owners[row.assignment_id] != raw for row, raw in rows
        ),
        "items with too many or too few people": sum(
            votes[f"group{n}"] != form.votes for n in range(2 * form.pages)
        ),
    }
    return [f"{count} {what}" for what, count in found.items() if count]
