"""From a model to a result: replies, a survey with people, a live round, and the study with their answers."""

import csv
import json
import re
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.survey.replaying import replayed, served
from tiltmeter.studies.first_person.requests import FirstPersonFile
from tiltmeter.survey.form_file import form_text

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
RUN = (
    "run",
    "first_person",
    "demo",
    "--set",
    "max_tokens=12",
    "--set",
    "comparisons=women and men",
)


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory):
    """A cache in which the demo model is converted once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def demo_converted_once(own_cache, shared_cache, monkeypatch):  # noqa: ARG001  (comes after it)
    monkeypatch.setenv("TILTMETER_CACHE", str(shared_cache))


SAME = {"better": "same", "stereotype": "neither"}


def pairs(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def longer(shown):
    """People like the longer reply."""
    if len(shown) < 3:
        return SAME
    first, second = map(len, shown[-2:])
    better = "same" if first == second else "first" if first > second else "second"
    return {**SAME, "better": better}


def estimates(tilt, *more):
    code, out, err = tilt(*RUN, *more, "--json")
    assert code == 0, err
    return {e["name"]: e for e in json.loads(out)["estimates"] if not e["groups"]}


@contextmanager
def live(folder, *options):
    command = ["active", "live", "compare_replies", "--items", "pairs.csv", "--port", "0", *options]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "tiltmeter", *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield re.search(r"http://\S+/", process.stdout.readline())[0], process.stdout
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_the_commands_of_the_page_lead_from_nothing_to_an_interval(tmp_path, tilt):
    page = (Path(__file__).parents[2] / "docs" / "studies" / "first_person.md").read_text("utf-8")
    commands = page.partition("```bash\n")[2].partition("```")[0].splitlines()
    for command in commands:
        words = [
            str(*tmp_path.glob(word)) if "*" in word else word for word in shlex.split(command)[1:]
        ]
        code, out, err = tilt(*words)
        assert code == 0, (command, err)
    assert len(commands) == 5 and "95 % interval" in " ".join(out.split())


def test_people_judge_blind_in_both_orders_and_the_result_is_what_they_said(tmp_path, tilt):
    assert tilt(*RUN, "--out", "replies")[0] == 0
    (folder,) = (tmp_path / "replies").iterdir()
    assert tilt("export", str(folder), "pairs.csv", "--what", "items")[0] == 0
    rows = pairs(tmp_path / "pairs.csv")
    seen = set()

    def noted(page):
        seen.update(page.text.split())
        words = [text.split() for text in page.shown]
        for row in rows:  # the replies come in either order
            replies = [row["reply_1"], row["reply_2"]]
            if row["request"].split() in words and all(r.split() in words for r in replies):
                return [row["request"], *replies]
        return page.shown

    with served(tmp_path, form_text("compare_replies"), "--items", "pairs.csv") as address:
        replayed(address, [(f"p{n}", None) for n in range(6)], key=noted, say=longer, all_end=False)
    groups = FirstPersonFile.named().groups
    assert seen.isdisjoint(name for g in groups for user in g.users for name in user.split())
    assert tilt("survey", "export", "--out", "answers")[0] == 0
    made = estimates(tilt, "--set", "people=answers/answers.csv", "--set", "judge=lexicon")
    wins = [
        (len(row["reply_1"]) - len(row["reply_2"])) * (1 if row["order"] == "1 2" else -1)
        for row in rows
    ]
    expected = 100 * sum((w > 0) - (w < 0) for w in wins) / len(wins)
    people = made["people_preference"]
    assert people["value"] == pytest.approx(expected) and people["n"] == len(rows)
    assert people["low"] < people["value"] < people["high"]
    assert made["people_agreement"]["value"] == 100

    options = ("--strategy", "entropy", "--budget", "30", "--every", "5", "--test-items", "10",
               "--entropy-items", "5", "--votes-each", "2", "--database", "live.db")  # fmt: skip
    with live(tmp_path, *options) as (address, output):
        replayed(address, [(f"q{n}", None) for n in range(6)], key=noted, say=longer, all_end=False)
        assert "30 votes; the budget is spent" in output.readline()
    assert tilt("survey", "export", "--database", "live.db", "--out", "asked")[0] == 0
    rounds = "asked=active/compare_replies-live/asked.jsonl"
    drawn = estimates(tilt, "--set", "people=asked/answers.csv", "--set", rounds)
    assert drawn["reply_preference"]["n"] == 15
