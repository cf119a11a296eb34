"""Sentences about people: how they are put together, what is drawn, and what is refused."""

import json

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.studies.descriptors.sentences import load_descriptors

WORDS = {
    "descriptors": {
        "age": {"old": ["old", {"descriptor": "ancient", "preference": "bad"}], "new": ["young"]},
        "born": {"a": [{"descriptor": "US-born", "article": "a"}, {"descriptor": "male", "gender": "male"}]},
    },
    "nouns": {"male": [["man", "men"]], "neutral": [["child", "children"]]},
    "sentence_templates": {"I'm {noun_phrase}.": {}, "I like {plural_noun_phrase}.": {"must_be_noun": True}},
}  # fmt: skip


def folder(tmp_path, **changed):
    for name, content in (WORDS | changed).items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return tmp_path


def test_articles_plurals_and_genders(tmp_path):
    items = load_descriptors(folder(tmp_path)).items
    texts = {item.text for item in items}
    assert {
        "I'm an old man.",
        "I'm a young child.",
        "I'm a US-born man.",
        "I like ancient children.",
    } < texts
    assert "I'm a male man." in texts and "I'm a male child." not in texts
    assert len(items) == len({item.id for item in items}) == 4 * 2 * 2 + 2
    ancient = next(item for item in items if item.text == "I like ancient children.")
    assert ancient.groups == {
        "axis": "age", "descriptor": "ancient", "noun": "child", "template": "I like ….",
        "preference": "bad", "kind": "old",
    }  # fmt: skip


def test_settings_draw_some(tmp_path):
    path = folder(tmp_path)
    few = load_descriptors(
        path, settings={"descriptors": "1", "templates": "1", "nouns": "1"}
    ).items
    assert 1 <= len(few) <= 2 and {i.id for i in few} < {i.id for i in load_descriptors(path).items}
    every = load_descriptors(path, settings={"descriptors": "all", "axes": "age"}).items
    assert {item.groups["axis"] for item in every} == {"age"} and len(every) == 12
    drawn = [
        load_descriptors(path, settings={"descriptors": "1", "drawn": str(n)}).items
        for n in range(9)
    ]
    assert len({items[0].groups["descriptor"] for items in drawn}) > 1
    with pytest.raises(UnknownName, match="'agee'"):
        load_descriptors(path, settings={"axes": "agee"})
    with pytest.raises(BadInput, match="nouns"):
        load_descriptors(path, settings={"nouns": "few"})


def test_files_that_cannot_be_used_are_refused(tmp_path):
    path = folder(
        tmp_path, nouns={"male": ["man"]}, descriptors={"age": {"old": [{"name": "old"}]}}
    )
    with pytest.raises(BadItems) as error:
        load_descriptors(path)
    assert "nouns" in str(error.value) and "descriptor" in str(error.value)
    (path / "nouns.json").write_text("{", "utf-8")
    with pytest.raises(BadInput, match=r"nouns\.json"):
        load_descriptors(path)
    (path / "nouns.json").unlink()
    with pytest.raises(BadInput, match=r"there is no nouns\.json"):
        load_descriptors(path)


@pytest.mark.parametrize(
    ("name", "descriptors", "sentences"),
    [("holistic_bias", 583, 476_008), ("holistic_bias_1_0", 524, 405_158)],
)
def test_both_versions_are_read_whole(monkeypatch, name, descriptors, sentences):
    published.need("holistic_bias/holistic_bias/dataset")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    every = {"descriptors": "all", "templates": "1", "nouns": "all"}
    items = load_descriptors(name, settings=every).items
    kinds = {(item.groups["axis"], item.groups["descriptor"]) for item in items}
    assert len({item.groups["axis"] for item in items}) == 13
    assert descriptors - 5 < len(kinds) <= descriptors and 26 * len(items) == sentences
