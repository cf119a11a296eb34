"""Parts of a paper, finished runs, and thresholds."""

import csv
import json

import pytest

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt
from tiltmeter.papers import making
from tiltmeter.run.sweeps import sweep_jobs

__all__ = ["own_cache", "tilt"]


def test_a_part_and_what_is_not_run(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, _ = tilt(*words, "--select", "F1")
    assert (
        code == 0
        and "Not here, bert-base-uncased: not run: add --models paper" in out
        and "Kinds of bias" not in out
    )
    code, _, err = tilt(*words, "--select", "T9")
    assert code == 2 and "No table or figure of mine named 'T9'" in err
    code, _, err = tilt(*words, "--models", "papr=x")
    assert code == 2 and "Did you mean 'paper'" in err


def test_finished_runs_are_used(tilt, tmp_path):
    code, _, err = tilt("run", "starter_pairs", "fake:masked", "--out", tmp_path / "runs")
    assert code == 0, err
    (run,) = (tmp_path / "runs").iterdir()
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--json")
    code, out, err = tilt(*words, "--runs", run)
    assert code == 0 and "loading" not in err
    assert json.loads(out)["card"]["study"] == "replication"
    code, _, err = tilt(*words, "--runs", run, "--select", "F2")
    assert code == 0, err


def test_a_threshold_is_judged(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--select", "T1")
    assert tilt(*words, "--fail-if", "published_numbers < 1")[0] == 3
    assert tilt(*words, "--fail-if", "equl > 1")[0] == 2


SCORES = (
    "id,sent_more,sent_less,stereo_antistereo,bias_type,sent_more_score,sent_less_score\n"
    + "".join(
        f"p{i},The old man {i} sang.,The young man {i} sang.,stereo,age,{-10 + i},-8\n"
        for i in range(4)
    )
)  # one win and half a tie of four
"""Stored scores of pairs."""
STORED = STARTER.replace(
    "[analyses",
    """[[runs.pairs.stored]]
model = "paper"
file = "scores.csv"
[analyses""",
)


@pytest.fixture
def stored(tilt, tmp_path):
    """The command for the table of a paper with stored scores: (exit code, output, messages, its numbers)."""
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")
    paper, out = write(tmp_path, STORED), tmp_path / "paper"

    def call(*more):
        code, printed, err = tilt("replicate", paper, "--select", "T1", "--out", out, *more)
        with (out / "T1.csv").open(encoding="utf-8") as file:
            rows = {(r["bias_type"], r["model"]): r["value"] for r in csv.DictReader(file)}
        return code, " ".join(printed.split()), " ".join(err.split()), rows

    return call


def test_a_model_of_the_user_replaces_stored_outputs(stored):
    at = ("age", "bert-base-uncased")
    code, _, err, rows = stored()
    assert code == 0 and rows[at] == "37.5", err
    code, out, err, rows = stored("--models", "paper=fake:masked")
    assert (
        code == 0 and "bert-base-uncased: run on fake:masked, and not from stored outputs." in out
    ), err
    assert rows[at] != "37.5" and ("gender", "bert-base-uncased") in rows
    assert stored()[3] == rows  # the folder keeps what was run into it
    assert stored("--fresh")[3][at] == "37.5"


def test_stored_outputs_stand_in_for_a_model_that_fails(stored, monkeypatch):
    def fails(*_):
        raise RuntimeError("out of memory")

    refused = "starter_pairs cannot measure fake:vectors"
    for model, why in (("fake:vectors", refused), ("fake:masked", "RuntimeError: out of memory")):
        monkeypatch.setattr(sweep_jobs, "score", fails)
        code, out, err, rows = stored("--models", f"paper={model}")
        assert code == 1 and {*rows.values()} == {"37.5"}
        says = f"bert-base-uncased: from stored outputs, as {model} could not be run: {why}"
        assert says in out and "Not all was run on paper: the document says why." in err


def test_a_model_that_nothing_could_be_run_on_is_no_success(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--select", "T1", "--out", tmp_path / "paper")
    code, out, err = tilt(*words, "--models", "fake:vectors")
    assert (
        code == 1
        and "Not here, fake:vectors: starter_pairs cannot measure fake:vectors"
        in " ".join(out.split())
    )
    assert "Not all was run on fake:vectors" in err


def test_a_result_of_the_user_replaces_stored_outputs_and_what_is_run(stored, tilt, tmp_path):
    at = ("age", "bert-base-uncased")
    scores = SCORES.replace("-8\n", "-80\n")
    (tmp_path / "mine.csv").write_text(scores, "utf-8")
    words = (
        "import",
        "--study",
        "starter_pairs",
        tmp_path / "mine.csv",
        "--name",
        "bert-base-uncased",
    )
    code, _, err = tilt(*words, "--out", tmp_path / "runs")
    assert code == 0, err
    (run,) = (tmp_path / "runs").iterdir()
    code, out, _, rows = stored("--runs", run)
    assert (code, rows[at]) == (0, "100.0")
    assert "bert-base-uncased: from your run, and not from stored outputs." in out
    assert stored("--runs", run, "--models", "paper=fake:masked")[::3] == (0, rows)


def test_two_results_of_the_user_for_one_place_cost_no_document(stored, tilt, tmp_path):
    runs = []
    for number, score in enumerate(("-80", "-9")):
        (tmp_path / "mine.csv").write_text(SCORES.replace("-8\n", f"{score}\n"), "utf-8")
        words = ("import", "--study", "starter_pairs", tmp_path / "mine.csv", "--name", "mine")
        assert tilt(*words, "--out", tmp_path / f"runs-{number}")[0] == 0
        runs += ["--runs", *(tmp_path / f"runs-{number}").iterdir()]
    code, out, err, rows = stored(*runs)
    assert code == 0 and rows["age", "mine"] == "100.0", err
    assert "Two numbers are at" in out and "shown is the one of your run" in out


def test_a_failing_analysis_costs_its_tables_only(tilt, tmp_path, monkeypatch):
    def fails(*_):
        raise KeyError("x")

    monkeypatch.setattr(making, "made_options", fails)
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, err = tilt(*words, "--models", "fake:masked")
    assert code == 0 and "together failed: KeyError: 'x'" in err
    assert "KeyError: 'x'" in out and "Kinds of bias" in out
