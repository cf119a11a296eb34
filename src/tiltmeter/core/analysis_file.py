"""The TOML file beside an analysis: what is said of it, and how its numbers and records are shown.

```toml
title = "Agreement of annotators"
summary = "Agreement of annotators: percent, α, κ."
inputs = "A table with a row per annotator and item."

[texts]
method = "“All agree” is the share of items with equal answers only."

[[views.always]]
kind = "number_table"
name = "questions"
title = "Agreement by question"
rows = ["question"]
columns = [{ measure = "alpha", value = 0, interval = 3 }]
explained = "{method}"
```

A column names its measure and the fields that it shows (`analysis_views.Field`), each with how soon a narrow
terminal leaves it out; without any, the value. Braces stand for texts and for what `AnalysisFile.shown` is
given: a string that is nothing else takes the value as it is, and a list the values of a tuple.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from tiltmeter.core.analysis import Analysis, Input, RunCollection, Words
from tiltmeter.core.analysis_views import Field, NumberTable
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.reading.options import Option
from tiltmeter.core.reading.typed_values import made, table_beside
from tiltmeter.core.results import Result
from tiltmeter.core.views import View, read_view

ALWAYS = "always"
"""The views of an analysis that depend on nothing."""


@dataclass(frozen=True, slots=True)
class AnalysisFile:
    """What the file declares; the fields are those of `Analysis`, or of `RunCollection`."""

    name: str
    title: str
    _: KW_ONLY
    summary: str = ""
    inputs: str = ""
    version: str = "1"
    source: str = ""
    means: str = ""
    not_what: str = ""
    metavar: str = "RUN…"
    fewest: int = 1
    reports_others: bool = False
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What users read of each, and what they may write: fields of `Option`."""
    texts: Mapping[str, str] = field(default_factory=dict)
    views: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """By the name of a group."""
    columns: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """Of several tables; `columns = ["{NAME}"]` has them."""

    @classmethod
    def beside(cls, module: str | Path) -> "AnalysisFile":
        """That of NAME.toml for the module with the path NAME.py."""
        return made(cls, {"name": Path(module).stem, **table_beside(module)})

    def analysis(
        self,
        quantities: tuple[Quantity, ...],
        compute: Callable[[Sequence[Input], Any, Any], Result],
        options: type[Any],
        words: Words = lambda _: (),
    ) -> Analysis:
        """The analysis with what the file says of it."""
        views = self.shown(ALWAYS) if ALWAYS in self.views else ()
        return Analysis(
            **self._about, quantities=quantities, words=words, views=views,
            summary=self.summary, source=self.source, compute=compute, options=options, inputs=self.inputs,
            metavar=self.metavar, fewest=self.fewest, reports_others=self.reports_others,
        )  # fmt: skip

    def collection(self, quantities: tuple[Quantity, ...], words: Words) -> RunCollection:
        """What several runs come to, with what the file says of it."""
        return RunCollection(**self._about, quantities=quantities, words=words)

    @property
    def _about(self) -> dict[str, Any]:
        names = ("name", "title", "version", "means", "not_what")
        return {name: getattr(self, name) for name in names}

    def option(self, name: str, **further: Any) -> Option:
        """An option of the analysis; what takes Python to say is given here."""
        return Option(**self.options[name], **further)

    def text(self, name: str, /, **values: object) -> str:
        """A text with these values in it."""
        return self.texts[name].format_map(values)

    def shown(self, group: str, /, **values: object) -> tuple[View, ...]:
        """The views of a group with these values in them."""
        shared = {**self.columns, **self.texts}
        return tuple(view_of(filled(table, values, shared)) for table in self.views[group])


def filled(value: Any, values: Mapping[str, Any], shared: Mapping[str, Any]) -> Any:
    """What the file says with values, and what it shares, where it has braces.

    >>> filled(["{axes}", {"by {axis}": "{most}"}], {"axes": ("a", "b"), "axis": "b", "most": 3}, {})
    ['a', 'b', {'by b': 3}]
    """
    if isinstance(value, str):
        name = value[1:-1] if value[:1] == "{" and value[-1:] == "}" else ""
        if name in values:
            return values[name]
        return filled(shared[name], values, shared) if name in shared else value.format_map(values)
    if isinstance(value, Mapping):
        return {filled(k, values, shared): filled(v, values, shared) for k, v in value.items()}
    if not isinstance(value, list | tuple):
        return value
    entries = [filled(entry, values, shared) for entry in value]
    spread = (entry if isinstance(entry, tuple) else (entry,) for entry in entries)
    return type(value)(chain.from_iterable(spread))


def view_of(table: Mapping[str, Any]) -> View:
    """The view that a table declares."""
    if table["kind"] == NumberTable.kind:
        columns = [column for entry in table["columns"] for column in _columns(entry)]
        table = {**table, "columns": columns}
    return read_view(table)


def _columns(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A column for each field that the entry names; the heading is the first one's."""
    drops = {name: drop for name, drop in entry.items() if name in get_args(Field)}
    column = {name: value for name, value in entry.items() if name not in drops}
    for shows, drop in (drops or {"value": 0}).items():
        yield {**column, "shows": shows, "drop": drop}
        column["heading"] = ""
