"""--ray as a user would type it: nothing but our own words, and nothing left behind."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from faults.undisturbed import stored_answers
from support import stand_ins

TESTS = Path(__file__).parents[1]
SOURCE = str(TESTS.parent / "src")


@pytest.fixture
def local(tmp_path, monkeypatch):
    """A cluster of its own for each command, whose workers know the stand-ins."""
    pytest.importorskip("ray", reason="the extra [ray] is not installed")
    installed = stand_ins.install(tmp_path / "installed")
    monkeypatch.setenv("RAY_ADDRESS", "local")
    monkeypatch.setenv("RAY_worker_niceness", "0")  # behind all else, tests would wait for them
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCE, str(TESTS), str(installed)]))


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    rows = [f"p{i},the nurse number {i} was slow,the pilot number {i} was slow" for i in range(20)]
    path.write_text("\n".join(["id,sent_more,sent_less", *rows]), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.usefixtures("local")
def test_a_worker_dies_and_the_output_is_what_it_would_have_been(start, tilt, pairs, tmp_path):
    run = ("--data", pairs, "--workers", 2, "--batch-tokens", 100, "--json")
    far = start("run", "pairs", f"stand_in:once,{tmp_path}", *run, "--ray")
    out, err = far.communicate(timeout=200)
    assert far.returncode == 0, err
    assert (tmp_path / "died").exists()
    told = json.loads(out)  # and nothing else: no word of Ray's
    ours = ("Ray: 2 workers", "loading stand_in", "a worker died; its work", "stand_in:once")
    assert all(line.startswith(ours) for line in err.splitlines()), err
    _, alone, _ = tilt("run", "pairs", "fake:masked", "--data", pairs, "--json")
    near = json.loads(alone)
    assert [e["value"] for e in told["estimates"]] == [e["value"] for e in near["estimates"]]


def runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.slow
@pytest.mark.usefixtures("local")
def test_an_interruption_keeps_what_was_answered_and_leaves_no_process(start, pairs, tmp_path):
    args = ("run", "pairs", f"stand_in:slow,{tmp_path}", "--data", pairs, "--batch-tokens", 20)
    dying = start(*args, "--ray", "--workers", 1)
    store = tmp_path / "cache" / "answers.sqlite"
    for _ in range(1500):
        if stored_answers(store) > 3:
            break
        time.sleep(0.05)
    dying.send_signal(signal.SIGINT)
    out, err = dying.communicate(timeout=60)
    assert dying.returncode == 130, err
    assert out == ""
    assert "to continue" in err
    assert "Traceback" not in err
    worker = int((tmp_path / "pids").read_text().split()[-1])
    for _ in range(200):
        if not runs(worker):
            break
        time.sleep(0.05)
    assert not runs(worker)
    assert stored_answers(store) > 3


def test_workers_without_ray_are_refused(tilt):
    code, _, err = tilt("run", "starter_pairs", "fake", "--workers", 2)
    assert code == 2
    assert "--workers only applies with --ray" in err


def test_a_cluster_that_is_not_there_is_told_at_once(tilt):
    pytest.importorskip("ray", reason="the extra [ray] is not installed")
    code, _, err = tilt("run", "starter_pairs", "fake", "--ray-address", "127.0.0.1:1")
    assert code == 1
    assert "the Ray cluster 127.0.0.1:1 cannot be joined" in err
