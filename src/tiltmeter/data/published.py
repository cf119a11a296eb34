"""Figures that papers print, as data: `published/index.toml` says what each table is and where it stands."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from tiltmeter.core.errors import UnknownName

SOURCES = {
    "elsafoury2023": "Elsafoury 2023, Systematic Offensive Stereotyping (SOS) Bias in Language Models, "
    "doi:10.48550/arXiv.2308.10684",
}
"""By what the names of its tables begin with."""
VALUE = "value"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a table."""

    model: str
    """"" where the table is not about models."""
    group: str
    """"" where it is not about groups."""
    measure: str
    value: float
    labels: Mapping[str, str]
    """Every column of its row but the number itself."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper."""

    name: str
    title: str
    source: str
    """The paper and the place in it."""
    figures: tuple[Figure, ...]
    """In the order of the file."""
    notes: tuple[str, ...] = ()
    """What one should know before one uses them."""

    def find(self, **labels: str) -> float:
        """The one number of these labels.

        Raises:
            KeyError: There is none, or more than one.

        >>> published("elsafoury2023_f1").find(model="albert-base", dataset="WTP-agg")
        0.939
        """
        found = [f.value for f in self.figures if labels.items() <= f.labels.items()]
        if len(found) != 1:
            raise KeyError(f"{len(found)} numbers of {self.name} have the labels {labels}")
        return found[0]


def known_published() -> list[str]:
    """Names of the tables that come with the package.

    >>> "elsafoury2023_sos" in known_published()
    True
    """
    return sorted(_index())


def published(name: str) -> PublishedTable:
    """The table of this name.

    Raises:
        UnknownName: With the nearest names that there are.
    """
    if name not in _index():
        raise UnknownName("published table", name, _index())
    about = _index()[name]
    text = (_folder() / f"{name}.csv").read_text("utf-8")
    figures = tuple(_figure(row, about) for row in csv.DictReader(text.splitlines()))
    source = f"{SOURCES[name.partition('_')[0]]}, {about['where']}"
    return PublishedTable(name, about["title"], source, figures, tuple(about.get("notes", ())))


def _figure(row: Mapping[str, str], about: Mapping[str, Any]) -> Figure:
    def joined(key: str, between: str) -> str:
        return between.join(row[column] for column in about.get(key, ()) if row[column])

    measure = " ".join(part for part in (about["measure"], joined("names", " ")) if part)
    labels = {column: text for column, text in row.items() if column != VALUE}
    return Figure(joined("model", " + "), joined("group", " "), measure, float(row[VALUE]), labels)


def _folder() -> Traversable:
    return resources.files("tiltmeter.data") / "published"


@cache
def _index() -> dict[str, dict[str, Any]]:
    return tomllib.loads((_folder() / "index.toml").read_text("utf-8"))
