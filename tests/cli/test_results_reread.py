"""reread as a user types it."""

import json

import tiltmeter as tm


def test_a_run_is_read_again_and_compared(tilt, tmp_path):
    assert tilt("run", "prompts", "fake:causal", "--rule", "word")[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    code, out, err = tilt("import", run, "--rule", "contains")
    assert code == 0, err
    assert "replies, " in out and "read differently by rules word and contains" in " ".join(
        out.split()
    )
    assert len([*(tmp_path / "runs").iterdir()]) == 2
    other = next(folder for folder in (tmp_path / "runs").iterdir() if folder != run)
    code, out, err = tilt("compare", run, other, "--json")
    assert code == 0, err
    code, out, err = tilt(
        "import", run, "--rule", "contains", "--json", "--fail-if", "accuracy >= 0"
    )
    assert code == 3 and json.loads(out)["card"]["rule"] == "contains"


def test_a_run_is_not_replaced_by_its_own_replies(tilt, tmp_path):
    assert tilt("run", "prompts", "fake:causal", "--rule", "word")[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    card = (run / "card.json").read_bytes()
    code, _, err = tilt("import", run)
    assert code == 2 and "the result would replace the run" in err
    assert (run / "card.json").read_bytes() == card
    assert tilt("import", run, "--out", tmp_path / "others")[0] == 0
    again = tm.reread(run, rule="contains")
    assert again.card.rule == "contains" and again.card.command.startswith("tiltmeter.reread(")
