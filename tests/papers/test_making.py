"""Parts of a paper, finished runs, and thresholds."""

import json

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


def test_a_part_and_what_is_not_run(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, _ = tilt(*words, "--tables", "F1")
    assert (
        code == 0
        and "Not here, bert-base-uncased: not run: add --models paper" in out
        and "Kinds of bias" not in out
    )
    code, _, err = tilt(*words, "--tables", "T9")
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
    code, _, err = tilt(*words, "--runs", run, "--tables", "F2")
    assert code == 0, err


def test_a_threshold_is_judged(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--tables", "T1")
    assert tilt(*words, "--fail-if", "published_numbers < 1")[0] == 3
    assert tilt(*words, "--fail-if", "equl > 1")[0] == 2
