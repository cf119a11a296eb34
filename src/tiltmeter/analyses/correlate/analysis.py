"""correlate: how measures relate over models, groups, or the cells of both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analyses.correlate.joined_names import join_categories, join_rules, renamed
from tiltmeter.analyses.correlate.point_tables import of_published, of_table
from tiltmeter.analyses.correlate.points import Observation, Points, point_records, points_of
from tiltmeter.analyses.correlate.relations import (
    CORRECTED,
    KENDALL,
    PAIRS,
    PEARSON,
    QUANTITIES,
    SPEARMAN,
    Relations,
    correlate,
)
from tiltmeter.analyses.correlate.run_points import of_runs, wanted
from tiltmeter.analyses.correlate.split_half import OF
from tiltmeter.analysis.sources import read_results
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    once,
    paragraphs,
)
from tiltmeter.core.analysis_views import (
    NumberTable,
    PairHeat,
    PairScatters,
    RecordTable,
    TextLines,
)
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import CheckedOptions, Encoding, Missing, Option, Seed
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import decimal_number
from tiltmeter.core.views import View
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.published import published
from tiltmeter.report.text import final_p, level, p_text, sentence_end, span, value_with_unit
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import read_if_named
from tiltmeter.run.run_options import AllowCode, StudyPath

SLOW = 2_000
"""Pairs of measures times points, beyond which a line says what takes so long."""
A_POINT = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}
"""What a point is, by what the correlations are over."""
METHOD = (
    "Each pair of measures is correlated over the points that have both; tests are two-sided. Holm’s "
    "adjustment makes p larger, so that the chance of any false finding among all pairs stays below 5 "
    "%; each of the three correlations is adjusted by itself. correlations.csv has both.\n\n"
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
ON_NOISE = (
    "r without noise is r divided by the square root of the product of both reliabilities. It is "
    "undefined where one of them is, or where both measures are of the same items, since chance in "
    "these items then moves both. A value beyond 1 means that r came out too large or a reliability "
    "too small by chance, as happens with few points; it is given as computed."
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


def _families(given: Sequence[str]) -> dict[str, str]:
    return pairs_given("--family", given, "MODEL=NAME", "gpt2=gpt")


@dataclass(frozen=True, slots=True)
class CorrelateOptions(CheckedOptions):
    """The options of `tiltmeter correlate`."""

    table: Annotated[tuple[Path, ...], Option(
        "Other numbers: one row per point (columns `model`, `group`), one column per measure.",
        file=True,
    )] = ()  # fmt: skip
    published: Annotated[tuple[str, ...], Option(
        "A table that a paper prints: elsafoury2023_sos, elsafoury2023_f1, …", metavar="NAME",
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
    family: Annotated[Mapping[str, str], Option(
        "The family of a model, where its name does not tell: models of one are not independent.",
        metavar="MODEL=NAME", parse=_families,
    )] = field(default_factory=dict)  # fmt: skip
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
        monitor.step(f"correlating {pairs:,} pairs of measures over {len(points.labels):,} points")
    with monitor.steps("correlating", pairs, "pairs of measures") as bar:
        made = correlate(
            points,
            method=options.method, seed=options.seed, between=options.between,
            reliabilities=options.reliability, families=options.family, done=bar.reach,
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
            subtitle=f"{len(points.measures)} measures · {len(points.labels)} {points.over}",
            seed=options.seed,
            method="\n\n".join([METHOD, *([ON_RELIABILITY] if made.reliabilities else [])]),
            settings=settings,
            notes=notes_of("caution", [*made.notes, *notes]),
            sources=[{"source": name} for name in names],
            labels={axis: _numbered(points) for axis in ("x", "y")},
            views=_views(made),
            limits="That one measure causes the other, or that both measure the same thing. It describes "
            f"{points.over} like these; with few of them nearly any number can come about by chance.",
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


def _views(made: Relations) -> tuple[View, ...]:
    """What the measures are, all pairs, and the points."""
    points, main = made.points, QUANTITIES[made.method]
    other = SPEARMAN if main is PEARSON else PEARSON
    axes = {"models": ("model",), "groups": ("group",), "cells": ("model", "group")}[points.over]
    is_corrected = bool(made.of(CORRECTED.name))
    return (
        PairHeat(
            "correlations", "",
            caption=f"{main.meaning.title} of each pair of measures; the numbers are those of the list "
            f"below. A point is {A_POINT[points.over]}. Large squares: significant (p < .05 after "
            "Holm’s adjustment over all pairs); small squares: not significant.",
            measure=main.name, x="x", y="y",
            heading=f"{main.meaning.title} of each pair of measures over {points.over}",
            ends=("← opposite", "together →"),
        ),
        TextLines(title=f"Measures, of {len(points.labels)} {points.over}", lines=tuple(_listed(made))),
        NumberTable(
            "correlations", "Correlations, the strongest first", rows=("x", "y"),
            columns=(
                *main.columns(n=0, value=0, interval=1, p=2), *other.columns(value=3),
                *other.columns(on="page", interval=4, p=4), *KENDALL.columns(value=4),
                *KENDALL.columns(on="page", p=5), *(CORRECTED.columns(value=5) if is_corrected else ()),
            ),
            most=20, explained=ON_NOISE if is_corrected else "",
        ),
        PairScatters(
            title="Point by point", measure=main.name, x="x", y="y", of="point",
            explained=f"Each point is {A_POINT[points.over]}. Thin lines are 95 % intervals, where a "
            "run has them.",
        ),
        RecordTable(
            "points", "Point by point", folded=True, of="point", axes=axes, scores=points.names,
        ),
    )  # fmt: skip


def _listed(made: Relations) -> Iterator[str]:
    """A line for each source, with its measures by number and how reliable they are."""
    reliabilities = {e.groups[OF]: e for e in made.reliabilities}
    by_source: dict[str, list[str]] = {}
    for number, measure in enumerate(made.points.measures, 1):
        text = f"{number} {measure.name}{_reliable(reliabilities.get(measure.name))}"
        by_source.setdefault(measure.source, []).append(text)
    for source, measures in by_source.items():
        yield f"{source}: {'; '.join(measures)}"


def _reliable(e: Estimate | None) -> str:
    """How reliable a measure is, as it stands behind its name in the list.

    >>> _reliable(QUANTITIES["reliability"].at(-2.67, n=3, why="halves do not agree"))
    ' (no reliability: halves do not agree)'
    """
    if e is None:
        return ""
    if e.value is None:
        return f" (reliability undefined: {e.why})"
    if e.value <= 0:
        return f" (no reliability: {e.why})"
    return f" (reliability {value_with_unit(e)}{f', {e.why}' if e.why else ''})"


def words(numbers: Numbers) -> list[Paragraph]:
    """How many pairs correlate significantly, and the strongest."""
    main = QUANTITIES[numbers.card.settings["method"]]
    every = numbers.all(main)
    known = [e for e in every if e.value is not None]
    if not known:
        why = sentence_end(max(every, key=lambda e: e.n).why)
        return paragraphs([f"No two of these measures have a correlation: {why}"])
    gone = len(every) - len(known)
    undefined = f" {gone} more {'has' if gone == 1 else 'have'} no value." if gone else ""
    sure = [e for e in known if e.significant]
    name = main.meaning.title
    among = f"{len(known)} pairs of measures" if len(known) > 1 else "these two measures"
    if sure and len(known) > 1:
        verb = "correlates" if len(sure) == 1 else "correlate"
        head = f"{len(sure)} of {among} {verb} significantly ({name}, p < .05 after Holm’s adjustment)."
    else:
        no = "A" if sure else "No"
        how = (
            f"among {among} ({name}, after Holm’s adjustment)"
            if len(known) > 1
            else f"of {among} ({name})"
        )
        head = f"{no} significant correlation {how}."
    lead = "Strongest, " if len(known) > 1 else ""
    strongest = max(sure or known, key=lambda e: abs(e.value or 0.0))
    return paragraphs((head + undefined, f"{lead}{pair_in_words(strongest)}."))


def pair_in_words(e: Estimate) -> str:
    """A correlation in a sentence: whose, how large, over how many points, how sure.

    >>> at = {"x": "a", "y": "b"}
    >>> pair_in_words(QUANTITIES["pearson"].at(-0.95, n=3, groups=at))
    'a and b: −0.95 over 3 points (no interval)'
    """
    ends, p = span(e), final_p(e)
    sure = [f"{level(e)} interval {ends}" if ends else "no interval"]
    sure += [] if p is None else [f"p = {p_text(p)}"]
    value = f"{value_with_unit(e)} over {e.n} points"
    return f"{e.groups['x']} and {e.groups['y']}: {value} ({', '.join(sure)})"


ANALYSIS = Analysis(
    name="correlate", title="How measures relate", version="1",
    summary="Correlate measures over models, groups or cells: exact tests, intervals and statistical "
    "power.",
    means="A correlation says how closely two measures agree on which points are high and low: 1 is "
    "perfect agreement, 0 no relation, −1 perfect disagreement.",
    not_what="That one measure causes the other, or that both measure the same thing.",
    inputs="Run folders of any studies.", fewest=0, quantities=(PAIRS, *QUANTITIES.values()),
    compute=compute, options=CorrelateOptions, words=words,
)  # fmt: skip
