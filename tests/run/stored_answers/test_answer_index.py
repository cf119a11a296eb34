"""The index of stored answers against a dict, with few entries apart from the others."""

import random
import shutil
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tiltmeter.run.files.file_locks import Claim
from tiltmeter.run.stored_answers import answer_index
from tiltmeter.run.stored_answers.store import Store

NEWEST = 20


@pytest.fixture
def small(monkeypatch):
    """20 entries are sorted apart from the others, instead of thousands."""
    monkeypatch.setattr(answer_index, "NEWEST", NEWEST)


def key(number):
    return number.to_bytes(16)


def contents(store, models, most):
    """Every answer that is stored, as one number each."""
    keys = [key(number) for number in range(most)]
    return {(m, k): float(v[0]) for m in models for k, v in store.get(m, keys).items()}


def entered(store):
    """The row numbers in the index, in the order of their entry."""
    lists = store._db.execute("SELECT entries FROM entries ORDER BY id").fetchall()
    return [int(e) & 0xFFFFFFFF for (some,) in lists for e in np.frombuffer(some[:-4], "<u8")]


class Users:
    """Two users of one file, what it must hold, and what either may do next."""

    def __init__(self, path, rng):
        self.path, self.rng, self.expected = path, rng, {}
        self.stores = [Store(path), Store(path)]
        self.models = {store.model(name, name): name for name in "fg" for store in self.stores}

    def put(self, store, model, keys, value):
        store.put(model, {k: np.array([value]) for k in keys}, at_once=True)
        self.expected |= {(model, k): value for k in keys}

    def run(self, store, other, model, step):
        """Look keys up, then answer the missing ones; the other user may be quicker with some."""
        keys = [key(self.rng.randrange(400)) for _ in range(self.rng.randrange(1, 12))]
        given = {k: float(v[0]) for k, v in store.get(model, keys).items()}
        assert given == {k: self.expected[model, k] for k in keys if (model, k) in self.expected}
        missing = [k for k in keys if k not in given]
        if self.rng.random() < 0.3:
            self.put(other, model, missing[::2], step - 0.5)
        self.put(store, model, missing, float(step))

    def run_fresh(self, store, _, model, step):
        """Answer keys whether they are stored or not."""
        keys = [key(self.rng.randrange(400)) for _ in range(self.rng.randrange(1, 12))]
        self.put(store, model, keys, float(step))

    def clear(self, store, _, model, __):
        store.clear(lambda kept: kept.name == self.models[model])
        self.expected = {at: v for at, v in self.expected.items() if at[0] != model}

    def reopen(self, store, other, model, step):
        store.close()
        if self.rng.random() < 0.3:
            self.clear(other, None, model, step)  # the other one is alone now
        self.stores[self.stores.index(store)] = new = Store(self.path)
        for name in "fg":
            new.model(name, name)

    def compare(self, store, *_):
        assert contents(store, self.models, 400) == self.expected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.usefixtures("small")
def test_two_stores_over_one_file_equal_a_dict(tmp_path, seed):
    """Puts, replacements, look-ups, deletions and reopening, in any order, by two users of a file."""
    rng = random.Random(seed)
    users = Users(tmp_path / "s.sqlite", rng)
    actions = (
        [users.run] * 8 + [users.run_fresh] * 8 + [users.compare] * 2 + [users.clear, users.reopen]
    )
    for step in range(250):
        store, other = rng.sample(users.stores, 2)
        rng.choice(actions)(store, other, rng.choice([*users.models]), step)
        (store, _) = users.stores
        counted = {kept.name: (kept.answers, kept.bytes) for kept in store.summary()}
        for m, name in users.models.items():
            answers = sum(at[0] == m for at in users.expected)
            assert counted.get(name, (0, 0)) == (answers, answers * (16 + 8 + 4)), step
    for store in users.stores:
        users.compare(store)
        store.close()


@pytest.mark.usefixtures("small")
def test_every_row_is_entered_once_and_none_is_lost(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        m = store.model("f", "m")
        for start in range(0, 600, 10):
            numbers = {key(i): np.array([float(i)]) for i in range(start, start + 10)}
            store.put(m, numbers, at_once=True)
            assert entered(store) == [*range(1, start + 11)]
        store.put(m, {key(3): np.array([3.0])}, at_once=True)  # in its old row
        assert entered(store) == [*range(1, 601)]
        assert contents(store, [m], 600) == {(m, key(i)): float(i) for i in range(600)}
        assert store.get(m, [key(i) for i in range(600, 700)]) == {}


@pytest.mark.usefixtures("small")
def test_requests_with_equal_checksums_are_told_apart(tmp_path, monkeypatch):
    """The row itself has the request."""
    monkeypatch.setattr(
        answer_index, "crc32", lambda data: crc32(data) % 3 if len(data) == len(key(0)) else 0
    )
    with Store(tmp_path / "s.sqlite") as store:
        one, two = store.model("f", "f"), store.model("g", "g")
        for i in range(150):
            store.put(one, {key(i): np.array([float(i)])}, at_once=True)
            store.put(two, {key(i): np.array([-float(i)])}, at_once=True)
        assert contents(store, [one, two], 160) == {
            (m, key(i)): sign * float(i) for m, sign in ((one, 1), (two, -1)) for i in range(150)
        }


@pytest.fixture
def indexed(small, tmp_path):  # noqa: ARG001
    path = tmp_path / "sound.sqlite"
    with Store(path) as store:
        m = store.model("f", "m")
        for i in range(0, 310, 10):
            store.put(m, {key(j): np.array([float(j)]) for j in range(i, i + 10)}, at_once=True)
        assert len(entered(store)) == 310
    return path


@pytest.mark.parametrize(
    ("change", "is_noticed"),
    [
        ("DELETE FROM entries WHERE id % 7 = 3", False),
        ("UPDATE entries SET entries = NULL WHERE id % 7 = 3", True),
        ("UPDATE entries SET entries = 'text' WHERE id % 7 = 3", True),
        ("UPDATE entries SET entries = x'0102030405' WHERE id % 7 = 3", True),
        ("UPDATE entries SET entries = zeroblob(LENGTH(entries)) WHERE id % 7 = 3", True),
        ("UPDATE entries SET entries = randomblob(LENGTH(entries))", True),
        ("UPDATE entries SET model = NULL", False),
        ("UPDATE entries SET id = id - 100", False),
        ("UPDATE entries SET id = id + 2000", False),
        ("DELETE FROM entries", False),
        ("UPDATE answers SET id = (1 << 32) + 5 WHERE id = 310", True),
        ("UPDATE entries SET id = 1 << 40 WHERE id = 310", True),
    ],
)
def test_a_damaged_index_hides_answers_and_gives_no_wrong_one(
    indexed, tmp_path, change, is_noticed
):
    path, heard = shutil.copy(indexed, tmp_path / "s.sqlite"), []
    with Store(path) as store:
        store._db.execute(change)
    with Store(path, heard.append) as store:
        m = store.model("f", "m")
        given = contents(store, [m], 320)
        assert given.items() <= {(m, key(i)): float(i) for i in range(310)}.items()
        missing = [key(i) for i in range(310) if (m, key(i)) not in given]
        for start in range(0, len(missing), 10):  # computed again
            some = missing[start : start + 10]
            store.put(m, {k: np.array([float(int.from_bytes(k))]) for k in some}, at_once=True)
        for i in range(310, 500):
            store.put(m, {key(i): np.array([float(i)])}, at_once=True)
        assert (
            contents(store, [m], 500).items() <= {(m, key(i)): float(i) for i in range(500)}.items()
        )
    assert any("set aside" in note for note in heard) == is_noticed


KILLED = """
import os, sys, numpy as np
from pathlib import Path
from tiltmeter.run.stored_answers import answer_index
from tiltmeter.run.files.file_locks import Claim
from tiltmeter.run.stored_answers.store import Store
answer_index.NEWEST = {newest}
append, stop = answer_index.AnswerIndex.append, int(sys.argv[2])
def dies(index, model, rows):
    global stop
    stop -= 1
    append(index, model, rows)
    if stop == 0:
        os._exit(9)
answer_index.AnswerIndex.append = dies
with Store(Path(sys.argv[1])) as store:
    m = store.model("f", "m")
    for i in range(300):
        store.put(m, {{i.to_bytes(16): np.array([float(i)])}}, at_once=True)
        print(i, flush=True)
"""


SAME = """
import sys, random, numpy as np
from pathlib import Path
from tiltmeter.run.stored_answers import answer_index
from tiltmeter.run.files.file_locks import Claim
from tiltmeter.run.stored_answers.store import Store
answer_index.NEWEST = {newest}
numbers = list(range(300))
random.Random(int(sys.argv[2])).shuffle(numbers)
with Store(Path(sys.argv[1])) as store:
    m = store.model("f", "m")
    for start in range(0, 300, 10):
        some = {{i.to_bytes(16): np.array([float(i)]) for i in numbers[start : start + 10]}}
        given = store.get(m, [*some])
        assert all(given[k][0] == some[k][0] for k in given)
        store.put(m, {{k: v for k, v in some.items() if k not in given}}, at_once=True)
"""


@pytest.mark.parametrize("writes", [1, 3, 21, 50])
@pytest.mark.usefixtures("small")
def test_killed_while_answers_are_entered(tmp_path, writes):
    """What was stored before is there; the answer that was being written is not."""
    path = tmp_path / "s.sqlite"
    command = [sys.executable, "-c", KILLED.format(newest=NEWEST), str(path), str(writes)]
    killed = subprocess.run(command, check=False, capture_output=True, text=True)
    assert killed.returncode == 9, killed.stderr
    stored = len(killed.stdout.split())
    assert stored == writes - 1
    with Store(path) as store:
        m = store.model("f", "m")
        assert contents(store, [m], 310) == {(m, key(i)): float(i) for i in range(stored)}
        for i in range(stored, 300):
            store.put(m, {key(i): np.array([float(i)])}, at_once=True)
        assert contents(store, [m], 310) == {(m, key(i)): float(i) for i in range(300)}


@pytest.mark.usefixtures("small")
def test_processes_that_answer_the_same_at_once_leave_one_row_each(tmp_path):
    """Three of them look up and answer the same requests, each in another order."""
    path, code = tmp_path / "s.sqlite", SAME.format(newest=NEWEST)
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path), who]) for who in "123"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with Store(path) as store:
        m = store.model("f", "m")
        assert contents(store, [m], 310) == {(m, key(i)): float(i) for i in range(300)}
        assert [kept.answers for kept in store.summary()] == [300]
        assert store._db.execute("SELECT COUNT(*) FROM answers").fetchone() == (300,)
        assert len(entered(store)) == 300


@pytest.mark.usefixtures("small")
def test_deleting_while_others_have_it_open_gives_no_row_number_again(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store(path) as one, Store(path) as two:
        m = one.model("f", "m")
        two.model("f", "m")
        one.put(m, {key(i): np.array([1.0]) for i in range(15)}, at_once=True)
        assert len(two.get(m, [key(i) for i in range(15)])) == 15
        one.clear()
        with Store(path) as three:
            three.put(
                three.model("f", "m"), {key(i): np.array([2.0]) for i in range(20)}, at_once=True
            )
        assert len(two.get(m, [key(i) for i in range(20)])) == 20
        two.put(m, {key(3): np.array([3.0])}, at_once=True)
        assert [kept.answers for kept in two.summary()] == [20]
        (lowest,) = one._db.execute("SELECT MIN(id) FROM answers").fetchone()
        assert lowest == 16


@pytest.mark.usefixtures("small")
def test_a_model_is_forgotten_while_another_process_has_it_open(tmp_path, monkeypatch):
    monkeypatch.setattr(Claim, "alone", lambda _: True)  # as on Windows
    path = tmp_path / "s.sqlite"
    with Store(path, pytest.fail) as running:
        gone, kept = running.model("f", "gone"), running.model("g", "kept")
        for i in range(30):
            running.put(gone, {key(i): np.array([-float(i)])}, at_once=True)
            running.put(kept, {key(i): np.array([float(i)])}, at_once=True)
        expected = {(kept, key(i)): float(i) for i in range(30)}
        assert len(contents(running, [gone, kept], 30)) == 60
        with Store(path, pytest.fail) as other:
            other.clear(lambda model: model.name == "gone")
            assert len(entered(other)) == 30
            assert contents(other, [gone, kept], 30) == expected
            other.put(kept, {key(30): np.array([30.0])}, at_once=True)
        assert contents(running, [gone, kept], 31) == expected | {(kept, key(30)): 30.0}
        for i in range(31, 200):
            running.put(kept, {key(i): np.array([float(i)])}, at_once=True)
        assert contents(running, [kept], 200) == {(kept, key(i)): float(i) for i in range(200)}
        assert running._db.execute("SELECT COUNT(*) FROM answers").fetchone() == (200,)


def test_space_of_deleted_answers_is_used_again(tmp_path):
    path, rng = tmp_path / "s.sqlite", random.Random(0)
    with Store(path) as store, Store(path):  # so that the file cannot shrink
        sizes = []
        for name in "abcd":
            store.put(
                store.model(name, name), {rng.randbytes(16): np.zeros(30) for _ in range(5_000)}
            )
            store.flush()
            sizes.append(store._db.execute("PRAGMA page_count").fetchone()[0])
            store.clear()
    assert sizes[-1] < 1.15 * sizes[0]


@pytest.mark.skipif(
    not Path("/proc/self/io").exists(), reason="the system does not count what is written"
)
def test_what_is_written_is_little_more_than_twice_the_answers(tmp_path):
    """A count of bytes: once in the log, once in place. With keys in a tree it was 40 times as much."""
    code = (
        "import sys, numpy as np\n"
        "from pathlib import Path\n"
        "from random import Random\n"
        "from tiltmeter.run.stored_answers.store import Store\n"
        "rng = Random(0)\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    m = store.model('f', 'm')\n"
        "    for _ in range(100):\n"
        "        store.put(m, {rng.randbytes(16): np.zeros(14) for _ in range(1000)}, at_once=True)\n"
        "print(Path('/proc/self/io').read_text())\n"
    )
    path = tmp_path / "s.sqlite"
    out = subprocess.run(
        [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
    ).stdout
    written = int(out.split("wchar: ")[1].split()[0])
    answers = 100_000 * (16 + 14 * 8 + 4)
    assert path.stat().st_size < 1.27 * answers
    assert written < 2.8 * answers
