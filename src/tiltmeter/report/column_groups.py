"""Headings over columns that belong together."""

from collections.abc import Sequence
from itertools import groupby

from tiltmeter.report.document import Column


def column_groups(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """The headings over these columns and how many each spans; [] where no column has one.

    >>> column_groups([Column("n", [1]), Column("a", [1], group="g"), Column("b", [1], group="g")])
    [('', 1), ('g', 2)]
    """
    if not any(column.group for column in columns):
        return []
    return [(text, len(list(same))) for text, same in groupby(column.group for column in columns)]
