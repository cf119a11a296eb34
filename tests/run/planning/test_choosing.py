"""Which rule scores a model, and what a refusal says."""

import pytest

from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import Continues, FillsBlanks, JudgesNext
from tiltmeter.run.planning.choosing import choose, settings_of


def test_a_refusal_names_only_rules_that_the_convention_lets_the_model_answer():
    study = find("studies", "group_traits", "STUDY")
    with pytest.raises(CannotAnswer) as refused:
        choose(study, [FillsBlanks], model="m", rule="ilps_star", convention="cao2022_code")
    message = str(refused.value)
    under = "under the convention 'cao2022_code'"
    assert message.startswith(f"m cannot be scored by 'ilps_star' {under}: ")
    assert f"Rules it can answer {under}: ilps." in message
    assert "Without --convention it can also answer: ilps_star, ilps." in message


def test_a_model_that_no_rule_fits_is_told_so():
    study = find("studies", "pairs", "STUDY")
    with pytest.raises(CannotAnswer, match=r"^pairs cannot measure m: it needs a model that can"):
        choose(study, [], model="m")


def test_a_policy_for_ties_that_does_not_exist_is_refused():
    study = find("studies", "pairs", "STUDY")
    with pytest.raises(UnknownName, match="No policy for ties named 'nope'"):
        choose(study, [FillsBlanks], model="m", ties="nope")


def test_settings_of_a_rule_are_those_of_its_runs_alone():
    study = find("studies", "crows_pairs", "STUDY")
    chosen = choose(study, [FillsBlanks], model="m", rule="pll_random15", settings={"draws": "8"})
    assert chosen.settings == {"spaces": "removed", "draws": "8", "masked": "modified"}
    assert choose(study, [FillsBlanks], model="m").settings == {"spaces": "removed"}
    assert settings_of(study, {"draws": "8"}) == {"spaces": "removed", "draws": "8"}
    with pytest.raises(BadInput, match="--set draws has no effect under the rule pll_shared"):
        choose(study, [FillsBlanks], model="m", settings={"draws": "8"})
    with pytest.raises(UnknownName, match="choice for masked named 'all'"):
        settings_of(study, {"masked": "all"})


@pytest.mark.parametrize("value", ["0", "10001", "-1", "1.5", "²", "many", ""])
def test_a_setting_that_has_to_be_a_whole_number(value):
    study = find("studies", "crows_pairs", "STUDY")
    with pytest.raises(BadInput, match="is not a whole number from 1 to 10,000"):
        settings_of(study, {"draws": value})


def test_the_first_of_several_rules_that_a_model_can_answer():
    """A model without a next-sentence head has the half within sentences; a causal model its own rule."""
    study = find("studies", "stereoset", "STUDY")
    rule = (
        "blank_logprob+next_sentence,sentence_logprob+next_sentence,blank_logprob,sentence_logprob"
    )

    def chosen(*answers):
        return choose(study, answers, model="m", rule=rule).rule.name

    assert chosen(FillsBlanks, JudgesNext) == "blank_logprob+next_sentence"
    assert chosen(Continues, JudgesNext) == "sentence_logprob+next_sentence"
    assert chosen(FillsBlanks) == "blank_logprob"
    assert chosen(Continues) == "sentence_logprob"
    with pytest.raises(CannotAnswer, match="'blank_logprob', 'next_sentence', 'sentence_logprob'"):
        chosen()
    with pytest.raises(UnknownName, match="No rule named 'nope'"):
        choose(study, [FillsBlanks], model="m", rule="blank_logprob,nope")
    with pytest.raises(BadInput, match="score the same items"):
        choose(study, [FillsBlanks], model="m", rule="blank_logprob,pll_context+blank_logprob")
