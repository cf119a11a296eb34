"""Of an axis with many values, those at either end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.views import Extremes
from tiltmeter.report.document import BOTH, TERMINAL, Block, Section, Text
from tiltmeter.report.documents.estimate_tables import estimate_table, rows_of
from tiltmeter.report.documents.families import by_value, headline_of
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.sentences import after_adjustment
from tiltmeter.report.text import (
    anchor,
    axis_title,
    counted,
    final_p,
    lowered,
    neutral_words,
    raised,
    title,
)

ENDS = 5
"""How many are shown at either end."""
ENDS_WITHIN = 3
"""How many at either end of one value of another axis."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The values of an axis at either end of a measure."""

    highest: Sequence[Estimate]
    """Highest first."""
    lowest: Sequence[Estimate]
    """Lowest first; none is among `highest`."""
    ranked: Sequence[Estimate]
    """All, highest first."""


def ends(estimates: Sequence[Estimate], view: Extremes) -> Ends | None:
    """Both ends; None where fewer than two values are there, or all are the same."""
    return _ends(_over(estimates, view, (view.axis,)), ENDS)


def ends_within(estimates: Sequence[Estimate], view: Extremes) -> dict[str, Ends]:
    """Both ends for each value of the other axis, where there are some."""
    parts: dict[str, list[Estimate]] = {}
    for estimate in _over(estimates, view, (view.within, view.axis)):
        parts.setdefault(estimate.groups[view.within], []).append(estimate)
    both = {value: _ends(part, ENDS_WITHIN) for value, part in parts.items()}
    return {value: found for value, found in both.items() if found is not None}


def _over(estimates: Sequence[Estimate], view: Extremes, axes: tuple[str, ...]) -> list[Estimate]:
    return [e for e in estimates if e.name == view.measure and tuple(e.groups) == axes]


def _ends(estimates: Sequence[Estimate], most: int) -> Ends | None:
    ranked = by_value(estimates)
    known = [e for e in ranked if e.value is not None]
    count = min(most, len(known) // 2)
    if known and known[0].value == known[-1].value:
        return None  # there are no ends
    return Ends(known[:count], known[::-1][:count], ranked) if count else None


def extreme_sections(result: Result, view: Extremes, key: str, *, level: int = 2) -> list[Section]:
    """Both ends as a picture over the table of all; in the terminal a table each."""
    found = ends(result.estimates, view)
    if found is None:
        return []
    labels, head = result.card.labels, headline_of(result.estimates)
    scale = scale_of([*found.highest, *found.lowest])
    called, id_ = lowered(title(found.ranked[0])), f"{key}-{anchor(view.axis)}"
    tables = [
        estimate_table(f"{words} {called} by {axis_title(view.axis)}", rows_of(part, labels),
                       scale=scale, on=TERMINAL)
        for words, part in (("Highest", found.highest), ("Lowest", found.lowest))
    ]  # fmt: skip
    lowest = rows_of(found.lowest[::-1], labels)
    shown = [*rows_of(found.highest, labels), replace(lowest[0], apart=True), *lowest[1:]]
    whole = [Row("all", head, total=True)] if head and head.name == view.measure else []
    drawn = forest_pictures(
        [*shown, *whole],
        name=id_,
        title=f"{view.called}: the highest and the lowest",
        caption=f"The {view.called} with the highest and the lowest {called}; the table has all of them.",
        table=estimate_table(f"{title(found.ranked[0])} of all {view.called}",
                             [*rows_of(found.ranked, labels), *whole], name=view.axis),
    )  # fmt: skip
    blocks: list[Block] = [*drawn, *tables, Text(caution(found, view), "note")]
    return [
        Section(id_, raised(view.called), blocks, level=level),
        *_sections_within(result, view, key, level),
    ]


def _sections_within(result: Result, view: Extremes, key: str, level: int) -> list[Section]:
    """Both ends for each value of the other axis, in one picture and one table."""
    parts = ends_within(result.estimates, view)
    if len(parts) < 2:  # noqa: PLR2004
        return []
    rows: list[Row] = []
    for found in parts.values():
        part = rows_of([*found.highest, *found.lowest[::-1]], result.card.labels)
        rows += [replace(part[0], apart=bool(rows)), *part[1:]]
    by = axis_title(view.within)
    heading = f"{raised(view.called)} by {by}"
    table = replace(
        estimate_table(heading, rows, name=f"{view.axis}-by-{view.within}"), most=len(rows)
    )
    drawn = forest_pictures(
        rows,
        name=f"{key}-{anchor(view.axis)}-by-{anchor(view.within)}",
        title=heading,
        caption=f"The {view.called} with the highest and the lowest {lowered(title(rows[0].estimate))} of "
        f"each {by}.",
        table=table,
        on=BOTH,
    )
    return [Section(f"{key}-{anchor(view.axis)}-within", heading, [*drawn], level=level)]


def caution(found: Ends, view: Extremes) -> str:
    """Why little can be concluded from the ends of a long list."""
    known = [e for e in found.ranked if e.value is not None]
    few, many = min(e.n for e in known), max(e.n for e in known)
    size = counted(many, known[0].meaning.counts)
    of = size if few == many else f"{few:,} to {size}"
    tested = sum(final_p(e) is not None for e in known)
    clear = sum(bool(e.significant) for e in known)
    after = after_adjustment(known)
    tests = (
        f" Of {tested:,} {view.called} tested, {_differ(clear)} significantly from "
        f"{neutral_words(known[0])}{after}."
    )
    return (
        f"Each value comes from only {of}, so its interval is wide. Of {len(known):,} {view.called}, some "
        f"are at either end by chance: with other {known[0].meaning.counts}, others would be."
        f"{tests if tested else ''}"
    )


def _differ(count: int) -> str:
    return "1 differs" if count == 1 else f"{count or 'none'} differ"
