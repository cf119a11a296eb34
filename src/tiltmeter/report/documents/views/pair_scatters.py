"""Two scores of the same records against each other, a small picture for each of the strongest pairs."""

from collections.abc import Sequence

from tiltmeter.core.analysis_views import HIGH, LOW, PairScatters
from tiltmeter.core.results import Estimate, Record, Result
from tiltmeter.report.document import PAGE, Block, Panels, Picture, Text
from tiltmeter.report.plots.scatter import Dot, scatter
from tiltmeter.report.text import label, lowered, title, value_with_unit


def scatter_blocks(result: Result, view: PairScatters) -> list[Block]:
    """The pictures, the strongest pair first, and how to read them; [] where nothing has a value."""
    axes = {view.x, view.y}
    pairs = [
        e for e in result.estimates
        if e.name == view.measure and e.groups.keys() == axes and e.value is not None
    ]  # fmt: skip
    pairs.sort(key=lambda e: -abs(e.value or 0.0))
    points = [record for record in result.records if record.kind == view.of]
    drawn = [
        _scatter(result, points, e, view, f"pair-{i}") for i, e in enumerate(pairs[: view.most], 1)
    ]
    return [Text(view.explained, on=PAGE), Panels(drawn)] if drawn else []


def _scatter(
    result: Result, points: Sequence[Record], e: Estimate, view: PairScatters, name: str
) -> Picture:
    across, up = e.groups[view.x], e.groups[view.y]
    dots = [
        Dot(
            number, point.item, point.scores[across], point.scores[up],
            _ends(point, across), _ends(point, up),
        )
        for number, point in enumerate(points, 1)
        if across in point.scores and up in point.scores
    ]  # fmt: skip
    picture = scatter(dots, name=name, across=across, up=up)
    named = " and ".join(
        label(axis, e.groups[axis], result.card.labels) for axis in (view.x, view.y)
    )
    caption = f"{named}: {lowered(title(e))} {value_with_unit(e)}, n {e.n}"
    return Picture(name, picture, picture, caption)


def _ends(point: Record, name: str) -> tuple[float, float] | None:
    low, high = (point.scores.get(end.format(name)) for end in (LOW, HIGH))
    return None if low is None or high is None else (low, high)
