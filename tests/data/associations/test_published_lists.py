"""Published word lists: how they are read, and which belong together."""

import json
from dataclasses import dataclass

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.associations.published_lists import published_lists

GATHERED = published.needs("seed_lists/gathered_seeds.json")


@dataclass
class Paper:
    """A paper and its lists, by category."""

    name: str
    lists: dict


def file_of(folder, *papers):
    entries = [
        {"Category": category, "Seeds": words, "Used in Paper": paper.name}
        for paper in papers
        for category, words in paper.lists.items()
    ]
    path = folder / "lists.json"
    path.write_text(json.dumps(entries), "utf-8")
    return path


SMITH = Paper("On Words (Smith, 2020)", {"male": ["he", "his"], "female": ["she", "her"]})
JONES = Paper(
    "Names (Jones, 2021)", {"Male 1": "['lad', 'old_man', 'lad']", "female 1": "['lass']"}
)


def test_two_lists_of_one_paper_replace_opposite_sets(tmp_path):
    lists = published_lists(str(file_of(tmp_path, SMITH, JONES)))
    found = [(a.paper, a.words, b.words) for a, b in lists.pairs("MaleTerms", "FemaleTerms")]
    assert found == [
        ("Smith, 2020", ("he", "his"), ("she", "her")),
        ("Jones, 2021", ("lad", "old man"), ("lass",)),
    ]
    assert [a.words for a, _ in lists.pairs("Women", "Men")] == [("she", "her"), ("lass",)]
    assert not [*lists.pairs("Flowers", "Insects")]
    assert lists.about.startswith("lists.json, 4 lists with words, SHA-256 ")


def test_sets_with_the_names_of_categories_need_no_entry(tmp_path):
    paper = Paper("Cats (Lee, 2022)", {"cat people": ["tom"], "dog people": ["rex"]})
    lists = published_lists(str(file_of(tmp_path, paper)))
    assert [a.words for a, _ in lists.pairs("DogPeople", "Cat_People")] == [("rex",)]


def test_lists_without_words_are_left_out(tmp_path):
    empty = Paper("Nothing (Ray, 2019)", {"male": "[]", "female": []})
    lists = published_lists(str(file_of(tmp_path, SMITH, empty)))
    assert len(lists.lists) == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{}", "is not a list of word lists"),
        ("[]", "has no list with words"),
        ('[{"Seeds": ["he"]}]', "list 1 has no Category"),
        ('[{"Category": "male", "Seeds": "he, his"}]', r"list 1 \(male\): Seeds is not a list"),
        ('[{"Category": "male", "Seeds": [1]}]', r"list 1 \(male\): Seeds is not a list"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, content, says):
    path = tmp_path / "lists.json"
    path.write_text(content)
    with pytest.raises(BadInput, match=says):
        published_lists(str(path))


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(BadInput, match=r"lists=nowhere\.json is neither published nor a file"):
        published_lists("nowhere.json")


@GATHERED
def test_the_gathered_lists():
    lists = published_lists("published")
    assert len(lists.lists) == 165  # of 178, 13 are empty
    assert len([*lists.pairs("MaleTerms", "FemaleTerms")]) == 17
    assert {a.paper for a, _ in lists.pairs("Science", "Arts")} == {
        "Caliskan et al., 2017", "Gonen & Goldberg, 2019", "Knoche et al., 2019",
    }  # fmt: skip
