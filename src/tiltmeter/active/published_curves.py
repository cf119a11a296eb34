"""Learning curves that papers print, as those of one seed."""

import numpy as np

from tiltmeter.active.curves import Curves, StrategyCurve
from tiltmeter.active.loop import FULL_DATA
from tiltmeter.core.errors import BadInput
from tiltmeter.data.published import PublishedTable


def published_curves(table: PublishedTable) -> dict[str, Curves]:
    """The curves of a table with the columns data, strategy and votes, by data set.

    The strategy `full_data` is training on every vote.

    Raises:
        BadInput: The table has no learning curves.
    """
    points: dict[str, dict[str, list[tuple[float, float]]]] = {}
    full: dict[str, float] = {}
    for number in table.numbers:
        if not {"data", "strategy", "votes"} <= number.places.keys():
            raise BadInput(f"{table.name} has no learning curves", "name baumler2023_curves")
        data, strategy = number.places["data"], number.places["strategy"]
        if strategy == FULL_DATA:
            full[data] = number.value
        else:
            curve = points.setdefault(data, {}).setdefault(strategy, [])
            curve.append((float(number.places["votes"]), number.value))
    return {data: Curves({name: _curve(some) for name, some in curves.items()}, np.array([full[data]]))
            for data, curves in points.items()}  # fmt: skip


def _curve(points: list[tuple[float, float]]) -> StrategyCurve:
    votes, losses = zip(*sorted(points), strict=True)
    return StrategyCurve(np.array(votes), np.array([losses]))
