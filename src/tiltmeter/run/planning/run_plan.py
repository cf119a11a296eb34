"""Plans a run before any model is loaded: the models, their rules and the items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tiltmeter.core.finder import find
from tiltmeter.core.study import Study
from tiltmeter.data.downloads import weights
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, resolve
from tiltmeter.run.measuring.ensemble import Ensemble, parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import Chosen, choose
from tiltmeter.run.planning.study_files import ENDING, read_study, refuse_allowance
from tiltmeter.run.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """A model, and the rule that will score it."""

    where: Resolved
    chosen: Chosen[Any]


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What one result will be about: a model, or the members of an ensemble."""

    members: tuple[PlannedModel, ...]
    ensemble: Ensemble | None = None

    @property
    def rules(self) -> str:
        """Rules by name; of an ensemble each member's."""
        return ", ".join(dict.fromkeys(member.chosen.rule.name for member in self.members))


def study_named(name: str, *, allow_code: bool = False) -> Study[Any]:
    """The study of this name, or of this Python file (a path that ends with .py), whose code must be allowed.

    Raises:
        UnknownName: There is none.
        BadInput: The file's code may not be run, fails, or defines no study.
    """
    if name.endswith(ENDING):
        return read_study(name, allow_code=allow_code)
    refuse_allowance(allow_code=allow_code)
    study: Study[Any] = find("studies", name, "STUDY")
    return study


def plan_model(
    study: Study[Any],
    model: str | Resolved,
    options: RunOptions,
    opening: Options,
    monitor: Monitor,
) -> ModelPlan:
    """Find out what the model is and by which rule it will be scored; nothing is loaded.

    Raises:
        TiltmeterError: There is no such model or rule, or they do not fit.
    """
    ensemble = parse(model) if isinstance(model, str) else None
    return with_rules(study, find_models(model, opening, monitor), options, ensemble)


def find_models(model: str | Resolved, opening: Options, monitor: Monitor) -> tuple[Resolved, ...]:
    """What a reference is: one model, or the members of an ensemble.

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
    """By which rule each of them will be scored.

    Raises:
        CannotAnswer: A model lacks what the rule needs.
        BadInput: The part of the terms that was asked for does not go with a fitted ensemble.
    """
    chosen = (
        choose(
            study, where.answers, model=where.reference, rule=options.rule,
            convention=options.convention, ties=options.ties, settings=options.settings,
        )
        for where in models
    )  # fmt: skip
    if ensemble is not None:
        ensemble.check_split(options.split)
    return ModelPlan(tuple(map(PlannedModel, models, chosen)), ensemble)


def _with_size(reference: str) -> str:
    """With the size of what may have to be fetched."""
    size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {size / 1e6:,.0f} MB" if size else reference
