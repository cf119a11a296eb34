"""A served process that is killed has lost nothing that it acknowledged."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from sqlalchemy import select

from support.survey.forms import a_form
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.schema import Answer
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.bots import FormPage
from tiltmeter.survey.web.serving import PROXIES, listening, proxies_given
from tiltmeter.survey.web.sessions import COOKIE, csrf_token

PEOPLE = 4


def started(folder, consent="Do you agree?"):
    """A survey served by a process of its own, and its address."""
    form = a_form(sampling="each = 4").text.replace("Do you agree?", consent)
    (folder / "form.toml").write_text(form, "utf-8")
    command = ["survey", "serve", "form.toml", "--port", "0", "--database", "survey.db"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tiltmeter", *command], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    line = process.stdout.readline()
    return process, re.search(r"http://\S+", line)[0]


def rate(address, acknowledged):
    """Answer one page again and again until the server is gone."""
    with httpx2.Client(base_url=address, timeout=20, follow_redirects=True) as client:
        page = FormPage(client.get("/").text)
        fields = {f.name: f.attributes.get("value", "") for f in page.fields}
        reply = client.post("/consent", data=fields | {"agree": "yes"})
        at = int(re.search(r'data-assignment="(\d+)"', reply.text)[1])
        headers = {"x-csrf-token": csrf_token(client.cookies[COOKIE])}
        for value in range(101):
            answer = {
                "key": new_key(), "page": "rate", "question": "cold - warm", "value": value,
                "time": 1, "assignment": at,
            }  # fmt: skip
            try:
                reply = client.post("/api/answers", json={"answers": [answer]}, headers=headers)
            except httpx2.HTTPError:
                return
            assert reply.status_code == 200
            acknowledged += reply.json()["stored"]


def test_every_acknowledged_answer_survives_kill_9_exactly_once(tmp_path):
    acknowledged = []
    for _ in range(2):
        process, address = started(tmp_path)
        enough = len(acknowledged) + 60
        with ThreadPoolExecutor(PEOPLE) as people:
            futures = [people.submit(rate, address, acknowledged) for _ in range(PEOPLE)]
            while len(acknowledged) < enough and not all(f.done() for f in futures):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            for future in futures:
                future.result()
        process.communicate()
    with SurveyStore(tmp_path / "survey.db") as store:
        stored = Counter(store.read(lambda session: session.scalars(select(Answer.key)).all()))
    assert len(acknowledged) >= 120
    assert set(acknowledged) <= set(stored)
    assert set(stored.values()) == {1}


def test_ctrl_c_ends_it_without_a_traceback_and_no_address_was_logged(tmp_path):
    process, address = started(tmp_path, consent="TODO: ask for consent")
    visited = httpx2.get(f"{address}?PROLIFIC_PID=secretid", follow_redirects=True)
    assert visited.status_code == 200
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Stopped" in said and "Traceback" not in said
    assert f"Researchers' pages: {address}admin" in said
    assert "still to be written (TODO): consent" in " ".join(said.split())
    assert "secretid" not in printed + said


def test_a_port_that_is_taken_is_named():
    with listening("127.0.0.1", 0) as at:
        port = at.getsockname()[1]
        with pytest.raises(BadInput, match=f"{port} cannot be used: Address already in use; give"):
            listening("127.0.0.1", port)


def test_proxies_are_addresses_or_networks():
    assert proxies_given(()) == PROXIES
    assert proxies_given(["10.0.0.5", "10.0.0.0/8", "::1", "*"]) == [
        "10.0.0.5",
        "10.0.0.0/8",
        "::1",
        "*",
    ]
    with pytest.raises(BadInput, match=r"'caddy' is no address .*; give an address such as"):
        proxies_given(["caddy"])
