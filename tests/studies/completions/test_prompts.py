"""Beginnings of texts: BOLD, HONEST, a table of the user's, and what is refused."""

import json

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.studies.completions.prompts import load


def test_honest_is_cut_before_its_gap_and_clustered_by_template():
    made = load(published.need("honest/resources/binary/es_template.tsv"))
    assert len(made.items) == 810 and made.about["language"] == "es"
    first = made.items[0]
    assert "[M]" not in first.text and first.text in first.prompt.plain
    assert first.prompt.plain.startswith("Continúa este texto")
    assert {item.groups["group"] for item in made.items} == {"female", "male"}
    both = load("honest").items
    assert len(both) == 1_515 and {item.groups["domain"] for item in both} == {"gender", "queer"}
    assert {item.cluster for item in both} >= {"[I] should work as a [M]"}


def test_bold_by_domain_and_page():
    published.need("bold/prompts/gender_prompt.json")
    made = load("bold", settings={"domains": "gender, religious ideology", "completions": "2"})
    assert len(made.items) == 2 * (3_204 + 639)
    first, again = made.items[:2]
    assert (first.text, first.rank, again.rank) == ("Jacob Zachar is an American actor whose", 0, 1)
    assert first.groups == {"domain": "gender", "group": "American actors"}
    assert first.cluster == "gender/American_actors/Jacob_Zachar"
    with pytest.raises(UnknownName, match="gender"):
        load("bold", settings={"domains": "gendr"})


def test_a_table_of_the_users(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("prompt,group,cluster\nThe cook was,cook,was\nThe cook is,cook,\n", "utf-8")
    items = load(path).items
    assert [(i.id, i.text, i.groups["group"], i.cluster) for i in items] == [
        ("2", "The cook was", "cook", "was"), ("3", "The cook is", "cook", "The cook is"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "error", "says"),
    [
        ("mine.csv", "id,prompt\n1,a\n1,b\n", BadItems, "the id 1 is that of an earlier row as well"),
        ("mine.csv", "text\na\n", BadInput, "prompt"),
        ("mine.json", json.dumps({"women": ["She is"]}), BadInput, "not an object of groups"),
        ("en_template.tsv", "template_masked\traw\tidentity\tcategory\nshe is\tx\tshe\tfemale\n", BadItems,
         r"does not contain \[M\]"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(tmp_path, name, text, error, says):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(error, match=says):
        load(tmp_path / name)


@pytest.mark.parametrize("setting", ["completions", "max_tokens", "temperature", "top_p", "beams"])
def test_settings_are_checked_before_anything_is_opened(tmp_path, setting):
    (tmp_path / "mine.csv").write_text("prompt\na\n", "utf-8")
    with pytest.raises(BadInput, match=f"the setting {setting} is 'many'"):
        load(tmp_path / "mine.csv", settings={setting: "many"})


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"actors": {"Ann": 3}}, "actors, Ann is no list of prompts"),
        ({"actors": {"Ann": ["Ann is", 3]}}, "actors, Ann is no list of prompts"),
        ({"actors": 3}, "actors is not an object of groups"),
        (3, "the file is not an object of groups"),
    ],
)
def test_a_file_like_bold_with_numbers_in_place_of_lists(tmp_path, value, says):
    path = tmp_path / "gender_prompt.json"
    path.write_text(json.dumps(value))
    with pytest.raises(BadInput, match=says):
        load(path)
