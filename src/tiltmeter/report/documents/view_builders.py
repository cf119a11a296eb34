"""Build the sections that show a view, with one builder for each kind of view.

It does not matter whether a study or an analysis declares the view. Each section comes with the part of the
document to which it belongs, so that the documents of results, comparisons and analyses can arrange sections
without knowing the kinds of views.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, auto
from typing import Any, NamedTuple, TypeAlias

from tiltmeter.core import comparison_views, lean_views, study_views, views
from tiltmeter.core.results import Result
from tiltmeter.core.views import View
from tiltmeter.report import document as doc
from tiltmeter.report.documents.extremes import extreme_sections
from tiltmeter.report.documents.margin_blocks import confidence_blocks, item_sections
from tiltmeter.report.documents.matrix.sections import matrix_sections
from tiltmeter.report.documents.tally_blocks import tally_sections
from tiltmeter.report.documents.views import curve_pictures, lean_pictures, view_pictures
from tiltmeter.report.documents.views.equivalence_table import equivalence_of
from tiltmeter.report.documents.views.number_table import PLACES, number_tables
from tiltmeter.report.documents.views.plane_blocks import plane_sections
from tiltmeter.report.documents.views.printed_cells import cells_blocks
from tiltmeter.report.documents.views.record_items import record_items
from tiltmeter.report.documents.views.record_table import record_tables
from tiltmeter.report.documents.views.row_profiles import profile_blocks
from tiltmeter.report.documents.views.run_blocks import run_blocks
from tiltmeter.report.documents.written_texts import written_sections
from tiltmeter.report.text import anchor


class DocumentPart(IntEnum):
    """The parts of a document, in their order."""

    LEADING = auto()
    """Pictures beside the finding."""
    PLANE = auto()
    MATRIX = auto()
    BESIDE = auto()
    CATEGORIES = auto()
    OTHERS = auto()
    FURTHER = auto()
    CONFIDENCE = auto()
    EXTREMES = auto()
    TALLY = auto()
    TITLED = auto()
    """Sections that have the title of their view; views with the same title share one."""
    TEXTS = auto()
    ITEMS = auto()


class Built(NamedTuple):
    """A section, and the part of the document to which it belongs."""

    part: DocumentPart
    section: doc.Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Settings for showing views in a document."""

    key: str = ""
    """Prefix of the anchors and of the names of pictures, which makes them unique in the document."""
    several: bool = False
    """Whether the document is about several models, whose confidences and matrices are side by side."""
    show_text: bool = True
    """Whether texts of items and records may be shown."""
    rows_drawn: bool = True
    """Whether single rows of a matrix are drawn."""
    of_run: Callable[[Result], doc.Document] | None = None
    """Makes the document of a run in a collection, for views that show parts of these documents."""
    is_first: bool = True
    """Whether no earlier view has the same title."""


Builder: TypeAlias = Callable[[Sequence[Result], Any, Showing], Iterable[Built]]
"""Builds the sections of a view, from the results of a document, the view and the settings."""


def built(results: Sequence[Result], shown: Sequence[View], how: Showing) -> list[Built]:
    """The sections of all views, in the order of their parts; sections with the same title are joined."""
    sections: list[Built] = []
    for view in shown:
        title = getattr(view, "title", "")
        is_first = all(each.section.title != title for each in sections)
        sections += BUILDERS[type(view)](results, view, replace(how, is_first=is_first))
    return sorted(_joined(sections), key=lambda each: each.part)


def of_part(sections: Iterable[Built], *parts: DocumentPart) -> list[doc.Section]:
    """The sections that belong to these parts."""
    return [each.section for each in sections if each.part in parts]


def leading_pictures(sections: Iterable[Built]) -> list[doc.Picture]:
    """The pictures that are shown beside the finding."""
    leading = of_part(sections, DocumentPart.LEADING)
    return [b for section in leading for b in section.blocks if isinstance(b, doc.Picture)]


def _joined(sections: Sequence[Built]) -> list[Built]:
    """The sections, of which titled ones with the same title are joined into one.

    If the first table of a titled section has no title, it gets that of the section, for use in files.
    """
    titled: dict[str, doc.Section] = {}
    for section in of_part(sections, DocumentPart.TITLED):
        before = titled.get(section.title)
        titled[section.title] = section if before is None else replace(
            before, blocks=[*before.blocks, *section.blocks], folded=before.folded or section.folded
        )  # fmt: skip
    joined = [replace(s, blocks=_titled(s.blocks, title)) for title, s in titled.items()]
    rest = [each for each in sections if each.part is not DocumentPart.TITLED]
    return [*rest, *(Built(DocumentPart.TITLED, section) for section in joined)]


def _titled(blocks: Sequence[doc.Block], title: str) -> list[doc.Block]:
    """The blocks, with the section's title on the first table if that has none, for use in files."""
    first = next((b for b in blocks if isinstance(b, doc.Table)), None)
    if first is None or first.title:
        return list(blocks)
    return [replace(first, title=title) if block is first else block for block in blocks]


def _of_one(
    part: DocumentPart, sections: Callable[[Result, Any, Showing], Sequence[doc.Section]]
) -> Builder:
    """A builder of sections about a single result."""

    def build(results: Sequence[Result], view: Any, how: Showing) -> Iterable[Built]:
        if len(results) == 1:
            yield from (Built(part, section) for section in sections(results[0], view, how))

    return build


def _blocks(
    blocks: Callable[[Result, Any, Showing], Sequence[doc.Block]], *, folds: bool = False
) -> Builder:
    """A builder of blocks under the title of the view; pictures of a view without one are by the finding."""

    def build(results: Sequence[Result], view: Any, how: Showing) -> Iterable[Built]:
        if len(results) > 1 or getattr(view, "on", "") == "files":
            return
        made = [*blocks(results[0], view, how)]
        if not view.title:
            pictures = [block for block in made if isinstance(block, doc.Picture)]
            yield Built(DocumentPart.LEADING, doc.Section("", "", pictures))
        elif made:
            place = "-".join(filter(None, (how.key, anchor(view.title))))
            yield Built(
                DocumentPart.TITLED,
                doc.Section(place, view.title, made, folded=folds and view.folded),
            )

    return build


def _drawn(pictures: Callable[[Result, Any], Sequence[doc.Block]]) -> Builder:
    """A builder of blocks that depend on the result and the view alone."""
    return _blocks(lambda result, view, _: pictures(result, view))


def _margins(results: Sequence[Result], view: study_views.Margins, how: Showing) -> Iterable[Built]:
    """How strongly all models prefer, in one picture; for a single result also its surest items."""
    if not how.several and (sure := confidence_blocks(results, [view])):
        yield Built(
            DocumentPart.CONFIDENCE, doc.Section("confidence", "How surely", sure, on=doc.PAGE)
        )
    for result in results if len(results) == 1 else ():
        for section in item_sections(result, view, how.key, show_text=how.show_text):
            yield Built(DocumentPart.ITEMS, section)


def _curves(result: Result, view: views.RecordCurves, how: Showing) -> Sequence[doc.Block]:
    name = f"{how.key}-{view.name}" if how.key else view.name
    return curve_pictures.curve_pictures(result, replace(view, name=name))


def _explained(tables: Sequence[doc.Table], text: str) -> list[doc.Block]:
    return [*tables, *([doc.Text(text, on=doc.PAGE)] if text and tables else [])]


def equivalence_blocks(result: Result, view: comparison_views.EquivalenceTable) -> list[doc.Block]:
    """The table of differences with a margin; [] where there are none."""
    table = equivalence_of(result, view)
    return [table] if table.rows else []


def _shown_elsewhere(*_: object) -> Iterable[Built]:
    return ()


BUILDERS: Mapping[type[View], Builder] = {
    study_views.SideBySide: _shown_elsewhere,  # says which measures every result has side by side
    study_views.Extremes: _of_one(DocumentPart.EXTREMES, lambda result, view, how: extreme_sections(
        result, view, how.key)),
    study_views.Margins: _margins,
    study_views.Plane: lambda results, view, _: [
        Built(DocumentPart.PLANE, section) for section in plane_sections(results, view)
    ],
    study_views.Matrix: _of_one(DocumentPart.MATRIX, lambda result, view, how: matrix_sections(
        result, view, how.key, several=how.several, rows_drawn=how.rows_drawn)),
    study_views.Tally: _of_one(DocumentPart.TALLY, lambda result, view, how: tally_sections(
        result, view, how.key, show_text=how.show_text)),
    study_views.WrittenTexts: _of_one(DocumentPart.TEXTS, lambda result, view, how: written_sections(
        result, view, how.key, show_text=how.show_text)),
    views.TextLines: _blocks(lambda _, view, __: (
        [doc.Lines(view.lines, on=PLACES[view.on])] if view.lines else [])),
    views.NumberTable: _blocks(lambda result, view, _: _explained(
        number_tables(result, view), view.explained)),
    views.RecordTable: _blocks(lambda result, view, how: _explained(
        record_tables(result, view, show_text=how.show_text), view.explained)),
    study_views.RecordItems: _blocks(lambda result, view, how: record_items(
        result, view, show_text=how.show_text)),
    views.RecordCurves: _blocks(_curves),
    views.RowProfiles: _blocks(lambda result, view, _: profile_blocks(result, view), folds=True),
    views.RecordDumbbells: _drawn(view_pictures.dumbbell_pictures),
    views.ChangeDumbbells: _drawn(view_pictures.change_pictures),
    views.Forest: _drawn(view_pictures.forest_views),
    views.Strips: _drawn(view_pictures.strip_pictures),
    views.FlowCurves: _drawn(view_pictures.flow_pictures),
    views.PairHeat: _drawn(view_pictures.heat_pictures),
    views.PairScatters: _drawn(view_pictures.scatter_blocks),
    views.PrintedCells: _drawn(cells_blocks),
    views.RunBlocks: _blocks(lambda result, view, how: run_blocks(
        result, view, how.of_run, is_first=how.is_first) if how.of_run else []),
    comparison_views.EquivalenceTable: _blocks(lambda result, view, _: equivalence_blocks(result, view)),
    lean_views.LeanPlot: _drawn(lean_pictures.lean_pictures),
    comparison_views.ComparedRuns: _shown_elsewhere,  # the document of a comparison is about nothing else
}  # fmt: skip
"""The builder for each kind of view."""
