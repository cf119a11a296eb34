"""The store in a thread of its own: in order, whole after an interruption, errors told."""

import _thread
import sqlite3
import time

import numpy as np
import pytest

from faults import interruptions
from tiltmeter.core.errors import StorageError
from tiltmeter.run.stored_answers import store_thread
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.run.stored_answers.store_thread import AHEAD, StoreThread

INTERRUPTED = """
import numpy as np
from faults.interruptions import interrupt_everywhere
from tiltmeter.run.stored_answers.store_thread import AHEAD, StoreThread

def work():
    with StoreThread(None) as store:
        model = store.model("f", "m")
        for number in range(AHEAD + 2):
            store.put(model, {b"%016d" % number: np.array([1.0])})
        store.get(model, [b"0" * 16])

interrupt_everywhere(work)
"""


def keyed(number):
    return {f"{number:016}".encode(): np.array([float(number)])}


def more_threads_than(before):
    """How many threads have come in the end; those of earlier tests may end meanwhile."""
    until = time.monotonic() + 10
    while _thread._count() > before and time.monotonic() < until:
        time.sleep(0.001)
    return max(0, _thread._count() - before)


def test_what_was_put_is_got_in_any_order(tmp_path):
    with StoreThread(tmp_path / "s.sqlite") as store:
        model = store.model("f", "m")
        for number in range(5 * AHEAD):
            store.put(model, keyed(number))
        keys = [key for number in range(5 * AHEAD) for key in keyed(number)]
        found = store.get(model, keys)
    assert [found[key][0] for key in keys] == list(range(5 * AHEAD))


def test_after_an_interruption_everything_put_is_there_and_the_thread_is_gone(tmp_path):
    before = _thread._count()

    def interrupted():
        with StoreThread(tmp_path / "s.sqlite") as store:
            model = store.model("f", "m")
            for number in range(3):
                store.put(model, keyed(number))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not more_threads_than(before)
    with Store(tmp_path / "s.sqlite") as store:
        keys = [key for number in range(3) for key in keyed(number)]
        assert len(store.get(store.model("f", "m"), keys)) == 3


def test_the_connection_is_used_by_one_thread_only(tmp_path):
    with StoreThread(tmp_path / "s.sqlite") as store:
        store.put(store.model("f", "m"), keyed(1))
        with pytest.raises(sqlite3.ProgrammingError):
            store._store._db.execute("SELECT 1")


def test_answers_are_taken_as_they_are_when_they_are_put(tmp_path):
    with StoreThread(tmp_path / "s.sqlite") as store:
        model, answers = store.model("f", "m"), keyed(1)
        store.put(model, answers)
        answers.clear()
        assert len(store.get(model, [*keyed(1)])) == 1


class Failing(Store):
    def put(self, model, answers, *, at_once=False):
        del model, answers, at_once
        raise StorageError("no space is left")


def test_a_failure_is_told_by_the_next_call_or_at_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(store_thread, "Store", Failing)
    before = _thread._count()

    def puts(count):
        with StoreThread(tmp_path / "s.sqlite") as store:
            model = store.model("f", "m")
            for number in range(count):
                store.put(model, keyed(number))
                store.get(model, [])  # so that the failure has happened

    for count in (1, 2):
        with pytest.raises(StorageError, match="no space"):
            puts(count)
        assert not more_threads_than(before)


def test_a_place_that_cannot_be_opened_leaves_no_thread(tmp_path):
    before = _thread._count()
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        StoreThread(tmp_path / "file" / "s.sqlite")
    assert not more_threads_than(before)


def test_a_store_that_is_closed_is_not_used_again(tmp_path):
    with StoreThread(tmp_path / "s.sqlite") as store:
        model = store.model("f", "m")
    with pytest.raises(StorageError, match="the store is closed"):
        store.put(model, keyed(1))
    store.close()


def test_no_ctrl_c_leaves_a_thread_waiting_for_ever():
    interruptions.ended(INTERRUPTED)
