"""The page about crossed groups."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tiltmeter.analysis.intersections.emergent_traits import TOP, Row, Way
from tiltmeter.analysis.intersections.similarity import DOMINATES, DomainPair
from tiltmeter.analysis.intersections.summary import WAYS, Intersections
from tiltmeter.core.results import Estimate
from tiltmeter.report.page import _environment as environment
from tiltmeter.report.plots import dumbbell, forest
from tiltmeter.report.plots.scale import scale_of

DRAWN = 20
"""Rows of emergent traits that are drawn; the table beside has more."""
WIDE = forest.Layout(width=720, left=286, right=484, row=28, letters=38)
NARROW = forest.Layout(width=400, left=14, right=386, row=46, stacked=True, letters=24)
"""Names of two domains are long, and so are numbers with a minus sign."""
LABELS = {
    "tau_first": "part said first",
    "tau_second": "part said second",
    "order_difference": "second less first",
    "tau_nearer": "the nearer part",
    "tau_reversed": "the other order",
}


def crossing_page(made: Intersections, *, most: int = TOP) -> str:
    """A whole HTML page: nothing is fetched, no script runs, all text is escaped.

    Args:
        made: What was found.
        most: Emergent traits that the tables list, each way.
    """
    taus = [e for e in made.order if e.name != "order_difference"]
    return (
        environment()
        .get_template("intersections.html")
        .render(
            made=made,
            crossings=made.crossings,
            labels={name: raised(label) for name, label in LABELS.items()},
            undefined=raised(made.findings),
            order=_forest([(LABELS[e.name], e) for e in taus], "order", "Kendall’s tau of crossed groups"),
            domains=_forest(
                [(f"{d.domain} less {d.other}", d.difference) for d in turned(made.domains)],
                "domains",
                "Which domain’s part a crossed group is more like",
            ),
            relations=made.relations,
            least=DOMINATES,
            emergent={way: _emergent(made.top(way, most), way) for way in WAYS},
            tops={way: made.top(way, most) for way in WAYS},
            sure={way: made.sure(way) for way in WAYS},
            card=made.cards[0],
        )
    )  # fmt: skip


def raised(text: str) -> str:
    """With a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def turned(domains: Sequence[DomainPair]) -> list[DomainPair]:
    """With the domain first whose part counts more, the largest difference first."""
    known = [d if (d.difference.value or 0) >= 0 else _turned(d) for d in domains]
    return sorted(known, key=lambda d: -(d.difference.value or 0.0))


def _turned(pair: DomainPair) -> DomainPair:
    e = pair.difference
    assert e.value is not None  # noqa: S101  (it is below 0)
    low = None if e.high is None else -e.high
    high = None if e.low is None else -e.low
    groups = {"domain": pair.other, "other": pair.domain}
    changed = Estimate(
        e.name, -e.value, low, high, e.p, e.n, e.neutral, e.unit, e.why, groups, e.model,
        interval=e.interval,
    )  # fmt: skip
    return DomainPair(pair.other, pair.domain, pair.other_tau, pair.tau, changed)


def _forest(
    named: Sequence[tuple[str, Estimate]], name: str, title: str
) -> Mapping[str, Any] | None:
    rows = [forest.Row(label, e) for label, e in named if e.value is not None]
    if not rows:
        return None
    scale = scale_of([row.estimate for row in rows])
    drawn = {
        way: forest.forest(rows, name=f"{name}-{way}", title=title, layout=layout, scale=scale)
        for way, layout in (("wide", WIDE), ("narrow", NARROW))
    }
    return drawn | {"rows": []}


def _emergent(rows: Sequence[Row], way: Way) -> Mapping[str, Markup | list[Any]] | None:
    marks = [
        dumbbell.Marks(
            f"{row.crossed}: {row.trait}", row.score, row.first_score, row.second_score,
            row.p_adjusted is not None and row.p_adjusted < 0.05,  # noqa: PLR2004
        )
        for row in rows[:DRAWN]
    ]  # fmt: skip
    if not marks:
        return None
    title = f"Traits {way} both parts"
    drawn = {
        size: dumbbell.dumbbells(marks, name=f"{way}-{size}", title=title, layout=layout)
        for size, layout in (("wide", dumbbell.WIDE), ("narrow", dumbbell.NARROW))
    }
    return drawn | {"rows": []}
