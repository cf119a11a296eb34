"""What the store acknowledges is stored, once, and nothing else."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, text

from faults import interruptions
from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.engines import without_password
from tiltmeter.survey.store import TOGETHER, SurveyStore

INSERT = text("INSERT INTO audit (time, actor, action, detail) VALUES (1, 'a', 'b', :detail)")
DETAILS = text("SELECT detail FROM audit ORDER BY id")


def add(detail):
    return lambda session: session.execute(INSERT, {"detail": detail}).rowcount


def details(store):
    return store.read(lambda session: list(session.scalars(DETAILS)))


def test_what_is_saved_can_be_read_at_once(store):
    assert store.save(add("x")) == 1
    assert details(store) == ["x"]


def test_an_operation_that_fails_leaves_the_others_of_its_round_alone(store):
    gate = threading.Event()
    store.submit(lambda _: gate.wait())

    def half(session):
        add("half")(session)
        raise BadInput("no", "try again")

    futures = [store.submit(operation) for operation in (add("one"), half, add("two"))]
    gate.set()
    assert [futures[0].result(), futures[2].result()] == [1, 1]
    with pytest.raises(BadInput, match="no"):
        futures[1].result()
    assert details(store) == ["one", "two"]


def test_one_bad_item_of_a_joint_operation_leaves_the_others_alone(tmp_path):
    sizes = []

    def add_all(session, items):
        sizes.append(len(items))
        counts = [add(item)(session) for item in items]
        if "bad" in items:
            raise BadInput("no", "try again")
        return counts

    async def several(store):
        gate = threading.Event()
        store.submit(lambda _: gate.wait())
        waiting = [store.saved_jointly(add_all, item) for item in ("one", "bad", "two")]
        together = asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.sleep(0)
        gate.set()
        return await together

    with SurveyStore(tmp_path / "survey.db") as store:
        one, bad, two = asyncio.run(several(store))
        assert (one, str(bad), two) == (1, str(BadInput("no", "try again")), 1)
        assert sizes == [3, 1, 1, 1]
        assert details(store) == ["one", "two"]


def test_many_operations_share_one_commit(tmp_path):
    with SurveyStore(tmp_path / "survey.db") as store:
        commits = []
        event.listen(store._writer, "commit", commits.append)
        gate = threading.Event()
        store.submit(lambda _: gate.wait())
        futures = [store.submit(add(str(i))) for i in range(TOGETHER)]
        gate.set()
        assert sum(future.result() for future in futures) == TOGETHER
        assert len(commits) <= 3


def test_async_code_waits_for_the_commit(store):
    async def several():
        return await asyncio.gather(*(store.saved(add(str(i))) for i in range(20)))

    assert sum(asyncio.run(several())) == 20
    assert len(details(store)) == 20


def test_reading_cannot_write(tmp_path):
    with (
        SurveyStore(tmp_path / "survey.db") as store,
        pytest.raises(StorageError, match="readonly"),
    ):
        store.read(add("x"))


def test_a_closed_store_refuses_and_keeps_what_was_waiting(tmp_path):
    store = SurveyStore(tmp_path / "survey.db")
    futures = [store.submit(add(str(i))) for i in range(50)]
    store.close()
    assert all(future.result() == 1 for future in futures)
    with pytest.raises(StorageError, match="closed"):
        store.save(add("late"))
    with SurveyStore(tmp_path / "survey.db") as again:
        assert len(details(again)) == 50


def test_answers_are_durable_and_the_file_is_the_owners(tmp_path):
    path = tmp_path / "survey.db"
    with SurveyStore(path) as store:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            sql = text(f"PRAGMA {pragma}")
            assert store.read(lambda session, sql=sql: session.scalar(sql)) == value
    assert path.stat().st_mode & 0o077 == 0


def test_a_database_is_opened_again_with_what_is_in_it(store, url):
    store.save(add("x"))
    with SurveyStore(url) as again:
        assert details(again) == ["x"]


@pytest.mark.parametrize("change", ["ADD COLUMN later TEXT", "DROP COLUMN detail"])
def test_a_database_of_another_version_is_left_alone(url, change):
    def changed(session):
        return session.execute(text(f"ALTER TABLE audit {change}")).rowcount

    with SurveyStore(url) as store:
        store.save(add("x"))
        store.save(changed)
    path = Path(url)
    before = path.read_bytes() if path.is_file() else b""
    name = re.escape(without_password(url))
    what = "is with(out)? (later|detail)"
    with pytest.raises(
        BadInput, match=f"{name}: was made by another version .*'audit' {what}.*; open"
    ):
        SurveyStore(url)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_what_is_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("not a database " * 100)
    with pytest.raises(BadInput, match="is no database"):
        SurveyStore(path)
    assert path.read_text().startswith("not a database")
    with pytest.raises(BadInput, match="folder does not exist"):
        SurveyStore(tmp_path / "none" / "survey.db")
    with pytest.raises(BadInput, match=r"mysql://…@host/x is no database"):
        SurveyStore("mysql://me:secret@host/x")


WRITER = """
import sys
from sqlalchemy import text
from tiltmeter.survey.store import SurveyStore
store = SurveyStore(sys.argv[1])
insert = text("INSERT INTO audit (time, actor, action, detail) VALUES (1, 'a', 'b', :d)")
for i in range(10**6):
    store.save(lambda session: session.execute(insert, {"d": str(i)}).rowcount)
    print(i, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    path = tmp_path / "survey.db"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        acknowledged = [int(process.stdout.readline()) for _ in range(30)]
        os.kill(process.pid, signal.SIGKILL)
        acknowledged += [int(line) for line in process.stdout if line.endswith("\n")]
    with SurveyStore(path) as store:
        stored = [int(detail) for detail in details(store)]
    assert stored[: len(acknowledged)] == acknowledged
    assert len(stored) <= len(acknowledged) + 1


INTERRUPTED = """
import sys
from faults.interruptions import interrupt_everywhere
from tiltmeter.survey.store import SurveyStore

saved = []
with SurveyStore(sys.argv[1]) as store:
    interrupt_everywhere(
        lambda: store.save(lambda session: saved.append(1)), after=lambda: store.save(lambda _: 0)
    )
assert len(saved) > 10
"""


def test_no_ctrl_c_while_saving_leaves_the_store_waiting_for_ever(tmp_path):
    interruptions.ended(INTERRUPTED, tmp_path / "survey.db")


@pytest.mark.parametrize(
    "name", ["x?y.db", "x%20y.db", "x#y.db", "file:x.db", "x?mode=ro&uri=true", "a b.db"]
)
def test_the_file_is_the_one_that_is_named_and_private(tmp_path, monkeypatch, name):
    """No part of a name is read as an address: another file would be made, for everybody to read."""
    monkeypatch.chdir(tmp_path)
    with umask(0o022):
        for again in (False, True):
            opened = SurveyStore(name)
            opened.save(add("x"))
            assert details(opened) == ["x", "x"][: 1 + again]
            files = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
            assert files and {*files} <= {name, f"{name}-wal", f"{name}-shm"}
            assert {*files.values()} == {0o600}
            opened.close()


def test_a_file_that_everybody_may_read_is_closed_to_them(tmp_path):
    path = tmp_path / "survey.db"
    path.touch(mode=0o644)
    SurveyStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o664)  # a group that the owner gives it to
    SurveyStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o660


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)
