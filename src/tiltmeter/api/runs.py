"""The public functions: score models on studies, compare results, load them again."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.api.items import Items, dataset_of_items
from tiltmeter.api.results import ComparisonResult, RunResult
from tiltmeter.api.rows import Rows, record_rows
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Rule, Study
from tiltmeter.core.types import Ties
from tiltmeter.models._in_memory import in_memory
from tiltmeter.models._open import Resolved
from tiltmeter.models._options import Options
from tiltmeter.report import saved_runs
from tiltmeter.run import folder as folders
from tiltmeter.run import jobs
from tiltmeter.run.cached_model import CachedModel
from tiltmeter.run.choosing import ties_named
from tiltmeter.run.item_loading import load_items
from tiltmeter.run.measure import of_rule
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.portions import score_items
from tiltmeter.run.repeatable_command import local_reference
from tiltmeter.run.run_plan import RunOptions, plan_model, study_named

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class WrappedModel:
    """A transformers model in memory, ready to be asked; made by `wrap`."""

    source: Resolved

    @property
    def name(self) -> str:
        """What results call it."""
        return self.source.reference

    @property
    def kind(self) -> str:
        """masked, causal or seq2seq."""
        return self.source.scheme


def wrap(
    model: "PreTrainedModel | Any",
    tokenizer: "PreTrainedTokenizerBase | Any",
    *,
    name: str = "",
    kind: str = "",
) -> WrappedModel:
    """A loaded transformers model for `run` and `score`; it is neither copied nor changed.

    Masked, causal and sequence-to-sequence models with their heads, subclasses of them, and models with
    adapters in their layers (peft).

    Args:
        model: On the device and in the precision in which it is to be asked.
        tokenizer: The one that it was trained with.
        name: What results call it; by default where it was loaded from, "(in memory)".
        kind: masked, causal or seq2seq; by default the class tells.

    Raises:
        CannotAnswer: It has no head that scores tokens.
        MissingExtra: torch or transformers is not installed.
    """
    return WrappedModel(in_memory(model, tokenizer, name=name, kind=kind))


def run(  # noqa: PLR0913 the options of the command line, by the same names
    study: str | Study[Any],
    model: str | Path | WrappedModel,
    *,
    rule: str | None = None,
    convention: str | None = None,
    ties: Ties | None = None,
    data: str | Path | Items | None = None,
    settings: Mapping[str, str] | None = None,
    split: str | None = None,
    split_seed: int = 0,
    encoding: str = "",
    seed: int = 0,
    skip_invalid: bool = False,
    device: str = "auto",
    precision: str | None = None,
    batch_tokens: int | None = None,
    revision: str | None = None,
    start_token: str | None = None,
    trust_remote_code: bool = False,
    allow_pickle: bool = False,
    fresh: bool = False,
    out: str | Path | None = None,
    jsonl: bool = False,
    show_text: bool = True,
    monitor: Monitor | None = None,
) -> RunResult:
    """Score a model on a study, as `tiltmeter run` does.

    Answers are kept in the cache: a call that was stopped goes on from them when it is made again.

    Args:
        study: A name of `studies()`, or a study of your own.
        model: A folder, a hub id, KIND:NAME, or what `wrap` made.
        rule: How a sentence is scored; by default the study's first that the model can answer.
        convention: Depart from the paper as a published program does.
        ties: half, loss or neutral; by default as the convention says.
        data: A data set's name, a file, `hf:OWNER/NAME/FILE`, or items in memory: see `score`.
        settings: Settings of the study, by name.
        split: Only the development or the test part of the target terms.
        split_seed: Which terms are for development.
        encoding: Of a text file; UTF-8 by default.
        seed: Of bootstraps and random masks.
        skip_invalid: Leave out items that cannot be scored instead of stopping.
        device: auto, cpu, cuda, cuda:1, mps. A wrapped model stays where it is.
        precision: float32 (by default), bfloat16, float16 or auto. Not of a wrapped model.
        batch_tokens: Tokens in one forward pass; bounds the memory.
        revision: Hub branch, tag or commit.
        start_token: What a causal model reads before the text.
        trust_remote_code: Run code that comes with the model.
        allow_pickle: Load weights that are not safetensors.
        fresh: Ask the model again what is stored.
        out: A folder in which the run folder is made, as by the command line; None saves nothing.
        jsonl: With `out`: write the records as lines of JSON as well.
        show_text: With `out`: False leaves the items' texts out of the page.
        monitor: Is told what happens; by default the log `tiltmeter`.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    monitor = monitor or Logged()
    chosen_study = study_named(study) if isinstance(study, str) else study
    opening = Options(
        device=device, precision=precision or "float32", batch_tokens=batch_tokens,
        revision=revision, trust_remote_code=trust_remote_code, allow_pickle=allow_pickle,
        start_token=start_token,
    )  # fmt: skip
    source = _source(model, opening, precision)
    options = RunOptions(
        rule=rule, convention=convention, ties=ties_named(ties), settings=settings or {},
        data=data if data is None or isinstance(data, str | Path) else dataset_of_items(data),
        encoding=encoding, split=split, split_seed=split_seed, seed=seed,
        skip_invalid=skip_invalid, fresh=fresh,
    )  # fmt: skip
    if out is not None:
        folders.prepare(Path(out))
    (job,) = jobs.plan_jobs(chosen_study, [source], options, opening, monitor)
    command = _call(chosen_study, model, options, opening)
    with jobs.session(monitor, command=command) as session:
        result = RunResult(jobs.score(job, session), chosen_study)
    if out is None:
        return result
    folder = Path(out) / folders.folder_name(result.result)
    return result.save(folder, jsonl=jsonl, show_text=show_text)


def score(  # noqa: PLR0913 as of `run`
    how: str | Rule[Any] | Study[Any],
    model: str | Path | WrappedModel,
    items: str | Path | Items,
    *,
    convention: str | None = None,
    settings: Mapping[str, str] | None = None,
    seed: int = 0,
    skip_invalid: bool = False,
    device: str = "auto",
    precision: str | None = None,
    batch_tokens: int | None = None,
    fresh: bool = False,
    monitor: Monitor | None = None,
) -> Rows[Record]:
    """Score items without estimates: one record each, in order.

    Args:
        how: A study, whose first rule that the model can answer is taken, or a rule; or the name of
            either.
        model: As of `run`.
        items: Pair objects, (more, less) tuples, rows or a table with the columns `sent_more` and
            `sent_less`, other items of `tiltmeter.core.items`, or what `run` takes as `data`.
        convention: As of `run`.
        settings: As of `run`.
        seed: Of random masks.
        skip_invalid: Leave out items that cannot be scored instead of stopping.
        device: As of `run`.
        precision: As of `run`, but for auto.
        batch_tokens: As of `run`.
        fresh: As of `run`.
        monitor: As of `run`.

    Raises:
        TiltmeterError: There is no such study, rule or model, or items cannot be scored.
    """
    monitor = monitor or Logged()
    if precision == "auto":
        raise BadInput("precision='auto' is about decisions, and records have none", "name another")
    study, rule = _study_and_rule(how)
    opening = Options(device=device, precision=precision or "float32", batch_tokens=batch_tokens)
    options = RunOptions(
        rule=rule, convention=convention, settings=settings or {}, seed=seed,
        skip_invalid=skip_invalid, fresh=fresh,
        data=items if isinstance(items, str | Path) else dataset_of_items(items),
    )  # fmt: skip
    plan = plan_model(study, _source(model, opening, precision), options, opening, monitor)
    if plan.ensemble is not None:
        raise BadInput("an ensemble is scored on a study", "use run, or give a single model")
    (member,) = plan.members
    data = of_rule(load_items(study, options, monitor), member.chosen.rule)
    context = Context(member.chosen.convention, seed, skip_invalid, settings=member.chosen.settings)
    with (
        jobs.session(monitor) as session,
        session.opener.open(member.where, opening) as opened,
        monitor.questions(member.where.reference) as progress,
    ):
        cached = CachedModel(opened, session.store, progress, fresh=fresh)
        return record_rows(score_items(member.chosen.rule, cached, data.items, context))


def compare(
    first: RunResult | str | Path, second: RunResult | str | Path,
    *others: RunResult | str | Path, seed: int = 0,
) -> ComparisonResult:  # fmt: skip
    """Compare results of one study on the same items, as `tiltmeter compare` does.

    Args:
        first: A result, or the folder of one.
        second: Another.
        *others: And more.
        seed: Of bootstraps.

    Raises:
        BadInput: They are not comparable.
    """
    results = [one if isinstance(one, RunResult) else load(one) for one in (first, second, *others)]
    plain = [one.result for one in results]
    return ComparisonResult(results, saved_runs.compared(plain, seed=seed))


def studies() -> dict[str, Study[Any]]:
    """All studies by name, those of installed plug-ins among them."""
    return {name: study_named(name) for name in known("studies")}


def load(folder: str | Path) -> RunResult:
    """A run folder of the command line, or one that `save` wrote.

    Raises:
        BadInput: It is not a run folder, or is damaged.
    """
    result = folders.read(Path(folder))
    name = result.card.study
    study = study_named(name) if name in known("studies") else None
    return RunResult(result, study, Path(folder))


def _source(
    model: str | Path | WrappedModel, opening: Options, precision: str | None
) -> str | Resolved:
    if not isinstance(model, WrappedModel):
        return str(model)
    if precision is not None or opening.device != "auto":
        raise BadInput(
            f"{model.name} is in memory already and is asked as it is there",
            "leave out device and precision, or move it before",
        )
    return model.source


def _study_and_rule(how: str | Rule[Any] | Study[Any]) -> tuple[Study[Any], str | None]:
    """The study that a rule belongs to, and the rule's name; of a study all rules are open."""
    if isinstance(how, Study):
        return how, None
    if isinstance(how, str) and how in known("studies"):
        return study_named(how), None
    name = how if isinstance(how, str) else how.name
    rules: set[str] = set()
    for listed in known("studies"):
        study: Study[Any] = find("studies", listed, "STUDY")
        names = {rule.name for rule in study.rules}
        if set(name.split("+")) <= names and (
            isinstance(how, str) or any(rule is how for rule in study.rules)
        ):
            return study, name
        rules |= names
    raise UnknownName("study or rule", name, {*known("studies"), *rules})


def _call(
    study: Study[Any], model: str | Path | WrappedModel, options: RunOptions, opening: Options
) -> str:
    """The call as Python, for the card: without the places of this computer's files."""
    named = (
        f"tiltmeter.wrap(model, tokenizer, name={model.name!r})"
        if isinstance(model, WrappedModel)
        else repr(local_reference(str(model)))
    )
    given: dict[str, object] = {}
    for source, usual in ((options, RunOptions()), (opening, Options())):
        for key in source.__dataclass_fields__:
            value = getattr(source, key)
            if value != getattr(usual, key) and key not in {"data", "fresh"}:
                given[key] = value
    if isinstance(options.data, str | Path):
        given["data"] = local_reference(str(options.data))
    words = [repr(study.name), named, *(f"{key}={value!r}" for key, value in given.items())]
    if options.data is not None and "data" not in given:
        words.append("data=items")
    return f"tiltmeter.run({', '.join(words)})"
