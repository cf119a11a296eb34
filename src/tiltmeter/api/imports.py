"""The public function that evaluates what other programs scored or wrote."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Unpack

from tiltmeter.api.items import Items, data_given
from tiltmeter.api.keywords import ImportKeywords, options_made, takes
from tiltmeter.api.results import RunResult
from tiltmeter.run.files.folder import prepare
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.repeatable_command import local_reference
from tiltmeter.run.imports.input_kinds import ImportRequest
from tiltmeter.run.imports.recognising import imported
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.run_options import RunOptions


@takes(ImportKeywords, RunOptions)
def import_(  # noqa: PLR0913 the command's own options
    *inputs: str | Path,
    study: str = "",
    data: str | Path | Items | None = None,
    name: str | Sequence[str] = (),
    cluster: str = "",
    lower_is_better: bool = False,
    allow_code: bool = False,
    out: str | Path | None = None,
    jsonl: bool = False,
    show_text: bool = True,
    monitor: Monitor | None = None,
    **options: Unpack[ImportKeywords],
) -> list[RunResult]:
    r"""Evaluate logs, scores and replies from elsewhere, read runs again or join them, as `tiltmeter import`.

    What a file or folder holds is recognised. Compare the results with `compare`.

    >>> import tiltmeter as tm
    >>> from tempfile import mkdtemp
    >>> scores = Path(mkdtemp(), "scores.csv")
    >>> _ = scores.write_text(
    ...     "sent_more,sent_less,sent_more_score,sent_less_score\n"
    ...     "Old men forget.,Young men forget.,-9.5,-11\n"
    ...     "Old men sing.,Young men sing.,-8,-7.5\n"
    ... )
    >>> [result] = tm.import_(scores)
    >>> result.card.study, result.headline.value  # the higher score is of one of the two "more" sentences
    ('pairs', 50.0)

    Args:
        *inputs: Logs of inspect_ai, lm-evaluation-harness, HELM or Every Eval Ever; scores, predictions,
            replies or outcomes as a table or JSON; run folders. All of one kind.
        study: The study that the files are about, or a Python file with it; "" if it is to be recognised.
        data: The data that the files are about, where these are not the study's own: as of `run`.
        name: The model's name, or one name for each file; without it the log's, or the file's.
        cluster: The field whose values identify documents, in a task that is no study.
        lower_is_better: Whether the scores are losses or perplexities: their signs are changed.
        allow_code: Whether the code of a Python file that has the study may be run.
        out: A folder in which a folder for each result is made; None saves nothing.
        jsonl: As of `run`.
        show_text: As of `run`.
        monitor: As of `run`.
        **options: Those of `tiltmeter import`.

    Returns:
        A result for each file, log or run that is read again, sorted by study; one where runs are joined.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    folder = None if out is None else Path(out).expanduser()
    if folder is not None:
        prepare(folder)
    paths = [Path(path).expanduser() for path in inputs]
    names = [name] if isinstance(name, str) and name else [*name]
    given = {"study": study, "name": name, "cluster": cluster, "lower_is_better": lower_is_better}
    words = [
        *(repr(local_reference(str(path))) for path in paths),
        *(f"{key}={value!r}" for key, value in (given | options).items() if value),
    ]
    with ExitStack() as stack:
        chosen = options_made(RunOptions, options, data=data_given(data, stack))
        made = imported(ImportRequest(
            paths, chosen, monitor or Logged(), f"tiltmeter.import_({', '.join(words)})",
            study=study, allow_code=allow_code, cluster=cluster, names=names,
            lower_is_better=lower_is_better, folder=folder,
        ))  # fmt: skip
    results = [RunResult(each.result, each.study) for each in made]
    if folder is None:
        return results
    return [
        each.save(folder / folder_name(each.result), jsonl=jsonl, show_text=show_text)
        for each in results
    ]
