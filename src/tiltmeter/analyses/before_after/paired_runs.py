"""Runs of two models on several studies, by the same rules on the same items; each model is opened once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.asking.model_openers import SharingOpener
from tiltmeter.run.jobs import Job, Session, score
from tiltmeter.run.measuring.ensemble import parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import Chosen, choose
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.run_plan import (
    ModelPlan,
    PlannedModel,
    find_models,
    with_distinct_names,
)
from tiltmeter.run.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class PairedPlan:
    """The jobs of both models, on the same studies in the same order."""

    before: tuple[Job, ...]
    after: tuple[Job, ...]
    missing: Mapping[str, str]
    """Why a study cannot be run with both models, by its name."""


def plan_paired(
    models: Sequence[str],
    studies: Sequence[tuple[Study[Any], RunOptions]],
    opening: Options,
    monitor: Monitor,
) -> PairedPlan:
    """Find the studies that both models can answer, choose a common rule for each, and load their items.

    Raises:
        CannotAnswer: There is no study that both can answer.
    """
    before, after = (_single(reference, opening, monitor) for reference in models)
    chosen: list[tuple[Study[Any], RunOptions, Chosen[Any]]] = []
    missing: dict[str, str] = {}
    for study, options in studies:
        try:
            chosen.append((study, options, _common_rule(study, options, (before, after))))
        except CannotAnswer as why:
            missing[study.name] = str(why)
    if not chosen:
        raise _none_left(missing)
    loaded = [(*each, load_items(each[0], each[1], monitor)) for each in chosen]

    def jobs(side: int) -> tuple[Job, ...]:
        made = []
        for study, options, rule, items in loaded:
            both = [ModelPlan((PlannedModel(where, rule),)) for where in (before, after)]
            plan = with_distinct_names(both)[side]
            made.append(Job(study, items, plan, options, opening))
        return (*made,)

    return PairedPlan(jobs(0), jobs(1), missing)


def run_paired(
    plan: PairedPlan, session: Session, save: Callable[[Study[Any], Result], object]
) -> tuple[list[Result], list[Result], dict[str, str]]:
    """Run the jobs of both models, and save each result before the next job begins.

    A study that turns out not to fit one of the models is left out, with the reason.

    Returns:
        The results before, those after, and why other studies could not be run.

    Raises:
        CannotAnswer: No study is left.
        TiltmeterError: A model does not load, items cannot be scored, or a result cannot be saved.
    """
    before: dict[str, Result] = {}
    after: dict[str, Result] = {}
    missing = dict(plan.missing)
    with SharingOpener(session.opener) as opener:
        shared = replace(session, opener=opener)
        for jobs, results in ((plan.before, before), (plan.after, after)):
            for job in jobs:
                name = job.study.name
                if name in missing:
                    continue
                session.monitor.step(f"{name}:")
                try:
                    result = score(job, shared)
                except (CannotAnswer, BadInput) as why:
                    missing[name] = str(why)
                    before.pop(name, None)  # nothing after it could be compared with
                    continue
                save(job.study, result)
                results[name] = result
    if not after:
        raise _none_left(missing)
    return [*before.values()], [*after.values()], missing


def _none_left(missing: Mapping[str, str]) -> CannotAnswer:
    reasons = "\n".join(f"{name}: {why}" for name, why in missing.items())
    return CannotAnswer(f"no study can be compared\n{reasons}")


def _single(reference: str, opening: Options, monitor: Monitor) -> Resolved:
    if parse(reference) is not None:
        reason = f"{reference} is an ensemble, which cannot be compared before and after"
        raise BadInput(reason, "give a single model")
    (where,) = find_models(reference, opening, monitor)
    return where


def _common_rule(study: Study[Any], options: RunOptions, models: Sequence[Resolved]) -> Chosen[Any]:
    """The rule for both models: the one asked for, or the first that both can answer.

    Raises:
        CannotAnswer: They have no rule in common, or one of them cannot answer the rule asked for.
    """
    how: dict[str, Any] = {"rule": options.rule, "settings": options.settings}
    for where in models:
        choose(study, where.answers, model=where.reference, **how)
    common = [need for need in models[0].answers if need in models[1].answers]
    return choose(study, common, model="both models", **how)
