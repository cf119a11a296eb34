import numpy as np
import pytest

from run.stored_answers.examples import told
from tiltmeter.core.errors import StorageError
from tiltmeter.run.stored_answers.store import Store


def test_answers_come_back_bit_by_bit(tmp_path):
    flat, square = np.array([-1 / 3, -2e-300]), np.array([[-0.1, -7.0], [0.25, 0.75]])
    with Store(tmp_path / "deep" / "s.sqlite") as store:
        one, two = store.model("f1", "m1"), store.model("f2", "m2")
        assert one == store.model("f1", "m1")
        store.put(one, {b"a": flat, b"b": square})
        assert store.get(two, [b"a"]) == {}
    with Store(tmp_path / "deep" / "s.sqlite") as store:
        found = store.get(one, [b"a", b"b", b"c"])
    assert set(found) == {b"a", b"b"}
    np.testing.assert_array_equal(found[b"a"], flat)
    np.testing.assert_array_equal(found[b"b"], square)


def test_texts_come_back_as_they_were_beside_numbers(tmp_path):
    texts = {b"a": "", b"b": "é\n\0 \ud83d 日本", b"c": "12345678"}  # as long as a number
    with Store(tmp_path / "s.sqlite") as store:
        m = store.model("f", "m")
        store.put(m, {**texts, b"n": np.array([0.5])})
        found = store.get(m, [*texts, b"n"])
        assert found.pop(b"n").tolist() == [0.5]
        assert found == texts
        assert store.get(m, [*texts]) == texts
    with Store(tmp_path / "s.sqlite") as store:
        assert store.get(m, [*texts]) == texts
        assert told(store) == [
            (
                "m",
                4,
                sum(len(t.encode("utf-8", "surrogatepass")) for t in texts.values())
                + 8
                + 4 * (4 + 1),
            )
        ]


def test_costly_answers_are_on_disk_at_once_and_take_gathered_ones_along(tmp_path):
    path = tmp_path / "s.sqlite"

    def on_disk(model):
        with Store(path) as other:
            return sorted(other.get(model, [b"a", b"b", b"c", b"d"]))

    with Store(path) as store:
        m = store.model("f", "m")
        store.put(m, {b"a": np.array([1.0])})  # the first is never gathered
        store._written = float("inf")  # as if it were written just now, however slow the machine
        store.put(m, {b"b": np.array([1.0])})
        assert on_disk(m) == [b"a"]
        store.put(m, {b"c": "a reply"}, at_once=True)
        assert on_disk(m) == [b"a", b"b", b"c"]
        store.put(m, {b"d": "another"}, at_once=True)
        assert on_disk(m) == [b"a", b"b", b"c", b"d"]


def test_many_keys_at_once(tmp_path):
    keys = [i.to_bytes(4, "big") for i in range(1203)]
    with Store(tmp_path / "s.sqlite") as store:
        m = store.model("f", "m")
        store.put(m, {k: np.array([float(i)]) for i, k in enumerate(keys)})
        found = store.get(m, keys)
        assert [found[k][0] for k in keys] == list(range(1203))
        assert told(store) == [("m", 1203, 1203 * (8 + 4 + 4))]
        assert [kept.answers for kept in store.clear()] == [1203]
        assert store.summary() == []


def test_a_full_disk_is_told_and_what_was_stored_stays(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        m = store.model("f", "m")
        store.put(m, {b"kept": np.array([1.0])})
        store.flush()
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count={pages + 2}")
        store.put(m, {bytes([i]): np.zeros(4096) for i in range(200)})  # gathered
        with pytest.raises(
            StorageError, match=r"no space is left on the disk.*run the same command"
        ):
            store.flush()
    with Store(path) as store:
        assert list(store.get(m, [b"kept", b"\x01"])) == [b"kept"]


def test_a_damaged_store_is_set_aside_and_a_new_one_begun(tmp_path):
    path = tmp_path / "s.sqlite"
    path.write_text("this is not a database, whatever its name says" * 40)
    for number in (1, 2):
        with Store(path) as store:
            assert f"set aside as s.sqlite.damaged-{number}" in store.note
            m = store.model("f", "m")
            store.put(m, {b"a": np.array([1.0])})
            assert store.get(m, [b"a"])[b"a"].tolist() == [1.0]
        with Store(path) as store:
            assert store.note == ""
        path.write_bytes(b"x" * 8192)
    assert (tmp_path / "s.sqlite.damaged-1").read_text().startswith("this is not")


def test_damage_that_shows_later_is_set_aside_too_and_the_run_goes_on(tmp_path):
    path, heard = tmp_path / "s.sqlite", []
    keys = [i.to_bytes(4, "big") for i in range(2000)]
    with Store(path) as store:
        m = store.model("f", "m")
        store.put(m, {key: np.arange(50.0) for key in keys})
    whole = bytearray(path.read_bytes())
    whole[12288:-4096] = b"\xff" * (len(whole) - 16384)  # the first pages stay, so it opens
    path.write_bytes(whole)
    with Store(path, heard.append) as store:
        assert heard == []
        assert store.get(store.model("f", "m"), keys) == {}
        store.put(m, {b"new": np.array([2.0])})
    assert "set aside as s.sqlite.damaged-1, and a new one was started" in "".join(heard)
    aside = (tmp_path / "s.sqlite.damaged-1").read_bytes()
    assert aside[8192:] == whole[8192:]  # before, the time of the last use may have been written
    with Store(path, heard.append) as store:
        assert store.get(m, [b"new"])[b"new"] == [2.0]
        assert told(store) == [("m", 1, 15)]
    assert len(heard) == 1


def test_an_answer_that_cannot_be_right_is_asked_again(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        m = store.model("f", "m")
        store.put(m, {b"good": np.array([1.0]), b"nan": np.array([float("nan")])})
        add = "INSERT INTO answers (model, request, rows, answer) VALUES (?, ?, ?, ?)"
        store._db.execute(add, (m, b"cut", 0, b"12345"))
        store._db.execute(add, (m, b"odd", 2, b"x" * 24))
        assert list(store.get(m, [b"good", b"nan", b"cut", b"odd"])) == [b"good"]


def test_memory_store_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(None) as store:
        m = store.model("f", "m")
        store.put(m, {b"a": np.array([1.0])})
        assert store.get(m, [b"a"])[b"a"] == [1.0]
    assert list(tmp_path.iterdir()) == []
