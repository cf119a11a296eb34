"""Where the matrices come from that are held against people: run folders, tables, tables of people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tiltmeter.core.analysis import Input
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.people import US
from tiltmeter.data.people.ratings import COLUMNS, json_of
from tiltmeter.derived.matrices.matrix import (
    ScoreLayers,
    ScoreMatrix,
    has_layers,
    layers_of,
    matrix_of,
    read_matrix,
)
from tiltmeter.derived.people.sources import people_of
from tiltmeter.run.files import folder
from tiltmeter.run.files.folder_names import folder_name

HALF = 50.0
"""The middle of the scale of people's means."""


@dataclass(frozen=True, slots=True)
class Source:
    """A matrix that is held against people."""

    name: str
    path: str
    """The last part of the path that the user gave."""
    matrix: ScoreMatrix
    layers: ScoreLayers | None = None
    """The scores by template; None for a table or a run without templates."""
    middle: float = 0.0
    """The value that means no leaning either way."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Study, rule, convention and settings of a run."""
    fingerprint: str = ""
    """The fingerprint of a run's model."""

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of the templates; () for a table, which has none."""
        return self.layers.layers if self.layers else ()

    @property
    def view(self) -> Matrix:
        """Which axes its rows, columns and templates have."""
        return self.matrix.view


def source_of(given: Input, *, middle: float = 0.0, encoding: str = "") -> Source:
    """A run that makes a matrix, a table (wide, or group, pair, value), or a table of people.

    `middle` is what is no leaning either way in a table.

    Raises:
        BadInput: It is none of these, or the middle is far from every value.
    """
    if isinstance(given, Result):
        return _source_of_run(given, folder_name(given))
    place = Path(given)
    if place.is_dir():
        return _source_of_run(folder.read(place), place.name)
    if _is_of_people(place, encoding):
        people = people_of(str(given), encoding=encoding)
        none = np.full(people.values.shape, np.nan)
        matrix = ScoreMatrix(
            people.name, people.groups, people.pairs, people.values, none, none, none
        )
        return Source(people.name, place.name, matrix, middle=HALF)
    matrix = read_matrix(place, encoding=encoding)
    _check_middle(middle, matrix, place)
    return Source(matrix.name, place.name, matrix, middle=middle)


def _source_of_run(result: Result, path: str) -> Source:
    card, matrix = result.card, matrix_of(result)
    facts = {"study": card.study, "rule": card.rule, "convention": card.convention}
    settings = {k: v for k, v in card.settings.items() if v}
    layers = layers_of(result) if has_layers(result) else None
    fingerprint = str(card.model.get("fingerprint", ""))
    return Source(matrix.name, path, matrix, layers, 0.0, facts | settings, fingerprint)


def _check_middle(middle: float, matrix: ScoreMatrix, path: Path) -> None:
    """Refuse a neutral value farther from the values than they are from each other."""
    known = matrix.values[np.isfinite(matrix.values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    reach = high - low
    if not np.isfinite(middle) or (middle and not low - reach <= middle <= high + reach):
        raise BadInput(
            f"--middle {middle:g} is far from its values, which lie between {low:g} and {high:g}",
            "give the value that means no leaning, such as 0 or 50",
            file=path.name,
        )


def named_apart(sources: Sequence[Source]) -> list[Source]:
    """The matrices with different names: equal ones get the rule, or else the folder, beside them."""
    apart = list(sources)
    for more in ("rule", "path"):
        counts = Counter(source.name for source in apart)
        apart = [
            replace(s, name=f"{s.name} ({s.path if more == 'path' else s.facts[more]})")
            if counts[s.name] > 1 and (more == "path" or more in s.facts)
            else s
            for s in apart
        ]
    return apart


def _is_of_people(path: Path, encoding: str) -> bool:
    if path.name == US and not path.exists():
        return True
    if path.is_file() and path.suffix.lower() == ".json":
        return json_of(path, encoding) is not None
    return path.is_file() and set(COLUMNS) <= set(read_table(path, encoding=encoding).columns)
