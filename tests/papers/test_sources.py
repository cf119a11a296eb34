"""What a paper's file names: models, items and places."""

import pytest

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


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
    ('bias_tipe = ["age"]', "where names an axis that no number has: 'bias_tipe'; did you mean 'bias_type'?"),
    ('bias_type = ["gendre"]', "bias_type = gendre, and no number is there; did you mean 'gender'?"),
])  # fmt: skip
def test_a_misspelt_place_is_an_error_and_not_an_empty_table(tilt, tmp_path, where, says):
    text = STARTER.replace('title = "Kinds of bias"', f'title = "Kinds"\nwhere = {{{where}}}')
    words = ("replicate", write(tmp_path, text), "--models", "fake:masked", "--tables", "T1")
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
    assert code == 0 and "Nothing here is called confidance" in " ".join(out.split())
