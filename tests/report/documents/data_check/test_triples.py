"""The document of a check of triples."""

from io import StringIO

import pytest
from rich.console import Console

from analysis.quality.test_triples import LABELS, LARGE, MADE
from tiltmeter.analysis.quality.keywords import Keyword, Keywords
from tiltmeter.analysis.quality.sentiment import DIFFERENCES, SHARES, Sentiment
from tiltmeter.analysis.quality.triples import Described, describe
from tiltmeter.core.items import SIDES
from tiltmeter.core.results import Inference
from tiltmeter.report.document import Document
from tiltmeter.report.documents.data_check.triples import WORDS, triple_check_document
from tiltmeter.report.html import page
from tiltmeter.report.terminal import print_document


def printed(document: Document, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(document, console)
    return console.file.getvalue()


def words_of(document: Document) -> str:
    return " ".join(printed(document).split())


def described(**facts) -> Described:
    """A description of nothing but what is given."""
    known = {
        "name": "made", "triples": 2, "terms": 1, "by_domain": (), "odd": {}, "sentiment": None,
        "keywords": None, "labels": None,
        "why": dict.fromkeys(("sentiment", "keywords", "labels"), "no library"),
    }  # fmt: skip
    return Described(**(known | facts))


def test_labels_are_shown_or_why_there_are_none():
    text = words_of(triple_check_document(describe(MADE, LABELS, reference=LARGE)))
    # 5/5, 2/5 and 5/5 on the one triple that has labels
    assert "1 triple with 15 labels by 5 people; sentences: 3 with 5." in text
    assert "1 triple is not fully labelled" in text
    assert "80.0" in text
    assert "3 or more (as Nadeem et al. 2021 require) 0 0.0 %" in text
    assert "With fewer than 3: twice." in text
    without = words_of(triple_check_document(describe(MADE, reference=LARGE)))
    assert "Not available: no human labels in this file; the authors' dev.json has them" in without


def test_sentences_are_masked_until_asked_for():
    found = describe(MADE, LABELS, reference=LARGE)
    masked, shown = (
        words_of(triple_check_document(found, show_text=show)) for show in (False, True)
    )
    for text in ("BLANK or BLANK nurses", "Loud or loud", "My aunt"):
        assert text not in masked and text in shown
    assert "may offend" in masked and "several blanks 1 of 2" in masked


def test_sentiment_by_side_and_difference():
    shares = [
        of.at(value, Inference(low, high), n=2, groups={"side": side})
        for side in SIDES
        for of, (value, low, high) in zip(
            SHARES.values(), ((50.0, 40.0, 60.0), (50.0, 40.0, 60.0), (0.0, 0.0, 9.0)), strict=True
        )
    ]
    differences = [
        DIFFERENCES[name].at(-10.0, Inference(low, high), n=2, why=why, clusters=1)
        for name, low, high, why in (
            ("positive", -20.0, 1.0, "rough"), ("neutral", None, None, "rough"),
            ("negative", -20.0, 1.0, ""),
        )
    ]  # fmt: skip
    found = Sentiment("counter", (*shares, *differences), {"nurse": -0.5}, "words")
    document = triple_check_document(described(sentiment=found))
    text = words_of(document)
    assert "all: anti-stereotype 50.0 (40.0 to 60.0)" in text
    assert "stereotype 100.0 0.0" in text  # in two classes
    assert "−10.0 (−20.0 to +1.0)" in text and "all: rough" in text
    assert "nurse −0.50" in text
    (table,) = [t for t in document.tables() if t.name == "sentiment"]
    assert {c.name or c.title for c in table.columns} >= {"positive_low", "neutral_high"}


def test_the_first_keywords_of_each_domain_are_listed():
    words = tuple(Keyword(f"w{i}", 100.0 - i, 1, 2, 1, 3.0, 1.0) for i in range(WORDS + 3))
    found = Keywords("a list", 1.0, 3, {"work": 60, "": 5}, {"work": words, "": ()})
    document = triple_check_document(described(keywords=found))
    (table,) = [t for t in document.tables() if t.name == "keywords-work"]
    assert table.columns[0].cells == [f"w{i}" for i in range(WORDS)]
    assert "work (60 words)" in words_of(document)


def test_a_missing_library_is_named():
    assert "Not available: no library" in words_of(triple_check_document(described()))


@pytest.mark.parametrize("width", [40, 80])
def test_what_is_printed_fits_and_is_escaped(width):
    found = described(name="<b>\x1b[31m", notes=("<i>a note\x1b",))
    document = triple_check_document(found)
    text = printed(document, width)
    assert "\x1b" not in text and max(map(len, text.splitlines())) <= width
    assert "<i>a note" not in page(document) and "\x1b" not in page(document)
