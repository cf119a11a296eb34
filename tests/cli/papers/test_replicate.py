"""replicate: a paper from stored outputs and models, resumed, in parts, as page, LaTeX, CSV and pictures."""

import csv
import json
import re

import pytest

from support import published
from tiltmeter.run.files.folder import read

PREDICTIONS = "stereoset_predictions/predictions_gpt2_ModelNSP_GPT2LM.json"
PAPER = f"""
title = "StereoSet"
source = "Nadeem, Bethke and Reddy 2020"
names = {{data = {{stereoset_rebuilt = "stereoset"}}}}
[models.gpt2]
called = "gpt2"
reference = "openai-community/gpt2"
[runs.stereoset]
study = "stereoset"
[[runs.stereoset.stored]]
model = "gpt2"
file = "{PREDICTIONS}"
[[item]]
name = "T7"
title = "lms, ss and icat by task and domain"
of = ["stereoset"]
rows = ["model", "task", "domain"]
columns = ["measure"]
measures = ["lms", "ss", "icat"]
published = ["nadeem2020_domain_dev"]
[[item]]
name = "T1"
title = "A photograph"
why = "It shows people."
"""
STARTER = """
title = "Mine"
source = "me"
[models.paper]
called = "bert-base-uncased"
reference = "google-bert/bert-base-uncased"
[runs.pairs]
study = "starter_pairs"
[analyses.together]
analysis = "correlate"
of = ["pairs"]
over = "groups"
[[item]]
name = "T1"
title = "Kinds of bias"
of = ["pairs"]
rows = ["bias_type"]
columns = ["model"]
measures = ["stereotype_rate"]
[[item]]
name = "F1"
title = "How surely"
of = ["pairs"]
blocks = ["confidence"]
[[item]]
name = "F2"
title = "Together"
of = ["together"]
blocks = ["correlations"]
"""


def write(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_published_numbers_from_stored_predictions(tilt, tmp_path, monkeypatch):
    published.need(PREDICTIONS)
    published.need("stereoset/dev_rebuilt.json")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, out, err = tilt("replicate", write(tmp_path, PAPER), "--out", tmp_path / "paper")
    assert code == 0, err
    assert "30 are equal" in out and "0 different" in out
    assert "It shows people." in out
    folder = tmp_path / "paper"
    numbers = {e.name: e.value for e in read(folder).estimates if not e.groups}
    assert numbers["equal"] == 30
    assert numbers["published_numbers"] == numbers["equal"] + numbers["not_computable"]
    with (folder / "T7.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    gpt2 = [row for row in rows if row["model"] == "gpt2"]
    assert {row["compared"] for row in gpt2} == {"equal"}
    assert abs(float(gpt2[0]["value"]) - float(gpt2[0]["printed"])) < 0.01
    assert "85.95 = 85.95" in (folder / "tables.tex").read_text("utf-8")


def test_ones_own_models_stand_in_the_layout(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, err = tilt(*words, "--models", "fake:masked,fake:causal")
    assert code == 0, err
    assert "fake:masked" in out and "1 table without printed numbers" in out
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    assert "Figure 1: How surely" in page and "Figure 2: Together" in page and "<svg" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len({*ids})  # also in the pictures of several models
    assert "Not here" not in out
    runs = {path.name for path in (tmp_path / "paper").glob("*/card.json")}
    assert runs == {"card.json"}
    code, _, err = tilt(*words, "--models", "fake:masked,fake:causal")
    assert code == 0 and "loading" not in err  # it goes on from what is there


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


def test_the_plan_asks_nothing(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, _ = tilt(*words, "--models", "fake:masked", "--plan")
    assert code == 0 and "would be asked" in out
    assert not (tmp_path / "paper").exists()


def test_the_papers_are_listed(tilt):
    code, out, _ = tilt("replicate")
    assert code == 0 and "nangia2020" in out


def test_models_of_earlier_calls_stay_and_what_is_gone_goes(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    assert tilt(*words, "--models", "fake:masked")[0] == 0
    assert (tmp_path / "paper" / "confidence.svg").is_file()
    code, out, err = tilt(*words, "--models", "fake:causal", "--tables", "T1")
    assert code == 0 and err.count("loading") == 1
    assert "fake:masked" in out and "fake:causal" in out
    assert not (tmp_path / "paper" / "confidence.svg").exists()  # of a figure that is not there now


def test_models_that_are_not_there_end_the_command_before_any_work(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--tables", "T1")
    for models, says in (
        ("paper=/nowhere/model", "/nowhere/model"),
        ("./nope", "--models ./nope: ./nope: there is no such folder"),
        ("fake:nope", "--models fake:nope"),
        ("paper=", "'paper=' names no model; write paper, or paper=REFERENCE"),
        ("fake:masked,nope:x", "No kind of model named 'nope'"),
    ):
        code, out, err = tilt(*words, "--models", models)
        assert (code, out) == (2, "") and says in " ".join(err.split()), (models, err)
    assert not [*(tmp_path / "paper").glob("*/card.json")]
    text = STARTER.replace('study = "starter_pairs"', 'study = "starter_pairs"\nown = false')
    code, _, err = tilt(
        "replicate", write(tmp_path, text), "--models", "fake:masked", "--tables", "T1"
    )
    assert code == 2 and "nothing wanted of mine is run on fake:masked; its models are paper" in err


@pytest.mark.parametrize(("old", "new", "says"), [
    ('study = "starter_pairs"', 'study = "starter_pears"', "Did you mean 'starter_pairs'"),
    ('study = "starter_pairs"', 'study = "starter_pairs"\nrule = "none"', "runs.pairs: No rule"),
    ('analysis = "correlate"', 'analysis = "corelate"', "Did you mean 'correlate'"),
    ('over = "groups"', 'ovr = "groups"', "analyses.together: No option of correlate named 'ovr'"),
])  # fmt: skip
def test_mistakes_in_what_no_table_needs_are_found_too(tilt, tmp_path, old, new, says):
    text = STARTER.replace(old, new)
    code, out, err = tilt("replicate", write(tmp_path, text), "--tables", "T1")
    assert (code, out) == (2, "") and says in " ".join(err.split()), err


@pytest.mark.parametrize(("where", "says"), [
    ('bias_tipe = ["age"]', "the axis 'bias_tipe', which no number has; did you mean 'bias_type'?"),
    ('bias_type = ["gendre"]', "bias_type = gendre, and no number is there; did you mean 'gender'?"),
])  # fmt: skip
def test_a_misspelt_place_is_an_error_and_not_an_empty_table(tilt, tmp_path, where, says):
    text = STARTER.replace('title = "Kinds of bias"', f'title = "Kinds"\nwhere = {{{where}}}')
    words = ("replicate", write(tmp_path, text), "--models", "fake:masked", "--tables", "T1")
    code, _, err = tilt(*words, "--out", tmp_path / "paper")
    assert code == 2 and says in " ".join(err.split())


def test_a_misspelt_place_of_printed_numbers_is_found_before_any_work(tilt, tmp_path):
    text = PAPER.replace('title = "lms', 'where = {domain = ["gendr"]}\ntitle = "lms').replace(
        f'[[runs.stereoset.stored]]\nmodel = "gpt2"\nfile = "{PREDICTIONS}"\n', ""
    )
    code, out, err = tilt("replicate", write(tmp_path, text), "--out", tmp_path / "paper")
    assert (code, out) == (2, "") and "T7: where has domain = gendr, and no number is there" in err
    assert "did you mean 'gender'?" in err and not (tmp_path / "paper").exists()


@pytest.mark.parametrize("name", [".", "..", "...", "T1.", " T1", "a/b", "Summary", "t1"])
def test_names_of_items_are_names_of_files(tilt, tmp_path, name):
    text = STARTER.replace('name = "F1"', f'name = "{name}"')
    code, _, err = tilt("replicate", write(tmp_path, text))
    assert code == 2 and (
        "letters, digits" in err or "item 't1' occurs" in err or "twice" in err
    ), err


def test_names_that_nothing_has_are_refused(tilt, tmp_path):
    for old, new, message in (
        (
            'measures = ["stereotype_rate"]',
            'measures = ["rate"]',
            "no result has the measure 'rate'",
        ),
        ('rows = ["bias_type"]', 'rows = ["bias_types"]', "no number has the axis 'bias_types'"),
        ('over = "groups"', 'over = "group"', "analyses.together: No over named 'group'"),
    ):
        paper = write(tmp_path, STARTER.replace(old, new))
        code, _, err = tilt("replicate", paper, "--out", tmp_path / "p", "--models", "fake:masked")
        assert code == 2 and message in " ".join(err.split()), err
    paper = write(tmp_path, STARTER.replace('"confidence"', '"confidance"'))
    code, out, _ = tilt("replicate", paper, "--out", tmp_path / "p", "--models", "fake:masked")
    assert code == 0 and "Nothing here is called confidance" in " ".join(out.split())


def test_a_threshold_is_judged(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--tables", "T1")
    assert tilt(*words, "--fail-if", "published_numbers < 1")[0] == 3
    assert tilt(*words, "--fail-if", "equl > 1")[0] == 2
