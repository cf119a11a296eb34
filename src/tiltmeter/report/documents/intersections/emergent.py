"""Emergent traits: where intersectional groups lie above both of their components, or below both."""

from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.analysis.intersections.emergent_traits import EmergentTrait, Way
from tiltmeter.analysis.intersections.summary import RATE, WAYS, Intersections
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, PAGE, Block, Column, Picture, Section, Table, Text
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.dumbbell import NARROW, WIDE, Marks, dumbbells
from tiltmeter.report.plots.forest import ForestLayout
from tiltmeter.report.text import counted, number, p_text, raised, sentence_end

DRAWN = 20
"""Emergent traits that are drawn; the table has more."""
SHOWN = 10
"""TableRows of each list that the terminal shows."""


def emergent_section(made: Intersections, way: Way, most: int) -> Section:
    """The traits that lie furthest above both components, or below both."""
    rows = made.top(way, most)
    heading = f"Traits {way} both components"
    blocks: list[Block] = []
    if way == WAYS[0]:
        blocks.append(Text(_explained(made), on=PAGE))
    if made.emergent.tested:
        count = made.significant(way)
        of = counted(made.emergent.score.size, "cells")
        blocks.append(Text(f"{count:,} of {of} at a false-discovery rate of 5\u00a0%."))
    if made.emergent.why and way == WAYS[0]:
        blocks.append(Text(sentence_end(raised(made.emergent.why))))
    if not rows:
        blocks.append(Text("There are none.", on=PAGE))
        return Section(way, heading, blocks)
    return Section(way, heading, [*blocks, _picture(rows, way)])


def emergent_finding(made: Intersections) -> str:
    """In how many cells a trait emerges; "" where it is not tested."""
    if not made.emergent.tested:
        return ""
    above, below = (f"{made.significant(way):,} {way}" for way in WAYS)
    return (
        f"Significant emergent traits, of {counted(made.emergent.score.size, 'cells')} (a group and a "
        f"trait): {above} both components, {below} both."
    )


def _explained(made: Intersections) -> str:
    layers = made.scores.view.layer_names
    return (
        "A trait emerges where the intersectional group’s score lies above those of both components; "
        "mirrored, where it lies below both. p is the larger of two one-sided paired t tests over "
        f"{layers}, one for each component, adjusted over all cells and both ways (Benjamini and Hochberg)."
    )


def _is_sure(row: EmergentTrait) -> bool:
    return row.p_adjusted is not None and row.p_adjusted < RATE


def _picture(rows: Sequence[EmergentTrait], way: Way) -> Picture:
    marks = [
        Marks(f"{row.crossed}: {row.trait}", row.score, row.first_score, row.second_score, _is_sure(row))
        for row in rows[:DRAWN]
    ]  # fmt: skip
    caption = (
        f"The furthest {way}. Small marks are the components, the large one is the intersectional group; "
        "filled where it is significant. Scores of traits, in the unit of the rule."
    )

    def draw(name: str, layout: ForestLayout) -> Markup:
        return dumbbells(marks, name=name, title=f"Traits {way} both components", layout=layout)

    return in_two_layouts(f"emergent-{way}", draw, (WIDE, NARROW), caption, _table(rows, way), BOTH)


def _table(rows: Sequence[EmergentTrait], way: Way) -> Table:
    of = TableRows(rows)
    return Table(
        "",
        [
            of.words("", lambda row: f"{row.crossed}: {row.trait}", name="cell"),
            of.numbers("by", lambda row: row.by),
            of.numbers("score", lambda row: row.score, drop=2),
            Column("components", [f"{number(row.first_score)}, {number(row.second_score)}" for row in rows],
                   drop=3, in_files=False),
            *of.hidden({
                "first": lambda row: row.first_score,
                "second": lambda row: row.second_score,
                "p": lambda row: row.p,
            }),
            of.numbers("p (BH)", lambda row: row.p_adjusted, p_text, drop=1),
        ],
        strong=[_is_sure(row) for row in rows],
        most=SHOWN,
        name=f"emergent-{way}",
    )  # fmt: skip
