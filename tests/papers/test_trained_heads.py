"""Next-sentence heads for the models of a paper that have none."""

import json

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.models.opening.model_options import Options
from tiltmeter.papers.chosen_models import ChosenModel
from tiltmeter.papers.trained_heads import trained_heads
from tiltmeter.run.monitor import Logged


@pytest.fixture
def heads(tmp_path):
    for name in ("gpt2", "roberta-base"):
        (tmp_path / "heads" / name).mkdir(parents=True)
        (tmp_path / "heads" / name / "next_sentence.json").write_text(json.dumps({}))
    return tmp_path / "heads"


def test_a_head_is_found_by_the_paper_s_name_by_that_of_its_tables_or_of_the_files(heads):
    roberta = ChosenModel("a/b", "roberta", "roberta-base")
    found = trained_heads(heads, [roberta])
    assert (
        found.of(roberta)
        == found.of(ChosenModel("FacebookAI/roberta-base"))
        == heads / "roberta-base"
    )
    assert found.of(ChosenModel("x", "gpt2", "GPT-2")) == heads / "gpt2"
    assert found.of(ChosenModel("x", "bert", "BERT")) is None
    assert trained_heads(None, [roberta]).of(roberta) is None


def test_a_folder_without_heads_or_of_other_models_is_refused(heads, tmp_path):
    with pytest.raises(BadInput, match="no folder in it is a next-sentence head"):
        trained_heads(tmp_path, [ChosenModel("x", "gpt2")])
    with pytest.raises(BadInput, match=r"heads gpt2, roberta-base, models bert"):
        trained_heads(heads, [ChosenModel("x", "bert")])


@pytest.mark.parametrize(("study", "rule", "headed"), [
    ("stereoset", "", True),
    ("stereoset", "sentence_logprob+next_sentence", True),
    ("stereoset", "sentence_logprob+likelihood_ratio", False),
    ("crows_pairs", "", False),
])  # fmt: skip
def test_a_model_is_opened_with_its_head_where_a_rule_asks_for_one(heads, study, rule, headed):
    plain = "fake:causal"
    gpt2 = ChosenModel(plain, "gpt2")
    opened = trained_heads(heads, [gpt2]).reference(
        gpt2, find("studies", study, "STUDY"), rule, Options(), Logged()
    )
    assert opened == (f"headed:{plain},{heads / 'gpt2'}" if headed else plain)


def test_a_model_with_a_head_of_its_own_keeps_it(heads):
    fake = ChosenModel("fake:next", "gpt2")
    study = find("studies", "stereoset", "STUDY")
    found = trained_heads(heads, [fake])
    assert found.reference(fake, study, "", Options(), Logged()) == "fake:next"
