"""A list that moves to disk, and what is there more than once."""

import copy
import gc
import json
import tempfile
import zlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.data.items import Pair, Triple
from tiltmeter.core.errors import StorageError
from tiltmeter.core.records import Record
from tiltmeter.data.memory.spool import KEPT, PORTION, Spool
from tiltmeter.data.memory.text_numbers import repeated

MANY = KEPT + 3 * PORTION + 7


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))


def record(i):
    return Record(f"é\ud800{i}", {"more": -i / 7, "less": -1e-300 * i}, {"axis": "a\n", "b": ""},
                  said="x" * (i % 3), texts={"more": f'"{i}"'}, names={"less": "\u2028"})  # fmt: skip


def test_it_reads_like_the_list_that_it_was_made_from():
    items = [record(i) for i in range(MANY)]
    spool = Spool(Record, items)
    assert len(spool) == MANY
    assert list(spool) == items
    assert spool == items
    assert items == spool
    assert spool == Spool(Record, items, kept=0)
    assert spool != items[:-1]
    assert spool != [*items[:-1], record(0)]
    places = [0, 1, PORTION - 1, PORTION, 3 * PORTION + 6, MANY - 1, -1, -MANY]
    assert [spool[at] for at in places] == [items[at] for at in places]
    for cut in (slice(None, 3), slice(PORTION - 2, PORTION + 2), slice(-5, None), slice(5, 1, -2)):
        assert spool[cut] == items[cut]
    for at in (MANY, -MANY - 1):
        with pytest.raises(IndexError):
            spool[at]
    assert copy.deepcopy(spool) == items
    assert record(PORTION) in spool
    assert spool.index(record(PORTION)) == PORTION


def test_tuples_come_back_as_tuples():
    sides = ("a", "b", "c")
    made = [
        Triple(f"{i}", "intrasentence", "BLANK.", sides, "t", "d", () if i else sides, sides)
        for i in range(2 * PORTION)
    ]
    assert list(Spool(Triple, made, kept=0)) == made


def test_two_may_go_through_it_at_once():
    spool = Spool(Record, map(record, range(MANY)))
    assert all(a == b == spool[i] for i, (a, b) in enumerate(zip(spool, spool, strict=True)))


def test_the_newest_can_be_taken_away():
    spool = Spool(Record, map(record, range(KEPT + PORTION)))
    assert spool.pop() == record(KEPT + PORTION - 1)
    spool.append(record(5))
    assert spool[-1] == record(5)
    assert len(spool) == KEPT + PORTION


def test_short_ones_need_no_file_and_long_ones_leave_none(tmp_path, monkeypatch):
    made = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **k: made.append(real(**k)) or made[-1])
    spool = Spool(Record, map(record, range(KEPT)))
    assert not made
    spool.extend(map(record, range(2 * PORTION)))
    (file,) = made
    assert not file.closed
    assert list(tmp_path.iterdir()) == []
    del spool
    gc.collect()
    assert file.closed


def test_a_full_disk_is_told(monkeypatch):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    full = Path("/dev/full").open("r+b", 0)  # noqa: SIM115 (the list closes it)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: full)
    with pytest.raises(StorageError, match=r"No space left on device.*TILTMETER_CACHE=FOLDER"):
        Spool(Record, map(record, range(MANY)))


def test_nothing_but_compressed_json_is_on_the_disk(monkeypatch):
    made = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **k: made.append(real(**k)) or made[-1])
    spool = Spool(Pair, (Pair(f"{i}", "He ran.", "She ran.") for i in range(KEPT + PORTION)))
    made[0].seek(0)
    content = made[0].read()
    rows = json.loads(zlib.decompress(content))
    assert len(content) < len(json.dumps(rows)) / 5  # sentences that are alike
    assert rows[3] == ["3", "He ran.", "She ran.", {}, "", ""]
    assert len(rows) == PORTION
    assert spool[3] == Pair("3", "He ran.", "She ran.")


@given(st.lists(st.tuples(st.text(max_size=2), st.text(max_size=2)), max_size=12))
def test_repeated_finds_what_counting_finds(keys):
    groups = repeated(keys)
    assert {keys[g[0]]: len(g) for g in groups} == {k: n for k, n in Counter(keys).items() if n > 1}
    assert all(g == [i for i, key in enumerate(keys) if key == keys[g[0]]] for g in groups)
    assert [g[0] for g in groups] == sorted(g[0] for g in groups)
