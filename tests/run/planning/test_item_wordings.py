"""Tests of items in several wordings."""

import json
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

BBQ = find("studies", "bbq", "STUDY")


SCENE = {
    "question_polarity": "neg", "context_condition": "ambig", "category": "Age", "label": 2,
    "answer_info": {"ans0": ["old", "old"], "ans1": ["young", "nonOld"], "ans2": ["?", "unknown"]},
    "additional_metadata": {"stereotyped_groups": ["old"]}, "question": "Who left?",
    "ans0": "A", "ans1": "B", "ans2": "Not known",
}  # fmt: skip


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    rows = (
        {**SCENE, "example_id": n, "question_index": str(n), "context": f"{n} {{x}} met."}
        for n in range(6)
    )
    path = tmp_path / "Age.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def items(data: Path, **options: object) -> list[object]:
    return list(load_items(BBQ, RunOptions(data=data, **options), Logged()).items)


def test_each_item_stands_once_in_each_wording_and_the_standard_one_keeps_its_id(scenes):
    crossed = items(scenes, wordings="3", limit=2)
    alone = items(scenes, limit=2)
    assert [item.id for item in crossed[::3]] == [item.id for item in alone]
    assert crossed[1].id == f"{alone[0].id}@labelled"
    assert [item.groups["wording"] for item in crossed] == [
        "standard",
        "labelled",
        "question-first",
    ] * 2
    assert {item.cluster for item in crossed} == {item.cluster for item in alone}
    assert len({item.prompt.plain for item in crossed}) == 6
    assert crossed[0].prompt == alone[0].prompt


def test_wordings_of_a_file_are_filled_in_and_braces_of_the_data_are_no_places(scenes, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '[wordings]\na = "{context} {question} {options}"\nb = "{{}} {options}{question}{context}"'
    )
    first, second, *_ = items(scenes, wordings=str(file))
    assert first.prompt.plain == "0 {x} met. Who left? “A”, “B”, “Not known”"
    assert second.prompt.plain == "{} “A”, “B”, “Not known”Who left?0 {x} met."
    assert first.id.endswith("@a")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[wordings]\na = "{context} {question}"', "mine.toml: it has one wording"),
        ('[wordings]\na = "{context}"\nb = "x"', "the wording 'a' has no {question}"),
        (
            '[wordings]\na = "{context} {question} {name}"\nb = "x"',
            "'a' has {name}, which is not known",
        ),
        ('[wordings]\na = "{context {question}"\nb = "x"', "the wording 'a' has a single {"),
        ("", "wordings"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(scenes, tmp_path, text, reason):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises((BadInput, BadItems)) as refused:
        items(scenes, wordings=str(file))
    assert reason in str(refused.value)


def test_a_template_needs_the_places_of_the_way_in_which_a_question_is_asked(scenes, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[wordings]\na = "{context} {question}"\nb = "{question} {context}"')
    with pytest.raises(BadInput, match=r"has no \{options\}"):
        items(scenes, wordings=str(file))
    assert len(items(scenes, wordings=str(file), settings={"asks": "open"})) == 12


def test_wordings_without_effect_or_in_contradiction_are_refused(scenes):
    with pytest.raises(BadInput, match="crows_pairs has no wordings"):
        load_items(find("studies", "crows_pairs", "STUDY"), RunOptions(wordings="all"), Logged())
    with pytest.raises(BadInput, match="from 2 to 5"):
        items(scenes, wordings="9")
    with pytest.raises(BadInput, match="write all, a number, or a TOML file"):
        items(scenes, wordings="sevral")
    with pytest.raises(BadInput, match="leave one of them out"):
        items(scenes, wordings="all", settings={"wording": "brief"})
    with pytest.raises(UnknownName, match="standard"):
        items(scenes, settings={"wording": "breif"})


def test_data_name_the_wordings_and_mark_the_templates_of_a_file(scenes, tmp_path):
    def about(text):
        file = tmp_path / "mine.toml"
        file.write_text(text)
        return load_items(BBQ, RunOptions(data=scenes, wordings=str(file)), Logged()).about

    first = about(
        '[wordings]\na = "{context} {question} {options}"\nb = "{options}{question}{context}"'
    )
    second = about(
        '[wordings]\na = "{context} {question} {options}"\nb = "{question}{options}{context}"'
    )
    assert first["wordings"] == second["wordings"] == "a, b"
    marks = [data["wording_templates"].split(", ") for data in (first, second)]
    assert marks[0][0] == marks[1][0] and marks[0][1] != marks[1][1]
    own = load_items(BBQ, RunOptions(data=scenes, wordings="2"), Logged()).about
    assert "wording_templates" not in own
