"""seeds: what it shows and says, and what table and correlate make of its folder."""

import json

import pytest

import tiltmeter as tm
from analyses.items.examples import written
from analyses.seeds.examples import seeds
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result

VALUES = {("bert", "edos"): (60.0, 62.0, 64.0), ("gpt2", "edos"): (50.0, 50.0, 53.0),
          ("bert", "ethos"): (70.0, 71.0, 72.0), ("gpt2", "ethos"): (66.0, 67.0, 68.0),
          ("t5", "edos"): (40.0, 41.0, 42.0), ("t5", "ethos"): (50.0, 51.0, 52.0)}  # fmt: skip


@pytest.fixture
def runs():
    """Eighteen: of three models, on two data sets, with three seeds."""
    return [
        Result(
            Card("classification", "1",
                 {"name": f"{base}-{data}-{seed}", "fingerprint": f"{base}{data}{seed}", "trained from": base,
                  "trained on": data, "training seed": seed},
                 {"name": f"{data}-test.jsonl", "sha256": data}, counts={"scored": 300}),
            [],
            [Estimate(name, value / scale, None, None, None, 300, None, "%", study="classification")
             for name, scale in (("f1_macro", 1), ("accuracy", 2))],
        )
        for (base, data), values in VALUES.items() for seed, value in enumerate(values)
    ]  # fmt: skip


def test_means_beside_deviations(runs):
    made = tm.analyse.seeds(runs)
    shown = {(e.name, e.model, e.groups.get("trained_on")): e.value for e in made.estimates}
    assert shown["f1_macro", "bert", "edos"] == 62.0
    assert shown["f1_macro_sd", "gpt2", "edos"] == pytest.approx(3**0.5)
    assert shown["accuracy", "gpt2", "ethos"] == 33.5
    assert made.headline.value == 18 and made.headline.n == 6
    texts = [paragraph.text for paragraph in made.card.finding]
    assert texts[0] == "18 trainings of 6 classifiers, averaged over seeds."
    assert "edos: 41.0 % ± 1.0 (t5) to 62.0 % ± 2.0 (bert)." in texts[1].replace("\xa0", " ")


def test_its_folder_is_a_table_and_is_correlated(runs, tilt, tmp_path):
    made = tm.analyse.seeds(runs, out="runs")
    (folder,) = (path for path in (tmp_path / "runs").iterdir() if path.is_dir())
    assert (
        (folder / "f1_macro.csv").read_text("utf-8").splitlines()[1].startswith("edos,bert,62.0,")
    )
    code, out, err = tilt(
        "table", folder, "--rows", "model", "--columns", "trained_on", "--measure", "f1_macro",
        "--format", "csv",
    )  # fmt: skip
    assert code == 0, err
    assert "gpt2" in out and "67.0" in out
    measures = [f"--measure=f1_macro:trained_on={data}" for data in ("edos", "ethos")]
    code, out, err = tilt("analyse", "correlate", folder, *measures, "--json")
    assert code == 0, err
    estimates = {e["name"]: e for e in json.loads(out)["estimates"]}
    assert "reliability" not in estimates  # means have no items that could be halved
    pearson = estimates["pearson"]
    # edos 62, 51, 41 and ethos 71, 67, 51
    assert pearson["n"] == 3 and pearson["value"] == pytest.approx(0.93556, abs=1e-4)
    assert made.headline.value == 18


def test_another_measure_is_shown_or_refused(runs):
    made = tm.analyse.seeds(runs, measure=("accuracy",))
    assert [view.name for view in made.card.views] == ["accuracy"]
    with pytest.raises(UnknownName, match="recall"):
        tm.analyse.seeds(runs, measure=("recall",))


SIDES = ["0011010111", "0111010101", "0011110110", "0011010110", "1011010111"]


def test_two_sets_are_held_against_each_other(tilt, tmp_path):
    runs = [*seeds(SIDES, "base-seed{}"), *seeds(["1" * 10] * 5, "cda-seed{}")]
    code, out, err = tilt("analyse", "seeds", *written(runs, tmp_path), "--against", "base")
    assert code == 0, err
    assert "10 seeds of 2 models, averaged over seeds." in out
    flat = " ".join(out.replace("\xa0", " ").split())
    assert "cda − base: difference in stereotype rate +40.0" in flat
    assert "significant difference in these seeds" in flat and "seeds like these" in flat
    code, _, err = tilt(
        "analyse", "seeds", *written(runs, tmp_path / "again"), "--against", "nobody"
    )
    assert code == 2 and "no set of seeds is called so" in err


def test_checkpoints_are_named_by_patterns(tilt, tmp_path):
    runs = [*seeds(SIDES, "run-{}")]
    code, _, err = tilt("analyse", "seeds", *written(runs, tmp_path))
    assert code == 2 and "--checkpoints NAME=PATTERN" in err
    code, out, err = tilt(
        "analyse", "seeds", *written(runs, tmp_path / "x"), "--checkpoints", "mine=run-*"
    )
    assert code == 0, err
    assert "mine: stereotype rate 60.0" in out.replace("\xa0", " ")
