"""Of an axis with many values, those at either end."""

from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.views import Extremes
from tiltmeter.report.document import TERMINAL, Block, Section, Text
from tiltmeter.report.documents.estimate_tables import estimate_table, rows_of
from tiltmeter.report.documents.families import by_value, headline_of
from tiltmeter.report.documents.forests import forest_picture
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.text import (
    anchor,
    axis_title,
    counted,
    final_p,
    is_significant,
    lowered,
    neutral_words,
    title,
)

ENDS = 5
"""How many are shown at either end."""


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
    found = [e for e in estimates if e.name == view.measure and tuple(e.groups) == (view.axis,)]
    ranked = by_value(found)
    known = [e for e in ranked if e.value is not None]
    count = min(ENDS, len(known) // 2)
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
    called = lowered(title(found.ranked[0]))
    tables = [
        estimate_table(f"{words} {called} by {axis_title(view.axis)}", rows_of(part, labels),
                       scale=scale, on=TERMINAL)
        for words, part in (("Highest", found.highest), ("Lowest", found.lowest))
    ]  # fmt: skip
    shown = rows_of([*found.highest, *found.lowest[::-1]], labels)
    shown[len(found.highest)] = Row(
        shown[len(found.highest)].label, shown[len(found.highest)].estimate, apart=True
    )
    whole = [Row("all", head, total=True)] if head and head.name == view.measure else []
    drawn = forest_picture(
        [*shown, *whole],
        name=f"{key}-{anchor(view.axis)}",
        title=f"{view.called}: the highest and the lowest",
        caption=f"The {view.called} with the highest and the lowest {called}; the table has all of them.",
        table=estimate_table(f"{title(found.ranked[0])} of all {view.called}",
                             [*rows_of(found.ranked, labels), *whole], name=view.axis),
    )  # fmt: skip
    heading = view.called[:1].upper() + view.called[1:]
    blocks: list[Block] = [*([drawn] if drawn else []), *tables, Text(caution(found, view), "note")]
    return [Section(f"{key}-{anchor(view.axis)}", heading, blocks, level=level)]


def caution(found: Ends, view: Extremes) -> str:
    """Why the ends of a long list say little about what stands there."""
    known = [e for e in found.ranked if e.value is not None]
    few, many = min(e.n for e in known), max(e.n for e in known)
    size = counted(many, known[0].meaning.counts)
    of = size if few == many else f"{few:,} to {size}"
    tested = sum(final_p(e) is not None for e in known)
    clear = sum(bool(is_significant(e)) for e in known)
    after = " after Holm’s adjustment" if any(e.p_adjusted is not None for e in known) else ""
    tests = (
        f" Of {tested:,} {view.called} tested, {_differ(clear)} significantly from "
        f"{neutral_words(known[0])}{after}."
    )
    return (
        f"One value rests on only {of}, so its interval is wide, and of {len(known):,} {view.called} some "
        f"stand at either end by chance: other {known[0].meaning.counts} would bring others there."
        f"{tests if tested else ''}"
    )


def _differ(count: int) -> str:
    return "1 differs" if count == 1 else f"{count or 'none'} differ"
