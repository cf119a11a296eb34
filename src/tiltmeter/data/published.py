"""Figures that papers print, as data: `published/index.toml` says what each table is and where it stands."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log10
from typing import Any

from tiltmeter.core.errors import known_names
from tiltmeter.core.results import Estimate
from tiltmeter.data.downloads.places import package_file

VALUE = "value"
DECIMALS = 9
"""To which a rescaled number is rounded, so that .58 times 100 is 58."""
ROUNDING = 1e-6
"""Of a printed step: what arithmetic may add or take away."""


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
    printed: str
    """As the file has it, with its decimals."""


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
        """The one number of these labels; a KeyError where there is none, or more than one.

        >>> published("elsafoury2023_f1").find(model="albert-base", dataset="WTP-agg")
        0.939
        """
        values = [f.value for f in self.figures if labels.items() <= f.labels.items()]
        if len(values) != 1:
            raise KeyError(f"{len(values)} numbers of {self.name} have the labels {labels}")
        return values[0]


@dataclass(frozen=True, slots=True)
class PublishedEstimate:
    """A number of a paper, named as our results name theirs."""

    table: str
    """The name of its table."""
    source: str
    """The paper and the place in it."""
    data: str
    """Our name of the data set; "" where it is not known."""
    estimate: Estimate
    """Without interval, p and neutral value; n is 0 where the paper does not print it. The model has the
    paper's name for it."""
    places: Mapping[str, str]
    """Every column of its row, and as of a result `base`, the model without what was done to it, and
    `mitigation`, what that was."""


def known_published() -> list[str]:
    """Names of the tables that come with the package.

    >>> "elsafoury2023_sos" in known_published()
    True
    """
    return sorted(_index())


def published(name: str) -> PublishedTable:
    """The table of this name; UnknownName says which are near where there is none."""
    known_names("published table", [name], _index())
    about = _index()[name]
    text = package_file(f"published/{name}.csv").read_text("utf-8")
    figures = tuple(_figure(row, about) for row in csv.DictReader(text.splitlines()))
    source = f"{_toml('sources')[name.partition('_')[0]]}, {about['where']}"
    return PublishedTable(name, about["title"], source, figures, tuple(about.get("notes", ())))


def published_for(study: str) -> list[str]:
    """Names of the tables that have numbers of this study.

    >>> published_for("winobias")
    ['nangia2020_bias']
    """
    return [name for name in known_published() if study in _index()[name].get("axes", {})]


def published_estimates(name: str) -> list[PublishedEstimate]:
    """The numbers of this table that a study of ours computes as well, in the order of the file.

    Raises:
        UnknownName: With the nearest names that there are.

    >>> first = published_estimates("elsafoury2023_sos")[0].estimate
    >>> first.model, first.name, dict(first.groups), first.value, first.unit
    ('bert-base-uncased', 'sos_rate', {'attribute': 'gender', 'status': 'marginalised'}, 47.6, '%')
    """
    table, about = published(name), _index()[name]
    made = (_estimate(table, figure, about) for figure in table.figures)
    return [number for number in made if number.estimate.study]


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as a paper prints it, in the unit of our measure, with all that places it."""

    value: float
    decimals: int
    """How many it is printed with, in this unit."""
    unit: str
    places: Mapping[str, str]
    """The columns of its row, and what the index says of the whole table: study, measure, rule, data."""
    cut: bool
    """Whether the paper cuts its decimals off instead of rounding."""

    @property
    def bound(self) -> str:
        """The sign ">" where the paper only says that the number is larger."""
        return self.places.get("bound", "")

    def equals(self, value: float) -> bool:
        """Whether a value of ours is printed like this.

        >>> number = PrintedNumber(58.0, 1, "%", {}, cut=False)
        >>> number.equals(58.04), number.equals(58.06)
        (True, False)
        """
        step = 10.0**-self.decimals
        if self.cut:
            beyond = (abs(value) - abs(self.value)) / step
            return -ROUNDING <= beyond < 1 - ROUNDING and value * self.value >= 0
        return abs(value - self.value) <= step * (0.5 + ROUNDING)


def printed_numbers(name: str) -> list[PrintedNumber]:
    """All numbers of a published table, in the order of the file.

    Raises:
        UnknownName: With the nearest names that there are.

    >>> first = printed_numbers("elsafoury2023_sos")[0]
    >>> first.value, first.decimals, first.places["status"], first.places["measure"], first.cut
    (47.6, 1, 'marginalised', 'sos_rate', True)
    """
    table, about = published(name), _index()[name]
    shared: dict[str, str] = {
        key: str(about[key]) for key in ("study", "measure", "rule", "data") if key in about
    }
    scales = [float(f.labels.get("scale") or about.get("scale", 1)) for f in table.figures]
    return [
        PrintedNumber(
            round(figure.value * scale, DECIMALS),
            max(0, len(figure.printed.partition(".")[2]) - round(log10(scale))),
            str(figure.labels.get("unit", about.get("unit", ""))),
            _made(figure) | shared | {k: v for k, v in figure.labels.items() if k != "mitigation"},
            bool(about.get("cut", False)),
        )
        for figure, scale in zip(table.figures, scales, strict=True)
    ]


def _made(figure: Figure) -> dict[str, str]:
    """The model without what was done to it, and that; as of a result."""
    base, mitigation = figure.labels.get("model", figure.model), figure.labels.get("mitigation", "")
    return {"base": base, "mitigation": mitigation or "none"}


def _estimate(table: PublishedTable, figure: Figure, about: Mapping[str, Any]) -> PublishedEstimate:
    def of(key: str) -> str:
        return str(figure.labels.get(key, about.get(key, "")))

    axes = about.get("axes", {}).get(of("study"), ())
    estimate = Estimate(
        of("measure"),
        round(figure.value * float(of("scale") or 1), DECIMALS),
        low=None,
        high=None,
        p=None,
        n=int(of("n") or 0),
        neutral=None,
        unit=of("unit"),
        groups={axis: figure.labels[axis] for axis in axes if figure.labels[axis]},
        model=figure.model,
        study=of("study"),
        rule=of("rule"),
        bound=">" if figure.labels.get("bound") == ">" else "",
    )
    places = {**figure.labels, **_made(figure)}
    return PublishedEstimate(table.name, table.source, of("data"), estimate, places)


def _figure(row: Mapping[str, str], about: Mapping[str, Any]) -> Figure:
    def joined(key: str, between: str) -> str:
        return between.join(row[column] for column in about.get(key, ()) if row[column])

    measure = " ".join(part for part in (about["label"], joined("names", " ")) if part)
    labels = {column: text for column, text in row.items() if column != VALUE}
    return Figure(
        joined("model", " + "), joined("group", " "), measure, float(row[VALUE]), labels, row[VALUE]
    )  # fmt: skip


def _index() -> dict[str, dict[str, Any]]:
    return _toml("index")


@cache
def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(package_file(f"published/{name}.toml").read_text("utf-8"))
