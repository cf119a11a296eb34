"""Figures that papers print, as data: `published/index.toml` says what each table is and where it stands."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import log10
from typing import Any, Literal

from tiltmeter.core.errors import known_names
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.downloads.places import package_file, package_table

VALUE = "value"
ENDS = ("low", "high")
"""The columns of a printed interval, where the paper has some."""
SHARED = ("study", "measure", "rule", "data", "unit", "scale")
"""The facts that the index may state for all numbers of a table."""
DECIMALS = 9
"""The decimals to which a rescaled number is rounded, so that .58 times 100 is 58."""
ROUNDING = 1e-6
"""The tolerance for rounding errors, as a share of the last printed decimal."""


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number in a paper's table, as printed and in the unit of our measure, with its coordinates."""

    printed: str
    """The number as the file has it, with its decimals."""
    value: float
    """The number in the unit of our measure."""
    decimals: int
    """The number of printed decimals, converted to this unit."""
    interval: tuple[float, float] | None = None
    """The ends of the printed interval, in the unit of our measure; None if none is printed."""
    cut: bool = False
    """Whether the paper truncates decimals instead of rounding."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Every column of its row, what the index says of the whole table (`SHARED`), and as of a result `base`,
    the model without what was done to it, and `mitigation`, what that was."""
    groups: Groups = field(default_factory=dict)
    """The labels, by axis, of its subset in the results of its study."""
    model: str = ""
    """The model that the number is about; "" if the table is not about models."""
    group: str = ""
    """The group that the number is about; "" if the table is not about groups."""
    measure: str = ""
    """What the number measures, in the words of the table."""

    def at(self, coordinate: str) -> str:
        """The value of one coordinate; "" if the number does not have it."""
        return self.places.get(coordinate, "")

    @property
    def bound(self) -> Literal["", ">"]:
        """The sign ">" if the paper only says that the number is larger than this; otherwise ""."""
        return ">" if self.at("bound") == ">" else ""

    @property
    def estimate(self) -> Estimate:
        """Named as our results name theirs; without `study` where no study of ours computes it.

        Without interval, p and neutral value; n is 0 where the paper does not print it. The model has the
        paper's name for it.

        >>> first = published("elsafoury2023_sos").numbers[0].estimate
        >>> first.model, first.name, dict(first.groups), first.value, first.unit
        ('bert-base-uncased', 'sos_rate', {'attribute': 'gender', 'status': 'marginalised'}, 47.6, '%')
        """
        return Estimate(
            self.at("measure"), self.value, low=None, high=None, p=None, n=int(self.at("n") or 0),
            neutral=None, unit=self.at("unit"), groups=self.groups, model=self.model,
            study=self.at("study"), rule=self.at("rule"), bound=self.bound,
        )  # fmt: skip

    def equals(self, value: float) -> bool:
        """Whether a value of ours would be printed like this number.

        >>> number = PrintedNumber(".580", 58.0, 1)
        >>> number.equals(58.04), number.equals(58.06)
        (True, False)
        """
        step = 10.0**-self.decimals
        if self.cut:
            beyond = (abs(value) - abs(self.value)) / step
            return -ROUNDING <= beyond < 1 - ROUNDING and value * self.value >= 0
        return abs(value - self.value) <= step * (0.5 + ROUNDING)


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper."""

    name: str
    title: str
    source: str
    """The paper and the place of the table in it."""
    numbers: tuple[PrintedNumber, ...]
    """The numbers of the table, in the order of the file."""
    notes: tuple[str, ...] = ()
    """What users should know before they use the numbers."""

    def find(self, **places: str) -> float:
        """The only number with these coordinates, as printed; raises KeyError if there is none or several.

        >>> published("elsafoury2023_f1").find(model="albert-base", dataset="WTP-agg")
        0.939
        """
        values = [float(n.printed) for n in self.numbers if places.items() <= n.places.items()]
        if len(values) != 1:
            raise KeyError(f"{counted(len(values), 'numbers')} of {self.name} are at {places}")
        return values[0]


def known_published() -> list[str]:
    """The names of the tables that come with the package.

    >>> "elsafoury2023_sos" in known_published()
    True
    """
    return sorted(_index())


def published(name: str) -> PublishedTable:
    """The table with this name; raises UnknownName, which suggests similar names, if there is none."""
    known_names("published table", [name], _index())
    about = _index()[name]
    text = package_file(f"published/{name}.csv").read_text("utf-8")
    numbers = tuple(_number(row, about) for row in csv.DictReader(text.splitlines()))
    source = f"{_toml('sources')[name.partition('_')[0]]}, {about['where']}"
    return PublishedTable(name, about["title"], source, numbers, tuple(about.get("notes", ())))


def published_for(study: str) -> list[str]:
    """The names of the tables that have numbers of this study.

    >>> published_for("winobias")
    ['nangia2020_bias']
    """
    return [name for name in known_published() if study in _index()[name].get("axes", {})]


def _number(row: dict[str, str], about: Mapping[str, Any]) -> PrintedNumber:
    def joined(key: str, between: str) -> str:
        return between.join(row[column] for column in about.get(key, ()) if row[column])

    printed, model = row.pop(VALUE), joined("model", " + ")
    ends = [row.pop(end, "") for end in ENDS]
    places = {key: str(about[key]) for key in SHARED if key in about} | row
    axes = about.get("axes", {}).get(places.get("study"), ())
    scale = float(places.get("scale") or 1)
    low, high = (round(float(end) * scale, DECIMALS) if end else None for end in ends)
    made = {"base": row.get("model", model), "mitigation": row.get("mitigation") or "none"}
    return PrintedNumber(
        printed,
        value=round(float(printed) * scale, DECIMALS),
        decimals=max(0, len(printed.partition(".")[2]) - round(log10(scale))),
        interval=None if low is None or high is None else (low, high),
        cut=about.get("cut", False),
        places=places | made,
        groups={axis: row[axis] for axis in axes if row[axis]},
        model=model,
        group=joined("group", " "),
        measure=" ".join(text for text in (about["label"], joined("names", " ")) if text),
    )


def _index() -> dict[str, dict[str, Any]]:
    return _toml("index")


@cache
def _toml(name: str) -> dict[str, Any]:
    return package_table(f"published/{name}.toml")
