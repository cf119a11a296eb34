"""A group's profile: what people and the matrices say of it, top and bottom traits apart."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from tiltmeter.analysis.matrix import opposites
from tiltmeter.analysis.people.alignment import Alignments
from tiltmeter.analysis.people.cell_means import CellMeans
from tiltmeter.analysis.people.meanings import POOLED
from tiltmeter.analysis.people.profiles import End, GroupProfile, Opinion, profiles
from tiltmeter.core.text import visible
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, TERMINAL, Block, Column, Picture, Section, Table, Text
from tiltmeter.report.documents.people import tables
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots import people_profile
from tiltmeter.report.text import number
from tiltmeter.run.folder_names import slug

ENDS: tuple[End, ...] = ("top", "bottom")
MARKS = {True: "✓", False: "✗", None: ""}
KEY = "✓ people put the group on that side of the middle, ✗ on the other side."

MEANS = (
    "Each cell: the mean from 0 (left trait) to 100 (right trait), its 95 % interval by Student’s t over "
    "people, and in parentheses how many people rated. There is no interval for one rating or for ratings "
    "that are all equal."
)


def profile_sections(made: Alignments) -> list[Section]:
    """Of each group: the closest to people of the first matrix, the farthest, the others."""
    k = made.wanted.k
    explained = (
        "A bar points to the trait that the group is nearer to. Pairs are in people’s order. People’s bars "
        "run from the middle of their scale to its ends; a matrix’s are scaled to its longest bar in the "
        f"group. Of a matrix’s {k} highest and {k} lowest pairs, filled bars are on people’s side and hollow "
        "ones on the other; all other bars are pale."
    )
    ordered = sorted(profiles(made), key=lambda p: -_closeness(made, p))
    drawn = [[_picture(made, p)] for p in ordered]
    ends, others = [*drawn[:1], *drawn[1:][-1:]], drawn[1:-1]
    heading = "What people and the matrices say of each group"
    first: list[Block] = [Text(explained), *(block for blocks in ends for block in blocks)]
    found = [Section("profiles", heading, first, on=PAGE)]
    if others:
        rest: list[Block] = [block for blocks in others for block in blocks]
        title = "All other groups, closest to people first"
        found.append(Section("profiles-others", title, rest, level=3, on=PAGE, folded=True))
    return found if drawn else []


def asked_sections(made: Alignments, wanted: Sequence[GroupProfile]) -> list[Section]:
    """The profiles that a user asks the terminal for."""
    return [
        Section(
            f"asked-{slug(profile.group)}",
            f"{visible(profile.group)}: {_taus(made, profile)}",
            [ends_table(profile, made.wanted.k), whole_table(made, profile),
             *_means_of_slices(made, profile)],
            on=TERMINAL,
        )
        for profile in wanted
    ]  # fmt: skip


def ends_table(profile: GroupProfile, k: int) -> Table:
    """The top traits and the bottom ones, people's and each matrix's, the outermost first."""
    opinions = (profile.people, *profile.matrices)
    places = [(end, i) for end in ENDS for i in range(_most(opinions, end))]
    columns = [Column("", [f"{end} {i + 1}" for end, i in places], number=False, name="place")]
    columns += [
        Column(visible(own.name), [_trait(profile, own, end, i) for end, i in places], number=False)
        for own in opinions
    ]
    return Table(
        f"{visible(profile.group)}: top {k} (nearest to the right trait), bottom {k} (nearest to the left)",
        columns,
        notes=[KEY],
        most=len(places),
        name=f"ends-{slug(profile.group)}",
    )


def _most(opinions: Sequence[Opinion], end: End) -> int:
    return max(len(own.at_end(end)) for own in opinions)


def _trait(profile: GroupProfile, own: Opinion, end: End, rank: int) -> str:
    """The trait at a place of an order, with its value: "wealthy 0.31 ✓"."""
    at = own.at_end(end)
    if rank >= len(at):
        return ""
    place = at[rank]
    left, right = opposites(profile.pairs[place])
    trait = visible(right if end == "top" else left)
    if own is profile.people:
        return f"{trait} {own.values[place]:.0f}"
    return f"{trait} {number(float(own.values[place]))} {MARKS[own.agrees[place]]}"


def whole_table(made: Alignments, profile: GroupProfile) -> Table:
    """Every pair of traits: people's mean with n and interval, and the matrices' scores."""
    means, rows = made.means, TableRows(list(zip(profile.columns, profile.pairs, strict=True)))
    at = profile.row
    columns = [
        rows.words("pair", lambda row: visible(row[1])),
        rows.numbers("people", lambda row: _value(means.values[at, row[0]]), _one_decimal, missing="none"),
        rows.shown("interval", lambda _: None, lambda row: span(means, at, row[0]), in_files=False, drop=1),
        rows.counts("n", lambda row: _count(means.counts[at, row[0]]), drop=2),
    ]  # fmt: skip
    columns += [_scores(own) for own in profile.matrices]
    notes = [f"{profile.pairs[i]}: {why}" for i, why in _reasons(means, profile)]
    return Table(
        f"{visible(profile.group)}: all pairs of traits, in people’s order",
        columns,
        notes=[*notes, "Bold: among the matrix’s highest or lowest pairs. " + KEY],
        most=len(profile.pairs),
        name=f"profile-{slug(profile.group)}",
    )


def _scores(own: Opinion) -> Column:
    values = [_value(value) for value in own.values]
    shown = [
        "" if value is None else f"{number(value)} {MARKS[agrees]}".rstrip()
        for value, agrees in zip(values, own.agrees, strict=True)
    ]
    return Column(visible(own.name), values, shown=shown, bold=[bool(end) for end in own.ends])


def _reasons(means: CellMeans, profile: GroupProfile) -> list[tuple[int, str]]:
    found = [(i, means.why(profile.row, column)) for i, column in enumerate(profile.columns)]
    return [(i, why) for i, why in found if why]


def _means_of_slices(made: Alignments, profile: GroupProfile) -> list[Table]:
    """Means of the group by who was asked, one table for each choice of columns."""
    return [
        means_table(parts, profile.group, columns) for columns, parts in by_columns(made).items()
    ]


def by_columns(made: Alignments) -> dict[tuple[str, ...], list[CellMeans]]:
    """The means of slices by the columns that they are by."""
    found: dict[tuple[str, ...], list[CellMeans]] = {}
    for part in made.slice_means:
        found.setdefault(tuple(part.about), []).append(part)
    return found


def means_sections(made: Alignments) -> list[Section]:
    """What the people of each slice say of the groups that a matrix reports on."""
    if not made.slice_means:
        return []
    groups = dict.fromkeys(group for one in made.parts for group in one.groups)
    blocks: list[Block] = [Text(MEANS)]
    blocks += [
        means_table(parts, group, columns)
        for columns, parts in by_columns(made).items()
        for group in groups
    ]
    return [Section("means", "Mean ratings by who was asked", blocks, on=PAGE, folded=True)]


def means_table(parts: Sequence[CellMeans], group: str, columns: Sequence[str]) -> Table:
    """A row a pair of traits, a column a slice, for one group."""
    row = parts[0].groups.index(group)
    pairs = parts[0].pairs
    made = [Column("pair", [visible(pair) for pair in pairs], number=False)]
    for part in parts:
        title = tables.named_values(part.about)
        values = [_value(part.values[row, i]) for i in range(len(pairs))]
        shown = [_mean(part, row, i) for i in range(len(pairs))]
        made.append(Column(title, values, shown=shown))
    named = " × ".join(columns)
    return Table(
        f"{visible(group)}: mean ratings by {named}",
        made,
        folded=True,
        most=len(pairs),
        name=f"means-{slug(group)}-{'-'.join(columns)}",
    )  # fmt: skip


def _mean(part: CellMeans, row: int, column: int) -> str:
    value = _value(part.values[row, column])
    if value is None:
        return "no rating"
    inside = span(part, row, column)
    return f"{value:.1f}{' ' if inside else ''}{inside} ({int(part.counts[row, column])})"


def span(means: CellMeans, row: int, column: int) -> str:
    """The interval of a cell, "" where there is none."""
    interval = means.interval(row, column)
    return "" if interval is None else f"{interval[0]:.0f}–{interval[1]:.0f}"


def _picture(made: Alignments, profile: GroupProfile) -> Picture:
    title = f"{profile.group}: {_taus(made, profile)}"

    def draw(name: str, layout: people_profile.ProfileLayout) -> Markup:
        return people_profile.side_by_side(title, profile, name=name, layout=layout)

    return in_two_layouts(
        f"profile-{slug(profile.group)}",
        draw,
        (people_profile.WIDE, people_profile.NARROW),
        table=whole_table(made, profile),
    )


def _taus(made: Alignments, profile: GroupProfile) -> str:
    """Tau of the group with each matrix, in their order: "τ = 0.48, 0.31"."""
    found = [
        e
        for one in made.parts
        if profile.group in one.groups and (e := one.find(POOLED, one.subset(profile.group)))
    ]
    return f"τ = {', '.join(map(tables.two_decimals, found))}"


def _closeness(made: Alignments, profile: GroupProfile) -> float:
    """Tau of the first matrix that has the group; −2 where it has none."""
    for one in made.parts:
        if profile.group in one.groups:
            tau = one.find(POOLED, one.subset(profile.group))
            return -2.0 if tau is None or tau.value is None else tau.value
    return -2.0


def _one_decimal(value: float) -> str:
    return f"{value:.1f}"


def _value(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _count(value: float) -> int | None:
    return None if np.isnan(value) else int(value)
