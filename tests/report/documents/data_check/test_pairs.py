"""The document of a check of pairs."""

from io import StringIO

import pytest
from rich.console import Console

from analysis.quality.test_pairs import JUDGED, PAIRS
from tiltmeter.analysis.quality.pairs import describe
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.results import Note
from tiltmeter.report.document import Document, Table
from tiltmeter.report.documents.data_check.pairs import pair_check_document
from tiltmeter.report.html import page
from tiltmeter.report.terminal import print_document

MADE = Dataset("made", "1", PAIRS, "here", "CC0", notes=[Note("data", "a note")])


def printed(document: Document, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(document, console)
    return console.file.getvalue()


def rows(document: Document, title: str) -> dict[str, list[str]]:
    """The rows of a table as a person reads them, by their names."""
    (table,) = [t for t in document.tables() if t.title == title]
    assert isinstance(table, Table)
    names, *others = (c.cells for c in table.columns)
    return {name: [cells[i] for cells in others] for i, name in enumerate(names)}


def test_counts_and_shares() -> None:
    document = pair_check_document(describe(MADE, JUDGED))
    assert document.finding == ["made: 3 pairs, 2 (66.7\u00a0%) flagged by the checks."]
    assert rows(document, "Bias type") == {
        "age": ["2", "66.7\u00a0%"],
        "gender": ["1", "33.3\u00a0%"],
    }
    assert rows(document, "Flagged by bias type") == {
        "age": ["1", "50.0\u00a0%"], "gender": ["1", "100.0\u00a0%"],
    }  # fmt: skip
    assert rows(document, "Length")["words in a sentence"] == ["3", "3", "4"]
    assert rows(document, "Checks")["negation"] == ["1", "33.3\u00a0%", "flag"]
    annotations = rows(document, "Annotations")
    assert annotations["published type outvoted"] == ["2", "50.0\u00a0%"]
    assert annotations["1 annotator naming a type"] == ["1", "25.0\u00a0%"]
    alpha = 1 - (20 / 3) / (2 * 7 * 5 / 11)
    assert rows(document, "Agreement")["alpha, on which type"][0] == f"{alpha:.3g}"


def test_text_is_masked_until_asked_for() -> None:
    found = describe(MADE, JUDGED)
    masked = printed(pair_check_document(found))
    assert "loud" not in masked and "nap" not in masked
    assert "a note" in masked and "1 id is in the pairs or the annotations only" in masked
    shown = printed(pair_check_document(found, show_text=True))
    assert "Women are not loud." in shown and "“not” in one sentence only" in shown


@pytest.mark.parametrize("width", [40, 80])
def test_hostile_names_stay_text_and_fit(width: int) -> None:
    kind = "<b>x</b>\x1b[31m [red]" + "long " * 20
    pairs = [
        Pair(f"<i>{i}\x1b", "Old men nap.", "Young men nap", {"bias_type": kind}) for i in "ab"
    ]
    document = pair_check_document(describe(Dataset("<s>", "1", pairs, "", "")), show_text=True)
    text = printed(document, width)
    assert "\x1b" not in text and max(map(len, text.splitlines())) <= width
    made = page(document)
    assert "<b>x" not in made and "<i>a" not in made and "\x1b" not in made


def test_without_annotations_there_are_no_such_tables() -> None:
    titles = {table.title for table in pair_check_document(describe(MADE)).tables()}
    assert "Annotations" not in titles and "Checks" in titles
