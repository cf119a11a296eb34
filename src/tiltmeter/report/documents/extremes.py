"""The highest and lowest values of a measure along an axis with many values, such as occupations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Extremes
from tiltmeter.core.text import counted, raised, verb_for
from tiltmeter.report import text
from tiltmeter.report.document import BOTH, TERMINAL, Block, Section, Text
from tiltmeter.report.documents.estimate_tables import estimate_table, rows_of
from tiltmeter.report.documents.families import by_value, headline_of
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.sentences import after_adjustment

ENDS = 5
"""How many values are shown at either end."""
ENDS_WITHIN = 3
"""How many values are shown at either end within one value of another axis."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The estimates at both ends of a ranking along one axis."""

    highest: Sequence[Estimate]
    """The highest values, highest first."""
    lowest: Sequence[Estimate]
    """The lowest values, lowest first; none of them is among `highest`."""
    ranked: Sequence[Estimate]
    """All values, highest first."""


def ends(estimates: Sequence[Estimate], view: Extremes) -> Ends | None:
    """The ends of the view's axis; None where there are fewer than two values or all are equal."""
    return _ends(_over(estimates, view, (view.axis,)), ENDS)


def ends_within(estimates: Sequence[Estimate], view: Extremes) -> dict[str, Ends]:
    """The ends within each value of the view's other axis that has two different values or more."""
    by_value: dict[str, list[Estimate]] = {}
    for estimate in _over(estimates, view, (view.within, view.axis)):
        by_value.setdefault(estimate.groups[view.within], []).append(estimate)
    both = {value: _ends(part, ENDS_WITHIN) for value, part in by_value.items()}
    return {value: extremes for value, extremes in both.items() if extremes is not None}


def _over(estimates: Sequence[Estimate], view: Extremes, axes: tuple[str, ...]) -> list[Estimate]:
    return [e for e in estimates if e.name == view.measure and tuple(e.groups) == axes]


def _ends(estimates: Sequence[Estimate], most: int) -> Ends | None:
    ranked = by_value(estimates)
    known = [e for e in ranked if e.value is not None]
    count = min(most, len(known) // 2)
    if known and known[0].value == known[-1].value:
        return None  # there are no ends
    return Ends(known[:count], known[::-1][:count], ranked) if count else None


def extreme_sections(result: Result, view: Extremes, key: str) -> list[Section]:
    """Both ends as a picture above a table of all values; in the terminal one table for each end."""
    both = ends(result.estimates, view)
    if both is None:
        return []
    labels, head = result.card.labels, headline_of(result.estimates)
    scale = scale_of([*both.highest, *both.lowest])
    called, id_ = text.lowered(text.title(both.ranked[0])), f"{key}-{text.anchor(view.axis)}"
    tables = [
        estimate_table(f"{words} {called} by {text.axis_title(view.axis)}", rows_of(part, labels),
                       scale=scale, on=TERMINAL)
        for words, part in (("Highest", both.highest), ("Lowest", both.lowest))
    ]  # fmt: skip
    lowest = rows_of(both.lowest[::-1], labels)
    shown = [*rows_of(both.highest, labels), replace(lowest[0], apart=True), *lowest[1:]]
    whole = [Row("all", head, total=True)] if head and head.name == view.measure else []
    drawn = forest_pictures(
        [*shown, *whole],
        name=id_,
        title=f"{view.called}: the highest and the lowest",
        caption=f"The {view.called} with the highest and the lowest {called}; the table has all of them.",
        table=estimate_table(f"{text.title(both.ranked[0])} of all {view.called}",
                             [*rows_of(both.ranked, labels), *whole], name=view.axis),
    )  # fmt: skip
    blocks: list[Block] = [*drawn, *tables, Text(caution(both, view), "note")]
    return [Section(id_, raised(view.called), blocks), *_sections_within(result, view, key)]


def _sections_within(result: Result, view: Extremes, key: str) -> list[Section]:
    """Both ends within each value of the other axis, in one picture and one table."""
    ends_by_value = ends_within(result.estimates, view)
    if len(ends_by_value) < 2:  # noqa: PLR2004
        return []
    rows: list[Row] = []
    for outermost in ends_by_value.values():
        part = rows_of([*outermost.highest, *outermost.lowest[::-1]], result.card.labels)
        rows += [replace(part[0], apart=bool(rows)), *part[1:]]
    by, called = text.axis_title(view.within), text.lowered(text.title(rows[0].estimate))
    heading = f"{raised(view.called)} by {by}"
    table = replace(
        estimate_table(heading, rows, name=f"{view.axis}-by-{view.within}"), most=len(rows)
    )
    caption = f"The {view.called} with the highest and the lowest {called} of each {by}."
    name = f"{key}-{text.anchor(view.axis)}-by-{text.anchor(view.within)}"
    drawn = forest_pictures(rows, name=name, title=heading, caption=caption, table=table, on=BOTH)
    return [Section(f"{key}-{text.anchor(view.axis)}-within", heading, [*drawn])]


def caution(found: Ends, view: Extremes) -> str:
    """Why little can be concluded from the ends of a long list."""
    known = [e for e in found.ranked if e.value is not None]
    few, many = min(e.n for e in known), max(e.n for e in known)
    size = counted(many, known[0].meaning.counts)
    of = size if few == many else f"{few:,} to {size}"
    tested = sum(text.final_p(e) is not None for e in known)
    clear = sum(bool(e.significant) for e in known)
    after = after_adjustment(known)
    differ = f"{clear or 'none'} {verb_for(clear, 'differ')}"
    tests = (
        f" Of {tested:,} {view.called} tested, {differ} significantly from "
        f"{text.neutral_words(known[0])}{after}."
    )
    return (
        f"Each value comes from only {of}, so its interval is wide. Of {len(known):,} {view.called}, some "
        f"are at either end by chance: with other {known[0].meaning.counts}, others would be."
        f"{tests if tested else ''}"
    )
