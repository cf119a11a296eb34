"""Cells of groups and pairs that a matrix and the people both have, without a number on one side."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.types import Array

LISTED = 6
"""How many empty cells are named before they are only counted."""


def empty_cells(
    groups: Sequence[str], pairs: Sequence[str], scores: Array, ratings: Array, name: str
) -> list[str]:
    """Which groups, pairs and single cells lack a number, one sentence each.

    Args:
        groups: Of the rows.
        pairs: Of the columns.
        scores: The matrix's, shape (groups, pairs); NaN where there is none.
        ratings: People's means, likewise.
        name: Of the matrix.
    """
    lines = []
    for lost, whose in ((~np.isfinite(scores), name), (~np.isfinite(ratings), "people")):
        whole_rows = np.asarray(lost.all(axis=1), dtype=np.bool_)
        whole_columns = np.asarray(lost.all(axis=0), dtype=np.bool_)
        for kind, names, whole in (("group", groups, whole_rows), ("pair", pairs, whole_columns)):
            gone = [name for name, is_gone in zip(names, whole, strict=True) if is_gone]
            if gone:
                counted = f"{len(gone)} {kind}{'s have' if len(gone) > 1 else ' has'}"
                lines.append(f"{counted} no values from {whose}: {', '.join(gone)}.")
        rest = lost & ~whole_rows[:, None] & ~whole_columns
        cells = [f"{groups[i]}, {pairs[j]}" for i, j in zip(*np.nonzero(rest), strict=True)]
        if cells:
            more = f"; and {len(cells) - LISTED} more" if len(cells) > LISTED else ""
            counted = (
                f"{len(cells)} {'further ' if lines else ''}cell{'s' if len(cells) > 1 else ''}"
            )
            shown = "; ".join(cells[:LISTED])
            lines.append(f"{counted} of {lost.size} without a value from {whose}: {shown}{more}.")
    return lines
