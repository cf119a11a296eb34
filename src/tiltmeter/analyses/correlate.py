"""correlate: how measures relate over models, groups, or the cells of both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analysis import correlate as correlations
from tiltmeter.analysis.correlate import CORRECTED, PAIRS, PEARSON, QUANTITIES, SPEARMAN, Relations
from tiltmeter.analysis.joined_names import join_categories, join_rules
from tiltmeter.analysis.point_tables import of_table
from tiltmeter.analysis.points import Observation, Points, point_records, points_of
from tiltmeter.analysis.sources import of_published, of_runs, read_results, renamed, wanted
from tiltmeter.analysis.split_half import OF
from tiltmeter.core.analysis import Circumstances, Input, Numbers, digest, finish, once, paragraphs
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.errors import BadInput
from tiltmeter.core.named_values import pairs_given
from tiltmeter.core.options import CheckedOptions, Encoding, Missing, Seed
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.core.text import decimal_number
from tiltmeter.core.views import View
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.published import published
from tiltmeter.report.text import final_p, level, p_text, sentence_end, span, value_with_unit
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.run_options import AllowCode, StudyPath
from tiltmeter.run.study_files import read_if_named

SLOW = 2_000
"""Pairs of measures times points, beyond which a line says what takes so long."""
A_POINT = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}
"""What a point is, by what the correlations are over."""
FILE = AnalysisFile.beside(__file__)


def _aliases(given: Sequence[str]) -> dict[str, str]:
    return pairs_given("--alias", given, "NAME=NAME", "FAKE=fake:causal")


def _reliabilities(given: Sequence[str]) -> dict[str, float]:
    """By measure a share above 0 and at most 1.

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

    table: Annotated[tuple[Path, ...], FILE.option("table")] = ()
    published: Annotated[tuple[str, ...], FILE.option("published")] = ()
    over: Annotated[Literal["models", "groups", "cells"], FILE.option("over")] = "models"
    measure: Annotated[tuple[str, ...], FILE.option("measure")] = ()
    between: Annotated[bool, FILE.option("between")] = False
    axis: Annotated[tuple[str, ...], FILE.option("axis")] = ()
    alias: Annotated[Mapping[str, str], FILE.option("alias", parse=_aliases)] = field(
        default_factory=dict
    )
    reliability: Annotated[
        Mapping[str, float],
        FILE.option("reliability", parse=_reliabilities, typed=Mapping[str, str]),
    ] = field(default_factory=dict)
    family: Annotated[Mapping[str, str], FILE.option("family", parse=_families)] = field(
        default_factory=dict
    )
    method: Annotated[Literal["pearson", "spearman"], FILE.option("method")] = PEARSON
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
        made = correlations.correlate(
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
            method="\n\n".join(map(FILE.text, ["method", *(["reliable"] if made.reliabilities else [])])),
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
    other = SPEARMAN if made.method == PEARSON else PEARSON
    axes = {"models": ("model",), "groups": ("group",), "cells": ("model", "group")}[points.over]
    is_corrected = bool(made.of(CORRECTED))
    return FILE.shown(
        "relations", main=main.name, other=other, over=points.over, count=len(points.labels),
        title=main.meaning.title, a_point=A_POINT[points.over], axes=axes, names=tuple(points.names),
        listed=tuple(_listed(made)), explained=FILE.text("noise") if is_corrected else "",
        corrected=({"measure": CORRECTED, "value": 5},) if is_corrected else (),
    )  # fmt: skip


def _listed(made: Relations) -> Iterator[str]:
    """A line a source, with its measures by number and how reliable they are."""
    reliabilities = {e.groups[OF]: e for e in made.reliabilities}
    by_source: dict[str, list[str]] = {}
    for number, measure in enumerate(made.points.measures, 1):
        text = f"{number} {measure.name}{_reliable(reliabilities.get(measure.name))}"
        by_source.setdefault(measure.source, []).append(text)
    for source, measures in by_source.items():
        yield f"{source}: {'; '.join(measures)}"


def _reliable(e: Estimate | None) -> str:
    """What stands behind the name of a measure in the list.

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


ANALYSIS = FILE.analysis((PAIRS, *QUANTITIES.values()), compute, CorrelateOptions, words)
