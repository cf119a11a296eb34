"""What a run will do, found out before any model is loaded: which models, by which rules, on which items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.core.items import Dataset
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties
from tiltmeter.data import hub_files, weights
from tiltmeter.data.splits import split
from tiltmeter.models._open import Resolved, resolve
from tiltmeter.models._options import Options
from tiltmeter.run.choosing import Chosen, choose, settings_of
from tiltmeter.run.ensemble import Ensemble, parse
from tiltmeter.run.monitor import Monitor


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a study is measured, whatever the model."""

    rule: str | None = None
    """None: the first that the model can answer."""
    convention: str | None = None
    ties: Ties | None = None
    """What two equal scores count as; None: as the convention says."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the study that the user has given."""
    data: str | Path | Dataset[Any] | None = None
    """A registered name, a file, a file of the hub (`hf:…`), items in memory; None: the study's own."""
    encoding: str = ""
    split: str | None = None
    """development or test: only that part of the target terms."""
    split_seed: int = 0
    seed: int = 0
    skip_invalid: bool = False
    fresh: bool = False
    """Ask the model again what is stored."""


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
    def is_fitted(self) -> bool:
        """Whether it is an ensemble whose weights have to be found first."""
        return self.ensemble is not None and self.ensemble.weights is None

    @property
    def rules(self) -> str:
        """Rules by name; of an ensemble each member's."""
        return ", ".join(dict.fromkeys(member.chosen.rule.name for member in self.members))


def study_named(name: str) -> Study[Any]:
    """The study of this name.

    Raises:
        UnknownName: There is none.
    """
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
    found = []
    for name in ensemble.parts if ensemble else (model,):
        with monitor.download(_with_size(name)) as progress:
            found.append(resolve(name, opening, progress=progress))
    return tuple(found)


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
    plan = ModelPlan(tuple(map(PlannedModel, models, chosen)), ensemble)
    if plan.is_fitted and options.split is not None:
        raise BadInput(
            "an ensemble without weights is fitted on the development terms and reported on the test "
            "terms, so there is nothing to --split",
            "leave out --split, or give the weights: ensemble:A=0.4+B=0.6",
        )
    return plan


def load_items(study: Study[Any], options: RunOptions, monitor: Monitor) -> Dataset[Any]:
    """The items to measure on; the monitor is told what there is to know about them.

    Raises:
        BadInput, BadItems: They cannot be read.
    """
    items = _items(study, options, monitor)
    if options.split is not None:
        items = split(items, options.split, seed=options.split_seed)
    if items.warning:
        monitor.warning(items.warning, about=items.name)
    monitor.left_out(items.invalid)
    return items


def _items(study: Study[Any], options: RunOptions, monitor: Monitor) -> Dataset[Any]:
    if isinstance(options.data, Dataset):
        return options.data
    with monitor.download(str(options.data)) as progress:
        source = hub_files.local(options.data, progress)
    named: dict[str, Mapping[str, str]] = {}
    if study.settings:  # only then does `load` take them
        named["settings"] = settings_of(study, options.settings, options.convention)
    items = study.load(
        source, skip_invalid=options.skip_invalid, encoding=options.encoding, **named
    )
    return hub_files.credited(items, source)


def _with_size(reference: str) -> str:
    """With the size of what may have to be fetched."""
    size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {size / 1e6:,.0f} MB" if size else reference
