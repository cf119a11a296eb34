"""The pictures of an analysis, with one function for each kind of view; [] where there is nothing to draw."""

from collections.abc import Sequence
from functools import partial

from tiltmeter.core import views
from tiltmeter.core.estimates import ALPHA, Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.types import Groups
from tiltmeter.core.views import HIGH, LOW
from tiltmeter.report import text
from tiltmeter.report.document import PAGE, Block, Panels, Picture, Text
from tiltmeter.report.documents.families import by_value
from tiltmeter.report.documents.pictures import forest_pictures, in_two_layouts, mark_words
from tiltmeter.report.documents.views.number_cells import coordinates
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import correlation_heat, dumbbell, flow_plot, forest, strip_plot
from tiltmeter.report.plots.scatter import Dot, scatter
from tiltmeter.report.sentences import after_adjustment

ARROWS = {"closer": "↓ ", "farther": "↑ "}
"""Arrows as in published tables, where up is worse."""
FOREST_LAYOUTS = (
    forest.ForestLayout(width=720, left=170, right=484, row=28),
    forest.ForestLayout(width=400, left=14, right=386, row=46, stacked=True),
)
"""Layouts with more room for labels and numbers than usual, as rows may name pairs and values have signs."""


def _over(result: Result, measure: str, *axes: str) -> list[Estimate]:
    """The estimates of a measure over exactly these axes."""
    return [e for e in result.estimates if e.name == measure and e.groups.keys() == {*axes}]


# ── Dumbbells ────────────────────────────────────────────────────────────────────────────────────


def dumbbell_pictures(result: Result, view: views.RecordDumbbells) -> list[Picture]:
    """Dumbbells of the first records of the view's kind that have all three scores."""
    needed = {view.large, *view.small}
    records = [r for r in result.records if r.kind == view.of and needed <= r.scores.keys()]
    marks = [
        dumbbell.Marks(
            r.item, r.scores[view.large], r.scores[view.small[0]], r.scores[view.small[1]],
            sure=r.scores.get(view.p, 1.0) < ALPHA,
        )
        for r in records
    ]  # fmt: skip
    return _dumbbells(marks, view)


def change_pictures(result: Result, view: views.ChangeDumbbells) -> list[Picture]:
    """Dumbbells of changes, small marks before and large marks after, for subsets that have both values."""
    here = [e for e in result.estimates if view.where.items() <= coordinates(e).items()]
    values = [e for e in here if e.name == view.measure]
    before = {_place(e, view): e for e in values if view.before.items() <= e.groups.items()}
    after = {_place(e, view): e for e in values if not view.before.keys() & e.groups.keys()}
    changes = [e for e in here if e.name == view.change]
    kinds = {frozenset(change.groups) for change in changes if change.groups}
    marks = []
    for change in changes:
        old, new = (side.get(_place(change, view)) for side in (before, after))
        if old is None or new is None or old.value is None or new.value is None:
            continue
        name = text.subset(change.groups, result.card.labels, with_axis=len(kinds) > 1)
        arrow = ARROWS.get(change.verdict.partition(",")[0], "= ")
        words = f"{name}: {text.value_with_unit(old)} before, {text.value_with_unit(new)} after"
        sure = shown_significant(change) is True
        marks.append(
            dumbbell.Marks(f"{arrow}{name}", new.value, old.value, old.value, sure, change.n, words)
        )
    return _dumbbells(marks, view, next((e.neutral for e in after.values()), None))


def _dumbbells(
    marks: Sequence[dumbbell.Marks],
    view: views.RecordDumbbells | views.ChangeDumbbells,
    neutral: float | None = None,
) -> list[Picture]:
    if not marks:
        return []
    shown = marks[: view.most]
    draw = partial(dumbbell.dumbbells, shown, title=view.heading, neutral=neutral)
    sure = {mark.sure for mark in shown}
    how = f" ({view.sure})" if view.sure else ""
    filled = (
        f" Filled: significant{how}."
        if True in sure
        else f" No mark is filled: none is significant{how}."
    )
    caption = f"{view.caption}{filled}"
    return [in_two_layouts(view.name, draw, (dumbbell.WIDE, dumbbell.NARROW), caption)]


def _place(e: Estimate, view: views.ChangeDumbbells) -> tuple[tuple[str, str], ...]:
    """The subset that an estimate is about, without the groups that mark it as the value before."""
    return tuple((axis, value) for axis, value in e.groups.items() if axis not in view.before)


# ── Flows, pairs and scatters ────────────────────────────────────────────────────────────────────


def flow_pictures(result: Result, view: views.FlowCurves) -> list[Picture]:
    """Two columns with a curve for each flow whose verdict the view draws."""
    axes, card = (view.source, view.target), result.card
    flows = [e for e in _over(result, view.measure, *axes) if e.value is not None]
    ends = [tuple(text.label(axis, e.groups[axis], card.labels) for axis in axes) for e in flows]
    drawn = [
        flow_plot.DrawnFlow(
            source, target, e.value or 0.0, e.verdict == view.solid,
            f"{source} to {target}: {text.number_of(e, e.value or 0.0)}, {e.verdict}",
        )
        for e, (source, target) in zip(flows, ends, strict=True)
        if e.verdict in view.drawn
    ]  # fmt: skip
    if not drawn:
        return []
    sources, targets = (list(dict.fromkeys(names)) for names in zip(*ends, strict=True))
    draw = partial(
        flow_plot.flow_plot, drawn, sources, targets,
        title=f"{view.title or card.title}: {card.subtitle}", columns=view.sides,
    )  # fmt: skip
    return [in_two_layouts(view.name, draw, (flow_plot.WIDE, flow_plot.NARROW), view.caption)]


def heat_pictures(result: Result, view: views.PairHeat) -> list[Picture]:
    """A heat map of all pairs; [] for a single pair, of which a picture would show nothing more."""
    pairs = _over(result, view.measure, view.x, view.y)
    if len(pairs) < 2:  # noqa: PLR2004
        return []
    cells = {(e.groups[view.x], e.groups[view.y]): e for e in pairs}
    labels = {**result.card.labels.get(view.y, {}), **result.card.labels.get(view.x, {})}

    def place(name: str) -> tuple[float, str]:  # by number, where labels are numbers
        number = labels.get(name, "")
        return (float(number) if number.isdecimal() else float("inf"), name)

    names = sorted({name for pair in cells for name in pair}, key=place)
    caption, most = view.caption, correlation_heat.MOST
    if len(names) > most:
        caption += f" Drawn are the {most} of {len(names)} with the strongest."
    numbers = {name: labels.get(name, "") for name in names}
    draw = partial(
        correlation_heat.relations_heat, cells, numbers, title=view.heading, ends=view.ends
    )
    layouts = (correlation_heat.WIDE, correlation_heat.NARROW)
    return [in_two_layouts(view.name, draw, layouts, caption)]


def scatter_blocks(result: Result, view: views.PairScatters) -> list[Block]:
    """A small scatter plot for each of the strongest pairs, strongest first, and how to read them."""
    pairs = [e for e in _over(result, view.measure, view.x, view.y) if e.value is not None]
    pairs.sort(key=lambda e: -abs(e.value or 0.0))
    points = [record for record in result.records if record.kind == view.of]
    drawn = [
        _scatter(result, points, e, view, f"pair-{i}") for i, e in enumerate(pairs[: view.most], 1)
    ]
    return [Text(view.explained, on=PAGE), Panels(drawn)] if drawn else []


def _scatter(
    result: Result, points: Sequence[Record], e: Estimate, view: views.PairScatters, name: str
) -> Picture:
    axes = (view.x, view.y)
    across, up = (e.groups[axis] for axis in axes)
    dots = [
        Dot(
            number, point.item, point.scores[across], point.scores[up],
            _ends(point, across), _ends(point, up),
        )
        for number, point in enumerate(points, 1)
        if {across, up} <= point.scores.keys()
    ]  # fmt: skip
    picture = scatter(dots, name=name, across=across, up=up)
    both = " and ".join(text.label(axis, e.groups[axis], result.card.labels) for axis in axes)
    caption = f"{both}: {text.lowered(text.title(e))} {text.value_with_unit(e)}, n {e.n}"
    return Picture(name, picture, picture, caption)


def _ends(point: Record, name: str) -> tuple[float, float] | None:
    low, high = (point.scores.get(end.format(name)) for end in (LOW, HIGH))
    return None if low is None or high is None else (low, high)


# ── Forest plots ─────────────────────────────────────────────────────────────────────────────────


def forest_views(result: Result, view: views.Forest) -> list[Picture]:
    """Forest plots with a row for each measure or each subset of one, and a plot per value of `view.by`."""
    axes = {*view.rows, view.by} - {""}
    estimates = [
        e for name in view.measures for e in _over(result, name, *axes) if e.value is not None
    ]
    if not view.by:
        return _forest(result, view, estimates, {})
    pictures: list[Picture] = []
    for value in dict.fromkeys(e.groups[view.by] for e in estimates):
        rows = [e for e in estimates if e.groups[view.by] == value]
        pictures += _forest(result, view, rows, {view.by: value}, f"-{len(pictures) + 1}")
    return pictures


def _forest(
    result: Result,
    view: views.Forest,
    estimates: Sequence[Estimate],
    place: Groups,
    number: str = "",
) -> list[Picture]:
    """The forest plot of these estimates; `place` is the value of `view.by` that it is about."""
    labels = result.card.labels

    def at(measure: str, groups: Groups) -> Estimate | None:
        same = (e for e in result.estimates if e.name == measure and e.groups == groups)
        return next(same, None)

    def band(measure: str, groups: Groups) -> tuple[float, float] | None:
        e = at(measure, groups)
        return None if e is None or e.low is None or e.high is None else (e.low, e.high)

    rows = []
    for e in by_value(estimates) if view.order else estimates:
        name = view.joined.join(text.label(axis, e.groups[axis], labels) for axis in view.rows)
        mark = "● " if e.verdict in view.marked else ""
        rows.append(
            forest.Row(f"{mark}{name or text.title(e)}", e, beside=band(view.beside, e.groups))
        )
    if rows and (total := at(view.total, place)) is not None:
        name = view.total_called or text.lowered(text.title(total))
        rows.append(forest.Row(name, total, total=True, beside=band(view.total_beside, place)))
    about = [text.label(axis, value, labels) for axis, value in place.items()]
    title = ", ".join([view.heading or view.title, *about])
    marked = [row.estimate for row in rows]
    marks = mark_words(marked, f"p < .05{after_adjustment(marked)}")
    name, caption = f"{view.name}{number}", f"{': '.join([*about, view.caption])} {marks}".strip()
    return forest_pictures(rows, name=name, title=title, caption=caption, layouts=FOREST_LAYOUTS)


# ── Strips ───────────────────────────────────────────────────────────────────────────────────────


def strip_pictures(result: Result, view: views.Strips) -> list[Picture]:
    """A column of named points for each value of an axis; [] where there are no points."""
    labels, axes = result.card.labels, (view.columns, view.points)
    shades = {tuple(e.groups.values()): e.value for e in _over(result, view.shade, *axes)}
    points: dict[str, list[strip_plot.StripPoint]] = {}
    for e in _over(result, view.measure, *axes):
        if e.value is not None:
            name = text.label(view.points, e.groups[view.points], labels)
            shade = shades.get(tuple(e.groups.values()))
            point = strip_plot.StripPoint(name, e, shade)
            points.setdefault(e.groups[view.columns], []).append(point)
    wholes = {e.groups[view.columns]: e for e in _over(result, view.measure, view.columns)}
    strips = [
        strip_plot.Strip(text.label(view.columns, value, labels), some, wholes.get(value))
        for value, some in points.items()
    ]
    if not strips:
        return []
    draw = partial(strip_plot.strip_plot, strips, title=view.heading or view.title)
    layouts = (strip_plot.WIDE, strip_plot.NARROW)
    return [in_two_layouts(view.name, draw, layouts, view.caption)]
