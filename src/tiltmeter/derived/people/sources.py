"""Where tables of people come from: registered sets, single ratings, tables of means."""

import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import sha256, sha256_of
from tiltmeter.data.files.missing_words import is_missing
from tiltmeter.data.files.renamed_columns import renamed_columns
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.annotator_answers import LONG
from tiltmeter.data.people.exports.exported import Export
from tiltmeter.data.people.exports.recognising import read_export
from tiltmeter.data.people.people import US, People, from_ratings, read_means, us_stereotypes
from tiltmeter.data.people.ratings import (
    PERCENT,
    Ratings,
    RatingScale,
    depth,
    json_of,
    ratings_of,
    read_ratings,
)
from tiltmeter.data.people.renamed_questions import renamed_questions
from tiltmeter.derived.matrices.matrix import ScoreMatrix, read_matrix

RATINGS = ("ratings.csv", "tasks.json", "annotated_instances.jsonl")
"""Files with ratings in an export of a survey, the first that is there."""
RAW = 3
"""Objects within each other in a JSON file of single ratings."""


def people_of(
    text: str,
    *,
    scale: RatingScale = PERCENT,
    encoding: str = "",
    columns: Mapping[str, str] | None = None,
) -> People:
    """A registered set, single ratings, or means that were computed before.

    Args:
        text: The name of the set, or a file: JSON {annotator: {group: {pair: rating}}} or {group:
            {pair: mean}}; a table with a row a rating; or a table of means, wide or long. Also the folder of
            `survey export`, and an export of an annotation program, whose items are the groups and whose
            questions the pairs of traits.
        scale: On which people answered.
        encoding: Of a text file.
        columns: The file's column, or the export's question, for each field.

    Raises:
        BadInput: It is none of these, or a number is not on the scale.
        UnknownName: It is neither a set of people's judgments nor a file.
    """
    path = Path(text)
    if not os.path.lexists(path) and not path.suffix and path.name == text:
        if text != US:
            raise UnknownName("table of people", text, [US])
        return us_stereotypes()
    path = rating_file(path)
    nested = json_of(path, encoding) if path.is_file() else None
    of_means = nested is not None and depth(nested) < RAW
    export = None if of_means or not path.exists() else read_export(path, encoding=encoding)
    if export is not None:
        return _single(_of_export(export, path, scale, columns or {}), path, scale)
    with renamed_columns(path, columns) if columns else nullcontext():
        return _of_file(path, scale, encoding, nested)


def rating_file(path: Path) -> Path:
    """The file with the ratings in a folder of `survey export`; any other path as it is.

    Raises:
        BadInput: The form of the export has no sliders, so that it has no ratings.
    """
    if not path.is_dir() or not (path / "form.toml").is_file():
        return path
    found = next((path / name for name in RATINGS if (path / name).is_file()), None)
    if found is None:
        reason = "this export has no ratings.csv"
        raise BadInput(reason, "export a form with sliders", file=str(path))
    return found


def _of_export(
    export: Export, path: Path, scale: RatingScale, columns: Mapping[str, str]
) -> Ratings:
    """The numbers among the answers of an export, as ratings of its items."""
    given = [(answer.question, answer.value) for answer in export.answers]
    named = renamed_questions(given, columns, path.name)
    words = {
        q: v for q, v in reversed(named) if v and not is_missing(v) and decimal_number(v) is None
    }
    rated = [
        (answer.annotator, answer.item, to.question, "" if is_missing(to.value) else to.value)
        for answer, to in zip(export.answers, named, strict=True)
        if to.question not in words
    ]
    if not rated:
        first, word = next(iter(words.items()), ("tone", "low"))
        raise BadInput(
            "no question has numbers as answers",
            f"give words numbers: --map '{first}={first}:{word}=1,…'",
            file=path.name,
        )
    notes = ["Items are read as groups, questions as pairs of traits."]
    if words:
        notes.append(
            f"Questions whose answers are not numbers are left out: {', '.join(sorted(words))}."
        )
    ratings = ratings_of(rated, path, scale, export.about)
    return replace(ratings, notes=(*export.notes, *notes, *ratings.notes))


def _single(ratings: Ratings, path: Path, scale: RatingScale) -> People:
    return from_ratings(
        ratings,
        name=path.stem,
        scale=scale,
        who=f"{counted(len(ratings.annotators), 'people')}.",
        source=path.name,
        sha256=sha256_of(path),
    )


def _of_file(
    path: Path, scale: RatingScale, encoding: str, nested: Mapping[str, Any] | None
) -> People:
    if nested is not None and depth(nested) < RAW:
        return read_means(path, scale=scale, encoding=encoding)
    if nested is not None or _is_raw(path, encoding):
        return _single(read_ratings(path, scale=scale, encoding=encoding), path, scale)
    matrix = read_matrix(path, encoding=encoding)
    return People(
        matrix.name,
        matrix.rows,
        matrix.columns,
        _on_scale(matrix, scale, path),
        np.full(matrix.values.shape, np.nan),
        notes=matrix.notes,
        scale=scale,
        source=path.name,
        sha256=sha256(path),
    )


def _on_scale(matrix: ScoreMatrix, scale: RatingScale, path: Path) -> Array:
    out = (matrix.values < scale.low) | (matrix.values > scale.high)
    if out.any():
        i, j = (int(axis[0]) for axis in np.nonzero(out))
        raise BadInput(
            f"{matrix.rows[i]}, {matrix.columns[j]} is {matrix.values[i, j]:g}, which is not on the "
            f"scale {scale}",
            "correct it, or give the scale with --scale LOW:HIGH",
            file=path.name,
        )
    percent = 100 * (matrix.values - scale.low) / (scale.high - scale.low)
    return np.asarray(percent.round(9), dtype=np.float64)


def _is_raw(path: Path, encoding: str) -> bool:
    """Whether a table has a row a rating.

    Raises:
        BadInput: It has a row for each answer of a survey.
    """
    columns = set(read_table(path, encoding=encoding).columns)
    if {*LONG} <= columns:
        raise BadInput(
            "has all answers of a survey",
            "give ratings.csv of the same export, or its folder; it has one where the form has sliders, "
            "and `tiltmeter analyse agreement` compares answers to other questions",
            file=path.name,
        )
    return {"annotator", "rating"} <= columns
