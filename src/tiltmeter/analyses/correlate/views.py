"""How correlations are shown: a heat map, what the measures are, all pairs, and the points."""

from collections.abc import Iterator

from tiltmeter.analyses.correlate.relations import (
    CORRECTED,
    KENDALL,
    PEARSON,
    QUANTITIES,
    SPEARMAN,
    Relations,
)
from tiltmeter.analyses.correlate.split_half import OF
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.views import NumberTable, PairHeat, PairScatters, RecordTable, TextLines, View
from tiltmeter.report.text import value_with_unit

A_POINT = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}
"""What a point is, by what the correlations are over."""
ON_NOISE = (
    "r without noise is r divided by the square root of the product of both reliabilities. It is "
    "undefined where one of them is, or where both measures are of the same items, since chance in "
    "these items then moves both. A value beyond 1 means that r came out too large or a reliability "
    "too small by chance, as happens with few points; it is given as computed."
)


def views_of(made: Relations) -> tuple[View, ...]:
    """What the measures are, all pairs, and the points."""
    points, main = made.points, QUANTITIES[made.method]
    other = SPEARMAN if main is PEARSON else PEARSON
    axes = {"models": ("model",), "groups": ("group",), "cells": ("model", "group")}[points.over]
    is_corrected = bool(made.of(CORRECTED.name))
    return (
        PairHeat(
            "correlations", "",
            caption=f"{main.meaning.title} of each pair of measures; the numbers are those of the list "
            f"below. A point is {A_POINT[points.over]}. Large squares: significant (p < .05 after "
            "Holm’s adjustment over all pairs); small squares: not significant.",
            measure=main.name, x="x", y="y",
            heading=f"{main.meaning.title} of each pair of measures over {points.over}",
            ends=("← opposite", "together →"),
        ),
        TextLines(title=f"Measures, of {len(points.labels)} {points.over}", lines=tuple(_listed(made))),
        NumberTable(
            "correlations", "Correlations, the strongest first", rows=("x", "y"),
            columns=(
                *main.columns(n=0, value=0, interval=1, p=2), *other.columns(value=3),
                *other.columns(on="page", interval=4, p=4), *KENDALL.columns(value=4),
                *KENDALL.columns(on="page", p=5), *(CORRECTED.columns(value=5) if is_corrected else ()),
            ),
            most=20, explained=ON_NOISE if is_corrected else "",
        ),
        PairScatters(
            title="Point by point", measure=main.name, x="x", y="y", of="point",
            explained=f"Each point is {A_POINT[points.over]}. Thin lines are 95 % intervals, where a "
            "run has them.",
        ),
        RecordTable(
            "points", "Point by point", folded=True, of="point", axes=axes, scores=points.names,
        ),
    )  # fmt: skip


def _listed(made: Relations) -> Iterator[str]:
    """A line for each source, with its measures by number and how reliable they are."""
    reliabilities = {e.groups[OF]: e for e in made.reliabilities}
    by_source: dict[str, list[str]] = {}
    for number, measure in enumerate(made.points.measures, 1):
        text = f"{number} {measure.name}{_reliable(reliabilities.get(measure.name))}"
        by_source.setdefault(measure.source, []).append(text)
    for source, measures in by_source.items():
        yield f"{source}: {'; '.join(measures)}"


def _reliable(e: Estimate | None) -> str:
    """How reliable a measure is, as it stands behind its name in the list.

    >>> _reliable(QUANTITIES["reliability"].at(-2.67, n=3, why="halves do not agree"))
    ' (no reliability: halves do not agree)'
    """
    if e is None:
        return ""
    if e.value is None:
        return f" (reliability undefined: {e.why})"
    if e.value <= 0:
        return f" (no reliability: {e.why})"
    return f" (reliability {value_with_unit(e)}{f', {e.why}' if e.why else ''})"
