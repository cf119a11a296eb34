"""before-after, from run folders and by running both models."""

import csv
import json
from pathlib import Path

import pytest

STUDIES = "starter_pairs,perplexity"
SMALL = ("--data", "perplexity=starter_text", "--set", "perplexity.sentences=20")


@pytest.fixture
def ran(tilt):
    code, said, told = tilt(
        "before-after", "fake:masked", "fake:level", "--studies", STUDIES, *SMALL
    )
    assert code == 0, told
    return said


def folders(tmp_path, start):
    return sorted(p for p in (tmp_path / "runs").iterdir() if p.name.startswith(start))


def test_both_models_are_run_and_compared(ran, tmp_path):
    text = " ".join(ran.split())
    assert "fake:level compared with fake:masked: closer to neutral in starter_pairs" in text
    assert "Pseudo-perplexity" in ran
    assert max(map(len, ran.splitlines()[:-2])) <= 80
    assert len(folders(tmp_path, "starter_pairs")) == len(folders(tmp_path, "perplexity")) == 2
    (made,) = folders(tmp_path, "before-after")
    assert sorted(p.name for p in made.iterdir()) == [
        "before-after.csv", "before-after.json", "report.html",
    ]  # fmt: skip
    value = json.loads((made / "before-after.json").read_text("utf-8"))
    (pairs, text) = value["studies"]
    head = pairs["leanings"][0]
    assert (head["way"], head["after"]["value"]) == ("nearer", 50)
    assert head["difference"]["value"] == pytest.approx(50 - head["before"]["value"])
    ratio = text["costs"][0]
    assert ratio["difference"]["value"] == pytest.approx(
        ratio["after"]["value"] / ratio["before"]["value"]
    )
    rows = list(csv.DictReader((made / "before-after.csv").read_text("utf-8").splitlines()))
    assert {row["kind"] for row in rows} == {"leaning", "cost"}
    assert sum(row["study"] == "starter_pairs" for row in rows) == 10


@pytest.mark.usefixtures("ran")
def test_finished_runs_give_the_same(tilt, tmp_path):
    runs = [*folders(tmp_path, "starter_pairs"), *folders(tmp_path, "perplexity")]
    (first,) = folders(tmp_path, "before-after")
    known = json.loads((first / "before-after.json").read_text("utf-8"))
    before = [p for p in runs if "masked" in p.name]
    after = [p for p in runs if "level" in p.name]
    for given in ([*before, *after], [*before, *(w for p in after for w in ("--after", p))]):
        code, said, told = tilt("before-after", *given, "--json", "--t-test")
        assert code == 0, told
        found = json.loads(said)
        assert [s["leanings"] for s in found["studies"]] == [
            s["leanings"] for s in known["studies"]
        ]
        assert found["studies"][0]["elsafoury2023"]["groups"] == 9
        assert (found["before"], found["after"]) == ("fake:masked", "fake:level")
    code, said, _ = tilt("before-after", *after, *before, "--json")  # what comes first is before
    assert json.loads(said)["before"] == "fake:level"


def test_a_study_that_a_model_cannot_answer_is_told(tilt):
    code, said, told = tilt(
        "before-after", "fake:causal", "fake:causal", "--studies", "starter_pairs,weat"
    )
    assert code == 2 and "given twice" in told
    code, said, told = tilt(
        "before-after", "fake:causal", "fake", "--studies", "starter_pairs,group_traits",
        "--rule", "group_traits=set", "--json",
    )  # fmt: skip
    assert code == 0, told
    (missing,) = json.loads(said)["missing"]
    assert missing["study"] == "group_traits"
    assert "fake:causal cannot be scored by 'set'" in missing["why"]
    assert json.loads(said)["studies"][0]["cards"][0]["rule"] == "log_likelihood"  # of both


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("fake", "--studies", "starter_pairs"), "needs two models"),
        (("fake", "fake:masked", "--studies", "starter_pears"), "Did you mean"),
        (("fake", "fake:masked", "--studies", ","), "--studies is empty"),
        (("fake", "fake:masked", "--studies", "weat", "--data", "sos=x"), "STUDY=DATA"),
        (("fake", "fake:masked", "--studies", "sos", "--set", "article=a"), "STUDY.NAME=VALUE"),
        (("fake", "fake:masked", "--studies", "sos", "--set", "sos.artikle=a"), "artikle"),
        (("fake", "ensemble:fake+fake:masked", "--studies", "sos"), "is an ensemble"),
        (("fake:causal", "fake:masked", "--studies", "starter_pairs"), "both models cannot"),
        (("runs/a", "runs/b"), "is not a folder"),
        (("runs/a", "--data", "sos=x"), "only apply with --studies"),
    ],
)
def test_what_cannot_be_done(tilt, words, why):
    code, _, told = tilt("before-after", *words)
    assert code == 2
    assert why in " ".join(told.split())


@pytest.mark.usefixtures("ran")
def test_runs_that_do_not_belong_together(tilt, tmp_path):
    (made,) = folders(tmp_path, "before-after")
    one, other = folders(tmp_path, "starter_pairs")
    code, _, told = tilt("before-after", one, one)
    assert code == 2 and "listed twice" in told
    code, _, told = tilt("before-after", one, made)
    assert code == 2 and "a model before and after, not a run" in told
    assert tilt("run", "starter_pairs", "fake:level", "--rule", "pll_all", "--out", "more")[0] == 0
    (all_,) = Path("more").iterdir()
    masked = next(p for p in (one, other) if "masked" in p.name)
    code, _, told = tilt("before-after", masked, all_)
    assert code == 2
    assert "rule pll_shared before, pll_all after" in " ".join(told.split())
