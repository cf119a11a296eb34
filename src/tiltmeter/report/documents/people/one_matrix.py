"""The sections about one matrix that was compared with people."""

from itertools import groupby

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.meanings import POOLED, SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report.document import BOTH, PAGE, TERMINAL, Block, Lines, Section, Text
from tiltmeter.report.documents.families import by_value
from tiltmeter.report.documents.people import tables
from tiltmeter.report.documents.people.finding import (
    closest_and_farthest,
    group_of,
    mean_tau,
    ranked,
)
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import NARROW, ForestLayout, Row

GROUPS = ForestLayout(width=720, left=170, right=470, row=26)
TEMPLATES = ForestLayout(width=720, left=262, right=490, row=26, letters=36)
"""With more room for numbers than elsewhere, as intervals reach the ends of the axis; and for names."""


def one_matrix_sections(one: Alignment, made: Alignments, key: str) -> list[Section]:
    """All about one matrix, under its name."""
    k, name = made.wanted.k, one.source.name
    whole: list[Block] = [tables.overall(one, k)]
    ceilings = tables.ceilings(one, k)
    whole += [ceilings] if ceilings.rows else []
    sections = [
        Section(key, name, whole),
        Section(f"{key}-groups", "Kendall’s τ by group", _groups(one, made, key), level=3),
        Section(f"{key}-templates", "By template", _templates(one, key), level=3),
        Section(f"{key}-slices", "By who was asked", _slices(one, k, key), level=3),
        Section(f"{key}-left-out", "What was left out or renamed", _left_out(one), level=3),
    ]  # fmt: skip
    return [section for section in sections if section.blocks]


def _groups(one: Alignment, made: Alignments, key: str) -> list[Block]:
    """Tau of each group on what two halves of its people reach."""
    k = made.wanted.k
    rows = [
        Row(group_of(one, e), e, beside=interval_of(one.find(f"{POOLED}_{SPLIT}", e.groups)))
        for e in ranked(one)
    ]
    total = mean_tau(one)
    if total is not None:
        split = one.find(f"{total.name}_{SPLIT}")
        rows.append(Row("mean over groups", total, total=True, beside=interval_of(split)))
    halves = (
        "The shaded band is what two random halves of that group’s people reach with each other (the "
        "middle 95 % over random splits): nothing can be expected to agree with people much better than "
        "they agree with each other. "
        if made.people.ratings
        else ""
    )
    pictures = forest_pictures(
        rows,
        name=f"{key}-groups",
        title=f"Kendall’s τ with people, {one.source.name}",
        caption="Kendall’s τ within each group, with its 95 % interval; n is the number of pairs of traits. "
        f"{halves}A filled mark is significant after Holm’s adjustment (p < .05); a hollow one is not.",
        layouts=(GROUPS, NARROW),
        table=tables.by_group(one, k),
        on=BOTH,
    )
    ends = closest_and_farthest(one)
    return [
        *([Text(ends, on=PAGE)] if ends else []),
        *pictures,
        *([Text(ends, on=TERMINAL)] if ends else []),
    ]


def _templates(one: Alignment, key: str) -> list[Block]:
    table = tables.by_template(one)
    if table is None:
        return []
    chosen = one.pilot.templates if one.pilot else ()
    names = [(e.groups[one.source.view.layers], e) for e in by_value(one.by_template)]
    rows = [Row(f"{'● ' if name in chosen else ''}{name}", e) for name, e in names]
    pictures = forest_pictures(
        rows,
        name=f"{key}-templates",
        title=f"τ by template, {one.source.name}",
        caption="Kendall’s τ of each template by itself over all cells of the groups above, pilot groups "
        "left out. ● marks what the pilot chose without having seen these groups. Choosing templates "
        "from this picture would overfit; the pilot avoids that.",
        layouts=(TEMPLATES, NARROW),
    )
    return [*pictures, table]


def _slices(one: Alignment, k: int, key: str) -> list[Block]:
    """One table and one picture for each choice of columns."""
    blocks: list[Block] = []
    for i, (columns, some) in enumerate(groupby(one.slices, key=lambda part: part.columns), 1):
        parts = list(some)
        rows = [
            Row(f"{tables.slice_name(part)} ({part.people} people)", part.estimates[0])
            for part in parts
        ]
        pictures = forest_pictures(
            rows,
            name=f"{key}-slices-{i}",
            title=f"τ by {' × '.join(columns)}, {one.source.name}",
            caption="Kendall’s τ over all cells with the means of those people only. Fewer people have "
            "noisier means, and so a lower τ even where they think the same.",
            layouts=(TEMPLATES, NARROW),
        )
        blocks += [
            *pictures,
            tables.slices(parts, columns, k),
            tables.slices_by_group(one, parts, columns),
        ]
    return blocks


def _left_out(one: Alignment) -> list[Block]:
    blocks: list[Block] = []
    if one.left_out:
        blocks += [Lines(one.left_out), *(Text(text, on=TERMINAL) for text in one.left_out)]
    else:
        blocks.append(Text("Nothing was left out.", on=PAGE))
    if one.turned:
        pairs = "; ".join(one.turned)
        blocks.append(Text(f"Reversed, as people have them the other way round: {pairs}."))
    if one.renamed:
        names = [f"{mine} = {theirs}" for mine, theirs in one.renamed]
        what = f"{len(names)} groups or pairs have another name in the table of people"
        blocks.append(Lines(names, what, folded=True))
    return blocks


def interval_of(estimate: Estimate | None) -> tuple[float, float] | None:
    """The two ends; None where they are not known."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return None
    return estimate.low, estimate.high
