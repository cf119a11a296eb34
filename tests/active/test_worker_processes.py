"""Tasks in processes: each is done once, errors come back, and no worker outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock

import pytest

from tiltmeter.active.worker_processes import tasks_done
from tiltmeter.core.errors import BadInput, Unavailable, UnknownName


def work(folder, task):
    if task == "unknown":
        raise UnknownName("strategy", "passiv", ["passive"])
    if task == "refused":
        raise ConnectionRefusedError("nobody answers")
    if task == "locked":
        error = BadInput("the pool is empty", "name another one")
        error.lock = Lock()  # cannot be pickled
        raise error
    if task == "panic":
        raise type("Panic", (BaseException,), {})("index out of bounds")
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    held = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    (folder / f"{task} {os.getpid()} {'without' if held else 'with'} Ctrl-C").touch()
    time.sleep(60 if task == "long" else 0)


@pytest.mark.parametrize("processes", [1, 2])
def test_each_task_is_done_once(tmp_path, processes):
    assert sorted(tasks_done(work, tmp_path, [*"abcde"], processes)) == [*"abcde"]
    made = [path.name.split() for path in tmp_path.iterdir()]
    assert sorted(task for task, *_ in made) == [*"abcde"]
    assert (str(os.getpid()) in {process for _, process, *_ in made}) == (processes == 1)


@pytest.mark.parametrize(
    ("task", "error", "says"),
    [
        ("unknown", UnknownName, "Did you mean 'passive'"),
        ("killed", Unavailable, "use fewer --processes"),
        ("refused", ConnectionRefusedError, "nobody answers"),
        ("locked", BadInput, "the pool is empty; name another one"),
        ("panic", BaseException, "index out of bounds"),
    ],
)
def test_errors_and_deaths_come_back(tmp_path, task, error, says):
    with pytest.raises(error, match=says):
        list(tasks_done(work, tmp_path, ["a", task, "b"], 2))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_worker_outlives_its_parent(tmp_path, how):
    code = (
        "import sys\nfrom pathlib import Path\nfrom test_worker_processes import tasks_done, work\n"
        "if __name__ == '__main__':\n"
        "    list(tasks_done(work, Path(sys.argv[1]), ['a', 'b', 'long'], 3))\n"
    )
    (tmp_path / "parent.py").write_text(code)
    (tmp_path / "made").mkdir()
    folders = [str(Path(__file__).parent), *filter(None, sys.path)]
    with subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", tmp_path / "made"], stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
    ) as parent:  # fmt: skip
        until = time.monotonic() + 60
        while len(made := [*(tmp_path / "made").iterdir()]) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        parent.send_signal(how)
    assert all(path.name.endswith("without Ctrl-C") for path in made)
    idle = [int(path.name.split()[1]) for path in made if not path.name.startswith("long")]
    while any(map(alive, idle)) and time.monotonic() < until:
        time.sleep(0.01)
    assert len(idle) == 2 and not any(map(alive, idle))
    for path in made:  # the one that works on looks at the pipe when it is done
        if alive(process := int(path.name.split()[1])):
            os.kill(process, signal.SIGKILL)


def alive(process):
    status = Path(f"/proc/{process}/status")
    try:
        return "State:\tZ" not in status.read_text()
    except OSError:
        return False
