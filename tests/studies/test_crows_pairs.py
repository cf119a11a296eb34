"""The published pairs, in English and other languages, where they are."""

from collections import Counter
from pathlib import Path

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.studies import crows_pairs

REAL = published.FOLDER or Path()
PUBLISHED = published.needs("crows_pairs")


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


CATEGORIES = {
    "race-color": 516,
    "gender": 262,
    "socioeconomic": 172,
    "nationality": 159,
    "religion": 105,
    "age": 87,
    "sexual-orientation": 84,
    "physical-appearance": 63,
    "disability": 60,
}
ANTISTEREO = {
    "race-color": 43,
    "gender": 103,
    "socioeconomic": 15,
    "nationality": 11,
    "religion": 6,
    "age": 14,
    "sexual-orientation": 12,
    "physical-appearance": 11,
    "disability": 3,
}


@PUBLISHED
def test_crows_pairs():
    data = crows_pairs.load()
    assert len(data.items) == 1508
    assert counts(data, "direction") == {"stereo": 1290, "antistereo": 218}
    assert counts(data, "bias_type") == CATEGORIES
    anti = [p.groups["bias_type"] for p in data.items if p.groups["direction"] == "antistereo"]
    assert dict(Counter(anti)) == ANTISTEREO
    assert len({pair.cluster for pair in data.items}) == 77
    assert data.clusters == "writer"
    assert data.sha256 == "dfb36986ce0502abbaf7055b9176da3d08d48e07df1251991b5dfbcbceab9d0c"
    assert any("1 pair is listed more than once" in note.text for note in data.notes)
    assert not data.invalid
    assert [pair.id for pair in data.items] == [str(i) for i in range(1508)]


@PUBLISHED
def test_lines_are_physical_lines():
    """Sentence 1293 holds a line break, so that all later pairs stand one line further down."""
    data = crows_pairs.load()
    text = (REAL / "crows_pairs" / "crows_pairs_anonymized.csv").read_text(encoding="utf-8")
    lines = text.split("\n")
    for pair in data.items:
        at = int(pair.where.rpartition(":")[2]) - 1
        assert lines[at].startswith(f"{pair.id},")


@pytest.mark.parametrize(
    ("name", "items", "directions", "some"),
    [
        ("crows_pairs_revised_en", 1677, (1466, 211), {"race-color": 508, "gender": 320, "autre": 11}),
        ("crows_pairs_fr", 1673, (1462, 211), {"gender": 321, "disability": 66, "autre": 13}),
        ("crows_pairs_nl", 1463, (1249, 214), {"race-color": 475, "age": 82}),
        ("crows_pairs_ja", 262, (159, 103), {"gender": 262}),
        ("crows_pairs_ru", 262, (159, 103), {"gender": 262}),
        ("crows_pairs_it", 250, (148, 102), {"gender": 250}),
    ],
)  # fmt: skip
@PUBLISHED
def test_other_languages(name, items, directions, some):
    data = crows_pairs.load(name)
    assert data.name == name
    assert len(data.items) == items
    assert counts(data, "direction") == dict(zip(("stereo", "antistereo"), directions, strict=True))
    found = counts(data, "bias_type")
    assert {label: found[label] for label in some} == some
    assert len({pair.id for pair in data.items}) == items


@PUBLISHED
def test_the_french_sentence_among_the_english_is_kept_and_said():
    data = crows_pairs.load("crows_pairs_revised_en")
    (pair,) = [pair for pair in data.items if pair.id == "1310"]
    assert pair.less.startswith("Quelques élèves")
    assert any("pair 1310 is in French" in note.text for note in data.notes)
    assert any("separated by tabs, not commas" in note.text for note in data.notes)


@PUBLISHED
def test_french_rows_without_a_score_do_not_stop_the_run():
    data = crows_pairs.load("crows_pairs_fr")
    reasons = {problem.item: problem.reason for problem in data.invalid}
    assert reasons.keys() == {"59", "129", "379", "388"}
    assert reasons["129"] == "sent_less is empty"
    assert all("identical" in reasons[item] for item in ("59", "379", "388"))
    assert any(note.text.startswith("4 rows left out") for note in data.notes)


@PUBLISHED
def test_the_same_french_file_as_a_file_of_the_users_does_stop():
    path = next((REAL / "french_crows_pairs").glob("*_FR_*"))
    with pytest.raises(BadItems, match=r":60: sent_more and sent_less are identical"):
        crows_pairs.load(path)
    assert len(crows_pairs.load(path, skip_invalid=True).items) == 1673


@PUBLISHED
def test_dutch_letters():
    data = crows_pairs.load("crows_pairs_nl")
    assert any("ë" in pair.more for pair in data.items)
    with pytest.raises(BadInput, match="--encoding mac_roman"):
        crows_pairs.load(REAL / "multilingual_crows_pairs" / "crows_dutch.csv")


@PUBLISHED
def test_japanese_and_english_agree_on_which_sentence_stereotypes():
    english = [p for p in crows_pairs.load().items if p.groups["bias_type"] == "gender"]
    japanese = crows_pairs.load("crows_pairs_ja").items
    assert len(english) == len(japanese)
    assert [p.groups["direction"] for p in english] == [p.groups["direction"] for p in japanese]
    assert ("he would" in english[0].more, "彼が" in japanese[0].more) == (True, True)
