"""Correlations of made-up measures."""

from tiltmeter.analyses.correlate.points import Observation, points_of
from tiltmeter.analyses.correlate.relations import correlate

FOUR = {"x": [1, 2, 3, 4], "y": [1, 2, 3, 5], "z": [2, 1, 4, 3], "flat": [1, 1, 1, 1]}


def made(columns, *, between=False, **how):
    """Correlations of made-up measures: by name the values of models a, b, c, …"""
    some = [
        Observation(chr(97 + i), "", name, value, name[0], "made up")
        for name, values in columns.items()
        for i, value in enumerate(values)
    ]
    return correlate(points_of(some, "models"), between=between, **how)
