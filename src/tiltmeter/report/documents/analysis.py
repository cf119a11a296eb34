"""The document of an analysis: the finding, a section for each view's title, and what it rests on.

Everything is read from the result's card, so that a folder is shown without the analysis that made it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tiltmeter.core.analysis_views import (
    ChangeDumbbells,
    ComparedRuns,
    FlowCurves,
    Forest,
    NumberTable,
    PairHeat,
    PairScatters,
    RecordCurves,
    RecordDumbbells,
    RecordTable,
    RowProfiles,
    TextLines,
)
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import View
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    TERMINAL,
    Block,
    Code,
    Document,
    Facts,
    Lines,
    Picture,
    Section,
    Table,
    Text,
)
from tiltmeter.report.documents.conditions import intervals_and_tests
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.views.dumbbells import change_pictures, dumbbell_pictures
from tiltmeter.report.documents.views.flow_curves import flow_pictures
from tiltmeter.report.documents.views.forest_view import forest_views
from tiltmeter.report.documents.views.number_table import PLACES, number_file, number_tables
from tiltmeter.report.documents.views.pair_heat import heat_pictures
from tiltmeter.report.documents.views.pair_scatters import scatter_blocks
from tiltmeter.report.documents.views.record_curves import curve_pictures
from tiltmeter.report.documents.views.record_table import record_file, record_tables, records_of
from tiltmeter.report.documents.views.row_profiles import profile_blocks
from tiltmeter.report.text import anchor

FILES = ("card.json", "estimates.json", "records.parquet")
"""What lies beside the page of every result."""
SAID_ELSEWHERE = ("warning", "notes")
"""Facts of the data that stand in other places."""


def analysis_document(result: Result, *, show_text: bool = True) -> Document:
    """Everything that an analysis found.

    Args:
        result: Of an analysis: its card has a title.
        show_text: False leaves the records' texts out.
    """
    card = result.card
    leading: list[Picture] = []
    sections: dict[str, list[Block]] = {}
    folded = {view.title for view in card.views if isinstance(view, RowProfiles) and view.folded}
    for view in card.views:
        blocks = view_blocks(result, view, show_text=show_text)
        if not getattr(view, "title", ""):
            leading += [block for block in blocks if isinstance(block, Picture)]
        elif blocks:
            sections.setdefault(view.title, []).extend(blocks)  # type: ignore[union-attr]
    return Document(
        card.title,
        card.subtitle,
        [Text(paragraph.text, paragraph.kind) for paragraph in card.finding],
        [
            *(Section(anchor(title), title, _titled(blocks, title), folded=title in folded)
              for title, blocks in sections.items()),
            *([Section("notes", "Notes", [Lines([note.text for note in card.notes], on=BOTH)])]
              if card.notes else []),
            Section("in-short", "", [Facts(_conditions(result))], on=TERMINAL),
            Section("estimates", "All numbers", [full_table(result.estimates, card.labels)], on=PAGE),
            Section("method", "How it was computed", _method(result), on=PAGE),
            Section("repeat", "How to repeat it", _repeat(card), on=PAGE),
        ],
        meaning=card.means,
        limits=card.limits,
        warning=str(card.data.get("warning") or ""),
        leading=leading,
        files=[*FILES, *(f"{view.name}.csv" for view in _file_views(card) if _has_rows(result, view))],
    )  # fmt: skip


def _titled(blocks: Sequence[Block], title: str) -> list[Block]:
    """The first table without a title of its own has the section's, which files show above it."""
    first = next((b for b in blocks if isinstance(b, Table)), None)
    if first is None or first.title:
        return list(blocks)
    return [replace(first, title=title) if block is first else block for block in blocks]


def view_blocks(result: Result, view: View, *, show_text: bool = True) -> list[Block]:
    """What a view of an analysis shows of its result; [] where there is nothing to show."""
    if getattr(view, "on", "") == "files":
        return []
    if isinstance(view, RecordTable):
        return _explained(record_tables(result, view, show_text=show_text), view.explained)
    return [*BUILDERS[type(view)](result, view)]


def _numbers(result: Result, view: NumberTable) -> list[Block]:
    return _explained(number_tables(result, view), view.explained)


def _lines(_: Result, view: TextLines) -> list[Block]:
    return [Lines(view.lines, on=PLACES[view.on])] if view.lines else []


def _explained(tables: Sequence[Table], text: str) -> list[Block]:
    return [*tables, *([Text(text, on=PAGE)] if text and tables else [])]


def analysis_files(result: Result, *, show_text: bool = True) -> Mapping[str, Table]:
    """Every table by the name of its CSV, whatever the terminal and the page show."""
    made = {
        view.name: _file(result, view, show_text=show_text) for view in _file_views(result.card)
    }
    return {name: table for name, table in made.items() if table.rows}


FileView: TypeAlias = NumberTable | RecordTable | ComparedRuns
"""Views that have a CSV."""


def _file_views(card: Card) -> list[FileView]:
    return [*{v.name: v for v in card.views if isinstance(v, FileView) and v.name}.values()]


def _file(result: Result, view: FileView, *, show_text: bool = True) -> Table:
    if isinstance(view, NumberTable):
        return number_file(result, view)
    if isinstance(view, RecordTable):
        return record_file(result, view, show_text=show_text)
    return full_table([e for e in result.estimates if e.model], result.card.labels)


def _has_rows(result: Result, view: FileView) -> bool:
    """Whether the CSV of a view has a row; without making the tables of many records."""
    if isinstance(view, RecordTable):
        return any(records_of(result, view))
    return _file(result, view).rows > 0


def _conditions(result: Result) -> dict[str, str]:
    """What has to be known beside the numbers, for the terminal."""
    card = result.card
    return {
        **intervals_and_tests(result.estimates),
        "Bold": "significant (p < .05, and the interval excludes the neutral value)"
        if any(e.significant for e in result.estimates) and not _has_verdicts(card) else "",
        "What this does not show": card.limits,
    }  # fmt: skip


def _has_verdicts(card: Card) -> bool:
    return any(isinstance(view, NumberTable) and view.strong for view in card.views)


def _method(result: Result) -> list[Block]:
    texts = [text for text in result.card.method.split("\n\n") if text]
    return [*map(Text, texts), Facts(intervals_and_tests(result.estimates))]


def _repeat(card: Card) -> list[Block]:
    data = {k: v for k, v in card.data.items() if k not in SAID_ELSEWHERE}
    facts = {
        "model": {"name": card.model_name} if card.model else None, "convention": card.convention,
        **card.settings, "seed": card.seed, "data": data, "versions": dict(card.versions),
    }  # fmt: skip
    blocks: list[Block] = [Code(card.command)] if card.command else []
    return [*blocks, Facts(facts), *(Facts(dict(source)) for source in card.sources)]


BUILDERS: Mapping[type[View], Callable[[Result, Any], Sequence[Block]]] = {
    NumberTable: _numbers,
    TextLines: _lines,
    RecordDumbbells: dumbbell_pictures,
    ChangeDumbbells: change_pictures,
    Forest: forest_views,
    FlowCurves: flow_pictures,
    PairHeat: heat_pictures,
    PairScatters: scatter_blocks,
    RowProfiles: profile_blocks,
    RecordCurves: curve_pictures,
    ComparedRuns: lambda *_: (),  # shown by a document of its own, which needs the runs
}
"""What makes the blocks of each kind of view, besides tables of records."""
