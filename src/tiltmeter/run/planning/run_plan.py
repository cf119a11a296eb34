"""Plans a run before any model is loaded: the models, their rules and the items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiltmeter.core.finder import find, known
from tiltmeter.core.model.model_names import distinct_names
from tiltmeter.core.study import Study
from tiltmeter.data.downloads import weights
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, resolve
from tiltmeter.run.asking.manner import check_replies
from tiltmeter.run.measuring.ensemble import Ensemble, parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import Chosen, choose
from tiltmeter.run.planning.mistaken_names import no_study
from tiltmeter.run.planning.study_files import ENDING, read_study, refuse_allowance
from tiltmeter.run.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """A model and the rule that will score it."""

    where: Resolved
    chosen: Chosen[Any]


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The plan of one result: a single model, or the members of an ensemble."""

    members: tuple[PlannedModel, ...]
    ensemble: Ensemble | None = None
    called: str = ""
    """The name that the user gives the model or ensemble; "" for the usual one."""

    @property
    def rules(self) -> str:
        """The names of the members' rules, each once, separated by commas."""
        return ", ".join(dict.fromkeys(member.chosen.rule.name for member in self.members))


def with_distinct_names(plans: Sequence[ModelPlan]) -> list[ModelPlan]:
    """The plans with the names that users gave to models, and longer ones where several share one."""
    models = [member.where for plan in plans for member in plan.members]
    places = {where.location or where.reference: where for where in models}
    names = distinct_names(
        {where.reference: where.name for where in places.values() if not where.called}
    )

    def named(plan: ModelPlan) -> ModelPlan:
        if plan.called and plan.ensemble is None:
            (member,) = plan.members
            return replace(plan, members=(_called(member, plan.called),))
        members = (
            _called(member, names.get(member.where.reference, member.where.name))
            for member in plan.members
        )
        return replace(plan, members=(*members,))

    return [named(plan) for plan in plans]


def _called(member: PlannedModel, name: str) -> PlannedModel:
    where = member.where
    return member if where.name == name else replace(member, where=replace(where, called=name))


def study_named(name: str, *, allow_code: bool = False) -> Study[Any]:
    """The study with this name, or of the Python file with this path (ending in .py).

    Raises:
        UnknownName: There is no study with this name.
        BadInput: The file's code is not allowed, fails or defines no study; or code is allowed and no file
            named.
    """
    if name.endswith(ENDING):
        return read_study(name, allow_code=allow_code)
    refuse_allowance(allow_code=allow_code)
    if name not in known("studies"):
        raise no_study(name)
    study: Study[Any] = find("studies", name, "STUDY")
    return study


def plan_model(
    study: Study[Any],
    model: str | Resolved,
    options: RunOptions,
    opening: Options,
    monitor: Monitor,
) -> ModelPlan:
    """Resolve the model and choose the rule that will score it; nothing is loaded.

    Raises:
        TiltmeterError: There is no such model or rule, or they do not fit together.
    """
    ensemble = parse(model) if isinstance(model, str) else None
    return with_rules(study, find_models(model, opening, monitor), options, ensemble)


def find_models(model: str | Resolved, opening: Options, monitor: Monitor) -> tuple[Resolved, ...]:
    """Resolve a reference to one model, or to the members of an ensemble.

    Raises:
        TiltmeterError: There is no such model.
    """
    if isinstance(model, Resolved):
        return (model,)
    ensemble = parse(model)
    resolved = []
    for name in ensemble.references if ensemble else (model,):
        with monitor.download(_with_size(name)) as progress:
            resolved.append(resolve(name, opening, progress=progress))
    return tuple(resolved)


def with_rules(
    study: Study[Any],
    models: Sequence[Resolved],
    options: RunOptions,
    ensemble: Ensemble | None = None,
) -> ModelPlan:
    """The plan for these models, with the rule that will score each.

    Raises:
        CannotAnswer: A model lacks what the rule needs.
        BadInput: A part of the terms is chosen, but the ensemble's weights are to be fitted.
    """
    chosen = (
        choose(
            study, where.answers, model=where.reference, rule=options.rule,
            convention=options.convention, ties=options.ties, settings=options.settings,
        )
        for where in models
    )  # fmt: skip
    planned = tuple(map(PlannedModel, models, chosen))
    for member in planned:
        check_replies(member.chosen.rule, options)
    if ensemble is not None:
        ensemble.check_split(options.split)
    return ModelPlan(planned, ensemble)


def _with_size(reference: str) -> str:
    """The reference, followed by the size of the download if the model is a registered one."""
    size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {size / 1e6:,.0f} MB" if size else reference
