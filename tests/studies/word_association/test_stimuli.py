"""Stimuli of word associations: which words have which kind, what is asked, and what is refused."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.studies.word_association.stimuli import load_word_association, read_stimuli

HEADER = "category,dataset,A,B,C,D"
ROWS = (
    "pets,cat,Dog,Cat,loyal,Faithful", "pets,cat,,,brave,", "pets,cat,,,vain,proud", "pets,cat,,,sly,",
    "birds,crow,Dove,Crow,mild,soft", "birds,crow,,,loud,shrill",
)  # fmt: skip


def file(tmp_path, *rows, header=HEADER):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join((header, *rows)), "utf-8")
    return path


def load(tmp_path, **settings):
    return load_word_association(file(tmp_path, *ROWS), settings=settings).items


def test_the_first_half_of_the_words_is_positive_and_synonyms_follow_their_row(tmp_path):
    made, problems = read_stimuli([file(tmp_path, *ROWS)])
    cat = made["cat"]
    assert (cat.domain, cat.names) == ("pets", {"dog": "default", "cat": "stigma"})
    kinds = {"loyal": "positive", "brave": "positive", "vain": "negative", "sly": "negative"}
    assert cat.words == kinds and cat.synonyms == {"faithful": "positive", "proud": "negative"}
    assert not problems


def test_lists_and_decisions(tmp_path):
    items = load(tmp_path, runs="3")
    assert len(items) == len({item.id for item in items}) == 2 * 6 * 3
    listed = [item for item in items if item.id.startswith("association/cat/replication")]
    assert {frozenset(item.words) for item in listed} == {
        frozenset(("loyal", "brave", "vain", "sly"))
    }
    assert all(f"{item.options[0]} or {item.options[1]}" in item.prompt.plain for item in listed)
    assert all(item.prompt.plain.endswith(", ".join(item.words)) for item in listed)
    assert all(dict(zip(item.options, item.roles, strict=True)) == {"dog": "default", "cat": "stigma"}
               for item in listed)  # fmt: skip
    decisions = [item for item in items if item.groups["task"] == "decision"]
    assert all(sorted(item.words.values()) == ["negative", "positive"] for item in decisions)


def test_draws_depend_on_the_seed_alone(tmp_path):
    first, again, other = (load(tmp_path, runs="20", drawn=drawn) for drawn in "001")
    assert first == again and [i.prompt for i in first] != [i.prompt for i in other]
    assert {item.groups["first_named"] for item in first} == {"default", "stigma"}


def test_settings_choose_what_is_asked(tmp_path):
    items = load(tmp_path, categories="crow", tasks="decision", runs="2", temperature="0.5")
    assert [item.id for item in items] == [
        f"decision/crow/{variation}/{run}" for variation in ("replication", "synonym") for run in (0, 1)
    ]  # fmt: skip
    assert {item.temperature for item in items} == {0.5}
    for setting in ({"categories": "crows"}, {"tasks": "decisions"}):
        with pytest.raises(UnknownName):
            load(tmp_path, **setting)
    with pytest.raises(BadInput, match="runs"):
        load(tmp_path, runs="0")


def test_a_stereotype_without_a_group_is_refused_or_left_out(tmp_path):
    path = file(tmp_path, *ROWS, "birds,owl,Dove,,mild,", "birds,owl,,,loud,")
    with pytest.raises(BadItems, match=r"mine\.csv: owl has no name of one of the groups"):
        read_stimuli([path])
    made, problems = read_stimuli([path], skip_invalid=True)
    assert [*made] == ["cat", "crow"] and len(problems) == 1
    with pytest.raises(BadInput, match="no column named B"):
        read_stimuli([file(tmp_path, "cat,Dog,loyal", header="dataset,A,C")])


def test_the_published_stimuli():
    """Occupations are only in the file with synonyms, without a counterpart: they do not count."""
    data = load_word_association(settings={"runs": "1"})
    assert len(data.items) == 21 * 6
    assert len({item.groups["category"] for item in data.items}) == 21
    words = {w: kind for item in data.items for w, kind in item.words.items()}
    assert words["failure"] == words["hate"] == "negative" and "clerical workers" not in words
    for item in data.items:
        kinds = [*item.words.values()]
        assert (
            kinds.count("positive") >= len(kinds) // 2 - 1
        )  # some synonyms of a list are the same word


def test_a_named_wording_takes_the_place_of_the_variations_that_differ_in_it(tmp_path):
    usual = load(tmp_path, runs="1")
    standard = load(tmp_path, runs="1", wording="standard")
    prompts = {item.id: item.prompt for item in usual}
    assert {item.groups["variation"] for item in standard} == {"replication", "synonym"}
    assert all(prompts[item.id] == item.prompt for item in standard)
    brief = load(tmp_path, runs="1", wording="labelled")
    assert [item.id for item in brief] == [item.id for item in standard]
    assert all("Task: " in item.prompt.plain for item in brief)
