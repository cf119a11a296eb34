"""Two models on several studies, by the same rules on the same items, each opened once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.choosing import Chosen, choose
from tiltmeter.run.ensemble import parse
from tiltmeter.run.item_loading import load_items
from tiltmeter.run.jobs import Job, Session, score
from tiltmeter.run.model_openers import SharingOpener
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.run_plan import ModelPlan, PlannedModel, find_models


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """A study that both models are to be run on."""

    study: Study[Any]
    options: RunOptions


@dataclass(frozen=True, slots=True)
class PairedJob:
    """One study of one of the two models."""

    is_after: bool
    job: Job


@dataclass(frozen=True, slots=True)
class PairedPlan:
    """All that will be run, model by model, and the studies that cannot be."""

    jobs: tuple[PairedJob, ...]
    missing: tuple[tuple[str, str], ...]
    """Names of studies that a model cannot answer, and why."""


@dataclass(frozen=True, slots=True)
class PairedRuns:
    """Results of both models, the folders they are in, and what could not be run."""

    before: Sequence[Result]
    after: Sequence[Result]
    folders: Sequence[Path]
    missing: Sequence[tuple[str, str]]


Save: TypeAlias = Callable[[Study[Any], Result], Path]
"""Writes a result and gives its folder."""


def plan_paired(
    before: str, after: str, requests: Sequence[StudyRequest], opening: Options, monitor: Monitor
) -> PairedPlan:
    """Find out which studies both models can answer, by which rule, and load their items.

    Raises:
        CannotAnswer: There is no study that both can answer.
    """
    models = [_single(reference, opening, monitor) for reference in (before, after)]
    chosen: list[tuple[StudyRequest, Chosen[Any]]] = []
    missing: dict[str, str] = {}
    for request in requests:
        try:
            chosen.append((request, _common_rule(request, models)))
        except CannotAnswer as why:
            missing[request.study.name] = str(why)
    if not chosen:
        raise _none_left(missing)
    loaded = [
        (request, rule, load_items(request.study, request.options, monitor))
        for request, rule in chosen
    ]
    same = frozenset({models[0].name}) if models[0].name == models[1].name else frozenset[str]()
    jobs = [
        PairedJob(
            is_after,
            Job(
                request.study, items, ModelPlan((PlannedModel(where, rule),)), request.options,
                opening, same,
            ),
        )
        for is_after, where in zip((False, True), models, strict=True)
        for request, rule, items in loaded
    ]  # fmt: skip
    return PairedPlan(tuple(jobs), tuple(missing.items()))


def run_paired(plan: PairedPlan, session: Session, save: Save) -> PairedRuns:
    """Run both models, one after the other; each result is saved before the next begins.

    A study that turns out not to fit one of the models is left out, with the reason in `missing`.

    Raises:
        CannotAnswer: No study is left.
        TiltmeterError: A model does not load, items cannot be scored, or a result cannot be saved.
    """
    before: dict[str, Result] = {}
    after: dict[str, Result] = {}
    folders: list[Path] = []
    missing = dict(plan.missing)
    with SharingOpener(session.opener) as opener:
        shared = replace(session, opener=opener)
        for paired in plan.jobs:
            study = paired.job.study
            if study.name in missing:
                continue
            session.monitor.step(f"{study.name}:")
            try:
                result = score(paired.job, shared)
            except (CannotAnswer, BadInput) as why:
                missing[study.name] = str(why)
                before.pop(study.name, None)  # nothing after it could be compared with
                continue
            folders.append(save(study, result))
            (after if paired.is_after else before)[study.name] = result
    if not after:
        raise _none_left(missing)
    return PairedRuns(
        tuple(before.values()), tuple(after.values()), folders, tuple(missing.items())
    )


def _none_left(missing: Mapping[str, str]) -> CannotAnswer:
    reasons = "\n".join(f"{name}: {why}" for name, why in missing.items())
    return CannotAnswer(f"no study can be compared\n{reasons}")


def requests_of(
    studies: Mapping[str, Study[Any]],
    shared: RunOptions,
    *,
    data: Mapping[str, str],
    rules: Mapping[str, str],
    settings: Mapping[str, Mapping[str, str]],
) -> list[StudyRequest]:
    """One request per study, with its own options and those shared by all."""
    return [
        StudyRequest(
            study,
            replace(
                shared, data=data.get(name), rule=rules.get(name), settings=settings.get(name, {})
            ),
        )
        for name, study in studies.items()
    ]


def _single(reference: str, opening: Options, monitor: Monitor) -> Resolved:
    if parse(reference) is not None:
        raise BadInput(
            f"{reference} is an ensemble, which cannot be compared before and after",
            "give a single model",
        )
    (where,) = find_models(reference, opening, monitor)
    return where


def _common_rule(request: StudyRequest, models: Sequence[Resolved]) -> Chosen[Any]:
    """The rule for both: the one asked for, or the first that both can answer.

    Raises:
        CannotAnswer: They have no rule in common, or cannot answer the one asked for.
    """
    study, options = request.study, request.options
    for where in models:
        choose(
            study,
            where.answers,
            model=where.reference,
            rule=options.rule,
            settings=options.settings,
        )
    common = [need for need in models[0].answers if need in models[1].answers]
    return choose(study, common, model="both models", rule=options.rule, settings=options.settings)
