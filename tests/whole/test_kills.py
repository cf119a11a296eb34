"""kill -9 anywhere, several times: the same command ends with the files of an undisturbed run."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults import dying
from faults.undisturbed import card, files, stored_answers, write_pairs, write_starters
from support.architectures import build
from tiltmeter.core.errors import BadInput
from tiltmeter.run.files.folder import read

pytestmark = pytest.mark.slow


def whole(start, folder, *args):
    run = start(*args, cwd=folder)
    _, err = run.communicate(timeout=200)
    assert run.returncode == 0, err
    return files(folder / "runs")


def kill(run, store, *, delay=0.0, answers=0):
    """After the delay, or once there are so many answers, or never if it has ended before."""
    if answers:
        while run.poll() is None and stored_answers(store) < answers:
            time.sleep(0.05)
    else:
        time.sleep(delay)
    run.kill()
    out, err = run.communicate(timeout=60)
    assert run.returncode in {0, -signal.SIGKILL}, err
    assert "Traceback" not in err
    return out


@pytest.mark.parametrize("seed", [1])
def test_at_random_moments(start, tmp_path, monkeypatch, seed):
    args = (
        "run",
        "pairs",
        "fake:masked",
        "--jsonl",
        "--data",
        write_pairs(tmp_path / "d.csv", 150, words=20),
    )
    store = tmp_path / "cache" / "answers.sqlite"
    rng = random.Random(seed)
    moments = [
        *({"delay": rng.uniform(0, 0.8)} for _ in range(2)),
        *({"answers": n} for n in sorted(rng.sample(range(1, 6000), 2))),
        {"delay": rng.uniform(0.3, 1.5)},
    ]
    before = 0
    for moment in moments:
        kill(start(*args), store, **moment)
        assert stored_answers(store) >= before  # what was stored stays
        before = stored_answers(store)
    whole(start, tmp_path, *args)
    assert card(tmp_path / "runs")["run"]["recalled"] >= before
    found = files(tmp_path / "runs")
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
    assert whole(start, tmp_path / "other", *args) == found


def test_while_the_files_are_written(tilt, tmp_path):
    """At the doors of every file: before it is made, settled, renamed; before the seal is broken."""
    args = ("run", "pairs", "fake:masked", "--jsonl", "--data", write_pairs(tmp_path / "d.csv"))
    assert tilt(*args)[0] == 0
    expected = files(tmp_path / "runs")
    (folder,) = (tmp_path / "runs").iterdir()

    def die(nth):
        command = [sys.executable, Path(dying.__file__), str(nth), str(folder), *map(str, args)]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
        )

    lived = die(0)
    assert lived.returncode == 0, lived.stderr
    steps = int(lived.stderr.split()[-1])
    assert steps > 20  # five files, each made, settled, renamed; and the folder looked at
    unsealed = 0
    for nth in sorted(random.Random(3).sample(range(1, steps + 1), 6)):
        assert die(nth).returncode == -signal.SIGKILL
        if (folder / "card.json").exists():
            whole_ones = {f.name: f.read_bytes() for f in folder.iterdir() if f.name[0] != "."}
            whole_ones.pop("card.json")
            assert whole_ones == {k: v for k, v in expected.items() if k != "card.json"}
        else:
            unsealed += 1
            with pytest.raises(BadInput, match="the run did not finish"):
                read(folder)
    assert unsealed > 3
    assert die(0).returncode == 0
    assert files(tmp_path / "runs") == expected  # and nothing else lies there


def test_a_real_network(start, tilt, tmp_path, monkeypatch):
    build("bert", tmp_path / "model")
    data = write_starters(tmp_path / "d.csv", 30)
    args = ("run", "pairs", tmp_path / "model", "--batch-tokens", 300, "--data", data)
    kill(start(*args), tmp_path / "cache" / "answers.sqlite", answers=200)
    assert tilt(*args)[0] == 0
    run = card(tmp_path / "runs")["run"]
    assert run["recalled"] >= 200
    assert run["asked"] > 0
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert tilt(*args)[0] == 0
    assert files(tmp_path / "runs") == files(tmp_path / "other" / "runs")
