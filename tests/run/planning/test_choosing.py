"""Which rule scores a model, and what a refusal says."""

import pytest

from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import FillsBlanks
from tiltmeter.run.planning.choosing import choose


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
    with pytest.raises(CannotAnswer, match=r"No rule of pairs fits this model\.$"):
        choose(study, [], model="m")


def test_a_policy_for_ties_that_does_not_exist_is_refused():
    study = find("studies", "pairs", "STUDY")
    with pytest.raises(UnknownName, match="No policy for ties named 'nope'"):
        choose(study, [FillsBlanks], model="m", ties="nope")
