"""Makes what a paper lacks: runs studies, imports stored scores, computes analyses, each into its folder."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tiltmeter.core.analysis import Analysis, Place, placed
from tiltmeter.core.errors import StorageError, TiltmeterError, Unavailable, in_one_line
from tiltmeter.core.finder import find
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.data.downloads.registry import known_sets, locate
from tiltmeter.papers.paper_file import AnalysisSource
from tiltmeter.papers.paper_plan import By, Lack, PaperPlan, PaperResult, PlannedRun, StoredScores
from tiltmeter.papers.sources import data_file, made_options
from tiltmeter.report.saved_runs import save_run
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import folder_name, slug
from tiltmeter.run.jobs import Session
from tiltmeter.run.measuring.imported_scores import import_scores


def make(plan: PaperPlan, session: Session, *, jsonl: bool = False, show_text: bool = True) -> None:
    """Do all that is to do; what fails is noted as lacking, and stored outputs are used in its place.

    Raises:
        StorageError: Answers or results cannot be kept.
    """

    def save(study: Study[Any] | None, result: Result, folder: Path) -> None:
        save_run(result, study, folder, jsonl=jsonl, show_text=show_text)

    if plan.grid.waiting:
        plan.grid.run(session, save)
    if _fall_back(plan) and plan.grid.waiting:
        plan.grid.run(session, save)
    for run in plan.runs:
        if run.cell.folder is not None:
            by: By = "run" if run.model else "stored"
            result = folders.read(run.cell.folder)
            made = PaperResult(run.source.name, run.cell.folder, run.at, result, by, run.model)
            plan.results.append(made)
        else:
            at = {**({"model": run.cell.model} if run.model else {}), **run.at}
            said = run.model is not None and run.place in plan.replaced
            failed = run.model is not None
            plan.lacks.append(Lack(run.source.name, run.cell.why, at, failed=failed, said=said))
    for stored in plan.stored:
        with _noted(plan, stored.source.name, stored.at, session):
            _import(plan, stored, session, save)
    if plan.analyses:
        with session.monitor.steps("computing", len(plan.analyses), "analyses") as bar:
            for number, analysis in enumerate(plan.analyses, 1):
                with _noted(plan, analysis.name, analysis.at, session):
                    _compute(plan, analysis, session, save)
                bar.reach(number)


def _fall_back(plan: PaperPlan) -> bool:
    """Use stored outputs where the model that stands in their place could not be run; whether any are."""
    used = False
    for run in [run for run in plan.runs if run.place in plan.replaced]:
        if run.cell.folder is not None:
            text = f"{run.at['model']}: run on {run.cell.model}, and not from stored outputs."
            plan.remark(run.source.name, text)
            del plan.replaced[run.place]
            continue
        why = f"{run.cell.model} could not be run: {run.cell.why}"
        plan.remark(run.source.name, f"{run.at['model']}: from stored outputs, as {why}")
        for output in plan.replaced[run.place]:
            plan.runs += [output] if isinstance(output, PlannedRun) else []
            plan.stored += [output] if isinstance(output, StoredScores) else []
            used = True
    return used


def _add(plan: PaperPlan, source: str, folder: Path, at: Mapping[str, str], by: By) -> None:
    plan.results.append(PaperResult(source, folder, at, folders.read(folder), by))


@contextmanager
def _noted(plan: PaperPlan, source: str, at: Mapping[str, str], session: Session) -> Iterator[None]:
    """What fails in the block is lacking, whatever the reason: the others go on."""
    try:
        yield
    except StorageError:
        raise
    except Exception as error:  # noqa: BLE001
        plan.lacks.append(Lack(source, in_one_line(error), at))
        if not isinstance(
            error, TiltmeterError
        ):  # a defect, and no reader would look for it in a table
            session.monitor.failure(f"{source} failed: {in_one_line(error)}")


def _import(plan: PaperPlan, stored: StoredScores, session: Session, save: Any) -> None:
    study: Study[Any] = find("studies", stored.source.study, "STUDY")
    result = import_scores(
        study, stored.path, stored.options, session.monitor,
        name=stored.at.get("model", stored.path.stem), command=session.command,
    )  # fmt: skip
    folder = plan.out / folder_name(result)
    save(study, result, folder)
    _add(plan, stored.source.name, folder, stored.at, "stored")


def _runs_of(plan: PaperPlan, source: AnalysisSource) -> str:
    """What has to be run for an analysis, in words."""
    runs = [run for run in plan.paper.runs if run.name in source.of]
    models = dict.fromkeys(name for run in runs for name in plan.paper.models_of(run))
    if not models:
        return f"runs that are not there: {', '.join(source.of)}"
    return f"runs on a model: add --models {' or '.join(models)}"


def _compute(plan: PaperPlan, source: AnalysisSource, session: Session, save: Any) -> None:
    """One result, or one for each model."""
    analysis: Analysis = find("analyses", source.analysis, "ANALYSIS")
    runs = [each for each in plan.results if each.source in source.of]
    folders = plan.folders.get(source.name, [])
    if len(runs) + len(folders) + len(source.inputs) < max(analysis.fewest, bool(source.of)):
        why = f"it needs {_runs_of(plan, source) if source.of else analysis.inputs}"
        if source.made_by and not source.of:
            why = f"give results with --runs; they are made with: {source.made_by}"
        unasked = bool(source.of or source.made_by)
        plan.lacks.append(Lack(source.name, why, source.at, unasked=unasked))
        return
    here = _inputs_here(plan, source, analysis)
    if source.inputs and not here:
        return
    absent = [name for name in here if source.made_by and data_file(name) is None]
    if absent:
        why = f"{', '.join(absent)}: not in this folder; make it with {source.made_by}"
        plan.lacks.append(Lack(source.name, why, source.at))
        return
    of_options = {
        option: [each.folder for each in plan.results if each.source in names]
        for option, names in source.runs.items()
    }
    options = made_options(source, of_options)
    by_model: dict[str, list[PaperResult]] = {}
    for run in runs:
        model = run.at.get("model", run.result.card.model_name) if source.each else ""
        by_model.setdefault(model, []).append(run)
    for model, group in by_model.items() or [("", [])]:
        at = {**source.at, **({"model": model} if model else {})}
        with _noted(plan, source.name, at, session):
            further = [name if name in known_sets() else data_file(name) or name for name in here]
            result = analysis.compute(
                [*(run.folder for run in group), *folders, *further],
                placed(options, Place(plan.out, session.command)),
                session.monitor,
            )
            folder = plan.out / slug("-".join(filter(None, (source.name, model))))
            save(None, result, folder)
            _add(plan, source.name, folder, at, "given" if folders else "computed")


def _inputs_here(plan: PaperPlan, source: AnalysisSource, analysis: Analysis) -> list[str]:
    """The source's inputs whose data are here or can be downloaded; the others are noted as lacking."""
    here, reasons = [], dict[str, str]()
    for name in source.inputs:
        for data in analysis.sets_of(name):
            if data not in reasons:
                reasons[data] = _why_absent(data)
            if reasons[data]:
                plan.lacks.append(Lack(source.name, reasons[data], {"data": name, **source.at}))
                break
        else:
            here.append(name)
    return here


def _why_absent(data: str) -> str:
    """Why a registered data set cannot be had; "" where it is here now."""
    try:
        locate(data)
    except Unavailable as error:
        return f"{in_one_line(error)}; --data {data}=PATH names files of yours"
    return ""
