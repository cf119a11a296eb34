"""The document of `compare-people`: matrices and what people say."""

from collections.abc import Sequence
from itertools import groupby

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.meanings import POOLED, SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    TERMINAL,
    Block,
    Code,
    Document,
    Facts,
    Lines,
    Picture,
    Section,
    Text,
)
from tiltmeter.report.documents import people_tables as tables
from tiltmeter.report.documents.forests import forest_picture
from tiltmeter.report.documents.people_finding import (
    closest_and_farthest,
    finding,
    group_of,
    mean_tau,
    pilot,
    ranked,
    two,
)
from tiltmeter.report.documents.people_method import (
    MEANING,
    SHORT_LIMITS,
    SOURCE,
    WARNING,
    limits,
    method,
)
from tiltmeter.report.plots import people_profile
from tiltmeter.report.plots.forest import Layout, Row
from tiltmeter.report.text import interval_name

GROUPS = Layout(width=720, left=170, right=470, row=26)
TEMPLATES = Layout(width=720, left=262, right=490, row=26, letters=36)
"""With more room for numbers than elsewhere, as intervals reach the ends of the axis; and for names."""


def people_document(made: Alignments, *, command: str = "", files: Sequence[str] = ()) -> Document:
    """Everything about an alignment with people.

    Args:
        made: What was found.
        command: That makes it again.
        files: Names of files beside the page.
    """
    k = made.wanted.k
    parts = made.parts
    found = [
        Text(text, "plain" if i else "headline")
        for one in parts
        for i, text in enumerate([*finding(one, k), pilot(one)])
        if text
    ]
    return Document(
        "Compared with what people say",
        " · ".join([*(one.source.name for one in parts), f"people: {made.people.name}"]),
        found,
        [
            *_compared(made),
            *(section for i, one in enumerate(parts, 1) for section in _part(one, made, f"m{i}")),
            _in_short(made),
            _method(made),
            _people(made),
            _repeat(made, command),
        ],
        meaning=MEANING.format(scale=made.people.scale),
        limits=limits(made),
        warning=WARNING,
        leading=_overview(made),
        files=files,
    )


def _overview(made: Alignments) -> list[Picture]:
    """The pooled tau of several matrices."""
    if len(made.parts) < 2:  # noqa: PLR2004
        return []
    rows = [
        Row(one.source.name, tau, beside=_span(one.find(f"{POOLED}_{SPLIT}")))
        for one in made.parts
        if (tau := one.find(POOLED)) is not None
    ]
    picture = forest_picture(
        rows,
        name="matrices",
        title="Kendall’s τ with people by matrix",
        caption="Kendall’s τ over all cells with its 95 % interval, one row a matrix. The shaded band is "
        "what two random halves of the people reach with each other: its middle 95 % over random splits. A "
        "filled mark is significant (p < .05); a hollow one is not.",
        layout=GROUPS,
    )
    return [picture] if picture else []


def _compared(made: Alignments) -> list[Section]:
    if not made.compared:
        return []
    explained = (
        "A difference is the first matrix’s value less the second’s, on the cells that both have; its "
        "interval draws the same groups for both."
    )
    table = tables.number_table(made.compared, "", name="compared", models=True)
    return [Section("compared", "The matrices compared", [Text(explained, on=PAGE), table])]


# ── One matrix ───────────────────────────────────────────────────────────────────────────────────


def _part(one: Alignment, made: Alignments, key: str) -> list[Section]:
    """All about one matrix, under its name."""
    k, name = made.wanted.k, one.source.name
    whole: list[Block] = [tables.overall(one, k)]
    ceilings = tables.ceilings(one, k)
    whole += [ceilings] if ceilings.rows else []
    sections = [
        Section(key, name, whole),
        Section(f"{key}-groups", "Kendall’s τ by group", _groups(one, made, key), level=3),
        *_profile_sections(one, k, key),
        Section(f"{key}-templates", "By template", _templates(one, key), level=3),
        Section(f"{key}-slices", "By who was asked", _slices(one, k, key), level=3),
        Section(f"{key}-left-out", "What was left out or renamed", _left_out(one), level=3),
    ]  # fmt: skip
    return [section for section in sections if section.blocks]


def _groups(one: Alignment, made: Alignments, key: str) -> list[Block]:
    """Tau of each group on what two halves of its people reach."""
    k = made.wanted.k
    rows = [
        Row(group_of(one, e), e, beside=_span(one.find(f"{POOLED}_{SPLIT}", e.groups)))
        for e in ranked(one)
    ]
    total = mean_tau(one)
    if total is not None:
        split = one.find(f"{total.name}_{SPLIT}")
        rows.append(Row("mean over groups", total, total=True, beside=_span(split)))
    halves = (
        "The shaded band is what two random halves of that group’s people reach with each other (the "
        "middle 95 % over random splits): nothing can be expected to agree with people much better than "
        "they agree with each other. "
        if made.people.ratings
        else ""
    )
    picture = forest_picture(
        rows,
        name=f"{key}-groups",
        title=f"Kendall’s τ with people, {one.source.name}",
        caption="Kendall’s τ within each group, with its 95 % interval; n is the number of pairs of traits. "
        f"{halves}A filled mark is significant after Holm’s adjustment (p < .05); a hollow one is not.",
        layout=GROUPS,
        table=tables.by_group(one, k),
        on=BOTH,
    )
    ends = closest_and_farthest(one)
    return [
        *([Text(ends, on=PAGE)] if ends else []),
        *([picture] if picture else []),
        *([Text(ends, on=TERMINAL)] if ends else []),
    ]


def _profile_sections(one: Alignment, k: int, key: str) -> list[Section]:
    """What people and the matrix say of each group: the closest to people, the farthest, the others."""
    explained = (
        "A bar points to the trait that the group is nearer to; pairs stand in people’s order. People’s "
        "bars are means from the middle of their scale to its ends, the others are scaled to the longest of "
        f"the group. Of the {k} highest and {k} lowest, blue bars are on the same side as people’s, orange "
        "ones on the other."
    )
    drawn = [_profile(one, e, k, f"{key}-profile-{i}") for i, e in enumerate(ranked(one), 1)]
    ends, others = [*drawn[:1], *drawn[1:][-1:]], drawn[1:-1]
    heading = f"What people and {one.source.name} say"
    found = [Section(f"{key}-profiles", heading, [Text(explained), *ends], level=3, on=PAGE)]
    if others:
        title = f"{heading}: all other groups, closest to people first"
        found.append(Section(f"{key}-others", title, others, level=3, on=PAGE, folded=True))
    return found


def _profile(one: Alignment, tau: Estimate, k: int, name: str) -> Picture:
    group = group_of(one, tau)
    at = one.groups.index(group)
    title = f"{group}: τ = {two(tau.value) or 'undefined'}"
    wide, narrow = (
        people_profile.side_by_side(
            title, one.pairs, one.scores[at], one.mean_ratings[at], k=k, model=one.source.name,
            name=f"{name}-{layout.width}", layout=layout,
        )
        for layout in (people_profile.WIDE, people_profile.NARROW)
    )  # fmt: skip
    return Picture(name, wide, narrow, "")


def _templates(one: Alignment, key: str) -> list[Block]:
    table = tables.by_template(one)
    if table is None:
        return []
    chosen = one.pilot.templates if one.pilot else ()
    by_tau = sorted(one.by_template, key=lambda e: (e.value is None, -(e.value or 0.0)))
    axis = one.source.view.layers
    rows = [Row(("● " if e.groups[axis] in chosen else "") + e.groups[axis], e) for e in by_tau]
    picture = forest_picture(
        rows,
        name=f"{key}-templates",
        title=f"τ by template, {one.source.name}",
        caption="Kendall’s τ of each template by itself over all cells of the groups above, pilot groups "
        "left out. ● marks what the pilot chose without having seen these groups. Choosing from this "
        "picture would fit chance: that is what the pilot is for.",
        layout=TEMPLATES,
    )
    return [*([picture] if picture else []), table]


def _slices(one: Alignment, k: int, key: str) -> list[Block]:
    """One table and one picture for each choice of columns."""
    blocks: list[Block] = []
    for i, (columns, some) in enumerate(groupby(one.slices, key=lambda part: part.columns), 1):
        parts = list(some)
        rows = [
            Row(f"{tables.slice_name(part)} ({part.people} people)", part.estimates[0])
            for part in parts
        ]
        picture = forest_picture(
            rows,
            name=f"{key}-slices-{i}",
            title=f"τ by {' × '.join(columns)}, {one.source.name}",
            caption="Kendall’s τ over all cells with the means of those people only. Fewer people have "
            "noisier means, and so a lower τ even where they think the same.",
            layout=TEMPLATES,
        )
        blocks += [picture] if picture else []
        blocks += [tables.slices(parts, columns, k), tables.slices_by_group(one, parts, columns)]
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


def _span(estimate: Estimate | None) -> tuple[float, float] | None:
    if estimate is None or estimate.low is None or estimate.high is None:
        return None
    return estimate.low, estimate.high


# ── Beside the results ───────────────────────────────────────────────────────────────────────────


def _in_short(made: Alignments) -> Section:
    """What the terminal says beside the numbers."""
    people = made.people
    every = [e for one in made.parts for e in one.estimates]
    intervals = dict.fromkeys(interval_name(e) for e in every if e.interval)
    facts = {
        "People": f"{people.name}: {len(people.groups)} groups, {len(people.pairs)} pairs of traits, "
        f"answers from {people.scale}",
        "Notes": " ".join(made.notes),
        "Interval": "; ".join(intervals),
        "Bold": "significant (p < .05, and the interval excludes the neutral value)",
        "What this does not show": SHORT_LIMITS,
    }
    return Section("in-short", "", [Facts(facts)], on=TERMINAL)


def _method(made: Alignments) -> Section:
    return Section("method", "How it was computed", [Text(text) for text in method(made)], on=PAGE)


def _people(made: Alignments) -> Section:
    people = made.people
    blocks: list[Block] = []
    if people.who:
        unlinked = f" No results by who they are: {people.unlinked}." if people.unlinked else ""
        blocks.append(Text(f"{people.who}{unlinked}"))
    blocks += [Text(note) for note in made.notes]
    blocks.append(
        Facts({
            "name": people.name, "source": people.source, "licence": people.licence,
            "answers from": str(people.scale), "groups": len(people.groups),
            "pairs of traits": len(people.pairs), "SHA-256": people.sha256,
        })
    )  # fmt: skip
    return Section("people", "The people", blocks, on=PAGE)


def _repeat(made: Alignments, command: str) -> Section:
    wanted = made.wanted
    asked = "the usual groups" if wanted.pilot is None else ", ".join(wanted.pilot) or "none"
    settings = {
        "k": str(wanted.k),
        "pilot": asked,
        "seed": str(wanted.seed),
        "random splits": f"{wanted.splits:,}",
        "by": "; ".join(" × ".join(columns) for columns in wanted.by),
    }
    blocks: list[Block] = [Code(command)] if command else []
    blocks.append(Facts({name: value for name, value in settings.items() if value}))
    for one in made.parts:
        middle = {"neutral value": one.source.middle} if one.source.middle else {}
        blocks.append(Facts({"matrix": one.source.path, **one.source.facts, **middle}))
    blocks.append(Text(SOURCE))
    return Section("repeat", "How to repeat it", blocks, on=PAGE)
