"""What a paper's file names: models, items and places."""

import csv
from types import SimpleNamespace

import pytest

from papers.starter_paper import STARTER, write
from support.architectures import build
from support.command_line import own_cache, tilt
from tiltmeter.papers import sources
from tiltmeter.papers.paper_file import RunSource

__all__ = ["own_cache", "tilt"]


def test_models_that_are_not_there_end_the_command_before_any_work(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper", "--select", "T1")
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
        "replicate", write(tmp_path, text), "--models", "fake:masked", "--select", "T1"
    )
    assert (
        code == 2
        and "none of the tables and figures of mine that are wanted is of fake:masked; models of mine: paper"
        in err
    )


@pytest.mark.parametrize(("old", "new", "says"), [
    ('study = "starter_pairs"', 'study = "starter_pears"', "Did you mean 'starter_pairs'"),
    ('study = "starter_pairs"', 'study = "starter_pairs"\nrule = "none"', "runs.pairs: No rule"),
    ('analysis = "correlate"', 'analysis = "corelate"', "Did you mean 'correlate'"),
    ('over = "groups"', 'ovr = "groups"', "analyses.together: No option of correlate named 'ovr'"),
])  # fmt: skip
def test_mistakes_in_what_no_table_needs_are_found_too(tilt, tmp_path, old, new, says):
    text = STARTER.replace(old, new)
    code, out, err = tilt("replicate", write(tmp_path, text), "--select", "T1")
    assert (code, out) == (2, "") and says in " ".join(err.split()), err


@pytest.mark.parametrize(("where", "says"), [
    ('bias_tipe = ["age"]', "where names an axis that no number has: 'bias_tipe'; did you mean 'bias_type'?"),
    ('bias_type = ["gendre"]', "bias_type = gendre, and no number is there; did you mean 'gender'?"),
])  # fmt: skip
def test_a_misspelt_place_is_an_error_and_not_an_empty_table(tilt, tmp_path, where, says):
    text = STARTER.replace('title = "Kinds of bias"', f'title = "Kinds"\nwhere = {{{where}}}')
    words = ("replicate", write(tmp_path, text), "--models", "fake:masked", "--select", "T1")
    code, _, err = tilt(*words, "--out", tmp_path / "paper")
    assert code == 2 and says in " ".join(err.split())


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
    assert code == 0 and "The results here have no table or picture called confidance" in " ".join(
        out.split()
    )


RATED = (
    STARTER
    + """
[models.rater]
called = "a classifier"
why = "theirs is not public"
[analyses.rated]
analysis = "data_check"
inputs = ["sample:stereoset"]
models = { sentiment = "classifier:{rater}" }
at = { model = "yours" }
[[item]]
name = "T2"
title = "Sentiment"
of = ["rated"]
rows = ["side"]
columns = ["model"]
measures = ["negative"]
"""
)


@pytest.fixture
def classifier(tmp_path):
    """A classifier of sentiment that calls every text negative."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    folder = build("bert", tmp_path / "judge")
    labels = {0: "negative", 1: "positive"}
    model = BertForSequenceClassification(BertConfig.from_pretrained(folder, id2label=labels))
    with torch.no_grad():
        model.classifier.bias.copy_(torch.tensor([9.0, -9.0]))
    model.save_pretrained(folder)
    return folder


def test_an_option_of_an_analysis_takes_a_model_of_the_users(tilt, tmp_path, classifier):
    words = ("replicate", write(tmp_path, RATED), "--out", tmp_path / "paper", "--select", "T2")
    code, out, err = tilt(*words)
    assert code == 0 and "theirs is not public" in out, err
    code, out, err = tilt(*words, "--models", f"rater={classifier}")
    assert code == 0, err
    with (tmp_path / "paper" / "T2.csv").open(encoding="utf-8") as table:
        cells = {row["side"]: (row["model"], float(row["value"])) for row in csv.DictReader(table)}
    assert cells["stereotype"] == cells["anti_stereotype"] == ("yours", 100)
    code, _, err = tilt(*words[:-1], "T1", "--models", f"rater={classifier}")
    assert (
        code == 2
        and "none of the tables and figures of mine that are wanted is of rater; leave rater out"
        in err
    )


def test_a_model_without_what_the_analysis_needs_costs_its_numbers_only(tilt, tmp_path):
    plain = build("bert", tmp_path / "plain")
    words = ("replicate", write(tmp_path, RATED), "--out", tmp_path / "paper", "--select", "T2")
    code, out, err = tilt(*words, "--models", f"rater={plain}")
    assert code == 1 and "Not all was run on rater" in err
    assert "would be random" in " ".join(out.split())


@pytest.mark.parametrize(("old", "new", "says"), [
    ("{ sentiment =", "{ sentimnt =", "No option of data_check named 'sentimnt'"),
    ("{rater}", "{ratr}", "analyses.rated: models names 'ratr', which is none"),
    ("{rater}", "{rater", "analyses.rated.models.sentiment has a single {"),
])  # fmt: skip
def test_mistakes_in_models_of_options(tilt, tmp_path, old, new, says):
    code, _, err = tilt("replicate", write(tmp_path, RATED.replace(old, new)), "--select", "T1")
    assert code == 2 and says in " ".join(err.split()), err


def test_runs_that_nothing_takes_are_named_with_the_reason(tilt, tmp_path):
    """Of a folder with several runs, those that serve the paper are used; a folder with none is refused."""
    words = (
        "replicate",
        write(tmp_path, STARTER),
        "--out",
        tmp_path / "p",
        "--runs",
        tmp_path / "runs",
    )
    for study in ("sensible_pairs", "starter_pairs"):
        code, _, err = tilt("run", study, "fake:masked", "--limit", 4, "--out", tmp_path / "runs")
        assert code == 0, err
        code, _, err = tilt(*words)
        if study == "sensible_pairs":
            assert code == 2 and "belongs to nothing that is wanted of mine" in err
            assert "nothing that is wanted needs sensible_pairs" in err
    assert code == 0 and "not used: sensible_pairs-" in " ".join(err.split()), err


@pytest.mark.parametrize(("has", "why"), [
    ({}, "its --convention is paper; wanted: nangia2020"),
    ({"study": "weat"}, "nothing that is wanted needs weat"),
    ({"convention": "nangia2020", "rule": "pll"}, "its --rule is pll; wanted: a or b"),
])  # fmt: skip
def test_why_a_run_is_not_used(has, why):
    card = SimpleNamespace(**{"study": "crows_pairs", "convention": "paper", "data_name": "", "rule": "a",
                              "settings": {}} | has)  # fmt: skip
    source = RunSource("r", "crows_pairs", options={"convention": "nangia2020", "rule": "a,b"})
    assert sources.why_unused(card, [source]) == why
