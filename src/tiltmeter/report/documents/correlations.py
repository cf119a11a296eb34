"""Correlations of measures, as a document."""

from collections.abc import Mapping, Sequence

import numpy as np

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.analysis.points import Points
from tiltmeter.core.results import Estimate
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    PAGE,
    TERMINAL,
    Block,
    Code,
    Column,
    Document,
    Facts,
    Lines,
    On,
    Panels,
    Picture,
    Section,
    Table,
    Text,
    Value,
)
from tiltmeter.report.documents.correlations_finding import NAMES, finding, interval, ranked
from tiltmeter.report.plots.correlation_heat import (
    MOST,
    NARROW,
    WIDE,
    is_significant,
    relations_heat,
    two,
)
from tiltmeter.report.plots.scatter import MOST_NAMED, Dot, scatter
from tiltmeter.report.text import final_p, p_text, sentence_end

PAIRS = "Correlations, the strongest first"
SCATTERS = 24
"""Pairs that are drawn point by point, the strongest first."""
POINTS_SHOWN = 300
"""Points in the page's table; points.csv has all."""
LETTERS = {PEARSON: "r", SPEARMAN: "ρ", KENDALL: "τ", CORRECTED: "r without noise"}
POINTS = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}
HOLM = (
    "Holm’s adjustment makes p larger, so that the chance of any false finding among all pairs stays below "
    "5 %; each of the three correlations is adjusted by itself. correlations.csv has both."
)
FISHER = (
    "Intervals are by Fisher’s z, from four points on. They take the two measures as jointly normal over the "
    "points, are rough with few points, and ignore how uncertain each point is."
)
RELIABILITY = (
    "Reliability: the items of each run, in whole clusters where the data have them, are split in two at "
    "random, again and again, the same way for all points. The halves’ numbers are correlated over the "
    "points, and the mean is stepped up to all items by the Spearman–Brown formula. It is undefined where "
    "that is not above 0 or there are fewer than three points."
)
NOISE = (
    "r without noise is r divided by the square root of the product of both reliabilities. It is undefined "
    "where one of them is, or where both measures are of the same items, since what is odd in these then "
    "moves both. Beyond 1 (*), by chance r is too large or a reliability too small, as they may be with few "
    "points; it is given as it came out."
)


def correlations_document(
    made: Relations, *, sources: Sequence[str] = (), command: str = ""
) -> Document:
    """The finding, the measures by number, all pairs, the points, and how it was computed.

    Args:
        made: What was found.
        sources: Run folders, tables and published tables, as they were named.
        command: The command that makes it again.
    """
    points, rows = made.points, ranked(made)
    power = [sentence_end(note) for note in made.notes]
    tests = "; ".join(dict.fromkeys(e.test for e in made.of(made.method) if e.test))
    holm = f"{tests}; Holm’s adjustment over all pairs" if tests else ""
    return Document(
        "How measures relate",
        f"{len(points.measures)} measures · {len(points.labels)} {points.over}",
        finding(made),
        [
            Section("power", "What so many points can show", [Lines(power)], on=PAGE),
            Section(
                "measures", f"Measures, of {len(points.labels)} {points.over}", _measures(made)
            ),
            Section("pairs", PAIRS, [pairs_table(made), *_noise(rows)]),
            Section("points", "Point by point", _points(made, rows), on=PAGE),
            Section("marks", "", [Facts({"Power": " ".join(power), "p": holm})], on=TERMINAL),
            Section("method", "How it was computed", _method(made), on=PAGE),
            Section("repeat", "How to repeat it", [Code(command), Lines(sources)], on=PAGE),
        ],
        meaning=f"A correlation says how closely two measures agree on which {points.over} are high and "
        "low: 1 is perfect agreement, 0 no relation, −1 perfect disagreement.",
        limits="That one measure causes the other, or that both measure the same thing. It describes "
        f"{points.over} like these; with few of them nearly any number comes about by chance.",
        leading=_heat(made),
        files=("correlations.csv", "correlations.json", "points.csv"),
    )


def _measures(made: Relations) -> list[Block]:
    """The measures by number, under the source of each."""
    known = {e.groups["measure"]: e for e in made.reliabilities}
    measures = list(enumerate(made.points.measures, 1))
    blocks: list[Block] = []
    for source in dict.fromkeys(measure.source for _, measure in measures):
        facts = {
            f"{i:>3}": f"{m.name}{_reliable(known.get(m.name))}"
            for i, m in measures
            if m.source == source
        }
        blocks += [Text(f"{source}:", "note"), Facts(facts)]
    return blocks


def _reliable(e: Estimate | None) -> str:
    if e is None:
        return ""
    if e.value is None:
        return f"; reliability undefined: {e.why}"
    return f"; reliability {two(e.value)}{f', {e.why}' if e.why else ''}"


def pairs_table(made: Relations) -> Table:
    """A row a pair, the strongest first: the correlation that was asked for, and the others beside it."""
    rows = ranked(made)
    number = {name: i for i, name in enumerate(made.points.names, 1)}
    first = [row[made.method] for row in rows]
    labels = [f"{number[e.groups['x']]} and {number[e.groups['y']]}" for e in first]
    other = SPEARMAN if made.method == PEARSON else PEARSON
    return Table(
        PAIRS,
        [
            Column("pair", labels, number=False),
            *(Column(side, [e.groups[side] for e in first], on=FILES_ONLY) for side in ("x", "y")),
            Column("n", [e.n for e in first]),
            *_correlation(rows, made.method, 0, main=True),
            *_correlation(rows, other, 3),
            *_correlation(rows, KENDALL, 4),
            *_corrected(rows),
            *_for_files(made, rows),
        ],
        [is_significant(e) for e in first],
        notes=_undefined(first, labels),
        name="correlations",
    )


def _correlation(
    rows: Sequence[Mapping[str, Estimate]], name: str, drop: int, *, main: bool = False
) -> list[Column]:
    """One of the correlations of each pair; in the terminal only the main one has interval and p."""
    of = [row[name] for row in rows]
    on: On = BOTH if main else PAGE
    shown = [two(e.value) or ("undefined" if main else "") for e in of]
    ps = [final_p(e) for e in of]
    return [
        Column(LETTERS[name], [e.value for e in of], shown=shown, drop=drop, name=name),
        Column("interval", [interval(e) or None for e in of], drop=1, on=on, in_files=False),
        Column("p (Holm)", ps, _p, drop=2, on=on, name=f"{name}_p_holm"),
        Column(f"{name}_low", [e.low for e in of], on=FILES_ONLY),
        Column(f"{name}_high", [e.high for e in of], on=FILES_ONLY),
        Column(f"{name}_p", [e.p for e in of], on=FILES_ONLY),
    ]


def _p(p: Value) -> str:
    return p_text(p) if isinstance(p, float) else ""


def _corrected(rows: Sequence[Mapping[str, Estimate]]) -> list[Column]:
    """R without noise, where it is known for any pair."""
    of = [row.get(CORRECTED) for row in rows]
    if not any(of):
        return []
    shown = [
        "" if e is None else two(e.value) + ("*" if e.why and e.value is not None else "")
        for e in of
    ]
    values = [None if e is None else e.value for e in of]
    return [Column(LETTERS[CORRECTED], values, shown=shown, drop=5, name=CORRECTED)]


def _for_files(made: Relations, rows: Sequence[Mapping[str, Estimate]]) -> list[Column]:
    """The reliabilities of both measures, and why a number is missing or rough."""
    known = {e.groups["measure"]: e.value for e in made.reliabilities}
    first = [row[made.method] for row in rows]
    whys = ["; ".join(dict.fromkeys(e.why for e in row.values() if e.why)) for row in rows]
    reliabilities = (
        Column(f"reliability_{side}", [known.get(e.groups[side]) for e in first], on=FILES_ONLY)
        for side in ("x", "y")
    )
    return [*reliabilities, Column("why", whys, on=FILES_ONLY)]


def _undefined(first: Sequence[Estimate], labels: Sequence[str]) -> list[str]:
    """Why some pairs have no value; each reason once."""
    reasons: dict[str, list[str]] = {}
    for e, label in zip(first, labels, strict=True):
        if e.value is None:
            reasons.setdefault(e.why or "no reason was recorded", []).append(label)
    return [
        f"Undefined ({'; '.join(labels)}): {sentence_end(why)}" for why, labels in reasons.items()
    ]


def _noise(rows: Sequence[Mapping[str, Estimate]]) -> list[Block]:
    """What r without noise is, where it was asked for, and why it is not known."""
    of = [row[CORRECTED] for row in rows if CORRECTED in row]
    whys = dict.fromkeys(e.why for e in of if e.why and e.value is None)
    said = [Text(f"{LETTERS[CORRECTED]}: {sentence_end(why)}", "note") for why in whys]
    return [*said, Text(NOISE, "note", PAGE)] if of else []


def _heat(made: Relations) -> list[Picture]:
    """All pairs at a glance; a picture of one pair would show nothing that the finding does not."""
    if len(made.of(made.method)) < 2:  # noqa: PLR2004
        return []
    name, measures = NAMES[made.method], len(made.points.measures)
    title = f"{name} of each pair of measures over {made.points.over}"
    rest = f" Drawn are the {MOST} of {measures} measures with the strongest correlations."
    return [
        Picture(
            "correlations",
            relations_heat(made, name="heat", title=title, frame=WIDE),
            relations_heat(made, name="heat-narrow", title=title, frame=NARROW),
            f"{name} of each pair of measures; the numbers are those of the list below. A point is "
            f"{POINTS[made.points.over]}. Large squares: significant (p < .05 after Holm’s adjustment over "
            f"all pairs); small squares: not significant.{rest if measures > MOST else ''}",
        )
    ]


def _points(made: Relations, rows: Sequence[Mapping[str, Estimate]]) -> list[Block]:
    """The strongest pairs drawn point by point, and the points as a table."""
    points = made.points
    known = [row[made.method] for row in rows if row[made.method].value is not None]
    drawn = [_scatter(points, e, f"pair-{i}") for i, e in enumerate(known[:SCATTERS], 1)]
    numbers = "; its number is that of the table below" if len(points.labels) > MOST_NAMED else ""
    about = f"Each point is {POINTS[points.over]}{numbers}."
    lines = "Thin lines are 95\u00a0% intervals, where a run has them."
    shown = points.labels[:POINTS_SHOWN]
    cut = f"{len(shown)} of {len(points.labels)} points; points.csv has all."
    table = Table(
        "The points as a table",
        [
            Column("point", shown, number=False),
            Column("number", range(1, len(shown) + 1)),
            *(
                Column(f"{i + 1}", _values(points, i)[:POINTS_SHOWN], _four)
                for i in range(len(points.names))
            ),
        ],
        notes=[cut] if len(shown) < len(points.labels) else (),
        folded=bool(drawn),
        name="points",
    )
    return [Text(f"{about} {lines}"), Panels(drawn), table] if drawn else [table]


def _values(points: Points, i: int) -> list[float | None]:
    """One measure of all points; None where there is no number."""
    return [None if np.isnan(value) else value for value in points.values[:, i].tolist()]


def _four(value: Value) -> str:
    return f"{value:.4g}".replace("-", "−")


def _scatter(points: Points, e: Estimate, name: str) -> Picture:
    """Two measures of the points that have both."""
    x, y = (points.names.index(e.groups[side]) for side in ("x", "y"))
    dots = [
        Dot(
            i + 1, points.labels[i], float(points.values[i, x]), float(points.values[i, y]),
            _ends(points, i, x), _ends(points, i, y),
        )
        for i in np.flatnonzero(points.shared(x, y)).tolist()
    ]  # fmt: skip
    drawn = scatter(dots, name=name, across=e.groups["x"], up=e.groups["y"])
    caption = f"{x + 1} and {y + 1}: {NAMES[e.name]} {two(e.value)}, n {e.n}"
    return Picture(name, drawn, drawn, caption)


def _ends(points: Points, row: int, column: int) -> tuple[float, float] | None:
    found = points.found.get((row, column))
    if found is None or found.estimate.low is None or found.estimate.high is None:
        return None
    return found.estimate.low, found.estimate.high


def _method(made: Relations) -> list[Block]:
    tests = "; ".join(dict.fromkeys(e.test for e in made.estimates if e.test)) or "none"
    paired = f"Each pair of measures is correlated over the points that have both. p: {tests}; two-sided."
    known = [Text(RELIABILITY)] if made.reliabilities else []
    return [Text(f"{paired} {HOLM}"), Text(FISHER), *known]
