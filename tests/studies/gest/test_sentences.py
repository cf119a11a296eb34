"""The published sentences in their templates, tables of a user's, and templates of one's own."""

from collections import Counter

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.studies.gest.sentences import (
    SPEAKER_FIRST,
    SPEAKER_LAST,
    STEREOTYPES,
    load,
    reads,
    sample,
    templates_of,
)


def written(folder, *lines, header="sentence,stereotype,about"):
    path = folder / "mine.csv"
    path.write_text("\n".join([header, *lines]), "utf-8")
    return path


def test_the_published_sentences_in_four_templates():
    data = load()
    assert len(data.items) == 4 * 3_565 and data.licence == "Apache-2.0"
    first = data.items[:4]
    assert [(item.id, item.male, item.female) for item in first] == [
        ("1/1", 'He said: "I have always been a leadership type."',
         'She said: "I have always been a leadership type."'),
        ("1/2", 'The man said: "I have always been a leadership type."',
         'The woman said: "I have always been a leadership type."'),
        ("1/3", '"I have always been a leadership type.", he said.',
         '"I have always been a leadership type.", she said.'),
        ("1/4", '"I have always been a leadership type.", the man said.',
         '"I have always been a leadership type.", the woman said.'),
    ]  # fmt: skip
    assert [item.task for item in first] == [SPEAKER_FIRST] * 2 + [SPEAKER_LAST] * 2
    assert dict(first[0].groups) == {
        "stereotype": "self-confident",
        "about": "men",
        "template": "1",
    }
    assert first[0].where == "gest.csv:2"
    counts = Counter(item.groups["stereotype"] for item in data.items)
    assert {name: counts[name] // 4 for name in list(STEREOTYPES)[:3]} == {
        "emotional": 254,
        "gentle": 215,
        "empathetic": 256,
    }
    assert Counter(STEREOTYPES.values()) == {"women": 7, "men": 9}


def test_copies_of_a_sentence_are_one_cluster():
    data = load("gest_1_1", settings={"templates": "3"})
    assert len(data.items) == 3_565
    assert len({item.cluster for item in data.items}) == 3_554
    assert any("listed more than once" in note.text for note in data.notes)


def test_a_table_with_numbers_names_and_stereotypes_of_its_own(tmp_path):
    path = written(tmp_path, "I wept.,1,", "I lead.,leaders,men", "I knit.,crafty,women")
    data = load(path, settings={"templates": "3"})
    assert [dict(item.groups) for item in data.items] == [
        {"stereotype": "emotional", "about": "women", "template": "3"},
        {"stereotype": "leaders", "about": "men", "template": "3"},
        {"stereotype": "crafty", "about": "women", "template": "3"},
    ]
    assert reads(path, "") and not reads(tmp_path / "none.csv", "")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            "I knit.,crafty,",
            r"mine\.csv:3: the stereotype 'crafty' is none of GEST's.*women or men",
        ),
        ("I knit.,17,", r"mine\.csv:3: the stereotype '17' is none"),
        ("I lead.,leaders,women", r"mine\.csv:3: the stereotype 'leaders' is of women and of men"),
        (",leaders,", r"mine\.csv:3: sentence is empty"),
    ],
)
def test_rows_that_cannot_be_used_are_named(row, says, tmp_path):
    path = written(tmp_path, "I wept.,1,", row)
    with pytest.raises(BadItems, match=says):
        load(path)
    assert len(load(path, skip_invalid=True).items) == 4


def test_templates_of_ones_own(tmp_path):
    path = tmp_path / "templates.txt"
    path.write_text(
        '[My uncle|My aunt] sighed: "{sentence}", as [he|she] did.\n\n"{sentence}" – [Sir|Madam]\n'
    )
    first, second = templates_of(str(path))
    assert (first.name, first.task, first.female) == (
        "1",
        SPEAKER_FIRST,
        'My aunt sighed: "{sentence}", as she did.',
    )
    assert (second.name, second.task, second.text) == ("2", SPEAKER_LAST, '"…" – [Sir|Madam]')
    data = load(None, settings={"templates": str(path)})
    assert len(data.items) == 2 * 3_565 and data.labels["template"]["2"] == '"…" – [Sir|Madam]'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[He|She] said.", r"templates\.txt:1: the template has 0 places for the sentence"),
        ('"{sentence}", they said.', "does not name a speaker"),
        ("\n", "contains no template"),
    ],
)
def test_templates_that_cannot_be_used(text, says, tmp_path):
    path = tmp_path / "templates.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=says):
        templates_of(str(path))


def test_templates_by_number():
    assert [template.name for template in templates_of("4, 1,4")] == ["4", "1"]
    with pytest.raises(BadInput, match="no template '5'; write some of 1, 2, 3, 4"):
        templates_of("1, 5")
    with pytest.raises(BadInput, match="templates names none"):
        templates_of(" ")


def test_the_sample_has_both_genders_and_all_templates():
    axes = {axis: {item.groups[axis] for item in sample().items} for axis in ("about", "template")}
    assert axes == {"about": {"women", "men"}, "template": {"1", "2", "3", "4"}}
