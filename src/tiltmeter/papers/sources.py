"""What there is of the results that a paper needs, and what is to do for the rest; no model is loaded."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from tiltmeter.core.analysis import Analysis
from tiltmeter.core.errors import BadInput, BadItems, Unavailable, in_one_line, known_names
from tiltmeter.core.finder import find
from tiltmeter.core.reading.options import OptionField, options_of
from tiltmeter.core.results import Card
from tiltmeter.core.text import counted, listed
from tiltmeter.data.downloads import places
from tiltmeter.derived.sources import REASONS, read_runs, runs_below
from tiltmeter.papers.chosen_models import ChosenModel, check_chosen, chosen_models, with_earlier
from tiltmeter.papers.given_folders import given_folders, plan_folders
from tiltmeter.papers.item_places import check_expected, check_printed, expected_numbers
from tiltmeter.papers.paper_file import (
    AnalysisSource,
    Paper,
    PaperItem,
    PaperModel,
    RunSource,
    StoredOutput,
)
from tiltmeter.papers.paper_plan import (
    Lack,
    PaperPlan,
    PaperRequest,
    PaperResult,
    PlannedRun,
    StoredScores,
)
from tiltmeter.papers.trained_heads import TrainedHeads, trained_heads
from tiltmeter.run.files.folder import read_card
from tiltmeter.run.measuring.ensemble import SCHEME, parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import alternatives
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import ReplyOptions
from tiltmeter.run.sweeps.sweep import Entry, check_rule, run_options_of, sealed, within
from tiltmeter.run.sweeps.sweep_cells import Cell, SweepRow
from tiltmeter.run.sweeps.sweep_jobs import load_row, plan_cells

UNASKED = "not run:"


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
    for item in items:
        check_printed(item)
    needed = paper.sources_of(items)
    for analysis in reversed(paper.analyses):  # each takes earlier ones only
        takes = {*analysis.of, *chain.from_iterable(analysis.runs.values())}
        needed |= takes if analysis.name in needed else set()
    analyses = [source for source in paper.analyses if source.name in needed]
    runs = [source for source in paper.runs if source.name in needed]
    _check_sources(paper)
    plan = PaperPlan(paper, out, request.settings, done={} if request.fresh else sealed(out))
    folders, places = given_folders(paper, request.runs)
    plan_folders(plan, analyses, folders)
    below = dict.fromkeys(run for place in places for run in runs_below(place))
    given, notes = read_runs([*below])
    unused = []
    for folder, result in given:
        homes = [*_homes(paper, result.card, runs, analyses)]
        plan.results += [PaperResult(name, folder, at, result, "given") for name, at in homes]
        unused += [] if homes else [(folder, why_unused(result.card, runs))]
    _tell_unused(plan, unused, request.runs, monitor)
    for note in notes:
        monitor.warning(note)
    chosen = chosen_models(paper, request.models)
    chosen = check_chosen(paper, runs, analyses, chosen, request.opening, monitor)
    plan.asked = [model for model in chosen if model.asked]
    if not request.fresh:
        chosen = with_earlier(paper, chosen, out)
    heads = trained_heads(request.heads, chosen)
    for source in runs:
        _plan_runs(plan, source, chosen, heads, request, monitor)
    _warn_of_left_out(plan, chosen, monitor)
    there = {each.source for each in plan.results}
    there |= {name for name, taken in plan.folders.items() if not taken}
    plan.analyses = [
        each for source in analyses if source.name not in there
        for each in _with_models(plan, source, chosen)
    ]  # fmt: skip
    _check_items(plan, items, runs)
    return plan


def _with_models(
    plan: PaperPlan, source: AnalysisSource, chosen: Sequence[ChosenModel]
) -> Iterator[AnalysisSource]:
    """The analysis with the models that its options take; nothing where one is lacking, which is noted."""
    by_name = {model.name: model for model in chosen if model.name in source.taken}
    for name in source.taken:
        if name not in by_name:
            whys = [model.why for model in plan.paper.models if model.name == name]
            why = next(filter(None, whys), f"{UNASKED} add --models {name}")
            plan.lacks.append(Lack(source.name, why, source.at, unasked=True))
            return
    plan.taken.update({name: (*plan.taken.get(name, ()), source.name) for name in source.taken})
    yield source.with_models({name: model.reference for name, model in by_name.items()})


def _warn_of_left_out(plan: PaperPlan, chosen: Sequence[ChosenModel], monitor: Monitor) -> None:
    """Say which models of an earlier call are left out, since that measured them otherwise."""
    there = [run.model for run in plan.runs]
    lost = [model.name or model.reference for model in chosen if model.kept and model not in there]
    before = read_card(plan.out).settings if lost else {}
    if lost and before != plan.settings:
        options = [f"--{name} {value}".removesuffix(" yes") for name, value in before.items()]
        how = f"with {' '.join(options)}" if options else "on all items"
        monitor.warning(
            f"{', '.join(lost)}: left out, as an earlier call ran them {how}; name them in --models, or "
            "repeat its options"
        )


def _check_items(plan: PaperPlan, items: Sequence[PaperItem], runs: Sequence[RunSource]) -> None:
    """See that items which are made of runs alone name nothing that these cannot have.

    Raises:
        BadInput: One does. A mistake so shows before hours of runs.
    """
    at = [places for run in runs for places in (run.at, *(stored.at for stored in run.stored))]
    rows = {id(run.cell.row.items): run.cell.row.items for run in plan.runs}
    expected = expected_numbers([study_named(run.study) for run in runs], rows.values(), at)
    names = {run.name for run in runs}
    for item in items:
        if item.of and names.issuperset(item.of):
            check_expected(item, expected)


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
        made_options(analysis.with_models(dict.fromkeys(analysis.taken, "model")), {})


def _homes(
    paper: Paper, card: Card, runs: Sequence[RunSource], analyses: Sequence[AnalysisSource]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The sources that a result serves, with the coordinates that it has there.

    Where several sources differ in their models only, those that the model is meant for.
    """
    names = {card.model_name, card.model_reference}
    model = next((m for m in paper.models if any(_is_called(name, m) for name in names)), None)
    called = {"model": model.called} if model else {}
    meant: list[tuple[str, Mapping[str, str]]] = []
    others: list[tuple[str, Mapping[str, str]]] = []
    for run in runs:
        agrees = {"convention": card.convention, "data": card.data_name}
        settings = run.options.get("set", {})
        rules = alternatives(run.options.get("rule")) or [card.rule]
        same = card.rule in rules and all(
            str(run.options[key]) == has for key, has in agrees.items() if key in run.options
        )
        if run.study == card.study and same and settings.items() <= card.settings.items():
            is_meant = model.name in (run.models or (model.name,)) if model else run.own
            (meant if is_meant else others).append((run.name, {**run.at, **called}))
    yield from meant or others
    alike = [analysis for analysis in analyses if analysis.analysis == card.study]
    for analysis in alike:
        for_any = not (analysis.inputs or analysis.of or analysis.takes_folders)
        if len(alike) == 1 or card.data_name in analysis.inputs or for_any:
            yield analysis.name, {**analysis.at, **called}


def why_unused(card: Card, runs: Sequence[RunSource]) -> str:
    """Why no source takes a run: its study, or the option in which it differs from all that is wanted."""
    alike = [run for run in runs if run.study == card.study]
    if not alike:
        return f"nothing that is wanted needs {card.study}"
    has = {"convention": card.convention, "data": card.data_name}
    for option, value in has.items():
        wanted = dict.fromkeys(str(run.options[option]) for run in alike if option in run.options)
        if wanted and value not in wanted and all(option in run.options for run in alike):
            return f"its --{option} is {value}; wanted: {' or '.join(wanted)}"
    rules = dict.fromkeys(rule for run in alike for rule in alternatives(run.options.get("rule")))
    if rules and card.rule not in rules:
        return f"its --rule is {card.rule}; wanted: {' or '.join(rules)}"
    wanted = dict.fromkeys(
        f"--set {name}={value}"
        for run in alike
        for name, value in run.options.get("set", {}).items()
        if card.settings.get(name) != value
    )
    return f"wanted: {' or '.join(wanted)}" if wanted else "its options differ from those wanted"


def _tell_unused(
    plan: PaperPlan, unused: Sequence[tuple[Path, str]], named: Collection[Path], monitor: Monitor
) -> None:
    """Say which of the user's runs are not used, and why.

    Raises:
        BadInput: One of them was named itself, or none of the user's runs is used.
    """
    refused = [(folder, why) for folder, why in unused if folder in named]
    if not refused and not plan.results and not any(plan.folders.values()):
        refused = [*unused]
    if refused:
        folder, why = refused[0]
        more = f"; so do not {counted(len(refused) - 1, 'more run')}" if len(refused) > 1 else ""
        raise BadInput(
            f"this run belongs to nothing that is wanted of {plan.paper.name}: {why}{more}",
            "leave it out, choose more tables, or run the study with these options",
            file=str(folder),
        )
    if unused:
        reasons = [f"{folder.name} ({why})" for folder, why in unused[:REASONS]]
        reasons += [f"{len(unused) - REASONS:,} more"] if len(unused) > REASONS else []
        monitor.warning(f"runs that are not used: {listed(reasons)}")


def _is_called(name: str, model: PaperModel) -> bool:
    return bool(name) and name in {
        model.called,
        model.reference,
        model.reference.rpartition("/")[2],
    }


def _plan_runs(
    plan: PaperPlan,
    source: RunSource,
    chosen: Sequence[ChosenModel],
    heads: TrainedHeads,
    request: PaperRequest,
    monitor: Monitor,
) -> None:
    """The runs of one source: of models, of what is stored, and what nobody has asked for.

    What the user gives for a model of the paper, a result or the model, stands in place of stored outputs.
    """
    paper, study = plan.paper, study_named(source.study)
    rule = str(source.options.get("rule") or "")
    given = {each.at.get("model", "") for each in plan.results if each.source == source.name} - {""}
    for model in chosen:
        if model.in_source(source, paper) and model.called not in given:
            at = {**source.at, **({"model": model.called} if model.called else {})}
            reference = heads.reference(model, study, rule, request.opening, monitor)
            entry = request.entry(source)
            run = _planned(plan, source, reference, at, entry, request, monitor, model)
            plan.runs += [run] if run else []
    ran = {run.at.get("model", "") for run in plan.runs if run.source is source} - {""}
    stored = _plan_stored(plan, source, given, ran, request, monitor)
    lacking = {lack.at.get("model") for lack in plan.lacks if lack.source == source.name}
    there = given | ran | stored | lacking
    for slot in paper.models:
        if slot.name in paper.models_of(source) and slot.called not in there:
            why = slot.why or source.why or f"{UNASKED} add --models {slot.name}"
            at = {**source.at, "model": slot.called}
            plan.lacks.append(Lack(source.name, why, at, unasked=True))


def _plan_stored(
    plan: PaperPlan,
    source: RunSource,
    given: Collection[str],
    ran: Collection[str],
    request: PaperRequest,
    monitor: Monitor,
) -> set[str]:
    """Plan the stored outputs of a source, those of models that are run as what stands in for these.

    Returns:
        The names in tables of the models that there are some of; "" for none in particular.
    """
    called = {model.name: model.called for model in plan.paper.models}
    stored = set()
    for output in source.stored:
        at = {**source.at, **output.at, **({"model": called[output.model]} if output.model else {})}
        if at.get("model") in given:
            plan.remark(source.name, f"{at['model']}: from your run, and not from stored outputs.")
            continue
        is_replaced = at.get("model") in ran
        if is_replaced and not _stored_paths(output):
            continue
        made = _planned_output(plan, source, output, at, request, monitor)
        if made is None:
            continue
        stored.add(at.get("model", ""))
        if is_replaced:
            plan.replaced.setdefault((source.name, at["model"]), []).append(made)
        elif isinstance(made, StoredScores):
            plan.stored.append(made)
        else:
            plan.runs.append(made)
    return stored


def _planned_output(
    plan: PaperPlan,
    source: RunSource,
    output: StoredOutput,
    at: Mapping[str, str],
    request: PaperRequest,
    monitor: Monitor,
) -> StoredScores | PlannedRun | None:
    """How stored outputs are read; None where they are not here, which is noted."""
    paths = _stored_paths(output)
    if not paths:
        plan.lacks.append(Lack(source.name, _not_here(output), at))
        return None
    entry = Entry(source.study, {**source.options, **output.options})
    if output.replay:
        reference = f"replay:{','.join(map(str, paths))}"
        return _planned(plan, source, reference, at, entry, request, monitor)
    options = run_options_of(entry, fresh=request.fresh)
    if len(alternatives(options.rule)) > 1:  # which of them made the scores, nobody knows
        options = replace(options, rule=None)
    return StoredScores(source, paths[0], options, at)


def _planned(
    plan: PaperPlan,
    source: RunSource,
    reference: str,
    at: Mapping[str, str],
    entry: Entry,
    request: PaperRequest,
    monitor: Monitor,
    model: ChosenModel | None = None,
) -> PlannedRun | None:
    """A run; None where its items cannot be had, which is noted, or where it is kept and not done."""
    try:
        row = _row(plan, source, entry, request, monitor)
    except (BadInput, BadItems, Unavailable) as error:
        plan.lacks.append(Lack(source.name, in_one_line(error), at))
        return None
    cell = Cell(row, reference, request.opening)
    plan_cells([cell], reference, plan.done, monitor)
    if model and model.kept and cell.state != "done":
        return None
    same = (run.cell for run in plan.runs if cell.id and run.cell.id == cell.id)
    return PlannedRun(source, at, next(same, cell), model)


def _row(
    plan: PaperPlan, source: RunSource, entry: Entry, request: PaperRequest, monitor: Monitor
) -> SweepRow:
    """The study with its items, which are read once for all models."""
    options = run_options_of(entry, fresh=request.fresh)
    for run in plan.runs:
        if run.source.study == source.study and run.cell.row.options == options:
            return run.cell.row
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


def _stored_paths(output: StoredOutput) -> list[Path]:
    """The files of stored outputs; [] where one of them is not here."""
    names = output.file.split(",") if output.replay else [output.file]
    paths = [path for path in map(data_file, names) if path is not None]
    return paths if len(paths) == len(names) else []


def _not_here(output: StoredOutput) -> str:
    return f"the stored outputs {output.file} are not here: TILTMETER_DATA names the folder of data"
