"""Association tests from files: every layout, and every way in which they can be wrong."""

import json
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.associations.word_set_sources import FAMILIES
from tiltmeter.data.associations.word_sets import read_tests

GOOD = {
    "targ1": {"category": "Flowers", "examples": ["rose", "lily"]},
    "targ2": {"category": "Insects", "examples": ["ant", "moth"]},
    "attr1": {"category": "Good", "examples": ["joy"]},
    "attr2": {"category": "Bad", "examples": ["pain"]},
}


def wrong(**changed):
    return {**GOOD, **changed}


def write(path, value, **how):
    path.write_text(json.dumps(value, **how), encoding="utf-8")
    return path


def test_one_object_a_file_whatever_it_is_called(tmp_path):
    (test,) = read_tests(write(tmp_path / "mine.jsonl", GOOD, indent=2)).tests
    assert (test.name, test.x, test.y, test.a, test.b) == (
        "mine", ("rose", "lily"), ("ant", "moth"), ("joy",), ("pain",),
    )  # fmt: skip
    assert test.names == ("Flowers", "Insects", "Good", "Bad")
    assert test.family == ""


def test_lists_lines_and_folders_hold_several(tmp_path):
    second = {**GOOD, "name": "other", "family": "plants"}
    whole = read_tests(write(tmp_path / "list.json", [GOOD, second])).tests
    assert [(t.name, t.family) for t in whole] == [("list.1", ""), ("other", "plants")]
    rows = tmp_path / "rows.jsonl"
    rows.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(second)}\n", encoding="utf-8")
    assert [t.name for t in read_tests(rows).tests] == ["rows.1", "other"]
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("weat10", "weat2"):
        write(folder / f"{name}.jsonl", GOOD)
    (folder / "README.txt").write_text("not a test", encoding="utf-8")
    assert [t.name for t in read_tests(folder).tests] == ["weat2", "weat10"]


def test_published_names_have_their_families(tmp_path):
    assert sum(family == "gender" for name, family in FAMILIES.items() if "sent-" in name) == 6
    assert sum(family == "race" for name, family in FAMILIES.items() if "sent-" in name) == 7
    assert sum(family == "religion" for family in FAMILIES.values()) == 4
    for name in ("sent-weat6", "weat4"):  # a file of one's own may be about anything
        assert read_tests(write(tmp_path / f"{name}.jsonl", GOOD)).tests[0].family == ""
    named = write(tmp_path / "sent-weat7.jsonl", {**GOOD, "family": "mine"})
    assert read_tests(named).tests[0].family == "mine"


def test_what_stands_twice_counts_once_and_is_noted(tmp_path):
    twice = wrong(targ1={"category": "F", "examples": ["rose", " rose ", "lily"]})
    reading = read_tests(write(tmp_path / "t.json", twice))
    assert reading.tests[0].x == ("rose", "lily")
    assert "'rose' is more than once" in reading.notes[0]


def test_a_target_among_the_attributes_is_noted(tmp_path):
    both = wrong(attr1={"category": "G", "examples": ["joy", "rose"]})
    assert (
        "'rose' is among targets and attributes"
        in read_tests(write(tmp_path / "t.json", both)).notes[0]
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (wrong(targ1={"category": "F", "examples": []}), "targ1.examples is empty"),
        (wrong(targ1={"category": "F", "examples": ["rose", 7]}), r"targ1.examples\[2\] is not text"),
        (wrong(targ1={"category": "F", "examples": ["rose", " "]}), r"targ1.examples\[2\] is empty"),
        (wrong(targ1={"category": "F", "examples": "rose"}), "targ1.examples is not a list"),
        (wrong(targ1={"category": 3, "examples": ["rose"]}), "targ1.category is 3, not a text"),
        (wrong(targ1={"word": "F", "examples": ["rose"]}), "targ1 has an unknown key 'word'"),
        (wrong(targ1={"examples": ["ant", "rose"]}), "'ant' is in both targ1 and targ2"),
        (wrong(attr1={"examples": ["pain"]}), "'pain' is in both attr1 and attr2"),
        ({k: v for k, v in GOOD.items() if k != "attr2"}, "has no attr2"),
        (wrong(extra=1), "has an unknown key 'extra'"),
        (wrong(name=""), "name is empty"),
        (wrong(family=["a"]), r"family is \['a'\], not a text"),
        ("words", "is not a table of keys and values"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_with_its_place(tmp_path, value, said):
    file = write(tmp_path / "bad.json", [GOOD, value])
    with pytest.raises(BadItems, match=rf"bad\.json: \[2\]: {said}"):
        read_tests(file)
    reading = read_tests(file, skip_invalid=True)
    assert [test.name for test in reading.tests] == ["bad.1"]
    assert reading.problems


def test_a_test_needs_second_targets(tmp_path):
    file = write(tmp_path / "one.json", {k: v for k, v in GOOD.items() if k != "targ2"})
    with pytest.raises(BadItems, match="has no targ2"):
        read_tests(file)


def test_files_that_are_no_tests_are_refused(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{\n"targ1": [,]}', encoding="utf-8")
    with pytest.raises(BadInput, match=r"broken\.json:2: broken JSON"):
        read_tests(broken)
    latin = tmp_path / "latin.json"
    latin.write_bytes(json.dumps(wrong(family="é"), ensure_ascii=False).encode("latin-1"))
    with pytest.raises(BadInput, match=r"latin\.json:1: byte 0xe9.*--encoding"):
        read_tests(latin)
    assert read_tests(latin, encoding="latin-1").tests[0].family == "é"
    doubled = tmp_path / "doubled.json"
    doubled.write_text('{"targ1": 1, "targ1": 2}', encoding="utf-8")
    with pytest.raises(BadInput, match="the field 'targ1' occurs twice"):
        read_tests(doubled)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"no \.json or \.jsonl file"):
        read_tests(tmp_path / "empty")
    with pytest.raises(BadInput, match="no such file"):
        read_tests(Path(tmp_path / "missing.json"))
    with pytest.raises(BadItems, match="several tests named 'one'"):
        read_tests(write(tmp_path / "same.json", [{**GOOD, "name": "one"}] * 2))
