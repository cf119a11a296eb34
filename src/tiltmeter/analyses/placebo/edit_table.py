"""A table of scores of edited texts: which rows are the text itself, placebo edits and edits of an axis."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.reading.typed_values import OTHERS, Raw
from tiltmeter.core.text import counted, listed, verb_for, visible
from tiltmeter.core.types import Array, Integers
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.rows import FilledCell, UserRows, label_of, number_of, text_of

Texts: TypeAlias = npt.NDArray[np.str_]
Label = Annotated[str, Raw(label_of)]
PLACEBO = "placebo"
"""The axis of placebo edits in results, whatever the file calls it."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A score of a text before or after an edit."""

    others: Annotated[Mapping[str, Any], OTHERS]
    text: FilledCell
    edit: FilledCell
    score: Annotated[float | None, Raw(lambda cell: number_of(cell) if text_of(cell) else None)]
    axis: Label = ""
    model: Label = ""
    cluster: Label = ""
    run: Label = ""


FIELDS = tuple(field.name for field in fields(ScoreRow) if field.name != "others")


@dataclass(frozen=True, slots=True)
class TableFormat:
    """How a table of edits is read."""

    columns: Mapping[str, str]
    """The column of each field that has a different name."""
    base: str
    """The edit of rows with the text as it is."""
    placebo: str
    """The axis of placebo edits, or one of these edits themselves."""
    separator: str
    """Separates the axis from the value in the name of an edit."""
    within: tuple[str, ...]
    """Columns in which an edit must agree with the text that it is compared with."""
    models: tuple[str, ...] = ()
    """The models to read; () for all."""


@dataclass(frozen=True, slots=True)
class EditTable:
    """The rows that are compared, one a reply with a score."""

    file: str
    sha256: str
    scores: Array
    text: Texts
    """The text, of one model and under the same conditions."""
    cluster: Texts
    edit: Texts
    axis: Texts
    """"" for the text as it is, `PLACEBO` for placebo edits."""
    model: Texts
    """"" where the table does not say."""
    axes: tuple[str, ...]
    """The axes of group edits, in the order of the file."""
    models: tuple[str, ...]
    notes: tuple[str, ...]
    """What was left out, and why."""

    def rows(self, axes: Collection[str] | None = None, model: str | None = None) -> Integers:
        """The rows of the texts themselves, of their placebo edits and of the edits of some axes.

        Args:
            axes: The axes; None for all.
            model: The model; None for all.
        """
        kept = np.ones(len(self.scores), dtype=np.bool_)
        if axes is not None:
            kept &= np.isin(self.axis, ["", PLACEBO, *axes])
        if model is not None:
            kept &= self.model == model
        return np.flatnonzero(kept)


def read_edits(path: Path, how: TableFormat, encoding: str = "") -> EditTable:
    """The scores of a table of edits that have both a text as it is and placebo edits beside them.

    Scores are only compared under the same conditions (`TableFormat.within`), of one model. What has no
    counterpart there is left out, and `notes` says what is missing.

    Raises:
        BadInput: The file has no such table, or nothing in it can be compared.
        BadItems: Rows cannot be read.
    """
    known_names("field", how.columns, FIELDS)
    rows: UserRows[ScoreRow] = UserRows(
        ScoreRow, path, encoding=encoding, columns=how.columns, more=how.within,
        named=(*how.columns.values(), *how.within),
        way_out="name the columns with --map, such as --map text=job --map edit=variant",
    )  # fmt: skip
    every = list(rows)
    rows.finish()
    known_names("model", how.models, {row.model for _, row in every} - {""})
    read = [(line, row) for line, row in every if not how.models or row.model in how.models]
    _check_once(read, how, path.name)
    empty = sum(row.score is None for _, row in read)
    scored = [row for _, row in read if row.score is not None]
    if not scored:
        raise BadInput(
            "no row has a score", "name the column with --map score=COLUMN", file=path.name
        )
    axes = [_axis(row, how) for row in scored]
    conditions = [(row.model, *(label_of(row.others.get(c)) for c in how.within)) for row in scored]
    complete, lacking = _complete(conditions, axes, how)
    if not complete:
        raise BadInput(
            f"nothing can be compared: {lacking[0]}" + (", and so on" if len(lacking) > 1 else ""),
            f"rows of the text as it is have the edit {how.base!r} (--base), and placebo edits the axis "
            f"{how.placebo!r} (--placebo)",
            file=path.name,
        )
    kept = [i for i, condition in enumerate(conditions) if condition in complete]
    notes = [f"Not compared: {'; '.join(lacking)}."] if lacking else []
    notes += [f"{counted(empty, 'rows')} without a score."] if empty else []

    def column(values: Sequence[str]) -> Texts:
        return np.array([values[i] for i in kept])

    texts = [
        "\0".join((*condition, row.text)) for condition, row in zip(conditions, scored, strict=True)
    ]
    own = column(axes)
    return EditTable(
        path.name, sha256(path), np.array([scored[i].score for i in kept], dtype=np.float64),
        column(texts), column([row.cluster or row.text for row in scored]),
        column([row.edit for row in scored]), own, column([row.model for row in scored]),
        tuple(dict.fromkeys(axis for axis in own.tolist() if axis not in {"", PLACEBO})),
        tuple(dict.fromkeys(scored[i].model for i in kept)),
        (*notes, *_texts_left_out(column(texts), own)),
    )  # fmt: skip


def _axis(row: ScoreRow, how: TableFormat) -> str:
    if row.edit == how.base:
        return ""
    axis = row.axis or (how.separator and row.edit.partition(how.separator)[0]) or row.edit
    if how.placebo in {axis, row.edit}:
        return PLACEBO
    return f"{axis} (group edits)" if axis == PLACEBO else axis


def _check_once(read: Sequence[tuple[int, ScoreRow]], how: TableFormat, file: str) -> None:
    """See that each run scored a text and an edit once under the same conditions.

    Raises:
        BadInput: One did so twice: the rows may have been made in different ways.
    """
    seen: dict[tuple[str, ...], tuple[int, ScoreRow]] = {}
    for line, row in read:
        conditions = (label_of(row.others.get(name)) for name in how.within)
        place = (row.model, row.text, row.edit, row.run, *conditions)
        if not row.run or place not in seen:
            seen[place] = line, row
            continue
        first, other = seen[place]
        apart = [
            name
            for name in row.others
            if name not in how.within and row.others[name] != other.others.get(name)
        ]
        of_model = f" by {visible(row.model)}" if row.model else ""
        reason = (
            f"lines {first:,} and {line:,} are both run {visible(row.run)} of {visible(row.edit)}, "
            f"{visible(row.text)}{of_model}"
        )
        way_out = "remove one, or give the rows different runs"
        if apart:
            way_out = (
                "if they were made in different ways, which must not be mixed, name the column that "
                "says so: "
                f"--within {apart[-1]}"
            )
        raise BadInput(reason, way_out, file=file)


def _complete(
    conditions: Sequence[tuple[str, ...]], axes: Sequence[str], how: TableFormat
) -> tuple[set[tuple[str, ...]], list[str]]:
    """The models, with their conditions, that have all three kinds of rows; and what others lack."""
    kinds: dict[tuple[str, ...], set[str]] = {}
    for condition, axis in zip(conditions, axes, strict=True):
        kinds.setdefault(condition, set()).add(axis if axis in {"", PLACEBO} else "group")
    lacking = []
    for (model, *others), there in kinds.items():
        missing = [
            words
            for kind, words in (
                ("", f"rows of {how.base}"), (PLACEBO, "placebo edits"), ("group", "group edits")
            )
            if kind not in there
        ]  # fmt: skip
        where = [f"{name} {visible(v)}" for name, v in zip(how.within, others, strict=True)]
        named = ", ".join(filter(None, (visible(model), *where))) or "the table"
        lacking += [f"{named} has no {listed(missing)}"] if missing else []
    return {c for c, there in kinds.items() if len(there) == 3}, lacking  # noqa: PLR2004


def _texts_left_out(texts: Texts, axes: Texts) -> Iterator[str]:
    """How many texts lack one of the two that edits are compared with."""
    every = {*texts.tolist()}
    for axis, words in (("", "score before an edit"), (PLACEBO, "placebo edit")):
        if without := len(every - {*texts[axes == axis].tolist()}):
            of = f"{without:,} of {counted(len(every), 'texts')}"
            yield f"{of} without a {words} {verb_for(without, 'are')} not compared."
