"""What there is of the results that a paper needs, and what is to do for the rest; no model is loaded."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from tiltmeter.core.analysis import Analysis
from tiltmeter.core.errors import (
    BadInput,
    BadItems,
    TiltmeterError,
    Unavailable,
    UnknownName,
    known_names,
)
from tiltmeter.core.finder import find
from tiltmeter.core.reading.options import OptionField, options_of
from tiltmeter.core.reading.typed_values import near_miss
from tiltmeter.core.results import Card, Result
from tiltmeter.data.downloads import places
from tiltmeter.derived.sources import read_runs
from tiltmeter.models.opening.model_options import Options
from tiltmeter.papers.paper_file import (
    AnalysisSource,
    Paper,
    PaperItem,
    PaperModel,
    RunSource,
    StoredOutput,
)
from tiltmeter.run.files.folder import read_card
from tiltmeter.run.measuring.ensemble import SCHEME, parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.run_plan import find_models, study_named
from tiltmeter.run.run_options import ReplyOptions, RunOptions
from tiltmeter.run.sweeps.sweep import Entry, check_rule, run_options_of, sealed, within
from tiltmeter.run.sweeps.sweep_cells import Cell, SweepRow, in_one_line
from tiltmeter.run.sweeps.sweep_jobs import Grid, load_row, plan_cells

UNASKED = "not run:"
EVERY = "all"
"""Among the models that are asked for: all of the paper."""


@dataclass(frozen=True, slots=True)
class PaperResult:
    """A result of one of the paper's sources."""

    source: str
    folder: Path
    at: Mapping[str, str]
    """Coordinates of all its numbers, besides those of its card: the paper's name of the model."""
    result: Result
    reference: str = ""
    """What opened the model, where the paper's file or the user named it."""


@dataclass(frozen=True, slots=True)
class Lack:
    """What of a source is not there, and why."""

    source: str
    why: str
    at: Mapping[str, str] = field(default_factory=dict)
    """Coordinates of what is lacking; {} for all."""
    unasked: bool = False
    """Whether nobody has asked for it."""


@dataclass(frozen=True, slots=True)
class StoredScores:
    """Scores that somebody stored, to be imported."""

    source: RunSource
    path: Path
    options: RunOptions
    at: Mapping[str, str]


@dataclass(slots=True)
class PaperPlan:
    """What there is of a paper's sources, and what is to do."""

    paper: Paper
    out: Path
    results: list[PaperResult] = field(default_factory=list)
    lacks: list[Lack] = field(default_factory=list)
    cells: list[tuple[RunSource, Mapping[str, str], Cell]] = field(default_factory=list)
    """Each study of each model to run, with the coordinates that it gets."""
    stored: list[StoredScores] = field(default_factory=list)
    analyses: list[AnalysisSource] = field(default_factory=list)
    kept: Collection[str] = ()
    """References of models that an earlier call ran and this one does not name: only what is done is used."""
    done: Mapping[str, Path] = field(default_factory=dict)
    """Runs that were finished before, by cell."""

    @property
    def grid(self) -> Grid:
        """The runs of studies on models."""
        return Grid([cell for _, _, cell in self.cells], self.out)


@dataclass(frozen=True, slots=True)
class PaperRequest:
    """What the user wants of a paper, and gives for it."""

    models: Sequence[str] = ()
    """The paper's by name, `all` of them, NAME=REFERENCE for one of the paper's that lies elsewhere, or
    references of one's own."""
    runs: Sequence[Path] = ()
    """Folders of finished results."""
    opening: Options = field(default_factory=Options)
    fresh: bool = False


def plan_paper(
    paper: Paper, items: Sequence[PaperItem], out: Path, request: PaperRequest, monitor: Monitor
) -> PaperPlan:
    """What there is of what these items need, and what is to do.

    Args:
        paper: From its file.
        items: Of the paper, those that are wanted.
        out: For run folders; those that are finished stay, unless all is to be done afresh.
        request: Which models are run, and which results are there.
        monitor: Told about data and downloads.

    Raises:
        TiltmeterError: A model or a result that the user names does not exist, or belongs to nothing here.
    """
    needed = {name for item in items for name in item.of}
    for analysis in reversed(paper.analyses):  # each takes earlier ones only
        takes = {*analysis.of, *chain.from_iterable(analysis.runs.values())}
        needed |= takes if analysis.name in needed else set()
    analyses = [source for source in paper.analyses if source.name in needed]
    runs = [source for source in paper.runs if source.name in needed]
    _check_sources(paper)
    plan = PaperPlan(paper, out, done={} if request.fresh else sealed(out))
    given, _ = read_runs(request.runs)
    for folder, result in given:
        homes = [*_homes(paper, result.card, runs, analyses)]
        if not homes:
            raise BadInput(
                f"nothing that is wanted of {paper.name} takes this result of {result.card.study}",
                "leave it out", file=str(folder),
            )  # fmt: skip
        plan.results += [PaperResult(name, folder, at, result) for name, at in homes]
    chosen = _chosen(paper, request.models)
    _check_own_models(paper, runs, chosen, request, monitor)
    earlier = {} if request.fresh else _earlier(paper, out)
    plan.kept = {reference for name, reference in earlier.items() if name not in chosen}
    chosen = {**earlier, **chosen}
    for source in runs:
        _plan_runs(plan, source, chosen, request, monitor)
    there = {each.source for each in plan.results}
    plan.analyses = [source for source in analyses if source.name not in there]
    return plan


def _check_sources(paper: Paper) -> None:
    """See that studies, rules, analyses and options exist, also those that nothing wanted needs.

    Raises:
        UnknownName, BadInput: One does not. A mistake so shows before hours of runs.
    """
    for run in paper.runs:
        with within(f"runs.{run.name}"):
            study = study_named(run.study)
            for options in (run.options, *({**run.options, **each.options} for each in run.stored)):
                check_rule(study, run_options_of(Entry(run.study, options)))
    for analysis in paper.analyses:
        made_options(analysis, {})


def _earlier(paper: Paper, out: Path) -> dict[str, str]:
    """The models that earlier calls ran into this folder, as `_chosen` gives them."""
    try:
        sources = read_card(out).sources
    except BadInput:
        return {}
    names = {model.called: model.name for model in paper.models}
    return {
        names.get(str(source.get("model", "")), str(source["reference"])): str(source["reference"])
        for source in sources
        if source.get("reference")
    }


def _chosen(paper: Paper, models: Sequence[str]) -> dict[str, str]:
    """References of the models to run, under the paper's names; those of the user's under their own."""
    by_name = {model.name: model for model in paper.models}
    chosen = {model.name: model.reference for model in paper.models if model.free}
    for text in models:
        name, _, elsewhere = text.partition("=")
        if text == EVERY:
            chosen |= {m.name: m.reference for m in paper.models if m.reference}
        elif name in by_name:
            model = by_name[name]
            if text != name and not elsewhere:
                raise BadInput(f"{text!r} names no model", f"write {name}, or {name}=REFERENCE")
            if not (elsewhere or model.reference):
                raise BadInput(f"{name} cannot be run: {model.why}", f"give it as {name}=REFERENCE")
            chosen[name] = elsewhere or model.reference
        elif elsewhere and "/" not in name and ":" not in name:
            raise UnknownName(f"model of {paper.name}", name, by_name)
        else:
            chosen[text] = text
    return chosen


def _check_own_models(
    paper: Paper,
    runs: Sequence[RunSource],
    chosen: Mapping[str, str],
    request: PaperRequest,
    monitor: Monitor,
) -> None:
    """See that models which the user names are there, and that something is run on them.

    Raises:
        TiltmeterError: One is not, or nothing wanted is run on a model of the user's own.
    """
    known = {model.name: model.reference for model in paper.models}
    for name, reference in chosen.items():
        if reference == known.get(name):
            continue
        if name not in known and not any(run.own and not run.why for run in runs):
            way_out = f"its models are {', '.join(known) or 'none'}"
            raise BadInput(f"nothing wanted of {paper.name} is run on {name}", way_out)
        try:
            find_models(reference, request.opening, monitor)
        except TiltmeterError as error:
            if name not in known:
                hint = near_miss(name, [EVERY, *known])
                known_models = ", ".join(known) or "none"
                reason = f"--models {name}: {error} ({hint}models of {paper.name}: {known_models})"
                error.args = (reason,)
            raise


def _homes(
    paper: Paper, card: Card, runs: Sequence[RunSource], analyses: Sequence[AnalysisSource]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The sources that a result serves, with the coordinates that it has there.

    Where several sources differ in their models only, those that the model is meant for.
    """
    model = next((m for m in paper.models if _is_called(card.model_name, m)), None)
    called = {"model": model.called} if model else {}
    meant: list[tuple[str, Mapping[str, str]]] = []
    others: list[tuple[str, Mapping[str, str]]] = []
    for run in runs:
        agrees = {
            "rule": card.rule, "convention": card.convention, "data": card.data_name,
        }  # fmt: skip
        settings = run.options.get("set", {})
        same = all(
            str(run.options[key]) == has for key, has in agrees.items() if key in run.options
        )
        if run.study == card.study and same and settings.items() <= card.settings.items():
            is_meant = model.name in (run.models or (model.name,)) if model else run.own
            (meant if is_meant else others).append((run.name, {**run.at, **called}))
    yield from meant or others
    alike = [analysis for analysis in analyses if analysis.analysis == card.study]
    for analysis in alike:
        if len(alike) == 1 or card.data_name in analysis.inputs:
            yield analysis.name, {**analysis.at, **called}


def _is_called(name: str, model: PaperModel) -> bool:
    return bool(name) and name in {
        model.called,
        model.reference,
        model.reference.rpartition("/")[2],
    }


def _plan_runs(
    plan: PaperPlan,
    source: RunSource,
    chosen: Mapping[str, str],
    request: PaperRequest,
    monitor: Monitor,
) -> None:
    """The runs of one source: what is stored, what is to be run, and what nobody has asked for."""
    called = {model.name: model.called for model in plan.paper.models}
    there = {each.at.get("model", "") for each in plan.results if each.source == source.name}
    at: Mapping[str, str]
    replayed: list[tuple[str, Mapping[str, str], Entry]] = []
    stored_models = set()
    for output in source.stored:
        at = {**source.at, **output.at, **({"model": called[output.model]} if output.model else {})}
        paths = [
            data_file(name) for name in (output.file.split(",") if output.replay else [output.file])
        ]
        path = paths[0]
        if path is None or None in paths:
            plan.lacks.append(Lack(source.name, _not_here(output), at))
            continue
        stored_models.add(output.model)
        entry = Entry(source.study, {**source.options, **output.options})
        if output.replay:
            replayed.append((f"replay:{','.join(map(str, paths))}", at, entry))
        else:
            options = run_options_of(entry, fresh=request.fresh)
            plan.stored.append(StoredScores(source, path, options, at))
    to_run = [
        (reference, {**source.at, **({"model": called[name]} if name in called else {})},
         Entry(source.study, source.options))
        for name, reference in ({} if source.why else chosen).items()
        if (name in (source.models or called) if name in called else source.own)
        and called.get(name, name) not in there
    ]  # fmt: skip
    for reference, at, entry in (*replayed, *to_run):
        _plan_cell(plan, source, reference, at, entry, request, monitor)
    for model in plan.paper.models:
        used = not source.models or model.name in source.models
        if used and model.name not in {*chosen, *stored_models} and model.called not in there:
            why = model.why or source.why or f"{UNASKED} add --models {model.name}"
            at = {**source.at, "model": model.called}
            plan.lacks.append(Lack(source.name, why, at, unasked=True))


def _plan_cell(
    plan: PaperPlan,
    source: RunSource,
    reference: str,
    at: Mapping[str, str],
    entry: Entry,
    request: PaperRequest,
    monitor: Monitor,
) -> None:
    try:
        row = _row(plan, source, entry, request, monitor)
    except (BadInput, BadItems, Unavailable) as error:
        plan.lacks.append(Lack(source.name, in_one_line(error), at))
        return
    cell = Cell(row, reference, request.opening)
    plan_cells([cell], reference, plan.done, monitor)
    if reference in plan.kept and cell.state != "done":
        return
    plan.cells.append((source, at, cell))


def _row(
    plan: PaperPlan, source: RunSource, entry: Entry, request: PaperRequest, monitor: Monitor
) -> SweepRow:
    """The study with its items, which are read once for all models."""
    options = run_options_of(entry, fresh=request.fresh)
    for other, _, cell in plan.cells:
        if other is source and cell.row.options == options:
            return cell.row
    return load_row(entry, source.name, ReplyOptions(), fresh=request.fresh, monitor=monitor)


def made_options(source: AnalysisSource, runs: Mapping[str, Sequence[Path]]) -> Any:
    """The options of an analysis, by the names that users write; some of them are the folders of runs.

    Raises:
        UnknownName, BadInput: There is no such analysis or option, or it cannot have that value.
    """
    with within(f"analyses.{source.name}"):
        analysis: Analysis = find("analyses", source.analysis, "ANALYSIS")
        known = options_of(analysis.options)  # type: ignore[arg-type]
        keys = {written: written.replace("_", "-") for written in (*source.options, *runs)}
        known_names(f"option of {analysis.name}", [*keys.values()], known)
        given = {**source.options, **runs}
        values = {known[keys[w]].name: _value(known[keys[w]], v) for w, v in given.items()}
        return analysis.options(**values)


def _value(option: OptionField, value: Any) -> Any:
    if isinstance(value, list):
        value = tuple(value)
    if option.shape is tuple and isinstance(value, str):
        value = (value,)
    parse = option.option.parse
    return parse(value) if parse is not None and isinstance(value, str | Sequence) else value


def data_file(name: str) -> Path | None:
    """A file that a paper needs: in the user's folder of data, in the cache, or under its own path.

    Of an ensemble of stored scores the reference with the paths of its members.
    """
    ensemble = parse(name)
    if ensemble is not None:
        members = [data_file(reference) for reference in ensemble.references]
        if not all(members):
            return None
        weights = [f"={weight:g}" for weight in ensemble.weights or ()] or [""] * len(members)
        terms = [f"{path}{weight}" for path, weight in zip(members, weights, strict=True)]
        return Path(SCHEME + "+".join(terms))
    folders = [folder for folder in (places.given(), places.cache()) if folder is not None]
    return next(
        (path for path in (*(f / name for f in folders), Path(name)) if path.exists()), None
    )


def _not_here(output: StoredOutput) -> str:
    return f"the stored outputs {output.file} are not here: TILTMETER_DATA names the folder of data"
