"""The tables of an alignment with people."""

from collections.abc import Sequence

from tiltmeter.analysis.people.alignment import Alignment
from tiltmeter.analysis.people.annotators import Slice
from tiltmeter.analysis.people.meanings import (
    BOTTOM,
    MEAN,
    OWN,
    PERSON,
    POOLED,
    REACH,
    SPLIT,
    TOP,
    end_name,
    precision_name,
)
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.core.types import Groups
from tiltmeter.report.columns import TableRows, estimate_columns, neutral_column, significant
from tiltmeter.report.document import TERMINAL, Column, Table
from tiltmeter.report.documents.families import by_value
from tiltmeter.report.documents.people.finding import group_of, ranked
from tiltmeter.report.text import correlation, short_title, span, title, why_undefined

MOST_TEMPLATES = 12
"""Templates that the terminal lists; of more, those at either end."""


def overall(one: Alignment, k: int) -> Table:
    """Over all groups: what was measured, and what people reach with each other."""
    measured = [
        one.find(name)
        for name in (POOLED, MEAN, precision_name(k), end_name(k, TOP), end_name(k, BOTTOM), OWN)
    ]
    return number_table(
        [e for e in measured if e is not None],
        f"{one.source.name} and people, over all groups",
        name="overall",
    )


def ceilings(one: Alignment, k: int) -> Table:
    """What people reach with each other."""
    names = (
        f"{POOLED}_{SPLIT}", f"{POOLED}_{REACH}", f"{MEAN}_{SPLIT}", f"{MEAN}_{REACH}",
        f"{MEAN}_{PERSON}", f"{precision_name(k)}_{SPLIT}", f"{precision_name(k)}_{PERSON}",
    )  # fmt: skip
    found = [one.find(name) for name in names]
    known = [e for e in found if e is not None and e.value is not None]
    return number_table(known, "What people reach with each other", name="ceiling", short=True)


def number_table(
    estimates: Sequence[Estimate],
    heading: str,
    *,
    name: str,
    models: bool = False,
    short: bool = False,
) -> Table:
    """One number a row.

    Args:
        estimates: In order.
        heading: Over the table.
        name: Of its file.
        models: Whether each row says which matrices it is of.
        short: Whether measures are called by their short titles.
    """
    named = short_title if short else title
    of = TableRows(estimates)
    whose = [of.words("matrices", lambda e: visible(e.model))] if models else []
    return Table(
        heading,
        [
            of.words("", named, name="measure"),
            *whose,
            *_alignment(estimates),
            neutral_column(estimates, drop=3),
            of.counts("n", lambda e: e.n, drop=4),
        ],
        strong=significant(estimates),
        notes=list(dict.fromkeys(f"{named(e)}: {e.why}" for e in estimates if e.why)),
        name=name,
    )


def _alignment(estimates: Sequence[Estimate], title: str = "value", p: str = "p") -> list[Column]:
    """Value, interval and p of correlations and shares."""
    return estimate_columns(estimates, title, two_decimals, _interval, p=p)


def two_decimals(estimate: Estimate) -> str:
    """The value of a correlation or a share."""
    return "undefined" if estimate.value is None else correlation(estimate.value)


def _interval(estimate: Estimate) -> str:
    return span(estimate, "–", correlation)


def _values(heading: str, estimates: Sequence[Estimate | None], drop: int) -> Column:
    return TableRows(estimates).numbers(
        heading, lambda e: e.value if e else None, correlation, drop=drop
    )


def by_group(one: Alignment, k: int) -> Table:
    """A row a group, the closest to people first."""
    rows = ranked(one)

    def beside(heading: str, name: str, drop: int) -> Column:
        """Another number of the same groups."""
        return _values(heading, [one.find(name, e.groups) for e in rows], drop)

    return Table(
        "",
        [
            TableRows(rows).words("", lambda e: group_of(one, e), name="group"),
            TableRows(rows).counts("n", lambda e: e.n, drop=4),
            *_alignment(rows, "τ", "p (Holm)"),
            beside("halves of people", f"{POOLED}_{SPLIT}", 3),
            beside("reachable", f"{POOLED}_{REACH}", 5),
            beside("one person", f"{POOLED}_{PERSON}", 5),
            beside(f"P@{k}", precision_name(k), 3),
            beside("top", end_name(k, TOP), 6),
            beside("bottom", end_name(k, BOTTOM), 6),
        ],
        strong=significant(rows),
        notes=[f"{group_of(one, e)}: {why_undefined(e)}" for e in rows if e.why],
        most=len(rows),
        name="groups",
    )


def by_template(one: Alignment) -> Table | None:
    """A row a template; of many, the terminal shows those at either end."""
    rows, half = by_value(one.by_template), MOST_TEMPLATES // 2
    if not rows:
        return None
    cut = len(rows) > MOST_TEMPLATES
    note = f"The highest and the lowest {half} of {len(rows)}; all are in the files."
    shown = [*rows[:half], *rows[-half:]] if cut else rows
    chosen = one.pilot.templates if one.pilot else ()
    names = [e.groups[one.source.view.layers] for e in shown]
    return Table(
        f"Kendall’s τ by template, on the {len(one.groups)} groups above",
        [
            Column("", names, number=False, name="template",
                   shown=[f"{n}{' (chosen)' if n in chosen else ''}" for n in names]),
            *_alignment(shown, "τ", "p (Holm)"),
        ],
        strong=significant(shown),
        notes=[note] if cut else [],
        on=TERMINAL,
        name="templates",
    )  # fmt: skip


def slices(parts: Sequence[Slice], columns: Sequence[str], k: int) -> Table:
    """A row a slice of annotators, by the same columns."""
    pooled, means, precisions = ([part.estimates[i] for part in parts] for i in range(3))
    of, named = TableRows(parts), " × ".join(columns)
    return Table(
        f"Agreement with the people of each {named}",
        [
            of.words("", slice_name, name=named),
            of.counts("people", lambda part: part.people),
            *_alignment(pooled, "τ, all cells", "p (Holm)"),
            _values("mean τ", means, 3),
            _values(f"P@{k}", precisions, 4),
        ],
        strong=significant(pooled),
        most=40,
        name=f"slices-{'-'.join(columns)}",
    )


def slice_name(part: Slice) -> str:
    """The values that the annotators of a slice have: "Asian × Woman"."""
    return named_values(part.about)


def named_values(about: Groups) -> str:
    """The values in words: "Asian × Woman"."""
    return " × ".join(visible(value) or "(empty)" for value in about.values())


SLICES = (
    "* significant after Holm’s adjustment over the groups of a column. In parentheses: how many people of "
    "the slice rated the group. Intervals are in by_slice.csv."
)


def slices_by_group(one: Alignment, parts: Sequence[Slice], columns: Sequence[str]) -> Table:
    """Tau of each group (row) with each slice of annotators (column), with its interval and n."""
    groups = TableRows(list(one.groups))
    made = [groups.words("", visible, name="group")]
    reasons = []
    for part in parts:
        found = {group_of(one, e): e for e in part.by_group if e.name == POOLED}
        cells = [
            (found.get(group), raters)
            for group, raters in zip(one.groups, part.raters, strict=True)
        ]
        reasons += [f"{slice_name(part)}: {e.why}" for e, _ in cells if e and e.value is None]
        rows = TableRows(cells)
        made.append(
            rows.shown(slice_name(part), lambda cell: cell[0].value if cell[0] else None, _marked)
        )
    return Table(
        f"Kendall’s τ of each group with the people of each {' × '.join(columns)}",
        made,
        notes=[
            SLICES,
            *dict.fromkeys(reasons),
        ],
        folded=True,
        most=len(one.groups),
        name=f"slices-by-group-{'-'.join(columns)}",
    )


def _marked(cell: tuple[Estimate | None, int]) -> str:
    """Tau, whether it is significant, and how many people rated the group: "0.36* (9)"."""
    estimate, raters = cell
    if estimate is None or estimate.value is None:
        return f"undefined ({raters})"
    return f"{two_decimals(estimate)}{'*' if estimate.significant else ''} ({raters})"
