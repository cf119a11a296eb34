"""before-after: one model before and after something was done to it, over several studies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.analyses.before_after.changes import (
    BEFORE,
    CHANGED_CELLS,
    CLOSER,
    T_TEST,
    BeforeAfter,
    Change,
)
from tiltmeter.analyses.before_after.changes import before_after as compared
from tiltmeter.analyses.before_after.matched_runs import sides
from tiltmeter.analyses.before_after.paired_runs import plan_paired, run_paired
from tiltmeter.analyses.before_after.sentences import NO_COST, summaries, t_test_summary, words
from tiltmeter.core.analysis import Analysis, Circumstances, Input, Place, digest, finish, once
from tiltmeter.core.comparison_views import EquivalenceTable
from tiltmeter.core.equivalence_margins import read_margins
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.named_values import by_study, settings_by_study, study_names
from tiltmeter.core.reading.options import Option, Seed, SkipInvalid, options_of
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.core.views import ChangeDumbbells, NumberTable, TextLines, View, number_columns
from tiltmeter.derived.sources import all_results
from tiltmeter.models.opening.model_options import Options, SharedOptions
from tiltmeter.report.saved_runs import save_run
from tiltmeter.report.text import adjustment, lowered, neutral_text, title
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.jobs import session
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.planning.study_files import read_if_named
from tiltmeter.run.run_options import AllowCode, Fresh, MarginOptions, RunOptions, StudyPath

METHOD = (
    "Each study’s runs are matched by data, rule, convention and settings, and must have scored "
    "the same items. A change is the value after minus the value before, on those items. Over all "
    "items there is one test; groups are adjusted within each study and kind of group.\n\n"
    "Changes of perplexities are ratios, shown as a percentage of the value before. A "
    "pseudo-perplexity is about the model’s own tokens, which are the same before and after."
)


@dataclass(frozen=True, slots=True)
class BeforeAfterOptions(SharedOptions):
    """The options of `tiltmeter analyse before-after`."""

    after: Annotated[
        tuple[Path, ...],
        Option("A run of the model after the change; all others count as before.", metavar="RUN"),
    ] = ()
    studies: Annotated[
        str | None,
        Option("Run both models on these studies first, separated by commas.", metavar="STUDY,…"),
    ] = None
    data: Annotated[
        tuple[str, ...], Option("With --studies: the data for a study.", metavar="STUDY=SOURCE")
    ] = ()
    rule: Annotated[
        tuple[str, ...], Option("With --studies: the rule for a study.", metavar="STUDY=RULE")
    ] = ()
    settings: Annotated[
        tuple[str, ...],
        Option("With --studies: a setting of a study.", name="set", metavar="STUDY.NAME=VALUE"),
    ] = ()
    limit: Annotated[
        int | None, Option("With --studies: a random sample of this many items.", min=1)
    ] = None
    t_test: Annotated[
        bool, Option("Also run the t-test of Elsafoury 2023, which treats groups as samples.")
    ] = False
    margin: MarginOptions = ()
    seed: Seed = 0
    skip_invalid: SkipInvalid = False
    fresh: Fresh = False
    study_file: StudyPath = None
    allow_code: AllowCode = False
    place: Place = field(default_factory=Place)


def compute(inputs: Sequence[Input], options: BeforeAfterOptions, monitor: Monitor) -> Result:
    """Compare runs of a model before and after, or run both models first."""
    read_if_named(options.study_file, allow_code=options.allow_code)
    margins = read_margins(options.margin)
    missing: Sequence[tuple[str, str]] = ()
    if options.studies is None:
        _refuse_options_of_runs(options)
        first, last = _given(inputs, options.after)
    else:
        first, last, missing = _run(inputs, options, monitor)
    changes = compared(
        first, last, missing=missing, scores=options.t_test, seed=options.seed, margins=margins
    )
    results = [*first, *last]
    cards = [study.card for study in changes.studies]
    return finish(
        ANALYSIS,
        changes.estimates(),
        Circumstances(
            data={
                "name": ", ".join(dict.fromkeys(card.study for card in cards)),
                "sha256": digest(*map(folder_name, results), options.seed, options.t_test),
            },
            subtitle=f"{changes.before} → {changes.after}{changes.done and f': {changes.done}'}",
            seed=options.seed,
            method=METHOD,
            settings={
                "before": changes.before,
                "after": changes.after,
                "done": changes.done,
                **({"margin": ", ".join(options.margin)} if options.margin else {}),
            },
            sources=[
                {
                    "run": folder_name(r),
                    "model": r.card.model_name,
                    "study": r.card.study,
                    "rule": r.card.rule,
                    "convention": r.card.convention,
                    "data": r.card.data_name,
                }
                for r in results
            ],
            labels={axis: names for card in cards for axis, names in card.labels.items()},
            views=tuple(_views(changes)),
            measures={name: meaning for r in results for name, meaning in r.card.measures.items()},
        ),
    )


def _refuse_options_of_runs(options: BeforeAfterOptions) -> None:
    """Refuse options about how models are run where finished runs are given.

    Raises:
        BadInput: There is such an option.
    """
    opening = {option.name for option in options_of(SharedOptions).values()}
    of_runs = opening | {"data", "rule", "settings", "limit", "skip_invalid", "fresh"}
    for name, option in options_of(BeforeAfterOptions).items():
        if option.name in of_runs and getattr(options, option.name) != option.default:
            reason = f"--{name} only applies with --studies, and run folders were given"
            raise BadInput(reason, "add --studies, or leave it out")


def _given(
    inputs: Sequence[Input], after: Sequence[Path]
) -> tuple[Sequence[Result], Sequence[Result]]:
    """The runs before and after: as --after tells them apart, else as their cards do."""
    once((*inputs, *after), "give each run folder once")
    results = all_results((*inputs, *after))
    return (results[: len(inputs)], results[len(inputs) :]) if after else sides(results)


def _run(
    inputs: Sequence[Input], options: BeforeAfterOptions, monitor: Monitor
) -> tuple[Sequence[Result], Sequence[Result], Sequence[tuple[str, str]]]:
    """Run both models on the studies, and save each run where results are kept."""
    models = [str(given) for given in inputs if not isinstance(given, Result)]
    if len(models) != 2 or len(inputs) != 2 or options.after:  # noqa: PLR2004
        raise BadInput(
            f"--studies needs two models, BEFORE AFTER; {len(inputs)} and {len(options.after)} after given",
            "name the model before and the model after",
        )
    if models[0] == models[1]:
        raise BadInput(f"{models[0]} is given twice", "name the model before and the one after")
    names = study_names(options.studies or "")
    shared = RunOptions(
        seed=options.seed,
        skip_invalid=options.skip_invalid,
        fresh=options.fresh,
        limit=options.limit,
    )
    data = by_study("--data", options.data, names)
    rules = by_study("--rule", options.rule, names)
    settings = settings_by_study(options.settings, names)
    studies = [
        (study_named(n), replace(shared, data=data.get(n), rule=rules.get(n), settings=settings[n]))
        for n in names
    ]
    how = {f.name: getattr(options, f.name) for f in fields(SharedOptions)}
    plan = plan_paired(models, studies, Options(**how), monitor)
    place = options.place

    def save(study: Study[Any], result: Result) -> Path:
        folder = (place.out or Path()) / folder_name(result)
        return folder if place.out is None else save_run(result, study, folder).folder

    with session(monitor, command=place.command) as opened:
        before, after, missing = run_paired(plan, opened, save)
    return before, after, tuple(missing.items())


def _views(both: BeforeAfter) -> Iterator[View]:
    """A picture and a table for each measure of a study, then the cost over all studies."""
    for study in both.studies:
        card = study.card
        rows: dict[str, list[Change]] = {}
        for change in study.leanings:
            rows.setdefault(change.before.name, []).append(change)
        for changes in rows.values():
            yield from _measure_views(card.study, changes, {"study": card.study, "rule": card.rule})
        if study.leanings:
            how = f"Rule {card.rule}, convention {card.convention}, data {card.data_name}."
            t_test = [] if study.t_test is None else [t_test_summary(study.t_test)]
            yield TextLines(card.study, (*summaries(study), *t_test, how))
    names = tuple(dict.fromkeys(change.before.name for change in both.costs))
    if names:
        yield NumberTable(
            "cost",
            "Cost",
            ("study", "measure"),
            (
                *number_columns("", "before", at=BEFORE),
                *number_columns("", "after"),
                *number_columns("", "change", signed=True),
                *number_columns("", signed=True, n=3),
                *number_columns("", signed=True, interval=2),
                *number_columns("", signed=True, p=1),
                *number_columns("", "significantly", signed=True, verdict=0),
            ),
            measures=names,
            tones={"better": "better", "worse": "worse"},
        )
    else:
        yield TextLines("Cost", (NO_COST,), on="page")
    if any(c.difference.equivalence for s in both.studies for c in (*s.leanings, *s.costs)):
        yield EquivalenceTable("equivalence", of_studies=True)
    if both.missing:
        yield TextLines("Not compared", tuple(f"{study}: {why}" for study, why in both.missing))


def _measure_views(
    study: str, changes: Sequence[Change], where: Mapping[str, str]
) -> Iterator[View]:
    """The picture and the table of one measure before and after."""
    e, change = changes[0].before, changes[0].difference.name
    heading = f"{study}: {lowered(title(e))}{f', {e.unit}' if e.unit else ''}"
    neutral = neutral_text(e)
    tested = any(c.difference.p is not None for c in changes)
    sure = "p < .05" if tested else "its interval excludes 0"
    adjusted = (
        " after adjustment over the groups" if adjustment(c.difference for c in changes) else ""
    )
    line = f"; the line is the neutral value, {neutral}" if neutral else ""
    arrows = " ↓ closer to neutral, ↑ farther from it." if neutral else ""
    name = f"{study}-{e.name}" if where["rule"] == "" else f"{study}-{e.name}-{where['rule']}"
    yield ChangeDumbbells(
        name,
        study,
        measure=e.name,
        change=change,
        before=BEFORE,
        where=where,
        heading=f"{heading}, before and after",
        caption=f"Small marks are before, large ones after{line}.{arrows}",
        sure=f"{sure}{adjusted}",
    )
    yield NumberTable(
        name,
        study,
        ("*",),
        (
            *number_columns(e.name, "before", at=BEFORE),
            *number_columns(e.name, "after"),
            *number_columns(change, "change", signed=True),
            *number_columns(change, n=3),
            *number_columns(change, signed=True, interval=2),
            *number_columns(change, p=1),
            *number_columns(change, f"to {neutral}" if neutral else "towards", verdict=0),
        ),
        caption=heading,
        where=where,
        tones={
            "closer": "better",
            "closer, crossed": "better",
            "farther": "worse",
            "farther, crossed": "worse",
        },
    )


EXAMPLE = """\
>>> import tiltmeter as tm
>>> before, after = (tm.run("starter_pairs", model) for model in ("fake", "fake:masked"))
>>> tm.analyse.before_after(before, after).estimate("stereotype_rate_difference")
<stereotype_rate_difference: 0 percentage points (-1.403 to 1.403), n 270>"""
ANALYSIS = Analysis(
    name="before_after",
    title="Before and after",
    version="1",
    summary="Compare a model before and after: what moved closer to neutral or farther away, and "
    "the cost.",
    means="Both models were asked about the same items, by the same rules. Closer and farther "
    "describe the distance to the neutral value, whatever the sign of the change. A significant "
    "change means that the value moved; that it also moved closer is as certain only where both "
    "values are clearly on one side. Crossed: now on the other side of the neutral value.",
    not_what="That the model does less harm. A measure that is closer to neutral describes that "
    "measure only; others, and what people meet in use, may be unchanged or worse. No significant "
    "change does not mean no change.",
    example=EXAMPLE,
    inputs="Run folders of a model before and after, in any order; or with --studies, two models.",
    metavar="RUN…|BEFORE AFTER",
    reports_others=True,
    quantities=(CLOSER, CHANGED_CELLS, T_TEST),
    compute=compute,
    options=BeforeAfterOptions,
    words=words,
)
