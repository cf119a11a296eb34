"""active simulate, as a user types it."""

import json
import sys
from subprocess import DEVNULL, PIPE, Popen

import pytest

from tiltmeter.active.pool_runs import load_measures


def test_simulate_writes_runs_that_can_be_read(tilt, tmp_path):
    code, out, err = tilt(
        "active", "simulate", "sample", "--encoder", "tf-idf", "--seed-count", 2, "--budget", 140,
        "--entropy-items", 20, "--votes-each", 4, "--out", tmp_path, "--processes", 1,
    )  # fmt: skip
    assert code == 0, err
    assert out.splitlines() == ["sample: 3 strategies, 2 seeds, finished", str(tmp_path / "sample")]
    assert "240 items, 1,440 votes, 3 labels" in err
    curves = load_measures(tmp_path / "sample")
    assert curves.strategies == ("passive", "entropy", "daal") and curves.seeds == (0, 1)


def test_two_at_once_write_one_after_the_other(tmp_path):
    words = [
        sys.executable, "-m", "tiltmeter", "active", "simulate", "sample", "--encoder", "tf-idf",
        "--seed-count", "2", "--budget", "140", "--entropy-items", "20", "--votes-each", "4",
        "--strategy", "passive", "--out", str(tmp_path), "--processes", "1",
    ]  # fmt: skip
    both = [Popen(words, stdout=DEVNULL, stderr=PIPE, text=True) for _ in range(2)]
    errors = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], errors
    for queries in tmp_path.glob("sample/runs/passive/*.queries.jsonl"):
        votes = [json.loads(line)["votes"] for line in queries.read_text("utf-8").splitlines()]
        assert votes == list(range(1, len(votes) + 1))
        assert len(votes) == 140


def test_mistakes_are_explained(tilt, tmp_path):
    code, _, err = tilt("active", "simulate", "sampel")
    assert code == 2 and "Did you mean 'sample'" in err
    (tmp_path / "file").touch()
    code, _, err = tilt("active", "simulate", "sample", "--out", "file")
    assert code == 2 and "file: this is a file, not a folder; name another --out" in err
    code, _, err = tilt("active", "simulate", "sample", "--encoder", "tf-idf", "--budget", 300)
    assert code == 2 and "the first votes alone are 500" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--encoder", "tf-idf", "--epochs", 3), "--epochs: --predictor softmax reads frozen vectors"),
        (("--encoder", "tf-idf", "--predictor", "finetuned"), "--predictor finetuned trains an encoder"),
        (("--predictor", "finetuned", "--patience", 0), "--patience"),
        (("--entropy-predictor", "rigde"), "Did you mean 'ridge'"),
        (("--strategy", "bald", "--predictor", "finetuned", "--encoder", "fake:masked"), "kind fake"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_before_a_text_is_embedded(
    words, why, tilt, tmp_path, monkeypatch
):
    monkeypatch.setattr("tiltmeter.active.encoders.features.text_features", None)
    code, _, err = tilt("active", "simulate", "sample", *words, "--out", tmp_path / "runs")
    assert code == 2 and why in " ".join(err.split())
    assert not (tmp_path / "runs").exists() or not any((tmp_path / "runs").iterdir())


def test_a_budget_that_does_not_fit_is_refused_before_a_text_is_embedded(
    tilt, tmp_path, monkeypatch
):
    monkeypatch.setattr("tiltmeter.active.encoders.features.text_features", None)
    words = ("--encoder", "tf-idf", "--budget", 300, "--out", tmp_path)
    code, _, err = tilt("active", "simulate", "sample", *words)
    assert code == 2 and "the first votes alone are 500" in err


def test_a_table_with_one_vote_an_item_is_refused(tilt, tmp_path):
    table = tmp_path / "single.csv"
    rows = [f"{i},some words {i % 7},p{i % 3},{i % 2}" for i in range(60)]
    table.write_text("\n".join(["item,text,annotator,label", *rows]), "utf-8")
    code, printed, err = tilt("active", "simulate", table, "--encoder", "tf-idf")
    assert code == 2 and "nan" not in printed + err
    assert "single: no item has two votes" in err and "a row for each vote" in err


def test_a_table_with_columns_of_other_names_is_read(tilt, tmp_path):
    rows = [
        f"c{i},some words {i % 7},p{p},{(i + p) % 2},{p},{i}" for i in range(40) for p in range(3)
    ]
    table = tmp_path / "scale.csv"
    table.write_text("\n".join(["comment_id,text,annotator_id,respect,age,score", *rows]), "utf-8")
    named = [
        f"--map={field}" for field in ("item=comment_id", "annotator=annotator_id", "label=respect")
    ]
    code, _, err = tilt(
        "active", "simulate", table, *named, "--encoder", "tf-idf", "--seed-count", 1, "--budget", 40,
        "--entropy-items", 10, "--votes-each", 3, "--strategy", "passive", "--processes", 1,
        "--out", tmp_path / "runs",
    )  # fmt: skip
    assert code == 0, err
    assert "scale: 40 items, 120 votes, 2 labels" in err
    code, _, err = tilt("active", "simulate", "sample", *named)
    assert code == 2 and "--map is for a file of yours" in err
