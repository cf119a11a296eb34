"""A table of several measures side by side, with one row for each subset and one column for each measure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card
from tiltmeter.core.types import Groups
from tiltmeter.core.views import View
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import FILES_ONLY, Column, Table
from tiltmeter.report.documents.families import MANY, families, measure_of, shows_ends, together
from tiltmeter.report.few_items import are_too_few
from tiltmeter.report.row_remarks import said_once
from tiltmeter.report.text import Labels, short_title, subset, value_text, why_undefined
from tiltmeter.report.value_marks import mark_notes

UNSEEN = "no minimum detectable effect"
"""Remarks that begin so are left out, as the table has no column for minimum detectable effects."""
Key: TypeAlias = tuple[tuple[str, str], ...]
"""A subset as a key of dictionaries: one or more pairs of (axis, value)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table: a subset and its estimates."""

    label: str
    groups: Groups
    depth: int
    """How far the row is indented: 1 for a part of the row above it, otherwise 0."""
    estimates: Sequence[Estimate | None]
    """One estimate for each column; None where that measure was not computed for the subset."""


def side_by_side(estimates: Sequence[Estimate], views: Sequence[View], card: Card) -> Table | None:
    """The measures that the study's view shows side by side; None where fewer than two have values.

    All items come first, then the axes; the parts of a crossing are listed under the value that they are part
    of. Axes with more than `MANY` values, and those of which a view shows only the ends, are left out.
    """
    names, labels = together(estimates, views), card.labels
    if not names:
        return None
    lines = _lines([e for e in estimates if e.name in names], names, views, labels)
    known = [e for line in lines for e in line.estimates if e is not None]
    axes = dict.fromkeys(axis for line in lines for axis in line.groups)
    unit = known[0].unit if len({e.unit for e in known}) == 1 else ""
    of = TableRows(lines)
    columns = [
        of.words("", lambda line: line.label, in_files=False),
        *(Column(axis, [line.groups.get(axis) for line in lines], on=FILES_ONLY) for axis in axes),
        of.counts(
            "n", lambda line: next((e.n for e in line.estimates if e), 0), drop=len(names) + 1
        ),
    ]
    first = next(e.name for e in estimates if e.name in names)
    for i, name in enumerate(names):
        measure = next(measure_of(e) for e in known if e.name == name)
        short = card.measures.get(measure, Meaning()).short or measure
        column_unit = "" if unit else next((e.unit for e in known if e.name == name), "")
        heading = f"{short}, {column_unit}" if column_unit else short
        cells = [line.estimates[i] for line in lines]
        columns += _measure(cells, name, heading, i, leads=name == first)
    rows = [subset(e.groups, labels, with_axis=False) if e.depth else e.label for e in lines]
    remarks = [[t for e in line.estimates if e for t in _remarks(e)] for line in lines]
    of_models = bool(known[0].meaning.difference_of)
    return Table(
        f"{'Differences side by side' if of_models else 'Side by side'}{f', {unit}' if unit else ''}",
        columns,
        depths=[line.depth for line in lines],
        strong=[not line.groups for line in lines],
        notes=[*mark_notes(known), *said_once(rows, remarks)],
        most=len(lines),
        too_few=[are_too_few(line.estimates) for line in lines],
        name="side-by-side",
    )


def _measure(
    cells: Sequence[Estimate | None], name: str, heading: str, place: int, *, leads: bool
) -> list[Column]:
    """The columns of a measure's values and intervals; those of the first measure are dropped last."""
    return [
        TableRows(cells).shown(
            heading, lambda e: e.value, value_text, drop=1 if leads else place + 2, name=name
        ),
        *interval_columns(cells, prefix=f"{name} ", drop=5 if leads else 6 + place),
    ]


def _remarks(estimate: Estimate) -> list[str]:
    if estimate.value is None:
        return [f"{short_title(estimate)} is undefined: {why_undefined(estimate)}"]
    return [part for part in estimate.why.split("; ") if not part.startswith(UNSEEN)]


def _lines(
    estimates: Sequence[Estimate], names: Sequence[str], views: Sequence[View], labels: Labels
) -> list[Line]:
    """The rows in order: all items, axes that are never crossed, then crossed ones with their parts.

    A row is called by its value, and by its axis too where another axis has the same value.
    """
    by_subset: dict[Key, dict[str, Estimate]] = {}
    for family in families(estimates):
        if len(family.estimates) <= MANY and not shows_ends(family, views):
            for e in family.estimates:
                by_subset.setdefault(tuple(e.groups.items()), {})[e.name] = e
    crossed = {key[0][0] for key in by_subset if len(key) > 1}
    whole = sorted(
        (key for key in by_subset if len(key) <= 1),
        key=lambda key: len(key) + any(axis in crossed for axis, _ in key),
    )
    keys = [part for key in whole for part in (key, *_parts(key, by_subset, whole))]
    keys += [key for key in by_subset if key not in keys]
    lines = [_line(key, whole, by_subset[key], names, labels) for key in keys]
    alike = Counter(line.label for line in lines if not line.depth)
    return [
        replace(line, label=subset(line.groups, labels))
        if not line.depth and alike[line.label] > 1 else line
        for line in lines
    ]  # fmt: skip


def _parts(key: Key, keys: Iterable[Key], whole: Sequence[Key]) -> list[Key]:
    """The parts of the subset `key`, ordered like the same values where they are rows of their own."""
    crossed = [part for part in keys if len(part) > 1 and part[:1] == key]
    place = {inner: i for i, inner in enumerate(whole)}
    return sorted(crossed, key=lambda part: place.get(part[1:], len(place)))


def _line(
    key: Key,
    whole: Iterable[Key],
    found: Mapping[str, Estimate],
    names: Sequence[str],
    labels: Labels,
) -> Line:
    within = len(key) > 1 and key[:1] in whole
    label = subset(dict(key[1:] if within else key), labels, with_axis=False)
    return Line(label, dict(key), int(within), [found.get(name) for name in names])
