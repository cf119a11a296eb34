"""The numbers that a paper's derived numbers are made of: from cells, results, their records, and tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.tables import read_table
from tiltmeter.papers.cells import PaperCells, placed_numbers
from tiltmeter.papers.derivations import NumberSource
from tiltmeter.papers.item_places import is_meant
from tiltmeter.papers.paper_plan import KINDS, PaperResult
from tiltmeter.papers.sources import data_file

SCORE, COLUMN, ROW, RECORD = "score", "column", "row", "item"
"""Axes of numbers from records (score, item) and from tables (column, row)."""


@dataclass(frozen=True, slots=True)
class SourceNumber:
    """A number from which another is derived."""

    places: Mapping[str, str]
    """The value that it has on each axis, as cells, estimates and records are placed."""
    ours: float | None = None
    printed: float | None = None
    """What the paper prints, in our unit; None also where the number is of no item."""
    unit: str = ""
    why: str = ""
    """Why ours is lacking, or of another quantity than the printed one."""
    unlike: bool = False
    needs_models: bool = False
    """Whether ours is lacking only because a model of the paper was not run."""
    folder: str = ""
    """The folder of the result. If two results have a number for one place, the first is taken."""


@dataclass(frozen=True, slots=True)
class DerivationInputs:
    """What numbers may be derived from."""

    table_of: Callable[[str], PaperCells]
    """The cells of an item by its name."""
    results: Sequence[PaperResult]


def numbers_of(
    source: NumberSource, inputs: DerivationInputs, axes: Iterable[str]
) -> list[SourceNumber]:
    """The numbers that a source means, in their order.

    Args:
        source: Of the paper's file.
        inputs: What there is.
        axes: The coordinates that the derived number distinguishes. An estimate of a subset along any other
            axis is not meant.

    Raises:
        BadInput: A cell of the table is not a number, or the table lacks a column.
    """
    if source.item:
        numbers = _of_cells(inputs.table_of(source.item))
    elif source.table:
        numbers = _of_table(source)
    else:
        results = [each for each in inputs.results if each.source in source.of]
        results.sort(key=lambda each: (KINDS.index(each.by), source.of.index(each.source)))
        if source.records:
            numbers = _of_records(source, results)
        elif source.fact:
            numbers = _of_facts(source, results)
        else:
            numbers = _of_estimates(source, results, {*axes, *source.where, *source.at})
    return [*_meant(source, numbers)]


def absence(source: NumberSource) -> str:
    """Why there is nothing of a source that is no result; "" where there is."""
    if source.table and data_file(source.table) is None:
        return f"the table {source.table} is not here: TILTMETER_DATA names the folder of data"
    return ""


def _meant(source: NumberSource, numbers: Iterable[SourceNumber]) -> Iterator[SourceNumber]:
    for number in numbers:
        places = {source.axes.get(axis, axis): value for axis, value in number.places.items()}
        places |= source.at
        if all(is_meant(places.get(axis, ""), values) for axis, values in source.where.items()):
            ours, printed = (
                None if value is None else value * source.times
                for value in (number.ours, number.printed)
            )
            yield replace(number, places=places, ours=ours, printed=printed)


def _of_cells(table: PaperCells) -> Iterator[SourceNumber]:
    for cell in table.cells:
        places = dict(zip((*table.rows, *table.columns), (*cell.row, *cell.column), strict=True))
        printed = cell.printed
        ours = cell.ours.value if cell.ours else None
        unit = cell.ours.unit if cell.ours else printed.at("unit") if printed else ""
        yield SourceNumber(
            places, ours, printed.value if printed else None, unit, cell.why, cell.unlike,
            cell.needs_models,
        )  # fmt: skip


def _of_estimates(
    source: NumberSource, results: Sequence[PaperResult], axes: set[str]
) -> Iterator[SourceNumber]:
    for each in results:
        for p in placed_numbers(each, axes):
            e = p.estimate
            if {source.axes.get(axis, axis) for axis in e.groups} <= axes:
                yield _of_result(each, {**e.groups, **p.run}, e.value, e.unit, e.why)


def _of_records(source: NumberSource, results: Sequence[PaperResult]) -> Iterator[SourceNumber]:
    for each in results:
        run = {**each.result.card.coordinates, **each.at}
        for record in each.result.records:
            if record.kind != source.records:
                continue
            for score in source.scores:
                if score in record.scores:
                    places = {**run, **record.groups, RECORD: record.item, SCORE: score}
                    yield _of_result(each, places, record.scores[score])


def _of_facts(source: NumberSource, results: Sequence[PaperResult]) -> Iterator[SourceNumber]:
    """Facts about models, which are the same on a sample of the data."""
    for each in results:
        value = each.result.card.model.get(source.fact)
        if isinstance(value, int | float) and not isinstance(value, bool):
            places = {**each.result.card.coordinates, **each.at}
            yield SourceNumber(places, float(value), folder=str(each.folder))


def _of_result(
    each: PaperResult, places: Mapping[str, str], value: float | None, unit: str = "", why: str = ""
) -> SourceNumber:
    sample = str(each.result.card.data.get("sample") or "")
    why = f"ours is of a sample of the data: {sample}" if sample else why
    folder = str(each.folder)
    return SourceNumber(places, value, None, unit, why, unlike=bool(sample), folder=folder)


def _of_table(source: NumberSource) -> Iterator[SourceNumber]:
    path = data_file(source.table)
    if path is None:
        return
    for place, row in enumerate(read_table(path, required=source.columns, known=None).rows, 1):
        if row.problem is not None:
            raise BadInput(row.problem.reason, row.problem.way_out, file=path.name, line=row.line)
        cells = {column: label_of(row.cells.get(column)) for column in source.columns}
        if source.contains:
            found = any(source.contains in cell for cell in cells.values())
            yield SourceNumber({ROW: str(place)}, float(found))
            continue
        for column, cell in cells.items():
            value = decimal_number(cell) if cell else None
            if cell and value is None:
                reason = f"{column} is {cell!r}, not a number"
                raise BadInput(reason, "correct it", file=path.name, line=row.line)
            if value is not None:
                yield SourceNumber({COLUMN: column, ROW: str(place)}, value)
