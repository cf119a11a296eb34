"""Two models on several studies, by the same rules on the same items, each opened once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiltmeter.cli.console import err
from tiltmeter.cli.publish import keep, load, study_of, warn
from tiltmeter.cli.run_plan import Plan, Settings, found, scored
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.data import places
from tiltmeter.models._open import Options, Resolved
from tiltmeter.run.choosing import Chosen, choose, settings_of
from tiltmeter.run.ensemble import parse
from tiltmeter.run.folder import prepare
from tiltmeter.run.model_openers import LocalOpener, SharingOpener
from tiltmeter.run.store import STORE
from tiltmeter.run.store_thread import StoreThread


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user wants of one study."""

    study: Study[Any]
    data: str | None = None
    rule: str | None = None
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class How:
    """What all runs share."""

    options: Options
    out_folder: Path
    seed: int
    skip_invalid: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class Both:
    """Runs of both models, where they lie, and what could not be run."""

    before: list[Result]
    after: list[Result]
    folders: list[Path]
    missing: list[tuple[str, str]]


def asked(
    studies: str,
    data: Sequence[str] | None,
    rules: Sequence[str] | None,
    settings: Sequence[str] | None,
) -> list[Asked]:
    """What --studies, --data, --rule and --set say.

    Raises:
        UnknownName: A study does not exist.
        BadInput: An option speaks of a study that is not asked for, or is not of its form.
    """
    names = list(dict.fromkeys(name.strip() for name in studies.split(",") if name.strip()))
    if not names:
        raise BadInput("--studies names no study", "write --studies crows_pairs,perplexity")
    sources = _of_studies("--data", data, names)
    wanted = _of_studies("--rule", rules, names)
    told: dict[str, dict[str, str]] = {name: {} for name in names}
    for text in settings or []:
        where, dot, rest = text.partition(".")
        key, sign, value = rest.partition("=")
        if not (dot and sign and key) or where not in told:
            raise BadInput(
                f"--set {text!r} is not STUDY.NAME=VALUE of one of the studies",
                "write --set perplexity.sentences=200",
            )
        told[where][key.strip()] = value.strip()
    return [
        Asked(study_of(name), sources.get(name), wanted.get(name), told[name]) for name in names
    ]


def _of_studies(option: str, given: Sequence[str] | None, names: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in given or []:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (sign and value) or name not in names:
            raise BadInput(
                f"{option} {text!r} is not STUDY={option[2:].upper()} of one of the studies",
                f"write {option} {names[0]}=…",
            )
        found[name] = value
    return found


def run_both(before: str, after: str, wanted: Sequence[Asked], how: How) -> Both:
    """Run both models on each study that both can answer.

    Raises:
        CannotAnswer: Both can answer none.
    """
    models = [_one(reference, how.options) for reference in (before, after)]
    chosen: dict[str, Chosen[Any]] = {}
    missing: list[tuple[str, str]] = []
    for one in wanted:
        try:
            chosen[one.study.name] = _chosen(one, models)
        except CannotAnswer as why:
            missing.append((one.study.name, str(why)))
    if not chosen:
        raise CannotAnswer("\n".join(f"{name}: {why}" for name, why in missing))
    prepare(how.out_folder)
    items = {
        one.study.name: load(
            one.study, one.data, skip_invalid=how.skip_invalid, encoding="",
            settings=chosen[one.study.name].settings,
        )
        for one in wanted if one.study.name in chosen
    }  # fmt: skip
    made = Both([], [], [], missing)
    same = {models[0].name} if models[0].name == models[1].name else set()
    with StoreThread(places.cache() / STORE, warn) as store:
        for where, side in zip(models, (made.before, made.after), strict=True):
            with SharingOpener(LocalOpener()) as opener:
                for name, data in items.items():
                    settings = _settings(study_of(name), data, how, same)
                    err.print(f"{name}:", markup=False, style="dim")
                    result = scored(
                        Plan([(where, chosen[name])]), replace(settings, models=opener), store
                    )
                    folder, _ = keep(
                        study_of(name), result, how.out_folder, jsonl=False, show_text=True
                    )
                    side.append(result)
                    made.folders.append(folder)
    return made


def _one(reference: str, options: Options) -> Resolved:
    if parse(reference) is not None:
        raise BadInput(
            f"{reference} is an ensemble, which nothing was done to", "give a single model"
        )
    where: Resolved
    (where,) = found(reference, options)
    return where


def _chosen(one: Asked, models: Sequence[Resolved]) -> Chosen[Any]:
    """The rule for both: the one asked for, or the first that both can answer.

    Raises:
        CannotAnswer: Either cannot answer it, or any.
    """
    settings = settings_of(one.study, one.settings)
    for where in models:
        choose(one.study, where.answers, model=where.reference, rule=one.rule, settings=settings)
    common = [able for able in models[0].answers if able in models[1].answers]
    return choose(one.study, common, model="both models", rule=one.rule, settings=settings)


def _settings(study: Study[Any], items: Dataset[Any], how: How, twice: set[str]) -> Settings:
    return Settings(
        study, items, how.options, seed=how.seed, split_seed=0, skip_invalid=how.skip_invalid,
        fresh=how.fresh, twice=twice,
    )  # fmt: skip
