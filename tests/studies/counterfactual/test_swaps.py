"""Swaps of identity terms in labelled texts; what is left out is listed."""

import pytest

from tiltmeter.studies.counterfactual.swaps import load_swaps

TABLE = """id,text,label,group_gender,group_race
1,A woman sang loudly.,rude,female,black|white
2,The men and women left.,kind,,
3,Black cars are for men.,rude,male,black
4,An Asian man waited.,kind,male,
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text(TABLE, "utf-8")
    return path


def test_every_text_with_a_term_is_swapped_or_listed_with_its_reason(table):
    data = load_swaps(table, settings={"positive": "rude"})
    found = {item.id.rpartition(":")[0]: item.after for item in data.items}
    assert found["1:gender"] == "A man sang loudly."
    assert {item.after for item in data.items if item.id.startswith("4:race")} == {
        "A black man waited.",
        "A white man waited.",
    }  # fmt: skip
    left = {(problem.item, problem.reason.partition(":")[0]) for problem in data.invalid}
    assert left == {
        ("2", "it names women and men, which an exchange would make one"),
        ("3", "'black' may not be about people here"),
    }
    assert "Left out and listed: 2 texts" in data.notes[-1].text
    assert not any("name of a group" in note.text for note in data.notes)
    kept = load_swaps(table, settings={"positive": "rude", "doubtful": "keep"})
    assert {item.groups["doubt"] for item in kept.items} == {"clear", "doubtful"}


def test_texts_without_a_group_are_counted_as_left_out(table):
    table.write_text(TABLE + "5,It rained all day.,kind,,\n", "utf-8")
    notes = load_swaps(table, settings={"positive": "rude"}).notes
    assert "1 of 5 texts without the name of a group." in [note.text for note in notes]
