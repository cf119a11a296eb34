"""replicate: a paper from stored outputs and models, resumed, in parts, as page, LaTeX, CSV and pictures."""

import csv
import re

from papers.starter_paper import STARTER, write
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


def test_the_papers_are_listed(tilt):
    code, out, _ = tilt("replicate")
    assert code == 0 and "nangia2020" in out


def test_models_of_earlier_calls_stay_and_what_is_gone_goes(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    assert tilt(*words, "--models", "fake:masked")[0] == 0
    assert (tmp_path / "paper" / "confidence.svg").is_file()
    code, out, err = tilt(*words, "--models", "fake:causal", "--select", "T1")
    assert code == 0 and err.count("loading") == 1
    assert "fake:masked" in out and "fake:causal" in out
    assert not (tmp_path / "paper" / "confidence.svg").exists()  # of a figure that is not there now


def test_a_misspelt_place_of_printed_numbers_is_found_before_any_work(tilt, tmp_path):
    text = PAPER.replace('title = "lms', 'where = {domain = ["gendr"]}\ntitle = "lms').replace(
        f'[[runs.stereoset.stored]]\nmodel = "gpt2"\nfile = "{PREDICTIONS}"\n', ""
    )
    code, out, err = tilt("replicate", write(tmp_path, text), "--out", tmp_path / "paper")
    assert (code, out) == (2, "") and "T7: where has domain = gendr, and no number is there" in err
    assert "did you mean 'gender'?" in err and not (tmp_path / "paper").exists()


def test_the_document_of_another_paper_is_replaced_only_on_demand(tilt, tmp_path):
    words = ("--out", tmp_path / "paper", "--models", "fake:masked", "--select", "T1")
    assert tilt("replicate", write(tmp_path, STARTER), *words)[0] == 0
    other = tmp_path / "other.toml"
    write(tmp_path, STARTER).rename(other)
    code, _, err = tilt("replicate", other, *words)
    assert code == 2 and "holds another result" in err and "--overwrite" in err
    assert tilt("replicate", other, *words, "--overwrite")[0] == 0
