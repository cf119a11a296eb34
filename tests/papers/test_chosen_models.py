"""Which models a paper is run on."""

import pytest

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt
from tiltmeter.core.errors import BadInput
from tiltmeter.papers.chosen_models import chosen_models
from tiltmeter.papers.paper_file import read_paper

__all__ = ["own_cache", "tilt"]


def test_a_model_of_the_paper_goes_by_its_name_or_by_what_opens_it():
    paper = read_paper("nangia2020")
    for text in ("bert", "google-bert/bert-base-uncased"):
        (model,) = chosen_models(paper, [text])
        assert (model.name, model.called) == ("bert", "bert-base-uncased")
    (mine,) = chosen_models(paper, ["bert=./mine"])
    assert (mine.name, mine.reference) == ("bert", "./mine")
    assert [m.name for m in chosen_models(paper, ["all", "bert=./mine"])] == [
        "bert",
        "roberta",
        "albert",
    ]
    assert chosen_models(paper, ["all", "bert=./mine"])[0].reference == "./mine"
    with pytest.raises(BadInput, match="bert is two models"):
        chosen_models(paper, ["bert=./a", "bert=./b"])


@pytest.mark.parametrize(("models", "says"), [
    ("", "--models is empty"),
    ("fake:masked,,paper", "a model has no name"),
    ("paper=", "'paper=' names no model"),
    ("papr=fake:masked", "Did you mean 'paper'?"),
])  # fmt: skip
def test_models_without_a_name_are_refused(tilt, tmp_path, models, says):
    paper = write(tmp_path, STARTER)
    code, out, err = tilt("replicate", paper, "--models", models, "--out", tmp_path / "paper")
    assert (code, out) == (2, "") and says in " ".join(err.split()), err


def test_a_model_that_nothing_wanted_is_run_on_is_refused(tilt, tmp_path):
    words = ("replicate", "nadeem2020", "--select", "T1", "--out", tmp_path / "paper", "--models")
    for model in ("bert-base=fake:masked", "bert-base", "fake:masked"):
        code, _, err = tilt(*words, model)
        assert (
            code == 2
            and "none of the tables and figures of nadeem2020 that are wanted is of"
            in " ".join(err.split())
        ), err
    text = STARTER.replace('study = "starter_pairs"', 'study = "starter_pairs"\nwhy = "too dear"')
    code, _, err = tilt("replicate", write(tmp_path, text), "--models", "paper=fake:masked")
    assert (
        code == 2
        and "none of the tables and figures of mine that are wanted is of paper; too dear" in err
    )


def test_a_model_called_like_one_of_the_paper_stands_apart(tilt, tmp_path):
    text = STARTER.replace('called = "bert-base-uncased"', 'called = "masked"')
    words = ("replicate", write(tmp_path, text), "--select", "T1", "--out", tmp_path / "paper")
    code, out, err = tilt(*words, "--models", "paper=fake:masked,fake:masked")
    assert code == 0, err
    assert "masked" in out and "fake:masked" in out
    assert tilt(*words)[1].split("page:")[0] == out.split("page:")[0]  # as earlier runs, too
