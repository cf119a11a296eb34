"""A document as a piece of a notebook: its own style and anchors, nothing foreign in it."""

import re
from html.parser import HTMLParser

import pytest

from report import example
from tiltmeter.report.document import Column, Document, Section, Table
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.fragment import MOST_ROWS, colours, fragment, scoped, style


class Reader(HTMLParser):
    """Tags, anchors and references of a piece of HTML; fails where tags do not close."""

    def __init__(self):
        super().__init__()
        self.tags, self.ids, self.references, self.text, self.open = [], [], [], "", []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        found = dict(attrs)
        assert not any(name.startswith("on") for name in found)
        self.ids += [found["id"]] if "id" in found else []
        self.references += (found.get("aria-labelledby") or "").split()
        self.open += [] if tag in {"line", "circle", "rect", "path", "input", "br"} else [tag]

    def handle_endtag(self, tag):
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def result():
    return example.result(example.LONG_NAME)


def test_the_finding_the_picture_and_the_table_are_there(result):
    document = run_document(result, example.study())
    found = read(fragment(document))
    assert " ".join(document.paragraphs()[0].text.split()) in " ".join(found.text.split())
    assert found.tags.count("svg") == 2  # in two layouts
    assert found.tags.count("table") == 1
    assert "What it is not" in found.text or example.study().not_what in found.text
    assert "Scored by" in found.text


def test_nothing_foreign_acts_and_nothing_is_fetched(result):
    document = run_document(result, example.study())
    assert "<b>preview" in document.subtitle
    html = fragment(document)
    found = read(html)
    assert not {"b", "script", "img", "link", "iframe", "input"} & set(found.tags)
    assert not re.search(r"url\(|@import|src=", html)


def test_two_pieces_have_no_anchor_in_common(result):
    document = run_document(result, example.study())
    both = [result, example.result(seed=9)]
    other = example.compared(both, example.differences(*both))
    pieces = [read(fragment(one)) for one in (document, document, other)]
    every = [name for piece in pieces for name in piece.ids]
    assert len(every) == len(set(every)) > len(pieces)
    for piece in pieces:
        assert set(piece.references) <= set(piece.ids)


def test_the_style_reaches_nothing_outside():
    css = re.sub(r"@(media|container) \([^)]*\) \{(.*)\}", r"\2", str(style("key")))
    selectors = [s for found in re.findall(r"([^{}]+)\{[^{}]*\}", css) for s in found.split(",")]
    joined = ",".join(selectors)
    outside = re.sub(r":is\([^)]*\)", "", joined)
    assert len(selectors) > 60
    assert all("#key" in selector for selector in outside.split(","))
    assert "var(--" in css


def test_every_colour_is_there_in_both_themes():
    names = [set(re.findall(r"(--[a-z0-9-]+):", theme)) for theme in colours()]
    assert names[1] <= names[0]
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", style("key")))
    assert used <= names[0]
    fonts = {"--serif", "--sans", "--mono"}
    assert names[0] - names[1] == fonts


def test_selectors_in_a_list_are_all_scoped():
    assert scoped("th, td.a { x: y } & { z: w }", "#k").split("\n") == [
        "#k th, #k td.a { x: y }", "#k { z: w }",
    ]  # fmt: skip


def test_a_long_table_is_cut_and_says_so():
    numbers = [*range(MOST_ROWS + 5)]
    table = Table("Many", [Column("n", numbers)], strong=[True] * len(numbers))
    html = fragment(Document("t", "", ["f"], [Section("s", "", [table])]))
    assert html.count("<tr") == MOST_ROWS + 1
    assert "and 5 more rows" in html
    assert "more rows" not in fragment(Document("t", "", ["f"], []))


def test_more_tables_where_they_are_asked_for():
    tables = [Table(f"T{i}", [Column("n", [i])]) for i in range(3)]
    document = Document("t", "", ["f"], [Section("s", "", tables)])
    assert fragment(document).count("<table") == 1
    assert fragment(document, tables=2).count("<table") == 2
