"""One builder for each kind of view, and where its sections stand."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import KINDS, TextLines, View
from tiltmeter.report.document import Lines, Section
from tiltmeter.report.documents import view_builders
from tiltmeter.report.documents.view_builders import (
    BUILDERS,
    Built,
    DocumentPart,
    Showing,
    built,
    of_part,
)

RESULT = Result(Card("s", "1", {}, {"name": "", "sha256": ""}), [], [])


def test_every_kind_of_view_has_a_builder():
    assert {*BUILDERS} == {*KINDS.values()}


@dataclass(frozen=True)
class _Made(View):
    """A view whose section stands in a part of its own."""

    part: DocumentPart
    title: str
    replaces_categories: ClassVar[bool] = False


@pytest.fixture
def made(monkeypatch):
    """A builder for a kind of view that nobody knows."""

    def build(results, view, how):
        yield Built(view.part, Section(f"{how.key}{len(results)}", view.title, [Lines(["x"])]))

    monkeypatch.setattr(view_builders, "BUILDERS", {**BUILDERS, _Made: build})
    return _Made


def test_sections_stand_in_the_order_of_their_parts_and_not_of_the_views(made):
    views = [
        made(DocumentPart.ITEMS, "items"),
        made(DocumentPart.PLANE, "plane"),
        made(DocumentPart.TALLY, "tally"),
    ]
    sections = built([RESULT, RESULT], views, Showing(key="r"))
    assert [section.title for _, section in sections] == ["plane", "tally", "items"]
    assert [section.id for _, section in sections] == ["r2"] * 3
    assert [section.title for section in of_part(sections, DocumentPart.ITEMS)] == ["items"]


def test_views_of_one_title_share_a_section_and_those_for_files_have_none():
    views = [
        TextLines("One", ("a",)), TextLines("Two", ("b",)), TextLines("One", ("c",)),
        TextLines("One", ("d",), on="files"), TextLines("Three", ()),
    ]  # fmt: skip
    sections = of_part(built([RESULT], views, Showing(key="r1")), DocumentPart.TITLED)
    assert [(s.id, s.title) for s in sections] == [("r1-one", "One"), ("r1-two", "Two")]
    assert [block.lines for block in sections[0].blocks] == [("a",), ("c",)]
