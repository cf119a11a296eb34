"""Whether a trait speaks well or ill of a group, or neither."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from tiltmeter.analysis.leakage.human_cells import poles_of
from tiltmeter.core.typed_values import reader
from tiltmeter.core.value_types import via
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows

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


@dataclass(frozen=True, slots=True)
class _Row:
    trait: FilledCell
    polarity: Annotated[Polarity, via(Cell, reader(Polarity))]


def read_polarities(path: Path, *, encoding: str = "") -> dict[str, Polarity]:
    """A table with the columns `trait` and `polarity`.

    Raises:
        BadInput: It has other columns, or a polarity is none.
        BadItems: Rows cannot be read, or a trait is there twice.
    """
    rows = UserRows(_Row, path, encoding=encoding)
    found: dict[str, Polarity] = {}
    for line, row in rows:
        if row.trait in found:
            rows.complain(line, f"{row.trait!r} is listed twice", "leave one out")
        found[row.trait] = row.polarity
    rows.finish()
    return found
