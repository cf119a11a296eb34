"""The public functions: measure models on studies, load results again."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.api.items import TABLE, Items, data_given
from tiltmeter.api.keywords import RereadKeywords, RunKeywords, options_made, takes
from tiltmeter.api.results import RunResult
from tiltmeter.api.wrapped import WrappedModel, source_of
from tiltmeter.core.finder import known
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import jobs
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.repeatable_command import local_reference
from tiltmeter.run.files.reread_runs import reread as read_again
from tiltmeter.run.measuring.imported_scores import result_of_data
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.planning.study_files import study_if_known
from tiltmeter.run.run_options import RunOptions


@takes(RunKeywords, RunOptions, Options)
def run(
    study: str | Study[Any],
    model: str | Path | WrappedModel | None = None,
    *,
    data: str | Path | Items | None = None,
    name: str = "",
    out: str | Path | None = None,
    jsonl: bool = False,
    show_text: bool = True,
    monitor: Monitor | None = None,
    **options: Unpack[RunKeywords],
) -> RunResult:
    """Score a model on a study, as `tiltmeter run` does.

    Answers are kept in the cache: a call that was stopped goes on from them when it is made again.

    >>> import tiltmeter as tm
    >>> tm.run("starter_pairs", "fake:masked").headline
    <stereotype_rate: 45.19 % (39.36 to 51.15), p 0.128, n 270>
    >>> tm.run("pairs", "fake", data=[("She is late.", "He is late.")], seed=1).headline.n
    1

    Args:
        study: A name of `studies()`, or a study of your own.
        model: A folder, a hub id, KIND:NAME, or what `wrap` made; that one stays where it is, as it is. None
            where the data hold the answers.
        data: A data set's name, a file, `hf:OWNER/NAME/FILE`, a table of polars or pandas with the columns of
            such a file, or items in memory: see `score`.
        name: What titles, tables and pictures call the model; "" for its usual name.
        out: A folder in which the run folder is made, as by the command line; None saves nothing.
        jsonl: With `out`: write the records as lines of JSON as well.
        show_text: With `out`: False leaves the items' texts out of the page.
        monitor: Receives progress and warnings; by default the log `tiltmeter`.
        **options: Those of `tiltmeter run`.

    Returns:
        Estimates of the study's measures over all items and over its subsets, each with its unit, its neutral
        value and, where one can be computed, its interval; and a record for each item. The study's page says
        what each measure means.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    monitor = monitor or Logged()
    chosen_study = study if isinstance(study, Study) else study_named(str(study))
    opening = options_made(Options, options)
    out = None if out is None else Path(out).expanduser()
    if out is not None:
        folders.prepare(out)
    with ExitStack() as stack:
        chosen = options_made(RunOptions, options, data=data_given(data, stack))
        command = _call(chosen_study, model, chosen, opening)
        if model is None:
            made = result_of_data(chosen_study, chosen, monitor, command=command)
        else:
            source = source_of(model, opening, options.get("precision"))
            names = [name] if name else ()
            (job,) = jobs.plan_jobs(chosen_study, [source], chosen, opening, monitor, names=names)
            made = jobs.score(job, stack.enter_context(jobs.session(monitor, command=command)))
    result = RunResult(made, chosen_study)
    if out is None:
        return result
    return result.save(out / folder_name(result.result), jsonl=jsonl, show_text=show_text)


def studies() -> dict[str, Study[Any]]:
    """All studies by name, those of installed plug-ins among them.

    >>> import tiltmeter as tm
    >>> tm.studies()["starter_pairs"].name
    'starter_pairs'
    """
    return {name: study_named(name) for name in known("studies")}


def load(folder: str | Path) -> RunResult:
    """The result in a folder: of a run, an audit, a comparison or an analysis; it equals what was saved.

    >>> import tiltmeter as tm
    >>> from tempfile import mkdtemp
    >>> saved = tm.run("starter_pairs", "fake:masked", out=mkdtemp())
    >>> tm.load(saved.folder) == saved
    True

    Args:
        folder: A folder of the command line, or one that `save` or `out` wrote.

    Raises:
        BadInput: It is not a run folder, or is damaged.
    """
    result = folders.read(Path(folder))
    return RunResult(result, study_if_known(result.card), Path(folder))


@takes(RereadKeywords, RunOptions)
def reread(
    run: str | Path | RunResult,
    *,
    data: str | Path | Items | None = None,
    monitor: Monitor | None = None,
    **options: Unpack[RereadKeywords],
) -> RunResult:
    """Read the replies of a run again by another rule or other settings, without asking the model.

    >>> import tiltmeter as tm
    >>> written = tm.run("prompts", "fake:causal", rule="word")
    >>> tm.reread(written, rule="contains").card.rule
    'contains'

    Args:
        run: A run folder, or what `run` and `load` return.
        data: The run's data, where these were a file or items of yours.
        monitor: Receives warnings about the data; by default the log `tiltmeter`.
        **options: Those of `tiltmeter import`. What is not named is as in the run.

    Raises:
        BadInput: The run has no replies or several to an item, its data are others now, or the rule or the
            settings would have asked the model something else.
    """
    source = run.result if isinstance(run, RunResult) else Path(run)
    shown = "run" if isinstance(run, RunResult) else repr(local_reference(str(run)))
    words = [shown, *(f"{name}={value!r}" for name, value in options.items())]
    command = f"tiltmeter.reread({', '.join(words)})"
    with ExitStack() as stack:
        chosen = options_made(RunOptions, options, data=data_given(data, stack))
        again = read_again(source, chosen, monitor or Logged(), command=command)
    return RunResult(again.result, again.study)


def _call(
    study: Study[Any],
    model: str | Path | WrappedModel | None,
    options: RunOptions,
    opening: Options,
) -> str:
    """The call as Python, for the card: without the places of this computer's files."""
    shown_model = (
        f"tiltmeter.wrap(model, tokenizer, name={model.name!r})"
        if isinstance(model, WrappedModel)
        else repr(local_reference(str(model)) if model is not None else None)
    )
    given: dict[str, object] = {}
    for source, usual in ((options, RunOptions()), (opening, Options())):
        for key in source.__dataclass_fields__:
            value = getattr(source, key)
            if value != getattr(usual, key) and key not in {"data", "fresh"}:
                given[key] = value
    if isinstance(options.data, str | Path) and Path(options.data).name != TABLE:
        given["data"] = local_reference(str(options.data))
    words = [repr(study.name), shown_model, *(f"{key}={value!r}" for key, value in given.items())]
    if options.data is not None and "data" not in given:
        words.append("data=items")
    return f"tiltmeter.run({', '.join(words)})"
