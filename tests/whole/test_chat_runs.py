"""A run against a server: however it is stopped, it loses no reply, asks none twice and shows no key."""

import os
import signal
import sys
import time

import pytest

from faults.undisturbed import files, stored_answers
from plugins import asking
from servers.chat_server import Trouble, serving

KEY = "sk-" + "veryverysecret"


@pytest.fixture
def server():
    with serving() as one:
        yield one


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The study is found by this process and by others."""
    folder = asking.install(tmp_path / "installed")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("TILTMETER_API_KEY", KEY)
    monkeypatch.syspath_prepend(str(folder))
    yield
    sys.modules.pop(asking.NAME, None)


@pytest.fixture
def said(tilt):
    """Run a command in this process and check its exit code; gives what it printed."""

    def call(*args, code=0):
        ended_with, out, err = tilt(*args)
        assert ended_with == code, err
        assert "Traceback" not in err
        return out + err

    return call


def stored(folder):
    return stored_answers(folder / "cache" / "answers.sqlite")


def wait_until(is_so, run):
    deadline = time.monotonic() + 60
    while not is_so():
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ended(run, code):
    out, err = run.communicate(timeout=100)
    assert run.returncode == code, err
    assert "Traceback" not in err
    return out + err


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_stopped_in_the_middle_no_reply_is_lost_and_none_asked_twice(
    start, said, server, tmp_path, how
):
    arguments = ("run", "asking", server.reference, "--at-once", "3")
    server.holds_from = 9
    run = start(*arguments)
    wait_until(lambda: len(server.asked) == 11 and stored(tmp_path) == 8, run)  # 3 are under way
    run.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.5)
        server.release.set()  # what is under way is still answered, and stored
        told = ended(run, 130)
    else:
        told = ended(run, -signal.SIGKILL)
        server.release.set()
    kept = 11 if how == signal.SIGINT else 8
    assert stored(tmp_path) == kept
    server.holds_from, before = None, len(server.asked)
    told += said(*arguments)
    again = server.prompts()[before:]
    assert len(again) == 20 - kept
    assert not set(server.prompts()[:kept]) & set(again)
    assert len(set(server.prompts())) == 20
    first = files(tmp_path / "runs")
    told += said(*arguments, "--out", "others")  # everything is stored
    assert len(server.asked) == before + len(again)
    assert files(tmp_path / "others").keys() == first.keys()
    assert_no_key(tmp_path, told)


def assert_no_key(folder, told):
    kept = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "card.json" for path in kept)
    assert any(path.name.startswith("answers.sqlite") for path in kept)
    assert not [path for path in kept if KEY.encode() in path.read_bytes()]
    assert KEY not in told


@pytest.mark.usefixtures("installed")
def test_a_server_that_fails_ends_in_one_clear_error_and_the_same_command_goes_on(
    said, server, tmp_path
):
    echo = f'{{"error": {{"message": "{KEY} is out of credit"}}}}'.encode()
    arguments = ("run", "asking", server.reference, "--at-once", "2", "--tries", "2")
    server.troubles = [Trouble(times=7), Trouble(status=503, body=echo)]
    told = said(*arguments, code=1)
    assert f"{server.url}/v1/chat/completions: the server answers 503" in told
    assert "[key] is out of credit" in told and "(2 attempts)" in told
    assert "7 answers of this run are stored, and the same command continues from there" in told
    server.troubles, before = [], len(server.asked)
    told += said(*arguments)
    assert len(server.asked) - before == 13
    assert_no_key(tmp_path, told)


@pytest.mark.usefixtures("installed")
def test_the_card_names_the_server_and_how_to_repeat_the_run(said, server, tmp_path):
    said("run", "asking", server.reference)
    (card,) = (tmp_path / "runs").glob("*/card.json")
    text = card.read_text("utf-8")
    assert f"tiltmeter run asking '{server.reference}'" in text
    assert "weights behind a server may change" in text
    assert '"system fingerprint": "fp-1"' in text


@pytest.mark.usefixtures("installed")
def test_secrets_in_addresses_and_keys_without_encryption_are_refused(said, tmp_path):
    for reference, message in (
        ("chat:https://me:hunter2@host#m", "user name or password"),
        ("chat:http://host.example#m", "without encryption"),
    ):
        told = said("run", "asking", reference, code=2)
        assert message in told
        assert "hunter2" not in told and KEY not in told
    assert not (tmp_path / "runs").exists() or not any((tmp_path / "runs").iterdir())


@pytest.mark.usefixtures("installed")
def test_a_plan_sends_nothing_and_a_limit_stops_after_so_many_requests(
    tilt, said, server, tmp_path
):
    arguments = ("run", "asking", server.reference)
    assert "20" in said(*arguments, "--plan")
    assert server.asked == []
    code, out, err = tilt(*arguments, "--max-requests", "7")
    assert code != 0 and "Traceback" not in err, out + err
    assert len(server.asked) == server.answered == stored(tmp_path) == 7
    said(*arguments)
    assert len(server.asked) == len(set(server.prompts())) == 20
