"""The public functions: measure models on studies, compare results, load them again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tiltmeter.api.items import Items, dataset_of_items
from tiltmeter.api.results import ComparisonResult, RunResult
from tiltmeter.api.wrapped import WrappedModel, source_of
from tiltmeter.core.finder import known
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties
from tiltmeter.models.opening.model_options import Options
from tiltmeter.report import saved_runs
from tiltmeter.run import folder as folders
from tiltmeter.run import jobs
from tiltmeter.run.choosing import ties_named
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.repeatable_command import local_reference
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.run_plan import study_named
from tiltmeter.run.study_files import study_if_known


def run(  # noqa: PLR0913 the options of the command line, by the same names
    study: str | Study[Any],
    model: str | Path | WrappedModel,
    *,
    rule: str | None = None,
    convention: str | None = None,
    ties: Ties | None = None,
    data: str | Path | Items | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    split: str | None = None,
    split_seed: int = 0,
    limit: int | None = None,
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
    at_once: int = 4,
    timeout: float = 120.0,
    tries: int = 6,
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
        columns: Of a table in a file: its column for each field of the study that has another name there.
        settings: Settings of the study, by name.
        split: Only the development or the test part of the target terms.
        split_seed: Which terms are for development.
        limit: At most so many items, drawn at random with the seed.
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
        at_once: Requests to a server under way at the same time.
        timeout: Seconds to wait for a server's answer.
        tries: Attempts for a request to a server.
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
        start_token=start_token, at_once=at_once, timeout=timeout, tries=tries,
    )  # fmt: skip
    source = source_of(model, opening, precision)
    options = RunOptions(
        rule=rule, convention=convention, ties=ties_named(ties), settings=settings or {},
        columns=columns or {},
        data=data if data is None or isinstance(data, str | Path) else dataset_of_items(data),
        encoding=encoding, split=split, split_seed=split_seed,
        limit=limit, seed=seed,
        skip_invalid=skip_invalid, fresh=fresh,
    )  # fmt: skip
    out = None if out is None else Path(out).expanduser()
    if out is not None:
        folders.prepare(out)
    (job,) = jobs.plan_jobs(chosen_study, [source], options, opening, monitor)
    command = _call(chosen_study, model, options, opening)
    with jobs.session(monitor, command=command) as session:
        result = RunResult(jobs.score(job, session), chosen_study)
    if out is None:
        return result
    folder = Path(out) / folder_name(result.result)
    return result.save(folder, jsonl=jsonl, show_text=show_text)


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
    return RunResult(result, study_if_known(result.card), Path(folder))


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
