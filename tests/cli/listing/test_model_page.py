"""What a model can answer, from its configuration or its kind."""

import json
import shlex

import pytest

from support.architectures import build
from tiltmeter.core.finder import find, known
from tiltmeter.data.downloads import registry, weights


@pytest.fixture
def listed(tilt):
    def answers(model):
        code, out, err = tilt("ls", model, "--json")
        assert code == 0, err
        return json.loads(out)

    return answers


@pytest.mark.parametrize("architecture", ["bert", "gpt2", "t5", "xlnet"])
def test_a_study_can_be_asked_if_a_rule_needs_what_the_model_answers(
    listed, tmp_path, architecture
):
    from tiltmeter.models.opening.open_model import resolve

    folder = build(architecture, tmp_path / architecture)
    answers = listed(folder)
    can = {can["study"] for can in answers["can"]}
    able = {*resolve(str(folder)).answers}
    expected = {
        name
        for name in known("studies")
        if able & {rule.needs for rule in find("studies", name, "STUDY").rules}
    }
    assert can == expected
    cannot = [name for why in answers["cannot"] for name in why["studies"]]
    assert sorted([*can, *cannot]) == known("studies")
    assert len({why["why"] for why in answers["cannot"]}) == len(answers["cannot"])


def test_every_command_that_is_shown_can_be_given(tilt, listed):
    for can in listed("fake:writer")["can"]:
        words = shlex.split(can["command"])
        assert words[:2] == ["tiltmeter", "run"]
        if can["data_state"] == "here":
            assert tilt(*words[1:], "--limit", "4", "--plan")[0] == 0, words


def test_nothing_is_downloaded(tilt, monkeypatch):
    for module, name in ((weights, "get"), (registry, "download")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("it is downloaded"))
    for model in ("demo", "glove", "minilm", "gpt2", "bert"):
        code, out, err = tilt("ls", model)
        assert code == 0, err
        assert f"tiltmeter audit {shlex.quote(model)}" in out


def test_offline_a_known_model_is_judged_by_its_kind_and_says_so(tilt, listed):
    _, out, _ = tilt("ls", "gpt2")
    assert "Judged by its kind alone: the hub's model" in " ".join(out.split())
    assert "tiltmeter run bbq gpt2" in out
    assert "not on this computer" in listed("demo")["by_kind_since"][0]
    assert listed("fake:masked")["by_kind_since"] == []
    code, _, err = tilt("ls", "nobody/nothing")
    assert code == 1 and "nobody/nothing" in err
    assert "tiltmeter run gest masked:nobody/nothing" in tilt("ls", "masked:nobody/nothing")[1]


def test_reasons_are_lines_with_all_studies_that_they_hold_for(listed, tilt):
    reasons = {why["why"]: why["studies"] for why in listed("fake:masked")["cannot"]}
    assert reasons["for a model that labels texts (classifiers)"] == [
        "classification", "counterfactual", "fairness_gaps",
    ]  # fmt: skip
    assert reasons["it cannot embed texts by itself"] == ["sos_static"]
    _, out, _ = tilt("ls", "fake:masked")
    reason = (
        "for a model that labels texts (classifiers): classification, counterfactual, fairness_gaps"
    )
    assert reason in " ".join(out.split())


def test_an_ensemble_chooses_among_triples_only(listed):
    answers = listed("ensemble:fake:masked+fake:causal")
    assert [can["study"] for can in answers["can"]] == ["stereoset"]


def test_a_baseline_ranks(listed):
    assert {can["rule"] for can in listed("random")["can"]} == {"ranked"}
