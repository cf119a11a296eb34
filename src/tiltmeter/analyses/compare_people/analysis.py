"""compare-people: matrices of groups × traits and what people say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

from tiltmeter.analyses.compare_people.alignment import FIRST, MATRIX, SECOND, Alignments
from tiltmeter.analyses.compare_people.profiles import WARNING
from tiltmeter.analyses.compare_people.quantities import POOLED
from tiltmeter.analyses.compare_people.sentences import words
from tiltmeter.analysis.people import alignment, profiles, quantities
from tiltmeter.analysis.people.annotators import by_columns
from tiltmeter.analysis.people.sources import Source, named_apart, people_of, source_of
from tiltmeter.core.analysis import Circumstances, Input, digest, finish, once
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.analysis_views import TextLines
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import CheckedOptions, Encoding, Missing, PeopleScale, Seed
from tiltmeter.core.results import Estimate, Result, notes_of
from tiltmeter.core.views import View
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import US
from tiltmeter.data.people.ratings import scale_named
from tiltmeter.metrics.alignment import K
from tiltmeter.run.files.folder_names import file_stem
from tiltmeter.run.monitor import Monitor

FILE = AnalysisFile.beside(__file__)


def _names(pilot: str) -> tuple[str, ...]:
    """What --pilot says: () for none.

    >>> _names("men, women"), _names("none")
    (('men', 'women'), ())
    """
    if pilot.strip().lower() == "none":
        return ()
    names = tuple(name.strip() for name in pilot.split(",") if name.strip())
    if not names:
        raise BadInput("--pilot is empty", "name groups, separated by commas, or write none")
    return names


def _aliases(given: Sequence[str]) -> dict[str, str]:
    """What --alias says.

    >>> _aliases(["farmers=farmer"])
    {'farmers': 'farmer'}
    """
    return pairs_given("--alias", given, "NAME=NAME", "farmers=farmer")


@dataclass(frozen=True, slots=True)
class PeopleOptions(CheckedOptions):
    """The options of `tiltmeter compare-people`."""

    people: Annotated[Path, FILE.option("people")] = Path(US)
    scale: PeopleScale = "0:100"
    pilot: Annotated[
        tuple[str, ...] | None, FILE.option("pilot", parse=_names, typed=str | None)
    ] = None
    with_pilot: Annotated[bool, FILE.option("with_pilot")] = False
    k: Annotated[int, FILE.option("k")] = K
    by: Annotated[
        tuple[tuple[str, ...], ...], FILE.option("by", parse=by_columns, typed=tuple[str, ...])
    ] = ()
    profile: Annotated[tuple[str, ...], FILE.option("profile")] = ()
    alias: Annotated[
        dict[str, str], FILE.option("alias", parse=_aliases, typed=tuple[str, ...])
    ] = field(default_factory=dict)
    middle: Annotated[float, FILE.option("middle")] = 0.0
    encoding: Encoding = ""
    missing: Missing = None
    seed: Seed = 0


def compute(matrices: Sequence[Input], options: PeopleOptions, _: Monitor) -> Result:
    """Hold matrices of runs and tables against what people say."""
    with missing_words(options.missing):
        sources = [
            source_of(given, middle=options.middle, encoding=options.encoding) for given in matrices
        ]
        once(matrices, "give each matrix once")
        people = people_of(
            str(options.people), scale=scale_named(options.scale), encoding=options.encoding
        )
    wanted = alignment.Wanted(
        k=options.k, pilot=options.pilot, with_pilot=options.with_pilot, by=options.by,
        aliases=options.alias, seed=options.seed,
    )  # fmt: skip
    made = alignment.align(named_apart(sources), people, wanted, lists=GroupFile.named())
    asked = profiles.chosen(made, options.profile)
    estimates = [e for part in made.parts for e in part.estimates]
    only = made.parts[0].source if len(made.parts) == 1 else None
    run = only.facts if only else {}
    return finish(
        ANALYSIS,
        [*_headline(made), *estimates, *made.compared],
        Circumstances(
            data=_data(made),
            model={"name": only.name, "fingerprint": only.fingerprint} if only else {},
            rule=run.get("rule", ""),
            convention=run.get("convention", ""),
            subtitle=" · ".join(
                [*(part.source.name for part in made.parts), f"people: {people.name}"]
            ),
            seed=wanted.seed,
            method="\n\n".join(_method(made)),
            settings=_settings(wanted),
            notes=notes_of("data", made.notes),
            sources=[_source(part.source) for part in made.parts],
            labels={"axis": {FIRST: "first", SECOND: "second"}},
            views=tuple(_views(made, asked)),
            limits=people.limits and f"{FILE.not_what.removesuffix('.')}: {people.limits}.",
            measures={e.name: e.meaning for e in (*estimates, *made.compared)},
        ),
        [*profiles.pilot_records(made), *profiles.cell_records(made)],
    )


def _headline(made: Alignments) -> list[Estimate]:
    """Of several matrices: how many agree with people. Of one it is its own τ."""
    if len(made.parts) == 1:
        return []
    taus = [part.find(POOLED.name) for part in made.parts]
    count = sum(bool(tau and tau.significant and (tau.value or 0.0) > 0) for tau in taus)
    return [quantities.ALIGNED.at(count, n=len(taus))]


def _data(made: Alignments) -> dict[str, object]:
    """What is known of the people, and a checksum of all that went in."""
    people = made.people
    content = [
        (part.source.name, part.groups, part.pairs, part.scores.tolist()) for part in made.parts
    ]
    annotators = people.ratings.annotators if people.ratings else ()
    return {
        "name": people.name,
        "sha256": digest(people.sha256, people.values.tolist(), content),
        "people’s SHA-256": people.sha256,
        "source": people.source,
        "licence": people.licence,
        "who": people.who,
        "results by who they are": people.unlinked,
        "answers from": str(people.scale),
        "groups": len(people.groups),
        "pairs of traits": len(people.pairs),
        "annotators": len(annotators) or None,
        "without single ratings": [" / ".join(cell) for cell in people.spoilt],
        "warning": WARNING,
    }


def _settings(wanted: alignment.Wanted) -> dict[str, str]:
    asked = "the usual groups" if wanted.pilot is None else ", ".join(wanted.pilot) or "none"
    settings = {
        "k": str(wanted.k),
        "pilot": asked,
        "reported on": "all groups, the pilot's too" if wanted.with_pilot else "",
        "random splits": f"{wanted.splits:,}",
        "by": "; ".join(" × ".join(columns) for columns in wanted.by),
        "aliases": "; ".join(f"{name} = {other}" for name, other in wanted.aliases.items()),
    }
    return {name: value for name, value in settings.items() if value}


def _source(source: Source) -> dict[str, str]:
    middle = {"neutral value": f"{source.middle:g}"} if source.middle else {}
    templates = {"templates": str(len(source.templates))} if source.layers else {}
    return {
        MATRIX: source.name, "model": source.matrix.name, "from": source.path, **source.facts, **middle,
        **templates,
    }  # fmt: skip


def _method(made: Alignments) -> list[str]:
    """How it was computed; of the noise ceiling only where there is one."""
    names = [
        "tau",
        "precision",
        *(["ceiling"] if made.people.ratings else []),
        "own_groups",
        "source",
    ]
    return [FILE.text(name, k=made.wanted.k, splits=made.wanted.splits) for name in names]


def _views(made: Alignments, asked: Sequence[str]) -> Iterator[View]:
    """Tables and pictures, a table for each of several matrices."""
    show = partial(
        FILE.shown, by=MATRIX if len(made.parts) > 1 else "", k=made.wanted.k,
        rows=made.axes[0], columns=made.axes[1],
    )  # fmt: skip
    yield from show("whole")
    yield from show("groups", halves=f"{FILE.text('halves')} " if made.people.ratings else "")
    axes = dict.fromkeys(p.source.view.layers for p in made.parts if p.source.layers)
    for axis in axes:  # matrices may call templates differently
        name = "templates" if len(axes) == 1 else f"templates_{file_stem(axis)}"
        yield from show("templates", axis=axis, name=name)
    for columns in made.wanted.by:
        of = tuple(made.axis(column) for column in columns)
        slices, name = " × ".join(columns), file_stem("_".join(of))
        yield from show("slices", axes=of, but_last=of[:-1], last=of[-1], slices=slices, name=name)
    yield from _lines(made)
    ordered = profiles.closest_first(made)
    # The closest group and the farthest, which of a single group are one.
    ends, others = [*ordered[:1], *ordered[1:][-1:]], ordered[1:-1]
    for names, title, explained in (
        (
            ends,
            "What people and the matrices say of each group",
            FILE.text("bars", k=made.wanted.k),
        ),
        (others, "All other groups, closest to people first", ""),
    ):
        chosen = tuple(name for name in asked if name in names)
        yield from show(
            "profiles", names=tuple(names), title=title, asked=chosen, explained=explained,
            folded=names is others,
        )  # fmt: skip
    yield from show("cells")


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


ANALYSIS = FILE.analysis((quantities.ALIGNED, *quantities.every(K)), compute, PeopleOptions, words)
