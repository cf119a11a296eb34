"""run: score models on a study."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli import thresholds
from tiltmeter.cli.arguments import (
    ConventionName,
    DataSource,
    Encoding,
    FailIf,
    Json,
    Jsonl,
    Models,
    NoText,
    Out,
    RuleName,
    Seed,
    Skip,
    Split,
    SplitSeed,
    StudyName,
    TiesPolicy,
)
from tiltmeter.cli.console import asking, err, fetching
from tiltmeter.cli.publish import load, publish, stamped, study_of, ties_of
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.data import places, weights
from tiltmeter.run.ensemble import Ensemble, Member, combine, parse, score_member
from tiltmeter.run.measure import Chosen, choose, measure
from tiltmeter.run.remember import Remembering
from tiltmeter.run.store import Store


def run(  # noqa: PLR0913 the command line's own options
    study: StudyName,
    models: Models,
    *,
    rule: RuleName = None,
    convention: ConventionName = None,
    ties: TiesPolicy = None,
    data: DataSource = None,
    split: Split = None,
    split_seed: SplitSeed = 0,
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    jsonl: Jsonl = False,
    seed: Seed = 0,
    skip_invalid: Skip = False,
    fail_if: FailIf = None,
    no_text: NoText = False,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, mps.")] = "auto",
    dtype: Annotated[str, typer.Option(help="float32, bfloat16 or float16.")] = "float32",
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens in one forward pass; bounds the memory.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="Of a hub id.")] = None,
    start_token: Annotated[
        str | None, typer.Option(help="What a causal model reads before the text.")
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run code that comes with the model.")
    ] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Load weights that are not safetensors.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what is stored.")] = False,
) -> None:
    """Score models on a study: a table here, and a folder with records, estimates and a page."""
    from tiltmeter.models._open import Options

    found = study_of(study)
    limits = thresholds.parse(fail_if or [], found)
    options = Options(
        device=device,
        dtype=dtype,
        batch_tokens=batch_tokens,
        revision=revision,
        trust_remote_code=trust_remote_code,
        allow_pickle=allow_pickle,
        start_token=start_token,
    )
    how = {"rule": rule, "convention": convention, "ties": ties_of(ties)}
    planned = [_plan(found, name, options, how) for name in dict.fromkeys(models)]
    if split is not None and any(p.is_fitted for p in planned):
        raise BadInput(
            "an ensemble without weights is fitted on the development terms and reported on the test "
            "terms, so there is nothing to --split",
            "leave out --split, or give the weights: ensemble:A=0.4+B=0.6",
        )
    items = load(
        found, data, skip_invalid=skip_invalid, encoding=encoding, part=split, split_seed=split_seed
    )
    names = [where.name for p in planned for where, _ in p.parts]
    settings = _Settings(
        found, items, options, seed=seed, split_seed=split_seed, skip_invalid=skip_invalid,
        fresh=fresh, twice={name for name in names if names.count(name) > 1},
    )  # fmt: skip
    with Store(places.cache() / "answers.sqlite") as store:
        results = [_scored(plan, settings, store) for plan in planned]
    publish(
        found, results, out_folder, as_json=as_json, jsonl=jsonl, seed=seed, show_text=not no_text
    )
    thresholds.enforce(limits, results)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What will be scored: one model, or the members of an ensemble, each with its rule."""

    parts: list[tuple[Any, Chosen[Any]]]
    ensemble: Ensemble | None = None

    @property
    def is_fitted(self) -> bool:
        """Whether it is an ensemble whose weights have to be found first."""
        return self.ensemble is not None and self.ensemble.weights is None


@dataclass(frozen=True, slots=True)
class _Settings:
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


def _plan(study: Study[Any], reference: str, options: Any, how: dict[str, Any]) -> _Plan:
    """Find out what each model is and by which rule it will be scored; nothing is loaded."""
    from tiltmeter.models._open import resolve

    ensemble = parse(reference)
    parts = []
    for name in ensemble.parts if ensemble else (reference,):
        with fetching(_sized(name)) as progress:
            where = resolve(name, options, progress=progress)
        parts.append((where, choose(study, where.answers, model=name, **how)))
    return _Plan(parts, ensemble)


def _scored(plan: _Plan, settings: _Settings, store: Store) -> Result:
    begun, s = time.monotonic(), settings
    if plan.ensemble is None:
        ((where, chosen),) = plan.parts
        with _opened(where, settings, store) as model:
            result = measure(
                s.study, model, s.items, chosen=chosen, seed=s.seed, skip_invalid=s.skip_invalid
            )
            return stamped(result, begun, asked=model.asked, recalled=model.recalled)
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


@contextmanager
def _opened(where: Any, settings: _Settings, store: Store) -> Iterator[Remembering]:
    """The model behind the store, with a bar while it is asked."""
    from tiltmeter.models._open import open_model

    first = " (the first time it is converted: a minute or so)" if where.scheme == "gguf" else ""
    err.print(f"loading {where.reference}{first}", markup=False, style="dim")
    name = where.reference if where.name in settings.twice else where.name
    model = open_model(where, settings.options, name=name)
    with asking(where.reference) as bar:
        yield Remembering(model, store, bar, fresh=settings.fresh)


def _sized(reference: str) -> str:
    """With the size of what may have to be fetched."""
    known_size = weights.WEIGHTS[reference].size if reference in weights.WEIGHTS else None
    return f"{reference}, {known_size / 1e6:,.0f} MB" if known_size else reference
