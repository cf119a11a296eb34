"""Where tables of people come from: registered sets, single ratings, tables of means."""

import os
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.people import US, People, from_ratings, read_means, us_stereotypes
from tiltmeter.data.people.ratings import PERCENT, RatingScale, depth, json_of, read_ratings
from tiltmeter.derived.matrices.matrix import ScoreMatrix, read_matrix

RAW = 3
"""Objects within each other in a JSON file of single ratings."""


def people_of(text: str, *, scale: RatingScale = PERCENT, encoding: str = "") -> People:
    """A registered set, single ratings, or means that were computed before.

    Args:
        text: The name of the set, or a file: JSON {annotator: {group: {pair: rating}}} or {group:
            {pair: mean}}; a table with a row a rating; or a table of means, wide or long.
        scale: On which people answered.
        encoding: Of a text file.

    Raises:
        BadInput: It is none of these, or a number is not on the scale.
        UnknownName: It is neither a set of people's judgments nor a file.
    """
    path = Path(text)
    if not os.path.lexists(path) and not path.suffix and path.name == text:
        if text != US:
            raise UnknownName("table of people", text, [US])
        return us_stereotypes()
    if path.is_dir():
        raise BadInput(
            "this is a folder, not a file of ratings", "give a file with --people", file=str(path)
        )
    nested = json_of(path, encoding) if path.is_file() else None
    if nested is not None and depth(nested) < RAW:
        return read_means(path, scale=scale, encoding=encoding)
    if nested is not None or _is_raw(path, encoding):
        ratings = read_ratings(path, scale=scale, encoding=encoding)
        return from_ratings(
            ratings,
            name=path.stem,
            scale=scale,
            who=f"{len(ratings.annotators)} people.",
            source=path.name,
            sha256=sha256(path),
        )
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
    """Whether a table has a row a rating."""
    return {"annotator", "rating"} <= set(read_table(path, encoding=encoding).columns)
