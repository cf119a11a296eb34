"""The document of an analysis: the finding, a section for each title among its views, and the method.

Everything is read from the result's card, so a folder can be shown without the analysis that made it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from markupsafe import Markup

from tiltmeter.core import analysis_views as views
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import View
from tiltmeter.report import document as doc
from tiltmeter.report.documents.conditions import intervals_and_tests
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.views import view_pictures
from tiltmeter.report.documents.views.number_table import PLACES, number_file, number_tables
from tiltmeter.report.documents.views.printed_cells import cells_blocks, cells_file
from tiltmeter.report.documents.views.record_table import record_file, record_tables, records_of
from tiltmeter.report.documents.views.row_profiles import profile_blocks
from tiltmeter.report.text import anchor

FILES = ("card.json", "estimates.json", "records.parquet")
"""The files beside the page of every result."""
SAID_ELSEWHERE = ("warning", "notes")
"""Facts about the data that the document shows in other places."""


def analysis_document(
    result: Result,
    *,
    show_text: bool = True,
    of_run: Callable[[Result], doc.Document] | None = None,
) -> doc.Document:
    """The document of an analysis or of a collection of runs.

    Args:
        result: The analysis, with its runs where it is a collection.
        show_text: Whether tables of records show their texts.
        of_run: Makes the document of one run, for views that show parts of it; None leaves those views out.
    """
    card = result.card
    leading, sections = view_sections(result, card.views, show_text=show_text, of_run=of_run)
    return doc.Document(
        card.title, card.subtitle, [doc.Text(paragraph.text, paragraph.kind) for paragraph in card.finding],
        [
            *sections,
            *([doc.Section("notes", "Notes", [doc.Lines([note.text for note in card.notes], on=doc.BOTH)])]
              if card.notes else []),
            doc.Section("in-short", "", [doc.Facts(_conditions(result))], on=doc.TERMINAL),
            doc.Section("estimates", "All numbers", [full_table(result.estimates, card.labels)], on=doc.PAGE),
            doc.Section("method", "How it was computed", _method(result), on=doc.PAGE),
            doc.Section("repeat", "How to repeat it", _repeat(card), on=doc.PAGE),
        ],
        meaning=card.means, limits=card.limits, warning=str(card.data.get("warning") or ""), leading=leading,
        files=[*FILES, *(f"{view.name}.csv" for view in _file_views(card) if _has_rows(result, view))],
    )  # fmt: skip


def view_sections(
    result: Result,
    shown: Sequence[View],
    *,
    show_text: bool = True,
    of_run: Callable[[Result], doc.Document] | None = None,
) -> tuple[list[doc.Picture], list[doc.Section]]:
    """What these views of an analysis show: pictures without a title, then a section for each title.

    Views with the same title share a section.
    """
    leading: list[doc.Picture] = []
    sections: dict[str, list[doc.Block]] = {}
    folded = {view.title for view in shown if isinstance(view, views.RowProfiles) and view.folded}
    for view in shown:
        if isinstance(view, views.RunBlocks):
            blocks = _blocks_of_runs(result, view, of_run) if of_run else []
            blocks = _retitled(blocks, view.title, alone=view.title not in sections)
        else:
            blocks = view_blocks(result, view, show_text=show_text)
        if not (title := getattr(view, "title", "")):
            leading += [block for block in blocks if isinstance(block, doc.Picture)]
        elif blocks:
            sections.setdefault(title, []).extend(blocks)
    return leading, [
        doc.Section(anchor(title), title, _titled(blocks, title), folded=title in folded)
        for title, blocks in sections.items()
    ]


def _blocks_of_runs(
    result: Result, view: views.RunBlocks, of_run: Callable[[Result], doc.Document]
) -> list[doc.Block]:
    """The blocks or sections that the view names, from the document of each run, under its model's name.

    Where only pictures were found, they are shown side by side.
    """
    sources = {source.get("folder"): source.get("model") for source in result.card.sources}
    named: list[tuple[str, list[doc.Block]]] = []
    for number, folder in enumerate(view.runs, 1):
        if folder in result.runs:
            run = _narrowed(result.runs[folder], view.where)
            blocks_of_run = _named_blocks(of_run(run), run, view)
            model = str(sources.get(folder) or run.card.model_name)
            named.append((model, [_numbered(block, number) for block in blocks_of_run]))
    pictures = [
        (m, block) for m, blocks in named for block in blocks if isinstance(block, doc.Picture)
    ]
    if len(pictures) == sum(len(blocks) for _, blocks in named) > 1:
        beside = [replace(picture, wide=picture.narrow, caption=m) for m, picture in pictures]
        empty = [
            f"{model}: nothing to draw, see its page." for model, blocks in named if not blocks
        ]
        captions = dict.fromkeys(picture.caption for _, picture in pictures if picture.caption)
        texts = [doc.Text(text, on=doc.PAGE) for text in (*empty, *captions)]
        return [doc.Panels(beside), *texts, doc.Text("On the page.", on=doc.TERMINAL)]
    blocks: list[doc.Block] = []
    for model, chosen in named:
        if chosen and model and len(view.runs) > 1:
            blocks.append(doc.Text(model, on=frozenset().union(*(block.on for block in chosen))))
        blocks += chosen
    if not blocks:
        wanted = ", ".join(view.blocks)
        blocks.append(
            doc.Text(f"Nothing here is called {wanted}: no table and no picture.", "note")
        )
    elif all(doc.TERMINAL.isdisjoint(block.on) for block in blocks):
        blocks.append(doc.Text("On the page.", on=doc.TERMINAL))
    return blocks


def _numbered(block: doc.Block, number: int) -> doc.Block:
    """The block; a picture from the second run on is renamed, so that no two have the same name or ids."""
    if not isinstance(block, doc.Picture) or number == 1:
        return block
    name = f"{block.name}-{number}"
    wide, narrow = (
        Markup(str(drawing).replace(f"{block.name}-", f"{name}-"))  # noqa: S704  (drawn by us)
        for drawing in (block.wide, block.narrow)
    )
    return replace(block, name=name, wide=wide, narrow=narrow)


def _retitled(blocks: Sequence[doc.Block], title: str, *, alone: bool) -> list[doc.Block]:
    """Titles of tables in a section: a single table uses the section's own title.

    Several tables get the part of the section's title before its colon in front of theirs.
    """
    named, colon, _ = title.partition(":")
    if alone and sum(isinstance(block, doc.Table) for block in blocks) == 1:
        return [replace(b, title="") if isinstance(b, doc.Table) else b for b in blocks]
    return [
        replace(b, title=f"{named}: {b.title}")
        if colon and isinstance(b, doc.Table) and b.title
        else b
        for b in blocks
    ]


def _narrowed(run: Result, where: Mapping[str, tuple[str, ...]]) -> Result:
    """The run with only the records that have these values along the axes that they have."""
    records = [
        record
        for record in run.records
        if all(record.groups[a] in values for a, values in where.items() if a in record.groups)
    ]
    return replace(run, records=records) if where else run


def _named_blocks(document: doc.Document, run: Result, view: views.RunBlocks) -> list[doc.Block]:
    """The blocks that the view names, in its order; the names of pictures are those of `tiltmeter figure`.

    The prefix "r1-", which only tells several results in one document apart, is ignored in names. Tables that
    are only in the folder's files can be named too; they lose the columns of axes of which `view.where` asks
    for a single value.
    """
    named: dict[str, list[doc.Block]] = {}
    for section in document.sections:
        named[section.id.removeprefix("r1-")] = list(section.blocks)
    for block in document.blocks():
        name = getattr(block, "name", "").removeprefix("r1-")
        for called in {name, anchor(name)} if name else ():
            named.setdefault(called, [block])
    if any(name not in named for name in view.blocks) and run.card.title:
        for name, table in analysis_files(run).items():
            columns = [c for c in table.columns if len(view.where.get(c.name, ())) != 1]
            named.setdefault(name, [replace(table, columns=columns, on=doc.BOTH)])
    return [block for name in view.blocks for block in named.get(name, [])]


def _titled(blocks: Sequence[doc.Block], title: str) -> list[doc.Block]:
    """The blocks, with the section's title on the first table if that has none, for use in files."""
    first = next((b for b in blocks if isinstance(b, doc.Table)), None)
    if first is None or first.title:
        return list(blocks)
    return [replace(first, title=title) if block is first else block for block in blocks]


def view_blocks(result: Result, view: View, *, show_text: bool = True) -> list[doc.Block]:
    """The blocks of one view of an analysis; [] where there is nothing to show."""
    if getattr(view, "on", "") == "files":
        return []
    if isinstance(view, views.TextLines):
        return [doc.Lines(view.lines, on=PLACES[view.on])] if view.lines else []
    if isinstance(view, views.NumberTable):
        return _explained(number_tables(result, view), view.explained)
    if isinstance(view, views.RecordTable):
        return _explained(record_tables(result, view, show_text=show_text), view.explained)
    return [*BUILDERS[type(view)](result, view)]


def _explained(tables: Sequence[doc.Table], text: str) -> list[doc.Block]:
    return [*tables, *([doc.Text(text, on=doc.PAGE)] if text and tables else [])]


def analysis_files(result: Result, *, show_text: bool = True) -> Mapping[str, doc.Table]:
    """Every table that is written as a CSV, by the name of the file, wherever else it is shown."""
    made = {
        view.name: _file(result, view, show_text=show_text) for view in _file_views(result.card)
    }
    return {name: table for name, table in made.items() if table.rows}


FileView: TypeAlias = (
    views.NumberTable | views.RecordTable | views.ComparedRuns | views.PrintedCells
)
"""The views that are written as a CSV."""


def _file_views(card: Card) -> list[FileView]:
    return [*{v.name: v for v in card.views if isinstance(v, FileView) and v.name}.values()]


def _file(result: Result, view: FileView, *, show_text: bool = True) -> doc.Table:
    if isinstance(view, views.NumberTable):
        return number_file(result, view)
    if isinstance(view, views.RecordTable):
        return record_file(result, view, show_text=show_text)
    if isinstance(view, views.PrintedCells):
        return cells_file(result, view)
    return full_table([e for e in result.estimates if e.model], result.card.labels)


def _has_rows(result: Result, view: FileView) -> bool:
    """Whether the CSV of a view has any row; for tables of records without building the table."""
    if isinstance(view, views.RecordTable):
        return any(records_of(result, view))
    return _file(result, view).rows > 0


def _conditions(result: Result) -> dict[str, str]:
    """Facts for the terminal: intervals and tests, what bold means, and what the result does not show."""
    card = result.card
    return {
        **intervals_and_tests(result.estimates),
        "Bold": "significant (p < .05, and the interval excludes the neutral value)"
        if any(e.significant for e in result.estimates)
        and not any(isinstance(v, views.NumberTable) and v.strong for v in card.views) else "",
        "What this does not show": card.limits,
    }  # fmt: skip


def _method(result: Result) -> list[doc.Block]:
    texts = [text for text in result.card.method.split("\n\n") if text]
    return [*map(doc.Text, texts), doc.Facts(intervals_and_tests(result.estimates))]


def _repeat(card: Card) -> list[doc.Block]:
    data = {k: v for k, v in card.data.items() if k not in SAID_ELSEWHERE}
    facts = {
        "model": {"name": card.model_name} if card.model else None, "convention": card.convention,
        **card.settings, "seed": card.seed, "data": data, "versions": dict(card.versions),
    }  # fmt: skip
    blocks: list[doc.Block] = [doc.Code(card.command)] if card.command else []
    return [*blocks, doc.Facts(facts), *(doc.Facts(dict(source)) for source in card.sources)]


BUILDERS: Mapping[type[View], Callable[[Result, Any], Sequence[doc.Block]]] = {
    views.RecordDumbbells: view_pictures.dumbbell_pictures,
    views.ChangeDumbbells: view_pictures.change_pictures,
    views.Forest: view_pictures.forest_views,
    views.Strips: view_pictures.strip_pictures,
    views.FlowCurves: view_pictures.flow_pictures,
    views.PairHeat: view_pictures.heat_pictures,
    views.PairScatters: view_pictures.scatter_blocks,
    views.RowProfiles: profile_blocks,
    views.RecordCurves: view_pictures.curve_pictures,
    views.PrintedCells: cells_blocks,
    views.RunBlocks: lambda *_: (),  # shown where the documents of runs are made
    views.ComparedRuns: lambda *_: (),  # shown by a document of its own, which needs the runs
}
"""The function that makes the blocks of each kind of view, except for tables and lines of text."""
