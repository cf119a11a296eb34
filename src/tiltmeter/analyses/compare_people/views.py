"""How an alignment with people is shown: over all groups, by group, template and people, and cell by cell."""

from collections.abc import Iterable, Iterator, Sequence

from tiltmeter.analyses.compare_people import profiles
from tiltmeter.analyses.compare_people.alignment import CHOSEN, FIRST, MATRIX, SECOND, Alignments
from tiltmeter.analyses.compare_people.profiles import (
    AGREE,
    CELL,
    MATRIX_END,
    PEOPLE_END,
    PILOT_GROUP,
    SCORE,
)
from tiltmeter.analyses.compare_people.quantities import (
    BOTTOM,
    MEAN,
    POOLED,
    TOP,
    end_precision,
    of_one,
    of_two,
    one_person,
    precision_at,
    reachable,
    reached,
    split_half,
)
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.views import (
    Forest,
    NumberTable,
    RecordTable,
    RowProfiles,
    TextLines,
    View,
    number_columns,
)
from tiltmeter.derived.people import cell_means
from tiltmeter.derived.people.cell_means import COUNT, HIGH, LOW, RATERS, WHY
from tiltmeter.run.files.folder_names import file_stem

A_MEASURE_A_ROW = number_columns("", value=0, interval=1, p=2, neutral=3, n=4)


def views_of(made: Alignments, asked: Sequence[str]) -> Iterator[View]:
    """Tables and pictures, a table for each of several matrices.

    Args:
        made: What was computed.
        asked: The groups whose profile the terminal shows too.
    """
    by = MATRIX if len(made.parts) > 1 else ""
    k, (rows, columns) = made.wanted.k, made.axes
    yield from _whole(by, k)
    yield from _groups(by, k, rows, show_halves=made.people.ratings is not None)
    axes = dict.fromkeys(p.source.view.layers for p in made.parts if p.source.layers)
    for axis in axes:  # matrices may call templates differently
        name = "templates" if len(axes) == 1 else f"templates_{file_stem(axis)}"
        yield from _templates(by, axis, name)
    for asked_by in made.wanted.by:
        of = tuple(made.axis(column) for column in asked_by)
        yield from _slices(by, k, rows, of, " × ".join(asked_by))
    yield from _lines(made)
    yield from _profiles(made, asked)
    yield from (
        RecordTable(
            "cells", "Cells", of=CELL, axes=(MATRIX, rows, columns),
            scores=(cell_means.MEAN, LOW, HIGH, COUNT, SCORE, AGREE),
            texts=(WHY, PEOPLE_END, MATRIX_END), on="files",
        ),
        RecordTable(
            "pilot", "Pilot groups", of=PILOT_GROUP, axes=(MATRIX, rows), scores=("people",),
            on="files",
        ),
    )  # fmt: skip


def _names(quantities: Iterable[Quantity]) -> tuple[str, ...]:
    return tuple(quantity.name for quantity in quantities)


def _whole(by: str, k: int) -> Iterator[View]:
    """Over all groups: the matrices, their differences, and what people reach with each other."""
    yield from (
        Forest(
            "matrices", "",
            caption="Kendall’s τ over all cells with its 95 % interval, one row a matrix. The shaded "
            "band is what two random halves of the people reach with each other (the middle 95 % over "
            "random splits).",
            measures=(POOLED.name,), rows=(MATRIX,), beside=split_half(POOLED).name,
            heading="Kendall’s τ with people by matrix",
        ),
        NumberTable(
            "compared", "The matrices compared",
            explained="A difference is the first matrix’s value minus the second’s, on the cells that "
            "both have; its interval draws the same groups for both.",
            rows=("measure", FIRST, SECOND), columns=A_MEASURE_A_ROW, measures=_names(of_two(k)),
        ),
        NumberTable(
            "overall", "Agreement with people, over all groups",
            caption="Agreement with people, over all groups", by=by, rows=("measure",),
            columns=A_MEASURE_A_ROW, measures=_names(of_one(k)),
        ),
        NumberTable(
            "ceiling", "What people reach with each other", caption="What people reach with each other",
            by=by, rows=("measure",), columns=A_MEASURE_A_ROW, measures=_names(reached(k)),
        ),
    )  # fmt: skip


def _groups(by: str, k: int, rows: str, *, show_halves: bool) -> Iterator[View]:
    halves = ""
    if show_halves:
        halves = (
            "The shaded band is what two random halves of that group’s people reach with each other "
            "(the middle 95 % over random splits): nothing can be expected to agree with people much "
            "better than they agree with each other."
        )
    yield from (
        Forest(
            "groups", "Kendall’s τ by group",
            caption="Kendall’s τ within each group, with its 95 % interval; n is the number of pairs "
            f"of traits. {halves}".rstrip(),
            measures=(POOLED.name,), rows=(rows,), by=by, order="high", beside=split_half(POOLED).name,
            total=MEAN.name, total_called="mean over groups", total_beside=split_half(MEAN).name,
            heading="Kendall’s τ with people",
        ),
        NumberTable(
            "groups", "Kendall’s τ by group", caption="Kendall’s τ by group", by=by, folded=True,
            rows=(rows,),
            columns=(
                *POOLED.columns(n=4), *POOLED.columns("τ", value=0, interval=1, p=2),
                *split_half(POOLED).columns("halves of people", value=3),
                *reachable(POOLED).columns("reachable", value=5),
                *one_person(POOLED).columns("one person", value=5), *precision_at(k).columns(value=3),
                *end_precision(k, TOP).columns(on="files"),
                *end_precision(k, BOTTOM).columns(on="files"),
                *split_half(precision_at(k)).columns(on="files"),
            ),
            order="high", most=100,
        ),
    )  # fmt: skip


def _templates(by: str, axis: str, name: str) -> Iterator[View]:
    yield from (
        Forest(
            name, f"Kendall’s τ by {axis}",
            caption="Kendall’s τ of each template by itself over all cells of the groups above. ● "
            "marks what the pilot chose without having seen any but its own groups. Choosing templates "
            "from this picture would overfit; the pilot avoids that.",
            measures=(POOLED.name,), rows=(axis,), by=by, order="high", marked=(CHOSEN,),
        ),
        NumberTable(
            name, f"Kendall’s τ by {axis}", caption=f"Kendall’s τ by {axis}", by=by, folded=True,
            rows=(axis,),
            columns=(
                *POOLED.columns("pilot", verdict=0), *POOLED.columns("τ", value=0, interval=1, p=2),
                *POOLED.columns(on="files", n=0),
            ),
            order="high", most=12,
        ),
    )  # fmt: skip


def _slices(by: str, k: int, rows: str, axes: tuple[str, ...], slices: str) -> Iterator[View]:
    """By who was asked: `axes` are those of the columns about people, `slices` what users call these."""
    name = file_stem("_".join(axes))
    yield from (
        Forest(
            f"slices-{name}", "By who was asked",
            caption="Kendall’s τ over all cells with the means of those people only. Fewer people have "
            "noisier means, and so a lower τ even where they think the same.",
            measures=(POOLED.name,), rows=axes, by=by, heading=f"τ by {slices}",
        ),
        NumberTable(
            f"by_{name}", "By who was asked", caption=f"Agreement with the people of each {slices}",
            by=by, rows=axes,
            columns=(
                *POOLED.columns(), *RATERS.columns("people"), *POOLED.columns(interval=1, p=2),
                *MEAN.columns("mean τ", value=3), *precision_at(k).columns(value=4),
            ),
        ),
        NumberTable(
            f"groups_by_{name}", "By who was asked",
            caption=f"Kendall’s τ of each group with the people of each {slices}", by=by, folded=True,
            rows=(rows, *axes[:-1]),
            columns=(
                *POOLED.columns("τ"), *RATERS.columns("people", value=3),
                *precision_at(k).columns(on="files"),
            ),
            spread=axes[-1], most=100,
        ),
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


def _profiles(made: Alignments, asked: Sequence[str]) -> Iterator[View]:
    """Every group's pairs of traits, first of the group closest to people and of the farthest."""
    k, (rows, columns) = made.wanted.k, made.axes
    ordered = profiles.closest_first(made)
    # The closest group and the farthest, which of a single group are one.
    ends, others = [*ordered[:1], *ordered[1:][-1:]], ordered[1:-1]
    bars = (
        "A bar points to the trait that the group is nearer to. Pairs are in people’s order. People’s "
        "bars run from the middle of their scale to its ends; a matrix’s are scaled to its longest bar "
        f"in the group. Of a matrix’s {k} highest and {k} lowest pairs, filled bars are on people’s "
        "side and hollow ones on the other; all other bars are pale."
    )
    for names, title, explained, folded in (
        (ends, "What people and the matrices say of each group", bars, False),
        (others, "All other groups, closest to people first", "", True),
    ):
        yield RowProfiles(
            "profile", title, of=CELL, rows=tuple(names), row=rows, line=columns, panel=MATRIX,
            shared=cell_means.MEAN, measure=POOLED.name, score=SCORE, agree=AGREE,
            ends=(PEOPLE_END, MATRIX_END), asked=tuple(name for name in asked if name in names),
            explained=explained, folded=folded,
        )  # fmt: skip
