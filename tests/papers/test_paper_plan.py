"""What a request means for each study, and what a call comes to."""

import json
from types import SimpleNamespace

import pytest

import tiltmeter as tm
from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt
from tiltmeter.papers.chosen_models import ChosenModel
from tiltmeter.papers.paper_file import RunSource, read_paper
from tiltmeter.papers.paper_plan import PaperPlan, PaperRequest, PlannedRun

__all__ = ["own_cache", "tilt"]
PAIRS = RunSource("pairs", "starter_pairs")


@pytest.mark.parametrize(
    ("own", "limit", "used"),
    [({}, None, None), ({}, 3, 3), ({"limit": 1}, 3, 1), ({"limit": 9}, 3, 3)],
)
def test_a_limit_never_makes_a_study_larger(own, limit, used):
    source = RunSource("pairs", "starter_pairs", options=own)
    assert PaperRequest(limit=limit).entry(source).options.get("limit") == used
    assert PaperRequest(skip_invalid=True).entry(PAIRS).options == {"skip-invalid": True}


def test_failed_are_models_with_an_error_and_those_that_nothing_was_run_on(tmp_path):
    plan = PaperPlan(read_paper("nangia2020"), tmp_path)
    done, broken, unfit, unasked = (
        ChosenModel(name, asked=name != "unasked")
        for name in ("done", "broken", "unfit", "unasked")
    )
    plan.asked = [done, broken, unfit]
    for model, state in (
        (done, "done"),
        (broken, "done"),
        (broken, "failed"),
        (unfit, "not applicable"),
    ):
        cell = SimpleNamespace(state=state, folder=tmp_path if state == "done" else None)
        plan.runs.append(PlannedRun(PAIRS, {}, cell, model))
    plan.runs.append(
        PlannedRun(PAIRS, {}, SimpleNamespace(state="not applicable", folder=None), unasked)
    )
    assert plan.failed == ["broken", "unfit"]


def test_a_sample_of_each_study_is_measured_and_said(tilt, tmp_path):
    out = tmp_path / "paper"
    words = ("replicate", write(tmp_path, STARTER), "--select", "T1", "--out", out)
    code, printed, err = tilt(*words, "--models", "fake:masked", "--limit", 3, "--skip-invalid")
    assert (
        code == 0
        and "Of a sample of the data (3 of 270 items, seed 0): fake:masked."
        in " ".join(printed.split())
    ), err
    assert "Of a sample of the data (3 of 270" in (out / "tables.tex").read_text("utf-8")
    card = json.loads((out / "card.json").read_text("utf-8"))
    assert card["settings"] == {"limit": "3", "skip-invalid": "yes"}
    (run,) = out.glob("*/card.json")
    assert json.loads(run.read_text("utf-8"))["counts"]["scored"] == 3
    code, _, err = tilt(*words, "--models", "fake:masked")
    assert code == 2 and "with --limit 3 and with --skip-invalid, and this command measures" in err
    assert "measures them on all items; name another --out" in err
    code, printed, err = tilt(*words, "--overwrite")
    assert code == 0 and "masked" not in printed.split("page:")[0]
    assert "fake:masked: left out, as an earlier call ran them with --limit 3 --skip-invalid" in err
    again = tm.replicate(write(tmp_path, STARTER), tables=["T1"], out=out, models=["fake:masked"])
    assert again.card.settings == {} and len([*out.glob("*/card.json")]) == 2
    _, printed, _ = tilt(*words, "--models", "fake:masked", "--limit", 2, "--plan")
    (row,) = (
        row for row in map(str.split, printed.splitlines()) if row[:2] == ["pairs", "fake:masked"]
    )
    assert row[-1] == "2"
