"""What a run will do, found out before anything is loaded; and the doing of it, model by model."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tiltmeter.cli.console import asking, err, fetching
from tiltmeter.cli.publish import stamped
from tiltmeter.core.errors import Problem
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.data import weights
from tiltmeter.run.cached_model import CachedModel
from tiltmeter.run.choosing import Chosen, choose
from tiltmeter.run.ensemble import Ensemble, Member, combine, parse, score_member
from tiltmeter.run.measure import measure
from tiltmeter.run.model_openers import LocalOpener, ModelOpener
from tiltmeter.run.screening import measure_screened, only_float32
from tiltmeter.run.store_thread import StoreThread


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be scored: one model, or the members of an ensemble, each with its rule."""

    parts: list[tuple[Any, Chosen[Any]]]
    ensemble: Ensemble | None = None

    @property
    def is_fitted(self) -> bool:
        """Whether it is an ensemble whose weights have to be found first."""
        return self.ensemble is not None and self.ensemble.weights is None


@dataclass(frozen=True, slots=True)
class Settings:
    """What all models of a run share."""

    study: Study[Any]
    items: Dataset[Any]
    options: Any
    seed: int
    split_seed: int
    skip_invalid: bool
    fresh: bool
    twice: set[str]
    """Names that several models of the run would have: these are called as they were typed."""
    models: ModelOpener = field(default_factory=LocalOpener)


def plan(study: Study[Any], reference: str, options: Any, how: dict[str, Any]) -> Plan:
    """Find out what each model is and by which rule it will be scored; nothing is loaded."""
    return with_rules(study, found(reference, options), how, parse(reference))


def found(reference: str, options: Any) -> list[Any]:
    """What each model is: one, or the members of an ensemble."""
    from tiltmeter.models._open import resolve

    ensemble = parse(reference)
    parts = []
    for name in ensemble.parts if ensemble else (reference,):
        with fetching(_sized(name)) as progress:
            parts.append(resolve(name, options, progress=progress))
    return parts


def with_rules(
    study: Study[Any], models: list[Any], how: dict[str, Any], ensemble: Ensemble | None = None
) -> Plan:
    """By which rule each of them will be scored."""
    parts = [
        (where, choose(study, where.answers, model=where.reference, **how)) for where in models
    ]
    return Plan(parts, ensemble)


def scored(plan: Plan, settings: Settings, store: StoreThread) -> Result:
    """Score the model or the members of the ensemble; the result with when and how long."""
    begun, s = time.monotonic(), settings
    if plan.ensemble is None:
        ((where, chosen),) = plan.parts
        quick, why = _quick(where, s)
        if quick:
            return _screened(where, chosen, quick, s, store)
        if why:
            s = replace(s, items=only_float32(s.items, why))
        with _opened(where, settings, store) as model:
            result = measure(
                s.study, model, s.items, chosen=chosen, seed=s.seed, skip_invalid=s.skip_invalid
            )
            return stamped(result, begun, asked=model.asked, recalled=model.recalled)
    if s.options.precision == "auto":
        why = "an ensemble adds scores up, so that each has to be right, not only its decisions"
        s = replace(s, items=only_float32(s.items, why))
    members: list[Member] = []
    problems: list[Problem] = []
    asked = recalled = 0
    for where, chosen in plan.parts:
        with _opened(where, settings, store) as model:
            member, lost = score_member(
                model, s.items, chosen, seed=s.seed, skip_invalid=s.skip_invalid
            )
            asked, recalled = asked + model.asked, recalled + model.recalled
        members.append(member)
        problems += lost
    result = combine(
        s.study, plan.ensemble, members, s.items,
        seed=s.seed, split_seed=s.split_seed, invalid=problems,
    )  # fmt: skip
    return stamped(result, begun, asked=asked, recalled=recalled)


def _quick(where: Any, s: Settings) -> tuple[str, str]:
    """The precision to begin with under --precision auto; "" where there is none, and why."""
    if s.options.precision != "auto" or where.scheme in {"baseline", "fake", "vectors"}:
        return "", ""
    return s.models.quick(s.options.device)


def _screened(
    where: Any, chosen: Chosen[Any], quick: str, s: Settings, store: StoreThread
) -> Result:
    """The model's result where a quick precision comes first."""
    begun, answered = time.monotonic(), Counter[str]()

    @contextmanager
    def opening(precision: str) -> Iterator[CachedModel]:
        settings = replace(s, options=replace(s.options, precision=precision))
        with _opened(where, settings, store, f" in {precision}") as model:
            yield model
            answered.update(asked=model.asked, recalled=model.recalled)

    result = measure_screened(
        s.study, opening, s.items, chosen=chosen, quick=quick, seed=s.seed, skip_invalid=s.skip_invalid
    )  # fmt: skip
    return stamped(result, begun, asked=answered["asked"], recalled=answered["recalled"])


@contextmanager
def _opened(
    where: Any, settings: Settings, store: StoreThread, manner: str = ""
) -> Iterator[CachedModel]:
    """The model behind the store, with a bar while it is asked."""
    first = " (the first time it is converted: a minute or so)" if where.scheme == "gguf" else ""
    err.print(f"loading {where.reference}{manner}{first}", markup=False, style="dim")
    name = where.reference if where.name in settings.twice else where.name
    opening = settings.models.open(where, settings.options, name=name)
    with opening as model, asking(where.reference) as bar:
        yield CachedModel(model, store, bar, fresh=settings.fresh)


def _sized(reference: str) -> str:
    """With the size of what may have to be fetched."""
    known_size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {known_size / 1e6:,.0f} MB" if known_size else reference
