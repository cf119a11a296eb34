"""How compare-people is shown: a view with a row a matrix, a group, a template, a slice or a cell."""

from collections.abc import Iterator, Sequence

from tiltmeter.analyses._compare_people_sentences import GROUPS
from tiltmeter.analysis.people import alignment, profiles, quantities
from tiltmeter.analysis.people.alignment import FIRST, MATRIX, SECOND, Alignments
from tiltmeter.analysis.people.quantities import MEAN as MEAN_TAU
from tiltmeter.analysis.people.quantities import POOLED, precision_at, split_half
from tiltmeter.core.analysis_views import (
    Forest,
    NumberColumn,
    NumberTable,
    RecordTable,
    RowProfiles,
    TextLines,
)
from tiltmeter.core.quantity import in_files
from tiltmeter.core.views import View

COMPARED = (
    "A difference is the first matrix’s value less the second’s, on the cells that both have; its interval "
    "draws the same groups for both."
)
BAND = "what two random halves of {whose} people reach with each other (the middle 95 % over random splits)"
OF_TEMPLATES = (
    "Kendall’s τ of each template by itself over all cells of the groups above. ● marks what the pilot chose "
    "without having seen any but its own groups. Choosing templates from this picture would overfit; the "
    "pilot avoids that."
)
OF_SLICES = (
    "Kendall’s τ over all cells with the means of those people only. Fewer people have noisier means, and so "
    "a lower τ even where they think the same."
)
BARS = (
    "A bar points to the trait that the group is nearer to. Pairs are in people’s order. People’s bars run "
    "from the middle of their scale to its ends; a matrix’s are scaled to its longest bar in the group. Of a "
    "matrix’s {k} highest and {k} lowest pairs, filled bars are on people’s side and hollow ones on the "
    "other; all other bars are pale."
)
VALUE = (
    NumberColumn(), NumberColumn(shows="interval", drop=1), NumberColumn(shows="p", drop=2),
    NumberColumn(shows="neutral", drop=3), NumberColumn(shows="n", drop=4),
)  # fmt: skip
"""Columns of tables with a row a measure."""


def views(made: Alignments, asked: Sequence[str]) -> Iterator[View]:
    """Tables and pictures, a table for each of several matrices."""
    by = MATRIX if len(made.parts) > 1 else ""
    k = made.wanted.k
    yield Forest(
        "matrices", "", (POOLED.name,), (MATRIX,), heading="Kendall’s τ with people by matrix",
        beside=split_half(POOLED).name,
        caption="Kendall’s τ over all cells with its 95 % interval, one row a matrix. The shaded band is "
        f"{BAND.format(whose='the')}. A filled mark is significant (p < .05); a hollow one is not.",
    )  # fmt: skip
    for name, title, rows, of in (
        ("compared", "The matrices compared", (FIRST, SECOND), quantities.of_two(k)),
        ("overall", "Agreement with people, over all groups", (), quantities.of_one(k)),
        ("ceiling", "What people reach with each other", (), quantities.reached(k)),
    ):
        yield NumberTable(
            name, title, ("measure", *rows), VALUE, caption="" if rows else title, by="" if rows else by,
            measures=tuple(q.name for q in of), explained=COMPARED if rows else "",
        )  # fmt: skip
    yield from _group_views(made, by)
    yield from _template_views(made, by)
    yield from _slice_views(made, by)
    yield from _lines(made)
    yield from _profile_views(made, asked)
    kind, axes = profiles.PILOT_GROUP, (MATRIX, made.axes[0])
    yield RecordTable("pilot", "Pilot groups", kind, axes, ("people",), on="files")


def _group_views(made: Alignments, by: str) -> Iterator[View]:
    """τ of each group on what two halves of its people reach."""
    rows, _ = made.axes
    k, title = made.wanted.k, "Kendall’s τ by group"
    halves = (
        f"The shaded band is {BAND.format(whose='that group’s')}: nothing can be expected to agree with "
        "people much better than they agree with each other. "
        if made.people.ratings
        else ""
    )
    yield Forest(
        "groups", title, (POOLED.name,), (rows,), by=by, order="high", heading="Kendall’s τ with people",
        beside=split_half(POOLED).name, total=MEAN_TAU.name, total_called="mean over groups",
        total_beside=split_half(MEAN_TAU).name,
        caption="Kendall’s τ within each group, with its 95 % interval; n is the number of pairs of traits. "
        f"{halves}A filled mark is significant after Holm’s adjustment (p < .05); a hollow one is not.",
    )  # fmt: skip
    yield NumberTable(
        GROUPS, title, (rows,),
        (
            *POOLED.columns("τ", n=4, value=0, interval=1, p=2),
            *split_half(POOLED).columns("halves of people", value=3),
            *quantities.reachable(POOLED).columns("reachable", value=5),
            *quantities.one_person(POOLED).columns("one person", value=5),
            *precision_at(k).columns(value=3),
            *in_files(*quantities.ends(k), split_half(precision_at(k))),
        ),
        caption=title, by=by, order="high", most=100, folded=True,
    )  # fmt: skip


def _template_views(made: Alignments, by: str) -> Iterator[View]:
    """τ of each template; matrices may call templates differently."""
    axes = dict.fromkeys(p.source.view.layers for p in made.parts if p.source.layers)
    for axis in axes:
        name = "templates" if len(axes) == 1 else f"templates_{axis}"
        title = f"Kendall’s τ by {axis}"
        yield Forest(
            name, title, (POOLED.name,), (axis,), by=by, order="high", marked=(alignment.CHOSEN,),
            caption=OF_TEMPLATES,
        )  # fmt: skip
        yield NumberTable(
            name, title, (axis,),
            (
                NumberColumn(POOLED.name, "verdict", "pilot"),
                *POOLED.columns("τ", value=0, interval=1, p=2), NumberColumn(POOLED.name, "n", on="files"),
            ),
            caption=title, by=by, order="high", most=12, folded=True,
        )  # fmt: skip


def _slice_views(made: Alignments, by: str) -> Iterator[View]:
    """Agreement with the people of each slice, over all groups and of each group."""
    rows, _ = made.axes
    title, precision, people = "By who was asked", precision_at(made.wanted.k), quantities.RATERS
    for columns in made.wanted.by:
        axes = tuple(made.axis(column) for column in columns)
        slices, name = " × ".join(columns), "_".join(axes)
        yield Forest(
            f"slices-{name}", title, (POOLED.name,), axes, by=by, heading=f"τ by {slices}",
            caption=OF_SLICES,
        )  # fmt: skip
        yield NumberTable(
            f"by_{name}", title, axes,
            (
                *POOLED.columns(), *people.columns("people"), *POOLED.columns(interval=1, p=2),
                *MEAN_TAU.columns("mean τ", value=3), *precision.columns(value=4),
            ),
            caption=f"Agreement with the people of each {slices}", by=by,
        )  # fmt: skip
        yield NumberTable(
            f"groups_by_{name}", title, (rows, *axes[:-1]),
            (*POOLED.columns("τ"), *people.columns("people", value=3), *in_files(precision)),
            caption=f"Kendall’s τ of each group with the people of each {slices}", by=by, spread=axes[-1],
            most=100, folded=True,
        )  # fmt: skip


def _lines(made: Alignments) -> Iterator[TextLines]:
    """What was left out, turned round or found under another name."""
    title = "What was left out or renamed"
    lines = [line for part in made.parts for line in part.left_out]
    several = len(made.parts) > 1
    for part in made.parts:
        name = f"{part.source.name}: r" if several else "R"
        if part.turned:
            pairs = "; ".join(part.turned)
            lines.append(f"{name}eversed, as people have them the other way round: {pairs}.")
    if lines:
        yield TextLines(title, tuple(dict.fromkeys(lines)))
    renamed = dict.fromkeys(f"{mine} = {other}" for p in made.parts for mine, other in p.renamed)
    if renamed:
        what = "Other names in the table of people"
        yield TextLines(title, (f"{what}: {'; '.join(renamed)}.",), on="page")


def _profile_views(made: Alignments, asked: Sequence[str]) -> Iterator[View]:
    """The profiles of the closest group and of the farthest, then of the others."""
    rows, columns = made.axes
    ordered = profiles.closest_first(made)
    # The closest group and the farthest, which of a single group are one.
    ends, others = [*ordered[:1], *ordered[1:][-1:]], ordered[1:-1]
    k = made.wanted.k
    for names, title, explained in (
        (ends, "What people and the matrices say of each group", BARS.format(k=k)),
        (others, "All other groups, closest to people first", ""),
    ):
        yield RowProfiles(
            "profile", title, profiles.CELL, tuple(names), rows, columns, MATRIX, profiles.MEAN,
            measure=POOLED.name, score=profiles.SCORE, agree=profiles.AGREE,
            ends=(profiles.PEOPLE_END, profiles.MATRIX_END),
            asked=tuple(name for name in asked if name in names), explained=explained,
            folded=names is others,
        )  # fmt: skip
    yield RecordTable(
        "cells", "Cells", profiles.CELL, (MATRIX, rows, columns),
        (*profiles.RATED, profiles.SCORE, profiles.AGREE),
        (profiles.WHY, profiles.PEOPLE_END, profiles.MATRIX_END), on="files",
    )  # fmt: skip
