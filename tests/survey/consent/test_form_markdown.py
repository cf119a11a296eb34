"""Texts with paragraphs and links, and nothing that acts."""

import re

import pytest

from faults.hostile_texts import hostile_texts
from tiltmeter.survey.consent.form_markdown import markdown_html, not_shown

TAGS = frozenset("p em strong a ul ol li blockquote h2 h3 h4 h5 h6 hr br".split())  # noqa: SIM905
ATTRIBUTES = (
    'href="(https:|mailto:)[^"]*"', 'target="_blank"', 'rel="noopener noreferrer"', 'title="[^"]*"',
    r'start="\d+"',
)  # fmt: skip


def levels(text, under):
    return re.findall(r"<h(\d)>", markdown_html(text, under=under))


@pytest.mark.parametrize(
    ("text", "under", "expected"),
    [
        ("# A\n\n### B\n\n# C", 1, "232"),
        ("### A\n\n# B\n\n#### C", 2, "334"),
        ("# A\n\n## B\n\n### C", 5, "666"),
    ],
)
def test_headings_follow_on_the_pages_and_skip_no_level(text, under, expected):
    assert levels(text, under) == [*expected]


def test_line_breaks_and_paragraphs_stay():
    html = markdown_html("one\ntwo\n\nthree")
    assert html == "<p>one<br />\ntwo</p>\n<p>three</p>"


def test_an_items_name_is_text_whatever_it_means_in_markdown():
    html = markdown_html("How are **{item}**?", names={"{item}": "_a_ [b](https://c.d) <i>"})
    assert html == "<p>How are <strong>_a_ [b](https://c.d) &lt;i&gt;</strong>?</p>"


def test_links_open_elsewhere_and_tell_nobody_where_people_come_from():
    html = markdown_html("[a](https://a.org) [b](mailto:b@b.org)")
    assert 'href="https://a.org" target="_blank" rel="noopener noreferrer"' in html
    assert '<a href="mailto:b@b.org">b</a>' in html


@pytest.mark.parametrize(
    "address",
    ["http://a.org", "javascript:alert(1)", "data:text/html,x", "/stop", "//a.org", "a.org"],
)
def test_other_addresses_are_no_links(address):
    assert "<a" not in markdown_html(f"[x]({address})")
    assert not_shown(f"[x]({address})")


def test_no_text_makes_an_element_that_acts():
    for text in hostile_texts():
        html = markdown_html(text, names={"{item}": text})
        assert {*re.findall(r"<([a-zA-Z]\w*)", html)} <= TAGS, text
        kept = re.sub(f" ({'|'.join(ATTRIBUTES)})", "", html)
        assert not re.search(r"<\w+ (?!/>)", kept), text


@pytest.mark.parametrize("text", ["![i](https://a.org/i.png)", '![i](http://a.org "t")', "![](x)"])
def test_pictures_stay_as_they_were_typed(text):
    typed = text.replace('"', "&quot;")
    assert markdown_html(f"See {text}.") == f"<p>See {typed}.</p>"
    assert not_shown(text)
