"""Sentences of the user: which rules score them, and what is refused."""

import pytest

from tiltmeter.core.data.items import Pair, Sentence
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.measuring.scored_items import items_of_sentences, score_only
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def test_two_sentences_are_a_pair_and_others_stand_alone():
    _, two = items_of_sentences(["he ran", "she ran"])
    assert two.items == [Pair("1", "he ran", "she ran")]
    for texts in (["he ran"], ["he ran", "she ran", "they ran"]):
        _, some = items_of_sentences(texts)
        assert some.items == [Sentence(str(i), text) for i, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("texts", "rule", "error", "message"),
    [
        ([], None, BadInput, "no sentence"),
        (["he ran", " "], None, BadInput, "sentence 2 is empty"),
        (["he ran", "he ran"], None, BadInput, "the same"),
        (["he ran"], "aul", BadInput, "compares two sentences, and there is one"),
        (["a", "b", "c"], "pll_shared", BadInput, "there are 3; .*pll_all"),
        (["a", "b"], "pll_shard", UnknownName, "pll_shared"),
    ],
)
def test_mistakes_are_explained(texts, rule, error, message):
    with pytest.raises(error, match=message):
        items_of_sentences(texts, rule)


def scored(texts, model, rule=None, **named):
    study, items = items_of_sentences(texts, rule)
    options = RunOptions(rule=rule, data=items, **named)
    return score_only(study, model, options, Options(), Logged(), per_token=True)


def test_how_they_were_scored_goes_with_the_records():
    found = scored(["he ran", "she ran"], "fake:causal")
    assert (found.rule.name, found.convention) == ("log_likelihood", "paper")
    assert found.model["name"] == "fake:causal"
    assert [t.text for t in found.records[0].tokens["less"]] == ["she", "ran"]


def test_answers_are_stored_and_taken_from_the_store(monkeypatch):
    first = scored(["he ran", "she ran"], "fake:masked")
    monkeypatch.setattr(
        "tiltmeter.models.fake.FakeMasked.blank_logprobs", lambda *_: pytest.fail("asked")
    )
    assert scored(["he ran", "she ran"], "fake:masked").records == first.records


def test_what_is_about_decisions_is_refused():
    study, items = items_of_sentences(["he ran", "she ran"])
    options = RunOptions(data=items)
    with pytest.raises(BadInput, match="ensemble"):
        score_only(study, "ensemble:fake:masked=0.5+fake:causal=0.5", options, Options(), Logged())
