"""Whether a trait speaks well or ill of a group, or neither."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.analysis.leakage.human_cells import poles_of
from tiltmeter.core.errors import BadItems, Problem
from tiltmeter.data.files.tables import read_table

Polarity: TypeAlias = Literal["positive", "negative", "non-polar"]
POLARITIES: tuple[Polarity, ...] = ("positive", "negative", "non-polar")
NON_POLAR_DIMENSION = "beliefs"


def polarities(dimensions: Mapping[str, str]) -> dict[str, Polarity]:
    """Whether a trait speaks well or ill of a group, or neither, by trait.

    Args:
        dimensions: By pair of traits, the unfavourable one on the left. Traits of the beliefs speak
            neither well nor ill.

    Raises:
        BadInput: A pair is not named "left - right".

    >>> polarities({"cold - warm": "communion", "conservative - liberal": "beliefs"})["conservative"]
    'non-polar'
    """
    found: dict[str, Polarity] = {}
    for pair, dimension in dimensions.items():
        left, right = poles_of(pair)
        non_polar = dimension == NON_POLAR_DIMENSION
        found[left] = "non-polar" if non_polar else "negative"
        found[right] = "non-polar" if non_polar else "positive"
    return found


def read_polarities(path: Path, *, encoding: str = "") -> dict[str, Polarity]:
    """A table with the columns `trait` and `polarity`.

    Raises:
        BadInput: It has other columns, or a polarity is none.
        BadItems: Rows cannot be read, or a trait is there twice.
    """
    table = read_table(path, encoding=encoding, required=("trait", "polarity"))
    found: dict[str, Polarity] = {}
    problems: list[Problem] = []
    for row in table.rows:
        trait, given = (str(row.cells.get(c) or "").strip() for c in ("trait", "polarity"))
        match: Polarity | None = next((name for name in POLARITIES if name == given), None)
        if row.problem:
            problems.append(row.problem)
        elif not trait or match is None:
            reason = f"{given!r} is no polarity" if trait else "the trait is empty"
            way_out = f"write {', '.join(POLARITIES)}" if trait else "fill it in"
            problems.append(Problem(reason, way_out, file=path.name, line=row.line))
        elif trait in found:
            reason = f"{trait!r} is listed twice"
            problems.append(Problem(reason, "leave one out", file=path.name, line=row.line))
        else:
            found[trait] = match
    if problems:
        raise BadItems(problems)
    return found
