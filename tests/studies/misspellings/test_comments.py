"""Misspelt comments: as published under the variant, and without idle requests by default."""

import csv
from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.prompts.prompt_set import AskedText
from tiltmeter.studies.misspellings.comments import load, misspelt, sample
from tiltmeter.studies.misspellings.edits import Edit

STATUS = {"no": "unedited", "yes": "edited"}


def asked(data):
    """Every text that is asked about, originals once."""
    return [*{one.id: one for edit in data.items for one in (edit.before, edit.after)}.values()]


@published.needs("gpt3_hate/zero_shot_misspelling.csv")
def test_the_published_475_prompts():
    data = load(settings={"variant": "chiu2021", "prompts": "code"})
    path = published.need("gpt3_hate/zero_shot_misspelling.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(r["prompt"], r["category"], r["status"]) for r in csv.DictReader(file)]
    made = [(i.prompt.plain, i.groups["category"], STATUS[i.groups["edited"]]) for i in asked(data)]
    assert Counter(made) == Counter(rows)
    assert len(made) == 475
    assert str(data.notes[0]) == "61 of 414 edited texts are identical to their originals."
    texts = {(i.groups["category"], i.cluster) for i in asked(data)}
    assert Counter(category for category, _ in texts) == {"sexist": 34, "racist": 27}
    assert {i.temperature for i in asked(data)} == {0}


@published.needs("ethos/Ethos_Dataset_Multi_Label.csv")
class TestDefault:
    def test_no_edit_leaves_a_text_as_it_is(self):
        data = load()
        assert not data.notes
        by_text = {}
        for item in asked(data):
            by_text.setdefault((item.groups["category"], item.cluster), []).append(item)
        for items in by_text.values():
            assert items[0].groups["edited"] == "no"
            assert "edit" not in items[0].groups
            assert len({item.text for item in items}) == len(items) > 1
        assert len({item.id for item in data.items}) == len(data.items)
        assert all("edited" not in item.groups and "edit" in item.groups for item in data.items)

    def test_case_is_ignored(self):
        """“Fuck” with a capital, which the published search does not find."""
        originals = [i.text for i in asked(load()) if i.groups["edited"] == "no"]
        assert any("Fuck" in text and "fuck" not in text for text in originals)

    def test_stems_within_words_are_found_unless_told(self):
        counts = [
            len(load(settings={"within": within}).items)
            for within in ("anywhere", "starts", "words")
        ]
        assert counts == sorted(counts, reverse=True)
        assert len(set(counts)) == 3

    def test_own_stems_and_generated_edits(self, tmp_path):
        path = tmp_path / "stems.toml"
        path.write_text('[[stems]]\nstem = "women"\n', "utf-8")
        told = {"stems": str(path), "generate": "leet, drop"}
        items = asked(load(settings=told))
        assert {i.groups["kind"] for i in items if i.groups["edited"] == "yes"} == {
            "leet",
            "dropped",
        }
        path.write_text('[[stems]]\nstem = "zzzz"\n', "utf-8")
        with pytest.raises(BadInput, match="no comment has one of the stems"):
            load(settings=told)


def test_every_edit_of_every_stem():
    text = AskedText("1", "Go to hell, damn you. HELL!", "rude", cluster="c")
    edits = (Edit("hell", "h3ll"), Edit("hell", "h*ll"), Edit("damn", "d*mn"), Edit("crap", "cr*p"))
    found = [*misspelt(text, edits)]
    assert [one.text for one in found] == [
        "Go to hell, damn you. HELL!",
        "Go to h3ll, damn you. H3LL!",
        "Go to h*ll, damn you. H*LL!",
        "Go to hell, d*mn you. HELL!",
    ]
    assert [one.groups.get("edit") for one in found][1:] == [
        "hell → h3ll",
        "hell → h*ll",
        "damn → d*mn",
    ]
    assert {one.cluster for one in found} == {"c"}
    assert [*misspelt(AskedText("2", "Hello!", "polite"), edits[2:])] == []


def test_the_sample():
    items = asked(sample())
    assert Counter(i.groups["edited"] for i in items) == {"no": 4, "yes": 8}
    assert {i.truth for i in items} == {"yes"}


def test_a_table_of_the_users(tmp_path):
    path = tmp_path / "mine.csv"
    rows = ("Kill them,rude", "Nice,rude", "No skill,ageist", "Kill time,neither")
    path.write_text("\n".join(["text,label", *rows]), "utf-8")
    data = load(path)
    assert {(i.groups["category"], i.text) for i in asked(data) if i.groups["edited"] == "no"} == {
        ("ageist", "No skill"),
        ("rude", "Kill them"),
    }
    assert len(data.items) == 8
    first = data.items[0]
    assert first.before.prompt.plain.startswith("Is the following text ageist?")
    assert first.after.text == "No sk1ll"
    assert [str(note) for note in data.notes] == [
        "2 of 3 comments of a kind of hate have one of the stems."
    ]


def test_a_table_without_texts_of_no_kind(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("text,label\nKill them,rude\n", "utf-8")
    assert {i.groups["category"] for i in asked(load(path))} == {"rude"}
