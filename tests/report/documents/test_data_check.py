"""Which document a description gets, and that of items without a description of their own."""

from dataclasses import replace

from tiltmeter.analysis.quality.contents import Contents
from tiltmeter.analysis.quality.pairs import quality
from tiltmeter.analysis.quality.triples import describe
from tiltmeter.core.finder import find
from tiltmeter.core.items import Dataset, Pair, Sentence
from tiltmeter.data.texts.frequencies import Reference
from tiltmeter.report.document import Facts, Lines
from tiltmeter.report.documents.data_check.document import data_check_document, file_check_document


def test_each_description_has_its_document():
    triples = find("studies", "stereoset", "STUDY").sample()
    pairs = find("studies", "pairs", "STUDY").sample()
    found = describe(triples, reference=Reference("none", {}))
    assert f"{len(triples.items)} triples about" in data_check_document(found).finding[0]
    assert f"{len(pairs.items)} pairs" in data_check_document(quality(pairs.items)).finding[0]


def test_items_of_another_kind_are_counted():
    found = Contents("mine", 12, {"lines": "12"}, ("a note",), ("row 3: no",))
    document = data_check_document(found)
    assert document.finding == ["mine: 12 items."]
    facts, lines = document.blocks()
    assert facts == Facts({"lines": "12"})
    assert isinstance(lines, Lines) and lines.lines == ["left out: row 3: no", "a note"]


def test_a_file_that_can_be_scored():
    data = Dataset("mine", "1", [Sentence("1", "x")], "", "", about={"lines": "1", "words": "9"})
    assert file_check_document("mine.odd", data).finding == [
        "mine.odd: 1 item can be scored (lines: 1; words: 9)"
    ]
    cells = find("studies", "group_traits", "STUDY").sample()
    head, templates = file_check_document("mine.toml", cells).finding
    assert f"{len(cells.items)} items can be scored" in head
    assert "templates end with the trait" in templates


def test_a_file_check_lists_axes_of_your_own():
    pairs = [
        Pair(str(i), "a", "b", {"bias_type": "age", "region": "north" if i else "so\x1buth"})
        for i in range(3)
    ]
    many = [Pair(p.id, p.more, p.less, {**p.groups, "id": p.id}) for p in pairs * 5]
    many = [replace(p, groups={**p.groups, "id": str(i)}) for i, p in enumerate(many)]
    about = {"bias_type": "age 3"}
    made = file_check_document("mine.csv", Dataset("mine", "1", pairs, "", "", about=about))
    assert made.finding[1] == "Further axes: region: north 2, so[U+001B]uth 1."
    made = file_check_document("mine.csv", Dataset("mine", "1", many, "", "", about=about))
    assert made.finding[1].endswith("id: 15 values.")
