"""All pairs of measures as a table and as a heat map."""

from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import TableRows, interval_columns, p_column
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    PAGE,
    Block,
    Column,
    On,
    Picture,
    Table,
    Text,
)
from tiltmeter.report.documents.correlations.finding import NAMES, Pair, ranked
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.correlation_heat import (
    MOST,
    NARROW,
    WIDE,
    correlation_span,
    is_significant,
    relations_heat,
)
from tiltmeter.report.plots.squares import HeatLayout
from tiltmeter.report.text import correlation, sentence_end

TITLE = "Correlations, the strongest first"
LETTERS = {PEARSON: "r", SPEARMAN: "ρ", KENDALL: "τ", CORRECTED: "r without noise"}
NOISE = (
    "r without noise is r divided by the square root of the product of both reliabilities. It is undefined "
    "where one of them is, or where both measures are of the same items, since chance in these items then "
    "moves both. A value beyond 1 (*) means that r came out too large or a reliability too small by chance, "
    "as happens with few points; it is given as computed."
)


def pairs_table(made: Relations) -> Table:
    """A row a pair, the strongest first: the correlation that was asked for, and the others beside it."""
    rows, first = ranked(made), [row[made.method] for row in ranked(made)]
    place = {name: i for i, name in enumerate(made.points.names, 1)}
    known = {e.groups["measure"]: e.value for e in made.reliabilities}
    of = TableRows(first)
    labels = [f"{place[e.groups['x']]} and {place[e.groups['y']]}" for e in first]
    other = SPEARMAN if made.method == PEARSON else PEARSON
    return Table(
        TITLE,
        [
            Column("pair", labels, number=False),
            *of.hidden({"x": lambda e: e.groups["x"], "y": lambda e: e.groups["y"]}),
            of.counts("n", lambda e: e.n),
            *_correlation(rows, made.method, 0, main=True),
            *_correlation(rows, other, 3),
            *_correlation(rows, KENDALL, 4),
            *_corrected(rows),
            *of.hidden({
                "reliability_x": lambda e: known.get(e.groups["x"]),
                "reliability_y": lambda e: known.get(e.groups["y"]),
            }),
            *TableRows(rows).hidden({"why": lambda row: "; ".join(
                dict.fromkeys(e.why for e in row.values() if e.why)
            )}),
        ],
        [is_significant(e) for e in first],
        notes=_undefined(first, labels),
        name="correlations",
    )  # fmt: skip


def _correlation(rows: Sequence[Pair], name: str, drop: int, *, main: bool = False) -> list[Column]:
    """One of the correlations of each pair; in the terminal only the main one has interval and p."""
    of = [row[name] for row in rows]
    on: On = BOTH if main else PAGE
    missing = "undefined" if main else ""
    shown, *ends = interval_columns(of, show=correlation_span, prefix=f"{name}_", drop=1, on=on)
    return [
        TableRows(of).numbers(
            LETTERS[name], lambda e: e.value, correlation, missing=missing, drop=drop, name=name
        ),
        shown,
        p_column(of, "p (Holm)", drop=2, on=on, name=f"{name}_p_holm"),
        *ends,
        Column(f"{name}_p", [e.p for e in of], on=FILES_ONLY),
    ]


def _corrected(rows: Sequence[Pair]) -> list[Column]:
    """R without noise, where it is known for any pair."""
    of = [row.get(CORRECTED) for row in rows]

    def starred(e: Estimate | None) -> str:
        return "" if e is None or e.value is None else correlation(e.value) + ("*" if e.why else "")

    column = TableRows(of).shown(
        LETTERS[CORRECTED], lambda e: e.value if e else None, starred, drop=5, name=CORRECTED
    )
    return [column] if any(of) else []


def _undefined(first: Sequence[Estimate], labels: Sequence[str]) -> list[str]:
    """Why some pairs have no value; each reason once."""
    reasons: dict[str, list[str]] = {}
    for e, label in zip(first, labels, strict=True):
        if e.value is None:
            reasons.setdefault(e.why or "no reason was recorded", []).append(label)
    return [
        f"Undefined ({'; '.join(labels)}): {sentence_end(why)}" for why, labels in reasons.items()
    ]


def noise_blocks(made: Relations) -> list[Block]:
    """What r without noise is, where it was asked for, and why it is not known."""
    of = made.of(CORRECTED)
    whys = dict.fromkeys(e.why for e in of if e.why and e.value is None)
    said = [Text(f"{LETTERS[CORRECTED]}: {sentence_end(why)}", "note") for why in whys]
    return [*said, Text(NOISE, "note", PAGE)] if of else []


def heat_pictures(made: Relations, points: str) -> list[Picture]:
    """All pairs at a glance; a picture of one pair would show nothing that the finding does not.

    Args:
        made: What was found.
        points: What a point is.
    """
    if len(made.of(made.method)) < 2:  # noqa: PLR2004
        return []
    name, measures = NAMES[made.method], len(made.points.measures)
    title = f"{name} of each pair of measures over {made.points.over}"
    rest = f" Drawn are the {MOST} of {measures} measures with the strongest correlations."

    def draw(id_: str, frame: HeatLayout) -> Markup:
        return relations_heat(made, name=id_, title=title, frame=frame)

    caption = (
        f"{name} of each pair of measures; the numbers are those of the list below. A point is {points}. "
        "Large squares: significant (p < .05 after Holm’s adjustment over all pairs); small squares: not "
        f"significant.{rest if measures > MOST else ''}"
    )
    return [in_two_layouts("correlations", draw, (WIDE, NARROW), caption)]
