"""The page about a model before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.core.results import Card
from tiltmeter.report import change_words as words
from tiltmeter.report.page import _environment as environment
from tiltmeter.report.plots import dumbbell
from tiltmeter.report.plots.picture import Picture
from tiltmeter.report.wording import (
    adjustment,
    final_p,
    is_clear,
    neutral_text,
    p_text,
    subset,
    visible,
)

DRAWN = 40
"""Rows of a picture; the table under it has all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One number before and after, as the page's tables show it."""

    label: str
    n: str
    before: str
    after: str
    change: str
    interval: str
    p: str
    way: str
    why: str
    clear: bool
    worse: bool | None
    """Farther from neutral, or a cost; None where neither better nor worse."""


@dataclass(frozen=True, slots=True)
class Table:
    """The changes of one measure of one study."""

    heading: str
    neutral: str
    adjusted: str
    tested: bool
    """Has any of the changes a test?"""
    drawn: Picture | None
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Section:
    """One study."""

    id: str
    study: str
    told: Sequence[str]
    tables: Sequence[Table]
    scores: str
    card: Card
    after: Card


def before_after_page(made: BeforeAfter, *, sources: Sequence[str] = (), command: str = "") -> str:
    """A whole HTML page: nothing is fetched, no script runs, all text is escaped.

    Args:
        made: What was found.
        sources: Run folders, as they were named.
        command: That makes it again.
    """
    costs = made.costs
    return (
        environment()
        .get_template("change.html")
        .render(
            made=made,
            finding=words.finding(made),
            sections=[
                _section(part, f"s{i}") for i, part in enumerate(made.parts, 1) if part.leanings
            ],
            costs=[_cost(change) for change in costs],
            legend=words.LEGEND,
            tests=_each(made, "test"),
            intervals=_each(made, "interval"),
            models=_models(made),
            sources=list(sources),
            command=command,
        )
    )


def _section(part: Part, name: str) -> Section:
    tables = [_table(part, rows, f"{name}-{i}") for i, rows in enumerate(words.tables(part), 1)]
    scores = "" if part.scores is None else words.scores_told(part.scores)
    return Section(name, part.study, words.told(part), tables, scores, part.before, part.after)


def _table(part: Part, rows: Sequence[Change], name: str) -> Table:
    with_axis = len({axis for c in rows for axis in c.difference.groups}) > 1
    labels = [subset(c.difference.groups, with_axis=with_axis) for c in rows]
    return Table(
        words.heading(part, rows),
        neutral_text(rows[0].before),
        adjustment(c.difference for c in rows),
        any(c.difference.p is not None for c in rows),
        _drawn(rows, labels, name, words.heading(part, rows)),
        [_row(c, label) for c, label in zip(rows, labels, strict=True)],
    )


def _row(change: Change, label: str) -> Row:
    e = change.difference
    p = final_p(e)
    missing = change.before.why or change.after.why or e.why if e.value is None else e.why
    return Row(
        visible(label), f"{e.n:,}", words.shown(change.before), words.shown(change.after),
        "" if e.value is None else words.signed(e.value, e.unit), words.interval(e),
        "" if p is None else p_text(p), words.towards(change), missing, bool(is_clear(e)),
        {"nearer": False, "farther": True}.get(change.way),
    )  # fmt: skip


def _cost(change: Change) -> Row:
    e = change.difference
    p = final_p(e)
    way = {True: "worse", False: "better", None: ""}[change.worse]
    return Row(
        f"{words.cost_title(change)} ({visible(e.study)})", f"{e.n:,}", words.shown(change.before),
        words.shown(change.after), words.moved(change), words.interval(e),
        "" if p is None else p_text(p), way, e.why, bool(is_clear(e)), change.worse,
    )  # fmt: skip


def _drawn(rows: Sequence[Change], labels: Sequence[str], name: str, title: str) -> Picture | None:
    """Before as a small mark, after as a large one; None where nothing has a value."""
    marks = [
        dumbbell.Marks(
            f"{_arrow(c)} {label}", c.after.value, c.before.value, c.before.value,
            bool(is_clear(c.difference)),
            f"{label}: {words.shown(c.before)} before, {words.shown(c.after)} after, {words.towards(c)}",
        )
        for c, label in zip(rows, labels, strict=True)
        if c.before.value is not None and c.after.value is not None
    ][:DRAWN]  # fmt: skip
    if not marks:
        return None
    wide, narrow = (
        dumbbell.dumbbells(
            marks, name=f"{name}-{size}", title=f"Before and after: {title}", layout=layout,
            neutral=rows[0].before.neutral,
        )
        for size, layout in (("wide", dumbbell.WIDE), ("narrow", dumbbell.NARROW))
    )  # fmt: skip
    return Picture(wide, narrow, ())


def _arrow(change: Change) -> str:
    """As in the published table: up where it became worse, down where it became better."""
    return {"nearer": "↓", "farther": "↑"}.get(change.way, "=")


def _each(made: BeforeAfter, name: str) -> list[str]:
    """What the differences say of themselves under that name, each once."""
    changes = [c for part in made.parts for c in (*part.leanings, *part.costs)]
    return list(dict.fromkeys(t for c in changes if (t := str(getattr(c.difference, name)))))


def _models(made: BeforeAfter) -> Mapping[str, Mapping[str, object]]:
    """What the cards of the first study say of both models."""
    first = made.parts[0]
    return {"before": first.before.model, "after": first.after.model}
