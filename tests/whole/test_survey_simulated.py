"""A paid study with everything that participants do, over HTTP: nothing that they were promised is missing.

Five hundred people, on SQLite and on PostgreSQL, take minutes: `python -m pytest -m long` with this file.
"""

import asyncio
import csv
import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks._postgres import postgres_server, why_none

from support.survey.simulated.ledger import Held, Ledger, differences, held
from support.survey.simulated.participants import Plan, all_take_part, crowd
from support.survey.simulated.server import SimulatedServer
from support.survey.stub_panel import stub_panel
from tiltmeter.survey.outcomes import OUTCOMES
from tiltmeter.survey.persons import BATCH

FORM = """
name = "paid"
title = "How are groups seen?"
consent = "Do you agree to take part?"
pay = {{ amount = 2.0, hourly = 12.0 }}

[sampling]
each = 3
votes = {votes}
lease = 10

{outcomes}

[[pages]]
name = "about-you"
part = "screening"

[[pages.questions]]
kind = "choice"
name = "adult"
text = "Are you 18 or older?"
options = ["yes", "no"]
screen_out = ["no"]

[[pages]]
name = "last"
part = "end"

[[pages.questions]]
kind = "choice"
name = "care"
text = "Please choose blue."
options = ["red", "blue"]
expected = "blue"

[[pages]]
name = "rate"
part = "item"
show = ["text"]

[[pages.questions]]
kind = "slider"
text = "How are {{item}} seen?"
rows = [
  {{ name = "cold - warm", left = "cold", right = "warm" }},
  {{ name = "poor - wealthy", left = "poor", right = "wealthy" }},
]

[[pages.questions]]
kind = "choice"
name = "known"
text = "Do you know any?"
options = ["yes", "no"]

[demographics]
[[demographics.questions]]
kind = "choice"
name = "age"
text = "How old are you?"
options = ["young", "old"]
{items}
"""


PAID = {"finished": 2.0, "failed_checks": 2.0, "screened_out": 0.1, "stopped": 2.0, "withdrew": 2.0}
"""What the form says that people with an outcome are paid."""


def form(size, panel):
    outcomes = "".join(
        f'[outcomes.{name}]\ncode = "{name}"\nurl = "{panel.back}"\npay = {PAID.get(name, 0)}\n'
        for name in OUTCOMES
    )
    listed = "".join(f'\n[[items]]\nid = "g{n}"\ntext = "group {n}"\n' for n in range(size.items))
    return FORM.format(votes=size.votes, items=listed, outcomes=outcomes)


@dataclass(frozen=True)
class Size:
    """How many people come, how many at once, and what there is for them."""

    people: int
    at_once: int
    items: int
    votes: int
    """More than those who go on need, so that nobody is too late in the first crowd."""


QUICK = Size(people=30, at_once=30, items=10, votes=8)
WHOLE = Size(people=500, at_once=100, items=60, votes=23)


def simulated(server, size, ledger):
    """Everybody takes part while the server is killed twice; gives their plans."""
    first = crowd(size.people, 1)

    async def run():
        async def kills():
            for share in (1, 2):
                while ledger.acknowledged < share * size.people * 3:  # noqa: ASYNC110 no event
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(server.killed)

        async with asyncio.TaskGroup() as group:
            group.create_task(all_take_part(first, server.address, ledger, at_once=size.at_once))
            group.create_task(kills())
        server.later(45)  # the places of those who went away are free again
        back = [plan for plan in first if plan.does == "returns"]
        await all_take_part(back, server.address, ledger, at_once=size.at_once, again=True)
        late = [Plan(f"L{number:04}") for number in range(size.people)]
        for end in range(20, len(late) + 1, 20):
            await all_take_part(late[end - 20 : end], server.address, ledger, at_once=20)
            if "full" in ledger.outcomes.values():
                return [*first, *late[:end]]
        raise AssertionError("there is always a place left")

    return asyncio.run(run())


@dataclass
class Simulation:
    """A study that everybody has left."""

    size: Size
    ledger: Ledger
    plans: list[Plan]
    now: Held
    panel: dict[str, set[str]]
    """The codes with which people came back."""

    def outcomes(self):
        """Everybody left as they meant to: their browser, the database and the panel say so."""
        wrong = {
            plan: (self.ledger.outcomes[plan.name], self.now.outcomes.get(plan.name))
            for plan in self.plans
            if self.ledger.outcomes[plan.name] != self.now.outcomes.get(plan.name)
            or self.ledger.outcomes[plan.name] not in {plan.outcome, "full"}
        }
        assert wrong == {}
        shown = {n: o for n, o in self.ledger.outcomes.items() if o != "timed_out"}
        assert self.panel == {name: {outcome} for name, outcome in shown.items()}

    def places(self):
        """Nobody has an item twice, and every item has the people that it needs and no others."""
        assert self.now.twice == []
        done = {item: count for (item, state), count in self.now.votes.items() if state == "done"}
        assert done == {f"g{n}": self.size.votes for n in range(self.size.items)}

    def answers(self, tilt, *database):
        """Every acknowledged answer is exported with its last value, and no other."""
        assert tilt("survey", "export", *database, "--out", "export")[0] == 0
        assert differences(self.ledger, rows("export/answers.csv"), self.now) == []
        given = Counter(tuple(row.items()) for row in rows("export/demographics.csv"))
        assert given <= Counter(self.ledger.about.values())
        assert len(self.ledger.about) - given.total() < BATCH  # the others wait to be mixed

    def payments(self, tilt, *database):
        """Everybody is owed what the form says of how they left, and the lists for the panel sum up to it."""
        pay = json.loads(tilt("survey", "pay", *database, "--lists", "lists", "--json")[1])
        listed = json.loads(tilt("survey", "people", *database, "--json")[1])["people"]
        owed = {
            one["id"]: (one["outcome"].replace(" ", "_"), float(one["amount"])) for one in listed
        }
        assert owed == {n: (o, PAID.get(o, 0.0)) for n, o in self.ledger.outcomes.items()}
        amounts = sum(amount for _, amount in owed.values())
        assert float(pay["amounts"]) == pytest.approx(amounts)
        assert float(pay["total"]) == pytest.approx(amounts + float(pay["bonuses"]))
        approved = Path("lists/prolific-approve.txt").read_text("utf-8").split()
        full = {name for name, (_, amount) in owed.items() if amount == PAID["finished"]}
        assert len(approved) == len(full) and {*approved} == full
        assert sum(float(each["amount"]) for each in pay["lists"]) == pytest.approx(
            float(pay["total"])
        )

    def analyses(self, tilt):
        """With and without those who did not read what they were asked, analyses run and say both."""
        failed = [n for n, o in self.ledger.outcomes.items() if o == "failed_checks"]
        for command in (("analyse", "agreement", "--question", "known"), ("analyse", "ratings")):
            file = "export/answers.csv" if command[1] == "agreement" else "export/ratings.csv"
            said = tilt(*command[:2], file, *command[2:], "--without", "attention", "--out", "runs")
            assert said[0] == 0, said
            assert f"with them {len(failed)} of" in " ".join(said[1].split()), said


def rows(file):
    with Path(file).open(encoding="utf-8") as lines:
        return [*csv.DictReader(lines)]


def run(folder, database, size):
    """A study from its first participant to its last."""
    with stub_panel() as panel:
        server = SimulatedServer(form(size, panel), folder, database)
        ledger = Ledger(panel=panel.address)
        plans = simulated(server, size, ledger)
        errors = server.stop()
        codes = {name: set(given) for name, given in panel.codes.items()}
    assert "Traceback" not in errors, errors
    assert server.kills == 2 and ledger.again > 0
    return Simulation(size, ledger, plans, held(database), codes)


def test_a_small_crowd(tilt, tmp_path):
    done = run(tmp_path, str(tmp_path / "survey.db"), QUICK)
    done.outcomes()
    done.places()
    done.answers(tilt)
    done.payments(tilt)
    done.analyses(tilt)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_five_hundred_people(kind, tilt, tmp_path):
    with ExitStack() as stack:
        database = str(tmp_path / "survey.db")
        if kind == "postgresql":
            pytest.importorskip("psycopg")
            if why := why_none():
                pytest.skip(why)
            database = stack.enter_context(postgres_server()).new_database("paid")
        done = run(tmp_path, database, WHOLE)
        done.outcomes()
        done.places()
        done.answers(tilt, "--database", database)
        done.payments(tilt, "--database", database)
        done.analyses(tilt)
