"""A live round over HTTP: bots answer, the strategy chooses, and `active report` shows the same tables."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.people_answers import votes_of
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.bots import visits

FORM = """
name = "mood"
title = "Moods"
consent = "Do you agree?"
[sampling]
each = 3
votes = 5
[[pages]]
name = "label"
part = "item"
show = ["text"]
[[pages.questions]]
name = "mood"
kind = "choice"
text = "Is this kind?"
options = [{ value = "no", text = "No" }, { value = "yes", text = "Yes" }]
[outcomes.finished]
text = "Thank you."
"""
WORDS = ("sun rain", "rain wind", "wind snow", "snow sun")


@pytest.fixture
def live(tmp_path):
    """Starts the command; the server is stopped at the end."""
    (tmp_path / "mood.toml").write_text(FORM)
    rows = [f"t{n},{WORDS[n % 4]} {WORDS[n % 3]} {n % 7}" for n in range(50)]
    (tmp_path / "items.csv").write_text("id,text\n" + "\n".join(rows) + "\n")
    command = (
        "live mood.toml --items items.csv --strategy daal --budget 35 --entropy-items 10 --votes-each 2 "
        "--test-items 10 --every 5 --per-person 20 --encoder tf-idf --port 0"
    )
    started = []

    def start():
        words = [sys.executable, "-m", "tiltmeter", "active", *command.split()]
        process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        started.append(process)
        address = re.search(r"http://\S+", process.stdout.readline())
        return process, address[0]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.slow
def test_a_round_with_bots_survives_a_kill_and_ends_in_the_report(live, tilt, tmp_path):
    process, address = live()
    assert all(visit.code for visit in visits(address, 2))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process, address = live()
    assert all(visit.code for visit in visits(address, 1))
    assert process.stdout.readline() == "mood: 35 votes; the budget is spent\n"
    assert all(not visit.code for visit in visits(address, 1))  # open, but nothing is left
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    code, out, err = tilt("active", "report", "active", "--json")
    assert code == 0, err
    made = json.loads(out)
    (source,) = made["card"]["sources"]
    assert source["pool"]["name"] == "mood" and source["measured at"].endswith("35 votes")
    votes = next(e for e in made["estimates"] if e["name"] == "votes")
    assert votes["groups"]["strategy"] == "daal" and 20 <= votes["value"] <= 35
    reasons = [json.loads(line)["reason"] for line in asked(tmp_path)]
    assert reasons.count("test item") == 20 and reasons.count("start") == 20
    assert any("entropy" in reason for reason in reasons)


def asked(folder):
    """The lines of the file that says why each item was asked."""
    file = folder / "active/mood-live/asked.jsonl"
    return file.read_text().splitlines() if file.exists() else []


def visited(address, completed):
    """Let bots answer until the server is gone; `completed` are the codes of those who were thanked."""
    with suppress(BadInput):
        for visit in visits(address, 50):
            completed.append(visit.code)


@pytest.mark.slow
def test_kills_at_random_moments_lose_no_vote(live, tmp_path):
    rng, thanked, votes = random.Random(3), [], 0
    for _ in range(3):
        process, address = live()
        with ThreadPoolExecutor(1) as bots:
            bots.submit(visited, address, thanked)
            more, until = len(asked(tmp_path)) + rng.randint(1, 25), time.monotonic() + 60
            while len(asked(tmp_path)) < more and time.monotonic() < until:
                time.sleep(0.005)
            process.kill()
        with SurveyStore(tmp_path / "survey.db") as store:
            found = store.read(lambda session: votes_of(session, 1, "mood"))
        assert len(found) >= max(votes, 20 * len(thanked))
        votes = len(found)
    lines = [json.loads(line) for line in asked(tmp_path)]
    given = {line["assignment"]: line["item"] for line in lines}
    assert len(given) == len(lines)  # also where a kill came between a reason and its commit
    assert found and all(given[vote.assignment] == vote.item for vote in found)
