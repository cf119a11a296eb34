"""cache info and cache clear: on a store in use, damaged, absent, of several models."""

import json
import os
import sqlite3
import time

import pytest

from tiltmeter.data.files.remembered_values import remember
from tiltmeter.run.stored_answers.store import Store

STARTER = ("run", "starter_pairs")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "answers.sqlite"


def told(tilt):
    code, out, err = tilt("data", "cache", "info", "--json")
    assert code == 0, err
    return json.loads(out)


def test_an_absent_store_is_said_and_not_made(tilt, file):
    code, out, _ = tilt("data", "cache", "info")
    assert code == 0
    assert "answers.sqlite: no answers" in out
    assert told(tilt)["models"] == []
    code, _, err = tilt("data", "cache", "clear")
    assert code == 0
    assert "no answers deleted" in err
    assert not file.exists()


def test_what_is_kept_of_each_model(tilt, file):
    for model in ("fake:masked", "fake:causal"):
        assert tilt(*STARTER, model)[0] == 0
    code, out, _ = tilt("data", "cache", "info")
    assert code == 0
    today = time.strftime("%Y-%m-%d")
    for name in ("fake:masked", "fake:causal"):
        (line,) = [line for line in out.splitlines() if line.startswith(name)]
        assert "fake-2-hash" in line
        assert today in line
    found = told(tilt)
    assert found["store_bytes"] == file.stat().st_size
    asked = {}
    for model in ("fake:masked", "fake:causal"):
        _, out, _ = tilt(*STARTER, model, "--json")
        asked[model] = json.loads(out)["card"]["run"]["recalled"]
    assert {one["name"]: one["answers"] for one in found["models"]} == asked


def test_models_without_stored_answers_are_not_listed(tilt):
    for model in ("random", "fake:masked"):
        assert tilt(*STARTER, model)[0] == 0
    assert [one["name"] for one in told(tilt)["models"]] == ["fake:masked"]
    code, _, err = tilt("data", "cache", "clear")
    assert code == 0
    assert "of fake:masked deleted" in err and "0 answers" not in err and "random" not in err


def test_remembered_values_are_counted_and_go_with_all_answers(tilt, file):
    remember("key", "value" * 100)
    (value,) = (file.parent / "remembered").iterdir()
    code, out, _ = tilt("data", "cache", "info")
    assert code == 0
    assert "remembered: 1 value, 0.0 MB" in out
    assert told(tilt)["remembered_bytes"] == value.stat().st_size > 0
    assert tilt("data", "cache", "clear", "--older-than", "0")[0] == 0
    assert value.exists()
    assert tilt("data", "cache", "clear")[0] == 0
    assert not value.exists()


def test_a_folder_among_remembered_values_is_left(tilt, file):
    remember("key", "value")
    (file.parent / "remembered" / "folder").mkdir()
    code, _, err = tilt("data", "cache", "clear")
    assert (code, "Is a directory" in err) == (0, False)
    assert [f.name for f in (file.parent / "remembered").iterdir()] == ["folder"]


def test_one_model_is_forgotten_and_the_other_stays(tilt):
    for model in ("fake:masked", "fake:causal"):
        assert tilt(*STARTER, model)[0] == 0
    (kept,) = [one for one in told(tilt)["models"] if one["name"] == "fake:masked"]
    code, _, err = tilt("data", "cache", "clear", "--model", "fake:mask")
    assert code == 2
    assert "Did you mean 'fake:masked'" in err
    code, _, err = tilt("data", "cache", "clear", "--model", "fake:causal")
    assert code == 0
    assert "answers of fake:causal deleted" in err
    assert told(tilt)["models"] == [kept]
    assert tilt("data", "cache", "clear", "--model", kept["fingerprint"][:8])[0] == 0
    assert told(tilt)["models"] == []


def test_what_was_not_used_for_long_is_forgotten(tilt, file):
    for model in ("fake:masked", "fake:causal"):
        assert tilt(*STARTER, model)[0] == 0
    with sqlite3.connect(file) as db:
        db.execute("UPDATE models SET used = used - 9 * 86400 WHERE name = 'fake:causal'")
    db.close()
    assert tilt("data", "cache", "clear", "--older-than", 10)[0] == 0
    assert len(told(tilt)["models"]) == 2
    assert tilt("data", "cache", "clear", "--older-than", "inf")[0] == 2
    assert tilt("data", "cache", "clear", "--older-than", "nan")[0] == 2
    code, _, err = tilt("data", "cache", "clear", "--older-than", 8)
    assert code == 0
    assert "fake:causal deleted" in err
    assert [one["name"] for one in told(tilt)["models"]] == ["fake:masked"]


def test_clearing_gives_the_room_back(tilt, file):
    with Store(file) as store:
        m = store.model("f", "m")
        store.put(m, {i.to_bytes(16): numbers(40) for i in range(3000)})
    before = file.stat().st_size
    assert before > 3000 * 40 * 8
    code, _, err = tilt("data", "cache", "clear")
    assert code == 0
    assert "3,000 answers of m deleted" in err
    assert "MB freed" in err
    assert file.stat().st_size < 50_000


def test_in_use_it_is_cleared_and_what_comes_after_is_kept_apart(tilt, file):
    """Numbers of models are never given again: another model must not find these answers."""
    with Store(file) as running:
        m = running.model("first model", "first")
        running.put(m, {b"old": numbers(1)})
        running.flush()
        code, _, err = tilt("data", "cache", "clear")
        assert code == 0
        assert "1 answer of first deleted" in err
        assert "while another process has it open" in err
        with Store(file) as other:
            n = other.model("second model", "second")
            running.put(m, {b"new": numbers(1)})
            running.flush()
            assert other.get(n, [b"old", b"new"]) == {}
            assert {one.name: one.answers for one in other.summary()} == {"first": 1, "second": 0}


def numbers(n):
    import numpy as np

    return np.arange(float(n))


@pytest.mark.parametrize("command", ["info", "clear"])
def test_a_damaged_store_is_set_aside(tilt, file, command):
    file.parent.mkdir()
    file.write_bytes(b"no database" * 1000)
    code, _, err = tilt("data", "cache", command)
    assert code == 0
    assert "set aside as answers.sqlite.damaged-1" in err.replace("\n", " ")
    if command == "info":
        assert told(tilt)["set_aside"] == [str(file) + ".damaged-1"]
        _, out, _ = tilt("data", "cache", "info")
        assert "answers.sqlite.damaged-1: set aside" in out
        _, _, err = tilt("data", "cache", "clear")
    assert "removed answers.sqlite.damaged-1" in err
    assert told(tilt)["set_aside"] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_cannot_be_written(tilt, file):
    tilt(*STARTER, "fake:masked")
    file.chmod(0o444)
    code, _, err = tilt(*STARTER, "fake:masked")
    assert code == 1
    assert "write-protected" in err
