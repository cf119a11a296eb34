"""What a model can answer, found out from what is known of it before it is loaded."""

import shlex
from dataclasses import replace

import pytest

from tiltmeter.core.finder import find
from tiltmeter.core.study import StudyFile
from tiltmeter.run.planning.answerable import answers_of_model, kinds_asked, run_command

STUDIES = [
    find("studies", name, "STUDY") for name in ("bbq", "classification", "seat", "sos_static")
]


def test_a_study_is_answerable_or_has_a_reason():
    answers = answers_of_model("fake:masked", STUDIES)
    assert [(can.study.name, can.rules) for can in answers.can] == [("seat", "start_token")]
    assert answers.cannot == {
        "for a model that writes replies (Qwen, GPT-2)": ["bbq"],
        "for a model that labels texts (classifiers)": ["classification"],
        "it cannot embed texts by itself": ["sos_static"],  # it makes other vectors
    }
    assert answers.by_kind == ()


def test_an_ensemble_is_asked_as_its_members_are():
    stereoset = find("studies", "stereoset", "STUDY")
    reference = "ensemble:fake:masked+fake:causal"
    answers = answers_of_model(reference, [*STUDIES, stereoset])
    (can,) = answers.can
    assert can.command == f"tiltmeter run stereoset {reference}"
    assert [where.reference for where in answers.members] == ["fake:masked", "fake:causal"]


@pytest.mark.parametrize("model", ["gpt2", "my models/bert", "chat:http://h:1#m", "a'b"])
def test_a_command_is_as_a_shell_takes_it(model):
    words = shlex.split(run_command(STUDIES[0], model))
    assert words == ["tiltmeter", "run", "bbq", model]


def test_the_command_of_a_file_names_it_and_allows_its_code():
    study = replace(STUDIES[0], name="mine", file=StudyFile("./mine.py", "0"))
    assert run_command(study, "gpt2") == "tiltmeter run ./mine.py gpt2 --allow-code"


def test_kinds_of_models_come_from_what_rules_need():
    assert [kinds_asked(study) for study in STUDIES] == [
        ["replies"], ["labels"], ["vectors"], ["vectors"],
    ]  # fmt: skip
