"""The document of `compare-people`: matrices and what people say."""

from collections.abc import Sequence

from tiltmeter.analysis.people.alignment import Alignments
from tiltmeter.analysis.people.meanings import POOLED, SPLIT
from tiltmeter.analysis.people.profiles import GroupProfile
from tiltmeter.report.document import (
    PAGE,
    TERMINAL,
    Block,
    Code,
    Document,
    Facts,
    Picture,
    Section,
    Text,
)
from tiltmeter.report.documents.conditions import intervals_and_tests
from tiltmeter.report.documents.people.finding import finding, pilot
from tiltmeter.report.documents.people.method import (
    MEANING,
    SHORT_LIMITS,
    SOURCE,
    WARNING,
    limits,
    method,
)
from tiltmeter.report.documents.people.one_matrix import GROUPS, interval_of, one_matrix_sections
from tiltmeter.report.documents.people.profiles import (
    asked_sections,
    means_sections,
    profile_sections,
)
from tiltmeter.report.documents.people.tables import number_table
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import NARROW, Row


def people_document(
    made: Alignments,
    *,
    shown: Sequence[GroupProfile] = (),
    command: str = "",
    files: Sequence[str] = (),
) -> Document:
    """Everything about an alignment with people.

    Args:
        made: What was found.
        shown: Groups whose profiles the terminal prints; the page has all.
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
            *(
                section
                for i, one in enumerate(parts, 1)
                for section in one_matrix_sections(one, made, f"m{i}")
            ),
            *asked_sections(made, shown),
            *profile_sections(made),
            *means_sections(made),
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
        Row(one.source.name, tau, beside=interval_of(one.find(f"{POOLED}_{SPLIT}")))
        for one in made.parts
        if (tau := one.find(POOLED)) is not None
    ]
    return forest_pictures(
        rows,
        name="matrices",
        title="Kendall’s τ with people by matrix",
        caption="Kendall’s τ over all cells with its 95 % interval, one row a matrix. The shaded band is "
        "what two random halves of the people reach with each other: its middle 95 % over random splits. A "
        "filled mark is significant (p < .05); a hollow one is not.",
        layouts=(GROUPS, NARROW),
    )


def _compared(made: Alignments) -> list[Section]:
    if not made.compared:
        return []
    explained = (
        "A difference is the first matrix’s value less the second’s, on the cells that both have; its "
        "interval draws the same groups for both."
    )
    table = number_table(made.compared, "", name="compared", models=True)
    return [Section("compared", "The matrices compared", [Text(explained, on=PAGE), table])]


def _in_short(made: Alignments) -> Section:
    """What the terminal says beside the numbers."""
    people = made.people
    every = [e for one in made.parts for e in one.estimates]
    facts = {
        "People": f"{people.name}: {len(people.groups)} groups, {len(people.pairs)} pairs of traits, "
        f"answers from {people.scale}",
        "Notes": " ".join(made.notes),
        "Interval": intervals_and_tests(every)["Interval"],
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
