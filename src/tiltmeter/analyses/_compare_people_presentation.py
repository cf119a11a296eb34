"""How compare-people is shown and what it says: of each matrix how far it agrees with people."""

from collections.abc import Iterator, Sequence

from tiltmeter.analysis.people import alignment, profiles, quantities
from tiltmeter.analysis.people.alignment import FIRST, MATRIX, SECOND, Alignments
from tiltmeter.analysis.people.quantities import MEAN as MEAN_TAU
from tiltmeter.analysis.people.quantities import POOLED, precision_at, split_half
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.analysis_views import (
    Forest,
    NumberColumn,
    NumberTable,
    RecordTable,
    RowProfiles,
    TextLines,
)
from tiltmeter.core.quantity import in_files
from tiltmeter.core.results import Estimate, Paragraph
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.core.views import View
from tiltmeter.report import text
from tiltmeter.report.documents.families import by_value

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


GROUPS = "groups"
"""The view with a row a group: of its axis the sentences speak."""
ENDS = 3
"""How many groups are named as the closest and as the farthest."""


def words(numbers: Numbers) -> list[Paragraph]:
    """Of each matrix how far it agrees with people, how sure that is, and how templates were chosen."""
    sources = numbers.card.sources
    texts: list[Paragraph] = []
    for source in sources:
        at = {MATRIX: source[MATRIX]} if len(sources) > 1 else {}
        texts += paragraphs((*_finding(numbers, source[MATRIX], at), _pilot(numbers, source, at)))
    data = numbers.card.data
    people = (
        f"People: {data['name']}: {counted(data['groups'], 'groups')}, {data['pairs of traits']} pairs "
        f"of traits, answers from {data['answers from']}."
    )
    return [*texts, Paragraph(people, "note")]


def _finding(numbers: Numbers, name: str, at: Groups) -> Iterator[str]:
    """Sentences about one matrix, the headline first."""
    tau = numbers.get(POOLED, **at)
    assert tau is not None  # noqa: S101  (every alignment has one)
    if tau.value is None:
        why = text.why_undefined(tau)
        yield text.sentence_end(f"{name}: Kendall’s τ with what people say is undefined: {why}")
        return
    split = numbers.get(split_half(POOLED), **at)
    halves = (
        f" Two random halves of the people agree with each other by τ = {text.value_with_unit(split)}."
        if split and split.value is not None
        else ""
    )
    groups = _ranked(numbers, at)
    yield (
        f"{name} and the people agree with τ = {text.value_with_unit(tau)}{_bounds(tau)} on "
        f"{len(groups)} groups; 0 would be no relation, 1 the same order."
    )
    yield (
        f"{_verdict(tau)} Of two cells (a group and a pair of traits), the matrix and the people put "
        f"{50 * (1 + tau.value):.0f} of 100 in the same order, where 50 is chance (ties apart).{halves}"
    )
    yield _precision(numbers, at)
    yield _own(numbers, at)
    yield _closest_and_farthest(groups)


def _bounds(estimate: Estimate) -> str:
    inside = text.span(estimate)
    return f" ({text.level(estimate)} interval {inside})" if inside else ""


def _verdict(tau: Estimate) -> str:
    p = "" if tau.p is None else f" (p = {text.p_text(tau.p)})"
    significant = tau.significant
    if significant is None:
        return "Without an interval or a test, nothing says whether this is more than chance."
    if not significant:
        return f"No significant relation{p}."
    way = "positive" if tau.value is not None and tau.value > 0 else "negative"
    return f"A significant {way} relation{p}."


def _precision(numbers: Numbers, at: Groups) -> str:
    k = int(numbers.card.settings["k"])
    precision = numbers.get(precision_at(k), **at)
    if precision is None or precision.value is None:
        why = text.why_undefined(precision) if precision else ""
        return f"Precision at {k} is undefined: {why}." if why else ""
    split = numbers.get(split_half(precision_at(k)), **at)
    halves = (
        f", and one half of the people against the other {100 * split.value:.0f}\u00a0%"
        if split and split.value is not None
        else ""
    )
    return (
        f"Precision at {k} is {text.value_with_unit(precision)}{_bounds(precision)}: of a group’s {k} "
        f"highest and {k} lowest pairs of traits, people put {100 * precision.value:.0f}\u00a0% on the same "
        f"side; a random order gets 50\u00a0% on average{halves}."
    )


def _own(numbers: Numbers, at: Groups) -> str:
    difference = numbers.get(quantities.OWN, **at)
    if difference is None or difference.value is None:
        return ""
    p = "" if difference.p is None else f", p = {text.p_text(difference.p)}"
    apart = f"(difference of τ {text.value_with_unit(difference)}{p})"
    if not difference.significant:
        return (
            "Whether the agreement is about the groups is open: a group’s scores do not fit its own ratings "
            f"significantly better than those of other groups {apart}."
        )
    better = "better" if difference.value > 0 else "worse"
    return (
        f"A group’s scores fit its own ratings significantly {better} than those of other groups "
        f"{apart}."
    )


def _axis(numbers: Numbers) -> str:
    """The axis whose values the table of groups lists, such as "region"."""
    tables = (v for v in numbers.card.views if isinstance(v, NumberTable) and v.name == GROUPS)
    return next(tables).rows[0]


def _ranked(numbers: Numbers, at: Groups) -> list[tuple[str, Estimate]]:
    """The groups with their τ, highest first, those without one last."""
    axis = _axis(numbers)
    taus = [e for e in numbers.all(POOLED, **at) if e.groups.keys() == {axis, *at}]
    return [(e.groups[axis], e) for e in by_value(taus)]


def _closest_and_farthest(groups: Sequence[tuple[str, Estimate]]) -> str:
    """Which groups are at either end; "" of few groups."""
    known = [(name, e) for name, e in groups if e.value is not None]
    if len(known) < 2 * ENDS:
        return ""

    closest, farthest = (
        ", ".join(f"{name} ({text.value_with_unit(e)})" for name, e in some)
        for some in (known[:ENDS], known[: -ENDS - 1 : -1])
    )
    return (
        f"Closest to people: {closest}. Farthest: {farthest}. With "
        f"{known[0][1].n} pairs a group, the order of groups is itself uncertain: see the intervals."
    )


def _pilot(numbers: Numbers, source: Groups, at: Groups) -> str:
    """How templates were chosen; "" where there are none."""
    tau, tried = numbers.get(quantities.PILOT_TAU, **at), numbers.get(quantities.TRIED, **at)
    templates = source.get("templates", "")
    if tau is None or tried is None or tried.value is None:
        return f"All {templates} templates are averaged; none was chosen." if templates else ""
    groups, chosen_templates = (
        [r for r in numbers.of_kind(kind) if r.groups[MATRIX] == source[MATRIX]]
        for kind in (profiles.PILOT_GROUP, profiles.CHOSEN_TEMPLATE)
    )
    most = max(int(record.scores["people"]) for record in groups)
    who = f"{most} people each, drawn at random" if most else "the means of all people"
    listed = " and ".join(f"“{record.item}”" for record in chosen_templates)
    averaged = next(
        e for e in numbers.all(POOLED, **at)
        if [value for axis, value in e.groups.items() if axis not in at] == ["all"]
    )  # fmt: skip
    is_reported = "reported on" in numbers.card.settings
    reported, same = (
        ("These groups are in all results, which overstates them", "same groups")
        if is_reported
        else ("These groups are left out of all other results", "same test groups")
    )
    return (
        f"Template{'s' if len(chosen_templates) > 1 else ''} {listed}: the best of {tried.value:,.0f} single "
        f"ones and pairs on {counted(len(groups), 'pilot groups')} "
        f"({', '.join(record.item for record in groups)}; {who}), τ = {text.value_with_unit(tau)} there. "
        f"{reported}: the best of so many fits its pilot too well. On the {same}, the mean over all "
        f"{templates} templates has τ = {text.value_with_unit(averaged)}."
    )
