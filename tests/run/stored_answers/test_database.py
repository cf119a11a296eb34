"""The file of answers: two processes, locks, damage."""

import sqlite3
import subprocess
import sys

import pytest

from run.stored_answers.examples import told
from tiltmeter.core.errors import StorageError
from tiltmeter.run.stored_answers import database
from tiltmeter.run.stored_answers.store import Store


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="TILTMETER_CACHE"):
        Store(tmp_path / "file" / "s.sqlite")


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    code = (
        "import sys, numpy as np\n"
        "from tiltmeter.run.stored_answers.store import Store\n"
        "from pathlib import Path\n"
        "with Store(Path(sys.argv[1])) as s:\n"
        "    m = s.model('f', 'm')\n"
        "    for i in range(60):\n"
        "        s.put(m, {f'{sys.argv[2]}{i}'.encode(): np.array([1.0])})\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), who]) for who in "ab"]
    assert [p.wait() for p in both] == [0, 0]
    with Store(path) as store:
        assert told(store) == [("m", 120, 60 * 2 * 12 + sum(len(f"a{i}b{i}") for i in range(60)))]


def test_a_lock_held_too_long_is_explained(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    path = tmp_path / "s.sqlite"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StorageError, match="another process"):
            Store(path).model("f", "m")
    finally:
        other.rollback()
        other.close()
