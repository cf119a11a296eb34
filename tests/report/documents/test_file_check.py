"""What a file holds that can be scored."""

from dataclasses import replace

from tiltmeter.core.data.items import Dataset, Pair, Sentence
from tiltmeter.core.finder import find
from tiltmeter.report.documents.file_check import file_check_document, trait_last


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


def test_cells_say_how_many_templates_end_with_the_trait() -> None:
    sample = find("studies", "group_traits", "STUDY").sample()
    last, of = trait_last(sample) or (0, 0)
    assert of == len({cell.cluster for cell in sample.items}) and 0 < last <= of
    assert trait_last(find("studies", "stereoset", "STUDY").sample()) is None
