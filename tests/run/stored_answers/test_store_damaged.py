"""Stores in every bad state: what they give is right or nothing, and the user is told."""

import random
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from tiltmeter.core.errors import StorageError
from tiltmeter.run.files import file_locks
from tiltmeter.run.stored_answers import database
from tiltmeter.run.stored_answers.store import Store

VERSIONS = {"newer": 99, "older": 1, "foreign": 0}
KEYS = [i.to_bytes(16) for i in range(1500)]


def answer(key):
    """What was stored under it: three numbers, two rows of them, or a text."""
    i = int.from_bytes(key)
    if i % 3 == 2:
        return f"Reply {i} – ünd so on. " * (i % 5)
    return np.arange(i, i + 6.0).reshape(2, 3) / 7 if i % 2 else np.array([-i / 3, 1.5, i])


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "s.sqlite"
    with Store(path) as store:
        store.put(store.model("f", "m"), {key: answer(key) for key in KEYS})
    assert not path.with_name("s.sqlite-wal").exists()
    return path


def right(found):
    return all(np.array_equal(given, answer(key)) for key, given in found.items())


def used(path):
    """Open, read, write, read: what was found first, and what was said. Nothing is ever wrong."""
    heard = []
    with Store(path, heard.append) as store:
        m = store.model("f", "m")
        found = store.get(m, KEYS)
        store.put(m, {key: answer(key) for key in KEYS if key not in found})
        later = store.get(m, KEYS)
    with Store(path) as store:
        last = store.get(m, KEYS)
    assert all(map(right, (found, later, last)))
    return found, " ".join(heard)


def test_a_sound_store_gives_everything(sound, tmp_path):
    path = shutil.copy(sound, tmp_path / "s.sqlite")
    found, heard = used(path)
    assert len(found) == len(KEYS)
    assert heard == ""


@pytest.mark.parametrize("seed", range(12))
def test_whatever_bytes_change_no_answer_is_wrong(sound, tmp_path, seed):
    """Single bits, runs of noise, pages that changed places, pages of zeros."""
    rng = random.Random(seed)
    for n in range(8):
        whole = bytearray(sound.read_bytes())
        pages = len(whole) // 4096
        for _ in range(rng.choice([1, 5, 40])):
            at, page = rng.randrange(len(whole)), rng.randrange(pages) * 4096
            how = rng.choice(["bit", "noise", "swap", "zeros"])
            if how == "bit":
                whole[at] ^= 1 << rng.randrange(8)
            elif how == "noise":
                whole[at : at + 30] = rng.randbytes(len(whole[at : at + 30]))
            elif how == "swap":
                other = rng.randrange(pages) * 4096
                whole[page : page + 4096], whole[other : other + 4096] = (
                    whole[other : other + 4096], whole[page : page + 4096]
                )  # fmt: skip
            else:
                whole[page : page + 4096] = bytes(4096)
        path = tmp_path / f"{n}.sqlite"
        path.write_bytes(whole)
        used(path)


@pytest.mark.parametrize("share", [0.001, 0.02, 0.3, 0.5, 0.99])
def test_a_cut_store_is_set_aside(sound, tmp_path, share):
    path = tmp_path / "s.sqlite"
    whole = sound.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    _, heard = used(path)
    assert "set aside as s.sqlite.damaged-1" in heard
    with Store(path) as store:
        assert len(store.get(store.model("f", "m"), KEYS)) == len(KEYS)


def test_a_changed_number_is_noticed(sound, tmp_path):
    """The file is a sound database; only the bytes of one answer are others."""
    path = shutil.copy(sound, tmp_path / "s.sqlite")
    with sqlite3.connect(path) as db:
        (blob,) = db.execute("SELECT answer FROM answers WHERE request = ?", (KEYS[4],)).fetchone()
        spoilt = blob[:3] + bytes([blob[3] ^ 1]) + blob[4:]
        db.execute("UPDATE answers SET answer = ? WHERE request = ?", (spoilt, KEYS[4]))
        db.execute("UPDATE answers SET rows = 3 WHERE request = ?", (KEYS[5],))
        db.execute("UPDATE answers SET request = ? WHERE request = ?", (KEYS[6] + b"!", KEYS[6]))
        db.execute("UPDATE answers SET answer = 'text' WHERE request = ?", (KEYS[7],))
        db.execute("UPDATE answers SET model = 17 WHERE request = ?", (KEYS[8],))
    db.close()
    found, heard = used(path)
    assert {k for k in KEYS if k not in found} == set(KEYS[4:9])
    assert "3 stored answers do not match their checksums and are computed again" in heard


@pytest.mark.parametrize(
    "what", ["nothing in it", "a folder", "noise", "text", "newer", "older", "foreign", "edited"]
)
def test_other_things_in_its_place(tmp_path, what):
    path = tmp_path / "s.sqlite"
    if what == "a folder":
        path.mkdir()
        (path / "mine.txt").write_text("x")
    elif what == "edited":
        with Store(path):
            pass
        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE answers")
        db.close()
    elif what in VERSIONS:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE answers (model, request, rows, answer)")
            db.execute(f"PRAGMA user_version={VERSIONS[what]}")
        db.close()
    else:
        path.write_bytes({"nothing in it": b"", "noise": b"\xab" * 9000, "text": b"hello"}[what])
    found, heard = used(path)
    assert found == {}
    aside = tmp_path / "s.sqlite.damaged-1"
    assert (
        aside.exists() == (what != "nothing in it") == ("set aside as s.sqlite.damaged-1" in heard)
    )
    if what in VERSIONS:
        assert "written by another version" in heard
    if what == "a folder":
        assert (aside / "mine.txt").read_text() == "x"


def test_damaged_while_another_has_it_open(sound, tmp_path):
    """It stays where it is; this run keeps its answers to itself, and the next one sets it aside."""
    path = shutil.copy(sound, tmp_path / "s.sqlite")
    heard = []
    with Store(path) as other:
        m = other.model("f", "m")
        damaged = path.read_bytes()[:4096] + bytes(path.stat().st_size - 4096)
        path.write_bytes(damaged)
        with Store(path, heard.append) as store:
            assert store.get(m, KEYS) == {}
            store.put(m, {KEYS[0]: answer(KEYS[0])})
            assert right(store.get(m, KEYS))
        assert "while another process has it open" in "".join(heard)
        assert [p.name for p in tmp_path.glob("*damaged*")] == []
    found, heard = used(path)
    assert found == {}
    assert "set aside as s.sqlite.damaged-1" in heard


WRITES = """
import sys, numpy as np
from pathlib import Path
from tiltmeter.run.stored_answers.store import Store
path, who, n = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Store(path, lambda note: print(note)) as s:
    m = s.model("f", "m")
    for i in range(n):
        s.put(m, {f"{who}{i}".encode(): np.array([1.0])})
        s.flush()
        assert s.get(m, [f"{who}{i}".encode()])
"""


def processes(path, n, each, code=WRITES):
    all_of_them = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), name, str(each)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in "abcdefgh"[:n]
    ]  # fmt: skip
    said = [one.communicate(timeout=250) for one in all_of_them]
    assert [one.returncode for one in all_of_them] == [0] * n, said
    return [out for out, _ in said]


def test_many_small_transactions_of_several_processes(tmp_path):
    path = tmp_path / "s.sqlite"  # none of them finds it made
    processes(path, 4, 150)
    with Store(path) as store:
        assert [(kept.name, kept.answers) for kept in store.summary()] == [("m", 600)]
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"s.sqlite", "s.sqlite.lock"}


def test_several_processes_find_it_damaged(tmp_path):
    """One sets it aside, all go on with the new one, nothing is lost."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"noise" * 5000)
    said = processes(path, 3, 20)
    assert sum("set aside" in out for out in said) == 1
    assert [p.name for p in tmp_path.glob("*damaged*")] == ["s.sqlite.damaged-1"]
    with Store(path) as store:
        assert [kept.answers for kept in store.summary()] == [60]


def test_what_a_killed_process_had_written_is_there(tmp_path):
    path = tmp_path / "s.sqlite"
    dies = WRITES + "    import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n"
    subprocess.run([sys.executable, "-c", dies, str(path), "a", "30"], check=False)
    with Store(path) as store:
        assert [kept.answers for kept in store.summary()] == [30]


def test_where_a_log_cannot_work_there_is_none(tmp_path):
    """No shared memory, as on some drives: here because a folder stands where its file should be."""
    path = tmp_path / "s.sqlite"
    (tmp_path / "s.sqlite-shm").mkdir()
    used(path)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    db.close()


@pytest.mark.parametrize("existing", [False, True])
def test_a_drive_that_machines_share_gets_no_log(sound, tmp_path, monkeypatch, existing):
    path = tmp_path / "s.sqlite"
    if existing:  # as it comes from another drive: with a log
        shutil.copy(sound, path)
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        f"1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / {tmp_path} rw,x shared:1 - nfs4 s:/ rw\n"
    )
    monkeypatch.setattr(file_locks, "MOUNTS", mounts)
    assert file_locks.is_shared(path)
    assert not file_locks.is_shared(tmp_path.parent)
    found, heard = used(path)
    assert len(found) == (len(KEYS) if existing else 0)
    assert heard == ""
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    db.close()
    with Store(path) as one, Store(path) as two:
        m = one.model("f", "m")
        one.put(m, {b"new": np.array([1.0])})
        one.flush()
        assert two.get(m, [b"new"])[b"new"] == [1.0]


def test_answers_with_gaps_and_many_models_stay_apart(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        numbers = [store.model(f"print {i}", "same name", "float32") for i in range(300)]
        assert len(set(numbers)) == 300
        for i, m in enumerate(numbers):
            store.put(m, {b"key": np.array([float(i)])})
        assert [store.get(m, [b"key"])[b"key"][0] for m in numbers] == list(range(300))
        assert len(store.clear(lambda kept: kept.fingerprint == "print 7")) == 1
        assert store.get(numbers[7], [b"key"]) == {}
        assert store.get(numbers[8], [b"key"])[b"key"] == [8.0]


def test_an_answer_needs_few_bytes_beside_its_numbers(tmp_path):
    """A key of 16 and a number of 8; docs/how-to/stored-answers.md says so too."""
    path, rng = tmp_path / "s.sqlite", random.Random(1)
    with Store(path) as store:
        store.put(
            store.model("f", "m"), {rng.randbytes(16): np.array([0.5]) for _ in range(20_000)}
        )
    assert path.stat().st_size < 20_000 * 56


def test_a_lock_that_never_opens_is_told(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    with Store(path) as store:
        m = store.model("f", "m")
        store._db.execute("PRAGMA busy_timeout=20")
        monkeypatch.setattr(database, "PATIENCE", 0.02)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match=r"another process has been writing.*_CACHE"):
            store.put(m, {b"a": np.array([1.0])})
        other.execute("ROLLBACK")
        other.close()


def test_a_store_that_did_not_open_holds_nothing(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(database, "PATIENCE", 0.02)
    with pytest.raises(StorageError, match="another process"):
        Store(path)
    other.execute("ROLLBACK")
    other.close()
    path.write_bytes(b"noise" * 1000)
    with Store(path) as store:
        assert "set aside" in store.note


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_damage_to_the_list_of_tables_is_set_aside_at_once(tmp_path, monkeypatch, bit):
    """No byte of it makes the store wait for another process that is not there, or stops the command."""
    monkeypatch.setattr(database, "PATIENCE", 0)  # whoever waits, fails
    path = tmp_path / "sound" / "s.sqlite"
    path.parent.mkdir()
    with Store(path) as store:
        store.put(store.model("f", "m"), {key: answer(key) for key in KEYS[:9]})
    content = path.read_bytes()
    (size,) = (int.from_bytes(content[16:18]),)
    places = [at for at in range(size) if content[at]][:: 6 if bit == 7 else 19]
    for number, at in enumerate({18, 19, 47, *places}):
        spoilt = bytearray(content)
        spoilt[at] ^= 1 << bit
        other = tmp_path / str(number) / "s.sqlite"
        other.parent.mkdir()
        other.write_bytes(spoilt)
        with Store(other) as store:
            m = store.model("f", "m")
            assert right(store.get(m, KEYS[:9])), at
            store.put(m, {KEYS[0]: answer(KEYS[0])})
            assert right(store.get(m, KEYS[:1])), at
