"""What the public functions return: results that can be looked at, tabulated, drawn and saved."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tiltmeter.api.rows import Rows, estimate_rows, record_rows
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.results import Card, Estimate, Record, Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import visible
from tiltmeter.report import saved_runs
from tiltmeter.report.sentences import finding
from tiltmeter.report.text import subset, title, with_unit
from tiltmeter.run.output_files import write_text

SHOWN = 40
"""Estimates that a notebook shows; `estimates` has all."""


@dataclass(frozen=True, slots=True, repr=False)
class RunResult:
    """One study of one model."""

    result: Result
    """The same as plain data."""
    study: Study[Any] | None
    """None where a loaded result is of a study that is not installed."""
    folder: Path | None = field(default=None)
    """Where it was saved or loaded from."""

    @property
    def card(self) -> Card:
        """What was measured, how, on what, with which versions."""
        return self.result.card

    @property
    def headline(self) -> Estimate | None:
        """The study's main number over all items; None where it has none."""
        return self.result.headline

    @property
    def estimates(self) -> Rows[Estimate]:
        """All numbers, over all items and over subsets."""
        return estimate_rows(self.result.estimates)

    @property
    def records(self) -> Rows[Record]:
        """One record an item, with the model's scores."""
        return record_rows(self.result.records)

    def estimate(self, name: str, **groups: str) -> Estimate:
        """The number of this name over all items, or over a subset: `estimate("rate", gender="f")`.

        Raises:
            UnknownName: There is none.
        """
        for found in self.result.estimates:
            if found.name == name and dict(found.groups) == groups:
                return found
        subsets = [f"{e.name} {dict(e.groups) or ''}".strip() for e in self.result.estimates]
        raise UnknownName("estimate", f"{name} {groups or ''}".strip(), subsets)

    def save(
        self, folder: str | Path, *, jsonl: bool = False, show_text: bool = True
    ) -> "RunResult":
        """Write the run folder: records, estimates, page and card.

        Args:
            folder: Made where it is not there.
            jsonl: Whether the records are written as lines of JSON as well.
            show_text: False leaves the items' texts out of the page.

        Returns:
            The result with its `folder`.

        Raises:
            StorageError, BadInput: It could not be written.
        """
        saved = saved_runs.save_run(
            self.result, self.study, Path(folder), jsonl=jsonl, show_text=show_text
        )
        return RunResult(self.result, self.study, saved.folder)

    def page(self, path: str | Path | None = None, *, show_text: bool = True) -> str:
        """The page as HTML, also written to a file where one is named."""
        page = saved_runs.run_page(self.result, self.study, show_text=show_text)
        return _written(page, path)

    @property
    def plots(self) -> Sequence[str]:
        """Names of the pictures."""
        return [*saved_runs.run_pictures(self.result, self.study)]

    def plot(self, name: str = "", path: str | Path | None = None) -> "Plot":
        """A picture, the first without a name; also written to a file where one is named.

        Raises:
            UnknownName: There is no such picture.
        """
        pictures = saved_runs.run_pictures(self.result, self.study)
        if name not in pictures and (name or not pictures):
            raise UnknownName("picture", name, pictures)
        svg = pictures[name or next(iter(pictures))]
        return Plot(_written(svg, path))

    def __repr__(self) -> str:
        return visible(
            f"<{self.card.study} of {self.card.model['name']}: {_in_words(self.result)}>"
        )

    def _repr_html_(self) -> str:
        return _as_html(_in_words(self.result), self.result.estimates)


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult:
    """Two or more results of one study on the same items."""

    results: Sequence[RunResult]
    comparison: saved_runs.Comparison
    """The same as plain data."""

    @property
    def differences(self) -> Rows[Estimate]:
        """How the results differ, each with its interval and test."""
        return estimate_rows(self.comparison.differences)

    def save(self, folder: str | Path, *, show_text: bool = True) -> Path:
        """Write a folder with the page and the numbers.

        Raises:
            StorageError: It could not be written.
        """
        study = self.results[0].study
        saved_runs.save_comparison(self.comparison, study, Path(folder), show_text=show_text)
        return Path(folder)

    def page(self, path: str | Path | None = None, *, show_text: bool = True) -> str:
        """The page as HTML, also written to a file where one is named."""
        study = self.results[0].study
        page = saved_runs.comparison_page(self.comparison, study, show_text=show_text)
        return _written(page, path)

    def __repr__(self) -> str:
        names = ", ".join(str(r.card.model["name"]) for r in self.results)
        return visible(f"<comparison of {names}: {len(self.comparison.differences)} differences>")

    def _repr_html_(self) -> str:
        names = " and ".join(str(r.card.model["name"]) for r in self.results)
        return _as_html(f"Comparison of {names}.", self.comparison.differences)


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """A picture as SVG, which a notebook shows."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg):,} characters of SVG>"


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(Path(path), text)
    return text


def _in_words(result: Result) -> str:
    head = result.headline
    if head is None:
        return f"{len(result.estimates)} estimates"
    return finding(head, str(result.card.model["name"]), result.card.labels)


def _as_html(heading: str, estimates: Sequence[Estimate]) -> str:
    """A sentence and a table; all texts are escaped."""
    rows = [_cells(e) for e in estimates[:SHOWN]]
    names = ("measure", "subset", "value", "interval", "p", "n")
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(visible(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    rest = len(estimates) - len(rows)
    more = f"<p>… and {rest:,} more</p>" if rest > 0 else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    return f"<p>{escape(visible(heading))}</p>{table}"


def _cells(e: Estimate) -> tuple[str, ...]:
    value = "undefined" if e.value is None else with_unit(e.value, e.unit)
    has_interval = e.low is not None and e.high is not None
    return (
        title(e),
        subset(e.groups) if e.groups else "all",
        value,
        f"{e.low:.4g} to {e.high:.4g}" if has_interval else "",
        "" if e.p is None else f"{e.p:.3g}",
        f"{e.n:,}",
    )
