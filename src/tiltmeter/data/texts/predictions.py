"""Tables of predictions that a classifier made elsewhere: a score, a label, or both for each text.

`score` is the probability of the positive label, `predicted` the label chosen. The right labels are in the
same table, or in data that the rows are matched to by id.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import LabelledText, Prediction
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.results import Note
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.likely_columns import with_likely_columns
from tiltmeter.data.files.rows import absence, label_of, number_of
from tiltmeter.data.files.table import FileTable, TableRow, listed
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.pairs.row_reading import axes_of
from tiltmeter.data.texts.labelled_rows import LabelledRows, labelled_rows, table_set

PREDICTED = ("score", "predicted")


def holds_labelled_predictions(path: Path, encoding: str = "", *, of_groups: bool) -> bool:
    """Whether a file is a table of right labels and predictions, with groups or, else, without."""
    if not any(has_columns(path, ("label", name), encoding) for name in PREDICTED):
        return False
    return bool(axes_of(read_table(path, encoding=encoding, known=None).columns)) == of_groups


def labelled_predictions(
    path: Path, *, skip_invalid: bool = False, encoding: str = ""
) -> tuple[LabelledRows, dict[str, Prediction]]:
    """The rows of a table that has the right labels too, and the predictions by the id of the row.

    Where the table has no texts, the ids stand for them.

    Raises:
        BadInput: The table cannot be read, or lacks a column.
        BadItems: Rows that cannot be used; all of them.
    """
    table = _table(path, encoding)
    if "label" not in table.columns:
        raise BadInput(
            f"no column named label, the right label (found: {listed(table.columns)})",
            "name yours with --map label=COLUMN, or the data that have it with --data",
            file=path.name, line=1,
        )  # fmt: skip
    rows, needs_id = [*table.rows], "text" not in table.columns
    if needs_id:
        cells = [{**row.cells, "text": label_of(row.cells.get("id"))} for row in rows]
        rows = [row._replace(cells=made) for row, made in zip(rows, cells, strict=True)]
    predictions: dict[str, Prediction] = {}
    labels = {label_of(row.cells.get("label")) for row in rows} - {""}
    checked = replace(table, rows=_checked(rows, table, labels, predictions, needs_id=needs_id))
    layout = table_set(axes_of(table.columns), table.columns)
    file = given(path, [path])
    data = labelled_rows(checked, layout, file, skip_invalid=skip_invalid)
    # Predictions of several models are about the same data, in whatever files they are.
    texts = "\n".join(repr((row.id, row.text, row.label)) for row in data.rows)
    of = {**file.about, "predictions": f"{path.name}, SHA-256 {file.sha256}"}
    about = replace(data.about, sha256=sha256(texts.encode()).hexdigest(), about=of)
    return replace(data, about=about), predictions


def matched_predictions(
    path: Path, items: Dataset[LabelledText], *, skip_invalid: bool = False, encoding: str = ""
) -> tuple[Dataset[LabelledText], dict[str, Prediction]]:
    """The items that a table has predictions for, and these by the id of the text.

    Raises:
        BadInput: The table cannot be read, or lacks a column.
        BadItems: Rows that cannot be used, and texts without a prediction; all of them.
    """
    table = _table(path, encoding)
    if "id" not in table.columns:
        naming = with_likely_columns("--map id=COLUMN", table.columns)
        way_out = f"rows are matched to {items.name} by id: name its column with {naming}"
        raise BadInput("no column named id", way_out, file=path.name, line=1)
    texts = {item.text_id: item.text for item in items.items}
    problems: list[Problem] = []
    predictions: dict[str, Prediction] = {}
    seen: set[str] = set()
    labels = {item.label for item in items.items}
    for row in _checked(table.rows, table, labels, predictions, needs_id=True):
        name, text = label_of(row.cells.get("id")), label_of(row.cells.get("text"))
        seen.add(name)
        problem = row.problem
        if problem is None and name not in texts:
            reason = f"id {name!r} is not in {items.name}"
            problem = Problem(reason, "give the data it belongs to with --data, or remove the row")
        elif problem is None and text and text != texts[name]:
            reason = f"{name!r} has another text in {items.name}"
            problem = Problem(reason, "give the data that were labelled with --data")
        if problem is not None:
            problems.append(replace(problem, file=path.name, line=row.line, item=name))
            predictions.pop(name, None)
    for name in (name for name in texts if name not in seen):
        reason, way_out = f"no prediction for {name!r}", "add it, or leave the text out of the data"
        problems.append(Problem(reason, way_out, file=path.name, item=name))
    stop_at(problems, skip_invalid=skip_invalid)
    checksum = given(path, [path]).sha256
    matched = f"Predictions of {path.name} are matched to {items.name} by id."
    return replace(
        items,
        items=[item for item in items.items if item.text_id in predictions],
        invalid=[*items.invalid, *problems],
        notes=(*items.notes, *(Note("data", text) for text in (matched, *table.notes))),
        about={**items.about, "predictions": f"{path.name}, SHA-256 {checksum}"},
    ), predictions


def _table(path: Path, encoding: str) -> FileTable:
    known = ("id", "text", "label", *PREDICTED, "group", "attribute", "cluster")
    table = read_table(path, encoding=encoding, known=known, texts=("id", "text"))
    if not {*PREDICTED} & {*table.columns}:
        raise BadInput(
            f"no column named score or predicted (found: {listed(table.columns)})",
            "give score, the probability of the positive label, or predicted, the label chosen; name yours "
            f"with {with_likely_columns('--map score=COLUMN', table.columns)}",
            file=path.name, line=1,
        )  # fmt: skip
    return table


def _checked(
    rows: Iterable[TableRow],
    table: FileTable,
    labels: Collection[str],
    predictions: dict[str, Prediction],
    *,
    needs_id: bool,
) -> Iterator[TableRow]:
    """The rows, with a problem where the prediction cannot be used; the others are put into `predictions`."""
    columns = [name for name in PREDICTED if name in table.columns]
    lines: dict[str, int] = {}
    for index, row in enumerate(rows):
        name = label_of(row.cells.get("id")) or ("" if needs_id else str(index + 1))
        try:
            if row.problem is None:
                _check_id(name, row.line, lines)
                predictions[name] = _prediction(row.cells, columns, labels)
            yield row
        except Fault as fault:
            problem = Problem(fault.reason, fault.way_out, file=table.path.name, line=row.line)
            yield row._replace(problem=problem)


def _check_id(name: str, line: int, lines: dict[str, int]) -> None:
    if not name:
        raise Fault("id is empty", "fill it in, or remove the row")
    if name in lines:
        raise Fault(f"id {name!r} is also on line {lines[name]}", "keep one")
    lines[name] = line


def _prediction(
    cells: Mapping[str, Any], columns: Collection[str], labels: Collection[str]
) -> Prediction:
    score, label = None, label_of(cells.get("predicted"))
    if "score" in columns:
        try:
            score = number_of(cells.get("score"))
        except Fault as fault:
            raise Fault(f"score {fault.reason}", fault.way_out) from None
        if not 0 <= score <= 1:
            raise Fault(
                f"score {score:g} is no probability",
                "give that of the positive label, from 0 to 1; of a logit x it is 1 / (1 + exp(−x))",
            )
    if "predicted" in columns and label not in labels:
        if not label:
            absent = absence(cells.get("predicted"))
            raise Fault(f"predicted {absent.reason}", absent.way_out)
        reason = f"predicted {label!r} is no label of the data ({', '.join(sorted(labels))})"
        raise Fault(reason, "write one of these, or remove the row")
    return Prediction(score, label)
