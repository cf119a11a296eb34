"""compare-people: matrices of groups × traits and what people say."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from tiltmeter.analyses.compare_people import alignment, profiles, quantities
from tiltmeter.analyses.compare_people.alignment import FIRST, MATRIX, SECOND, Alignments
from tiltmeter.analyses.compare_people.matrices import Source, named_apart, source_of
from tiltmeter.analyses.compare_people.quantities import POOLED
from tiltmeter.analyses.compare_people.sentences import words
from tiltmeter.analyses.compare_people.views import views_of
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish, once
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.answer_options import AnswerColumns, ChoiceOptions
from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import Encoding, Missing, Option, PeopleScale, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import US
from tiltmeter.data.people.ratings import scale_named
from tiltmeter.derived.people.annotators import by_columns
from tiltmeter.derived.people.cell_means import WARNING
from tiltmeter.derived.people.sources import people_of
from tiltmeter.metrics.alignment import K
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.monitor import Monitor

NOT_WHAT = (
    "Agreement with people is not a virtue: it means that both have the same stereotypes. A low τ may "
    "mean a matrix without them, or one that was asked in a way that does not bring them out. These "
    "are the answers of these people, at their time and place."
)
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92; "
    "intervals, tests and what people reach are Tiltmeter’s."
)
ON_TAU = (
    "τ is Kendall’s tau-b: of two cells that differ on both sides, how much likelier the same order is "
    "than the opposite one. Over all cells, cells of all groups are compared with each other; the mean "
    "over groups compares cells within a group only. Intervals resample whole groups (of one group: "
    "its pairs of traits); p of all cells takes cells as independent, which they are not, so read it "
    "with the interval."
)
ON_OWN_GROUPS = (
    "τ with a group’s own ratings less τ with other groups’: mean τ of each group with what people say "
    "of it, less mean τ with what they say of the others. It tells a matrix that distinguishes groups "
    "from one that says the same of all of them. p permutes people’s groups."
)


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
class PeopleOptions(ChoiceOptions):
    """The options of `tiltmeter analyse compare-people`."""

    people: Annotated[Path, Option(
        "us_stereotypes, or a file: single ratings or means, JSON or a table.", metavar="NAME_OR_FILE",
        file=True,
    )] = Path(US)  # fmt: skip
    scale: PeopleScale = "0:100"
    columns: AnswerColumns = field(default_factory=dict)
    pilot: Annotated[tuple[str, ...] | None, Option(
        "Groups on which templates are chosen, separated by commas, or none (default: Asian, Black, "
        "Hispanic, immigrant).",
        metavar="NAMES|none", parse=_names, typed=str | None,
    )] = None  # fmt: skip
    with_pilot: Annotated[bool, Option(
        "Report on the pilot groups too, as the paper does, though templates were chosen on them.",
    )] = False  # fmt: skip
    k: Annotated[int, Option("Pairs at either end for precision at k.", min=1)] = K
    by: Annotated[tuple[tuple[str, ...], ...], Option(
        "Also report agreement and means for each value of this column about annotators; repeatable. "
        "COLUMN,COLUMN crosses columns.",
        metavar="COLUMN[,COLUMN]", parse=by_columns, typed=tuple[str, ...],
    )] = ()  # fmt: skip
    group: Annotated[tuple[str, ...], Option(
        "Also print this group's profile: top and bottom traits of people and of each matrix; "
        "repeatable.",
        metavar="GROUP",
    )] = ()  # fmt: skip
    alias: Annotated[dict[str, str], Option(
        "Two names of one group, pair or trait; repeatable.", metavar="NAME=NAME", parse=_aliases,
        typed=tuple[str, ...],
    )] = field(default_factory=dict)  # fmt: skip
    middle: Annotated[float, Option("Neutral value of MATRIX tables.")] = 0.0
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
            str(options.people),
            scale=scale_named(options.scale),
            encoding=options.encoding,
            columns=options.columns,
        )
    wanted = alignment.Wanted(
        k=options.k, pilot=options.pilot, with_pilot=options.with_pilot, by=options.by,
        aliases=options.alias, seed=options.seed,
    )  # fmt: skip
    made = alignment.align(named_apart(sources), people, wanted, lists=GroupFile.named())
    asked = profiles.chosen(made, options.group)
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
            views=tuple(views_of(made, asked)),
            limits=people.limits and f"{NOT_WHAT.removesuffix('.')}: {people.limits}.",
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
    k, splits = made.wanted.k, made.wanted.splits
    precision = (
        f"Precision at {k}: the share of the {k} highest pairs of a group in which people are above "
        f"the middle of their scale, the share of the {k} lowest in which they are below, and the mean "
        "of the two. Exactly in the middle counts half; pairs that are tied for the last of these "
        "places count in part. Permutations of people’s pairs within groups give p."
    )
    ceiling = (
        "What people reach: the people of each group are split in two at random, "
        f"{counted(splits, 'times')}, "
        "and one half’s means are compared with the other’s. Halves are noisier than the whole, so a "
        "matrix can come out above them. “Very many people (estimated)” is stepped up from the halves "
        "by the Spearman–Brown formula, as if scores were normal: an estimate of the highest τ that "
        "anything can be expected to have with these people. One person is compared with the mean of "
        "all others."
    )
    return [ON_TAU, precision, *([ceiling] if made.people.ratings else []), ON_OWN_GROUPS, SOURCE]


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> cells = [(g, p) for g in ("nurse", "pilot", "judge") for p in ("cold - warm", "poor - wealthy")]
>>> people = pl.DataFrame([
...     {"annotator": who, "group": group, "pair": pair, "rating": 10 * n + shift}
...     for who, shift in (("ann", 0), ("bob", 5), ("cem", 9)) for n, (group, pair) in enumerate(cells)
... ])
>>> matrix = pl.DataFrame([{"group": g, "pair": p, "value": n % 4} for n, (g, p) in enumerate(cells)])
>>> tm.analyse.compare_people(matrix, people=people, pilot=()).headline
<kendall_tau: 0.2148 (-1 to 1), p 0.5588, n 6>"""
ANALYSIS = Analysis(
    name="compare_people", title="Compared with what people say", version="1",
    source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92",
    summary="Compare groups × traits with what people say: Kendall's τ, precision at k, a noise "
    "ceiling.",
    means="People were asked, of each group, which of two opposite traits it is nearer to, on a scale "
    "from the left trait to the right one. A matrix has a number for the same question. Kendall’s τ "
    "compares the two orders: 1 is the same, 0 no relation, −1 the opposite. Only orders are compared, "
    "so the two need no common unit.",
    not_what=NOT_WHAT,
    example=EXAMPLE,
    inputs="A run folder with a matrix, or a table: group, pair, value, or wide. Several are shown "
    "side by side.",
    metavar="MATRIX…", reports_others=True, quantities=(quantities.ALIGNED, *quantities.every(K)),
    compute=with_and_without(compute, POOLED, over=(MATRIX,)), options=PeopleOptions, words=words,
)  # fmt: skip
