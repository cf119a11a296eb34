"""correlate: how measures relate over models, groups, or the cells of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analyses.correlate.joined_names import join_categories, join_rules, renamed
from tiltmeter.analyses.correlate.point_tables import of_published, of_table
from tiltmeter.analyses.correlate.points import Observation, Points, point_records, points_of
from tiltmeter.analyses.correlate.relations import (
    PAIRS,
    QUANTITIES,
    Relations,
    check_names,
    correlate,
    measured_reliabilities,
)
from tiltmeter.analyses.correlate.run_points import of_runs, wanted
from tiltmeter.analyses.correlate.sentences import words
from tiltmeter.analyses.correlate.views import views_of
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish, once
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import CheckedOptions, Encoding, Missing, Option, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.published import published
from tiltmeter.derived.comparisons.model_families import Families
from tiltmeter.derived.sources import read_results
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import read_if_named
from tiltmeter.run.run_options import AllowCode, StudyPath

SLOW = 2_000
"""Pairs of measures times points, beyond which a line says what takes so long."""
METHOD = (
    "Each pair of measures is correlated over the points that have both; tests are two-sided. Holm’s "
    "adjustment makes p larger, so that the chance of any false finding among all pairs stays below "
    "5 %; each of the three correlations is adjusted by itself. correlations.csv has both.\n\n"
    "Intervals are by Fisher’s z with a jackknife over families of models, from eight points of five "
    "families on. They hold for families, skewed numbers and unequal spread. Where one point in ten is "
    "far from all others, those of r contain the true value in 85 of 100 samples of 8 to 20 unrelated "
    "points; those of ρ hold there too. They ignore how uncertain each point is. Over unrelated points "
    "p is of a permutation test, which is exact where there is no relation: it can be below .05 where "
    "a single point decides r and the interval is wide. Over families p and interval agree."
)
ON_RELIABILITY = (
    "Reliability: the items of each run, in whole clusters where the data have them, are split in two "
    "at random, again and again, the same way for all points. The halves’ numbers are correlated over "
    "the points, and the mean is stepped up to all items by the Spearman–Brown formula. A value that "
    "is not above 0 means that halves do not agree, so that none can be estimated; with fewer than "
    "three points there is none."
)


def _aliases(given: Sequence[str]) -> dict[str, str]:
    return pairs_given("--alias", given, "NAME=NAME", "FAKE=fake:causal")


def _reliabilities(given: Sequence[str]) -> dict[str, float]:
    """The reliability of each measure, a share above 0 and at most 1.

    >>> _reliabilities(["ss (a=b)=0.8"])
    {'ss (a=b)': 0.8}
    """
    option = "--reliability"
    texts = pairs_given(option, given, "MEASURE=NUMBER", "stereotype_rate=0.8")
    shares = {name: decimal_number(text) for name, text in texts.items()}
    for name, share in shares.items():
        if share is None or not 0 < share <= 1:
            raise BadInput(
                f"{option} of {name!r} is {texts[name]!r}", "give a share above 0 and at most 1"
            )
    return {name: share for name, share in shares.items() if share is not None}


@dataclass(frozen=True, slots=True)
class CorrelateOptions(CheckedOptions):
    """The options of `tiltmeter analyse correlate`."""

    table: Annotated[tuple[Path, ...], Option(
        "Other numbers: one row per point (columns `model`, `group`), one column per measure.",
        file=True,
    )] = ()  # fmt: skip
    published: Annotated[tuple[str, ...], Option(
        "A published table: elsafoury2023_sos, elsafoury2023_f1, …", metavar="NAME",
        complete="published",
    )] = ()  # fmt: skip
    over: Annotated[Literal["models", "groups", "cells"], Option(
        "What the points are: models, groups, or each group of each model.",
    )] = "models"  # fmt: skip
    measure: Annotated[tuple[str, ...], Option(
        "The estimate to use from each run: NAME or NAME:AXIS=VALUE (default: the headline). Each one "
        "given is a measure.",
        metavar="NAME",
    )] = ()  # fmt: skip
    between: Annotated[bool, Option(
        "Only correlate measures of different sources: studies, files, published tables.",
    )] = False  # fmt: skip
    axis: Annotated[tuple[str, ...], Option(
        "Over groups and cells: the axis of the runs, `category` for each study’s kinds of bias, `a,b` "
        "for intersections; of several, the first that a run has (default: `category` for several "
        "studies, else the one that shares most with the other sources).",
        metavar="AXIS",
    )] = ()  # fmt: skip
    alias: Annotated[Mapping[str, str], Option(
        "Another name of a model or group, as used in another source.", metavar="NAME=NAME",
        parse=_aliases,
    )] = field(default_factory=dict)  # fmt: skip
    reliability: Annotated[Mapping[str, float], Option(
        "A measure's reliability, if known from elsewhere.", metavar="MEASURE=NUMBER",
        parse=_reliabilities, typed=Mapping[str, str],
    )] = field(default_factory=dict)  # fmt: skip
    family: Families = field(default_factory=dict)
    method: Annotated[Literal["pearson", "spearman"], Option(
        "Which correlation is shown first.",
    )] = "pearson"  # fmt: skip
    encoding: Encoding = ""
    missing: Missing = None
    study_file: StudyPath = None
    allow_code: AllowCode = False
    seed: Seed = 0


def compute(inputs: Sequence[Input], options: CorrelateOptions, monitor: Monitor) -> Result:
    """Correlate each two measures of runs, tables and published tables."""
    read_if_named(options.study_file, allow_code=options.allow_code)
    with missing_words(options.missing):
        observations, notes = _read(inputs, options)
    observations, categories = join_categories(renamed(observations, options.alias))
    observations, rules, apart = join_rules(observations, options.over)
    points = points_of(observations, options.over, apart=apart, notes=[*rules, *categories])
    sources = combinations((measure.source for measure in points.measures), 2)
    pairs = sum(not options.between or source != other for source, other in sources)
    if pairs * len(points.labels) > SLOW:
        monitor.step(
            f"correlating {counted(pairs, 'pairs of measures')} over {counted(len(points.labels), 'points')}"
        )
    check_names(points, options.reliability, options.family)
    with monitor.steps("splitting items", len(points.measures), "measures") as bar:
        measured = measured_reliabilities(
            points, options.reliability, seed=options.seed, done=bar.reach
        )
    with monitor.steps("correlating", pairs, "pairs of measures") as bar:
        made = correlate(
            points,
            method=options.method, seed=options.seed, between=options.between,
            reliabilities=options.reliability, families=options.family,
            measured=measured, done=bar.reach,
        )  # fmt: skip
    names = [_name(given) for given in (*inputs, *options.table, *options.published)]
    settings = {
        "over": options.over, "method": options.method,
        "between": "sources" if options.between else "all measures",
        **{f"reliability of {name}": f"{value:g}" for name, value in options.reliability.items()},
        **{f"family of {name}": family for name, family in options.family.items()},
    }  # fmt: skip
    return finish(
        ANALYSIS,
        _estimates(made),
        Circumstances(
            data={
                "name": options.over,
                "sha256": digest(
                    points.labels, points.names, points.values.tolist(), sorted(settings.items())
                ),
            },
            subtitle=f"{counted(len(points.measures), 'measures')} · {len(points.labels)} {points.over}",
            seed=options.seed,
            method="\n\n".join([METHOD, *([ON_RELIABILITY] if made.reliabilities else [])]),
            settings=settings,
            notes=notes_of("caution", [*made.notes, *notes]),
            sources=[{"source": name} for name in names],
            labels={axis: _numbered(points) for axis in ("x", "y")},
            views=views_of(made),
            limits="That one measure causes the other, or that both measure the same thing. It describes "
            f"{points.over} like these; with few of them almost any number can arise by chance.",
        ),
        [*point_records(points)],
    )  # fmt: skip


def _name(given: Input) -> str:
    if isinstance(given, Result):
        return folder_name(given)
    return given.name if isinstance(given, Path) else given


def _read(
    inputs: Sequence[Input], options: CorrelateOptions
) -> tuple[list[Observation], list[str]]:
    """The numbers of all sources, and notes on what is not read."""
    if not (inputs or options.table or options.published):
        raise BadInput("nothing to correlate", "give run folders, a --table or a --published table")
    if options.axis and options.over == "models":
        raise BadInput("--axis does not apply over models", "add --over groups, or leave it out")
    once((*options.table, *options.published), "give it once")
    chosen = [wanted(text) for text in options.measure]
    once(options.measure, "give it once")
    for option, given, what in (
        ("--measure", options.measure, "measures"), ("--axis", options.axis, "axes"),
    ):  # fmt: skip
        if given and not inputs:
            raise BadInput(
                f"{option} chooses among the {what} of runs, and no run is given",
                "leave it out, or name run folders",
            )
    observations: list[Observation] = []
    notes: list[str] = []
    for path in options.table:
        numbers, left_out = of_table(path, options.over, encoding=options.encoding)
        observations += numbers
        notes += left_out
    for name in options.published:
        observations += of_published(name, options.over)
        notes += [f"{name}: {note}" for note in published(name).notes]
    aliases = {*options.alias, *options.alias.values()}
    labels = {observation.group for observation in observations} | aliases
    if options.over == "models" and not chosen:
        try:  # of many runs, most of the time goes into reading numbers that are not needed here
            results, left_out = read_results(inputs, whole=True)
            of_results = of_runs(results, options.over)
        except BadInput:
            results, left_out = read_results(inputs)
            of_results = of_runs(results, options.over)
    else:
        results, left_out = read_results(inputs)
        of_results = of_runs(results, options.over, chosen, options.axis, labels)
    return [*of_results, *observations], [*notes, *left_out]


def _numbered(points: Points) -> dict[str, str]:
    """The number of each measure, which tables show for its name."""
    return {name: str(number) for number, name in enumerate(points.names, 1)}


def _estimates(made: Relations) -> list[Estimate]:
    """How many pairs are significant, then all numbers of each pair, the strongest first."""
    main = {(e.groups["x"], e.groups["y"]): e for e in made.of(made.method)}

    def rank(e: Estimate) -> tuple[bool, float]:
        first = main[e.groups["x"], e.groups["y"]]
        return first.value is None, -abs(first.value or 0.0)

    count = sum(bool(e.significant) for e in main.values())
    headline = PAIRS.at(count, n=len(main))
    return [headline, *sorted(made.estimates, key=rank), *made.reliabilities]


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> measures = pl.DataFrame({"model": [*"abcde"], "bias": [1, 2, 3, 4, 5], "error": [2, 1, 4, 3, 5]})
>>> tm.analyse.correlate(table=measures).estimate("spearman", x="bias", y="error")
<spearman of x bias, y error: 0.8, p (Holm) 0.1333, n 5>"""
ANALYSIS = Analysis(
    name="correlate", title="How measures relate", version="1",
    summary="Correlate measures over models, groups or cells: exact tests, intervals and statistical "
    "power.",
    means="A correlation says how closely two measures agree on which points are high and low: 1 is "
    "perfect agreement, 0 no relation, −1 perfect disagreement.",
    not_what="That one measure causes the other, or that both measure the same thing.",
    example=EXAMPLE,
    inputs="Run folders of any studies.", fewest=0,  # tables will do
    quantities=(PAIRS, *QUANTITIES.values()),
    compute=compute, options=CorrelateOptions, words=words,
)  # fmt: skip
