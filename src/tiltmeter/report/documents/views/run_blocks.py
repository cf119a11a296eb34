"""Tables and pictures that `RunBlocks` takes from the documents of a collection's runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from tiltmeter.core.results import Result
from tiltmeter.core.views import RunBlocks
from tiltmeter.report import document as doc
from tiltmeter.report.documents.views.view_files import analysis_files
from tiltmeter.report.text import anchor


def run_blocks(
    result: Result, view: RunBlocks, of_run: Callable[[Result], doc.Document], *, is_first: bool
) -> list[doc.Block]:
    """The blocks that the view names; `is_first` tells that its section has no blocks yet."""
    return _retitled(_blocks_of_runs(result, view, of_run), view.title, alone=is_first)


def _blocks_of_runs(
    result: Result, view: RunBlocks, of_run: Callable[[Result], doc.Document]
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
            doc.Text(f"The results here have no table or picture called {wanted}.", "note")
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

    Several tables get the part of the section's title before its colon in front of theirs, as does one whose
    title says which value it is of ("Into: English").
    """
    named, colon, _ = title.partition(":")
    tables = [block for block in blocks if isinstance(block, doc.Table)]
    if alone and len(tables) == 1 and ": " not in tables[0].title:
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


def _named_blocks(document: doc.Document, run: Result, view: RunBlocks) -> list[doc.Block]:
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
