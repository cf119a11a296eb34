"""The tables and pictures of a model before and after: one for each measure, and one for the cost."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from tiltmeter.analysis.before_after import Change, Part
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import (
    ColumnOptions,
    TableRows,
    interval_columns,
    p_column,
    significant,
)
from tiltmeter.report.document import PAGE, Column, Picture, Table, Tone
from tiltmeter.report.documents.before_after import finding as words
from tiltmeter.report.documents.estimate_tables import said_once
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.dumbbell import NARROW, WIDE, Marks, dumbbells
from tiltmeter.report.plots.forest import ForestLayout
from tiltmeter.report.text import adjustment, lowered, neutral_text, subset, title

DRAWN = 40
"""TableRows of a picture; the table under it has all."""
ARROWS = {"nearer": "↓ ", "farther": "↑ "}
"""As in published tables: up is worse."""


def leaning_blocks(part: Part, rows: Sequence[Change], name: str) -> list[Picture | Table]:
    """One measure of a study, over all items and by group: its picture and its table."""
    labels = _labels(part, rows)
    heading = f"{rows[0].difference.study}: {lowered(_heading(rows))}"
    return [*_pictures(rows, labels, heading, name), _leanings(rows, labels, heading)]


def _heading(rows: Sequence[Change]) -> str:
    """The measure of these rows and its unit."""
    e = rows[0].before
    return f"{title(e)}{f', {e.unit}' if e.unit else ''}"


def _leanings(rows: Sequence[Change], labels: Sequence[str], heading: str) -> Table:
    tones = [_tone(c, {"nearer": False, "farther": True}.get(c.way)) for c in rows]
    neutral = neutral_text(rows[0].before)
    towards = TableRows(rows).words(
        f"to {neutral}" if neutral else "", words.towards, tones=tones, name="way"
    )
    return Table(
        heading,
        [*_columns(rows, labels, "leaning"), towards],
        significant([c.difference for c in rows]),
        notes=_reasons(labels, rows),
        most=DRAWN,
    )


def cost_table(rows: Sequence[Change]) -> Table:
    """The costs of all studies."""
    labels, tones = [words.called(c) for c in rows], [_tone(c, c.worse) for c in rows]
    way = Column("", [tone or None for tone in tones], number=False, tones=tones, name="way")
    return Table(
        "Cost",
        [*_columns(rows, labels, "cost"), way],
        significant([c.difference for c in rows]),
        notes=_reasons(labels, rows),
    )


def _tone(change: Change, worse: bool | None) -> Tone:  # noqa: FBT001
    """A change that is not significant is neither better nor worse."""
    if worse is None or not change.difference.significant:
        return ""
    return "worse" if worse else "better"


def _columns(rows: Sequence[Change], labels: Sequence[str], kind: str) -> list[Column]:
    """What leanings and costs have in common; files also hold what the headings say."""
    of, differences = TableRows(rows), [c.difference for c in rows]
    names = [subset(e.groups) for e in differences]
    wide: ColumnOptions = {"name": "low", "drop": 2}
    *_, high = interval_columns(differences)
    return [
        Column("", names, number=False, name="items", shown=labels),
        *of.hidden({
            "study": lambda c: c.difference.study,
            "kind": lambda _: kind,
            "measure": lambda c: c.before.name,
            "unit": lambda c: c.before.unit,
            "neutral": lambda c: c.before.neutral,
        }),
        of.counts("n", lambda c: c.difference.n, on=PAGE),
        of.shown("before", lambda c: c.before.value, lambda c: _value(c.before)),
        of.shown("after", lambda c: c.after.value, lambda c: _value(c.after)),
        of.shown("change", lambda c: c.difference.value, lambda c: words.moved(c, unit=False)),
        of.shown("interval", lambda c: c.difference.low, lambda c: words.interval(c.difference), **wide),
        high,
        _p_column(differences),
        *of.hidden({
            "p_adjusted": lambda c: c.difference.p_adjusted,
            "rule": lambda c: c.difference.rule,
            "convention": lambda c: c.difference.convention,
            "why": lambda c: c.difference.why,
        }),
    ]  # fmt: skip


def _p_column(differences: Sequence[Estimate]) -> Column:
    """The p that counts for readers; files have it before adjustment, and the adjusted one beside it."""
    return replace(p_column(differences, drop=1), values=[e.p for e in differences])


def _value(e: Estimate) -> str:
    return "undefined" if e.value is None else words.figure(e.value, e.unit)


def _labels(part: Part, rows: Sequence[Change]) -> list[str]:
    """Subsets by their plain names, with the axis only where there are several."""
    with_axis = len({axis for c in rows for axis in c.difference.groups}) > 1
    return [subset(c.difference.groups, part.before.labels, with_axis=with_axis) for c in rows]


def _reasons(labels: Sequence[str], rows: Sequence[Change]) -> list[str]:
    """Why rows lack something; each reason once."""

    def why(c: Change) -> str:
        undefined = c.difference.value is None
        return (undefined and (c.before.why or c.after.why)) or c.difference.why

    return said_once(labels, [why(c).split("; ") for c in rows])


def _pictures(
    rows: Sequence[Change], labels: Sequence[str], heading: str, name: str
) -> list[Picture]:
    """Before as a small mark, after as a large one; none where nothing has a value."""
    marks = [
        Marks(
            f"{ARROWS.get(c.way, '= ')}{label}", c.after.value, c.before.value, c.before.value,
            bool(c.difference.significant),
            f"{label}: {_value(c.before)} before, {_value(c.after)} after, {words.towards(c)}",
        )
        for c, label in zip(rows, labels, strict=True)
        if c.before.value is not None and c.after.value is not None
    ][:DRAWN]  # fmt: skip
    if not marks:
        return []
    before = rows[0].before
    title = f"{heading}, before and after"

    def draw(id_: str, layout: ForestLayout) -> Markup:
        # The name of the section makes ids unique where two runs are of one study.
        return dumbbells(
            marks, name=f"{name}-{id_}", title=title, layout=layout, neutral=before.neutral
        )

    tested = any(c.difference.p is not None for c in rows)
    sure = "p < .05" if tested else "its interval excludes 0"
    adjusted = " after adjustment over the groups" if adjustment(c.difference for c in rows) else ""
    neutral = neutral_text(before)
    line = f"; the line is the neutral value, {neutral}" if neutral else ""
    caption = (
        f"Small marks are before, large ones after{line}. Filled: significant change ({sure}{adjusted})."
        f"{' ↓ closer to neutral, ↑ farther from it.' if neutral else ''}"
    )
    study = rows[0].difference.study
    return [in_two_layouts(f"{study}-{before.name}", draw, (WIDE, NARROW), caption)]
