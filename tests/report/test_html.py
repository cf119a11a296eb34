"""The page as a text: what it escapes, that it is well-formed, and that it needs nothing else."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from report import blocks
from tiltmeter.report.document import Column, Document, Section, Table
from tiltmeter.report.html import environment, page

VOID = {"meta", "input", "br", "img", "link", "wbr"}


class Outline(HTMLParser):
    """Elements in order, checked to be nested rightly; ids; heading levels; table cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.headings: list[tuple[int, str]] = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
        if re.fullmatch(r"h\d", tag):
            self.headings.append((int(tag[1]), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data.strip()
        if self.open and re.fullmatch(r"h\d", self.open[-1]):
            level, text = self.headings[-1]
            self.headings[-1] = level, text + data


@pytest.fixture(scope="module")
def made() -> str:
    return page(blocks.document())


def test_ids_are_unique_and_every_reference_leads_somewhere(made):
    tags = Outline(made).tags
    ids = [a["id"] for _, a in tags if "id" in a and not a["id"].startswith("p-")]
    assert len(ids) == len(set(ids))
    assert {"a", "b", "d", "items-1-1", "show-text"} <= set(ids)
    targets = [a["href"][1:] for t, a in tags if t == "a" and a["href"].startswith("#")]
    targets += [a["for"] for t, a in tags if t == "label"]
    targets += [a["aria-labelledby"] for t, a in tags if t == "section" and "aria-labelledby" in a]
    assert set(targets) <= set(ids)


def test_headings_go_down_one_level_at_a_time(made):
    levels = [level for level, _ in Outline(made).headings]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_nothing_is_fetched_and_nothing_runs(made):
    tags = Outline(made).tags
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & {t for t, _ in tags}
    assert not [a for _, attrs in tags for a in attrs if a.startswith("on") or a == "src"]
    assert "url(" not in made
    assert "@import" not in made
    (policy,) = [a["content"] for t, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy


def test_foreign_text_is_escaped_and_spelled_out(made):
    assert "<script>" not in made
    assert "&lt;script&gt;alert(1)&lt;/script&gt; [U+001B][2J[U+202E]" in made
    assert "pair-1 &lt;i&gt;" in made
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", made)


def test_addresses_become_links(made):
    links = [a["href"] for t, a in Outline(made).tags if t == "a"]
    assert "https://example.org/a?b=1&c=2" in links  # without the full stop


def test_texts_are_hidden_until_asked_for_and_can_be_left_out(made):
    assert "until you ask for it" in made
    assert "Show the text of all pairs on this page" in made
    assert "<mark>old</mark>" in made
    assert "The whole text, 83 words" in made
    without = page(blocks.document(show_text=False))
    assert "aunt" not in without
    assert "checkbox" not in without.split("</style>")[1]
    assert "Their text was left out of this file." in without


def test_a_page_without_items_warns_of_nothing():
    text = page(Document("t", "u", ["found"], []))
    assert "Content warning" not in text


def test_a_table_has_its_cells_its_tones_and_no_empty_column(made):
    tables = Outline(made)
    assert ["", "n", "value", "interval", "way"] in tables.rows
    assert [blocks.LONG.format("A"), "40", "70.0", "61.0 to 79.0", "farther"] in tables.rows
    assert [blocks.LONG.format("B"), "40", "52.0", "43.0 to 61.0", ""] in tables.rows
    classes = [a.get("class") for t, a in tables.tags if t in {"td", "tr"}]
    assert "name worse" in classes
    assert "clear" in classes


def test_what_is_for_the_terminal_alone_is_not_there(made):
    assert "for the page" in made
    assert "for the terminal" not in made


def test_a_title_is_not_said_twice():
    table = Table("Rates", [Column("", ["a"], number=False)])
    text = page(Document("t", "u", ["found"], [Section("a", "Rates", [table])]))
    assert [words for _, words in Outline(text).headings].count("Rates") == 1


def test_tables_of_parts_have_the_part_as_their_heading():
    tables = [Table(f"Rates: {name}", [Column("rate", [1])]) for name in ("one", "two")]
    text = page(Document("t", "u", ["found"], [Section("a", "Rates", tables)]))
    assert [words for _, words in Outline(text).headings][-3:] == ["Rates", "one", "two"]


def test_equal_documents_give_equal_pages(made):
    assert page(blocks.document()) == made


def test_long_names_break_between_their_words_and_markup_stays_text():
    names = ["starter_pairs/stereotype_rate", "<b>/x", "a_b"]
    made = rows_of([Column("", names, number=False)])
    assert re.findall("<th [^>]*>(.*)</th>", made) == [
        "starter_<wbr>pairs/<wbr>stereotype_<wbr>rate", "&lt;b&gt;/x", "a_b",
    ]  # fmt: skip


def rows_of(columns, **table):
    return environment().filters["rows"](Table("", columns, **table), columns)


def test_rows_mark_their_cells_and_escape_them():
    first = Column("", ["all <i>", "", "a\u202eb"], number=False)
    second = Column(
        "v", [1.5, None, 2], str, tones=("", "worse", "better"), bold=(True, False, True)
    )
    made = rows_of([first, second], strong=(False, True, False), depths=(0, 1, 1))
    assert made.split("\n") == [
        '<tr><th scope="row" class="name">all &lt;i&gt;</th><td class="n best">1.5</td></tr>',
        '<tr class="clear"><td class="name part"></td><td class="n worse"></td></tr>',
        '<tr><th scope="row" class="name part">a[U+202E]b</th><td class="n better best">2</td></tr>',
    ]
    assert rows_of([Column("", [])]) == ""
