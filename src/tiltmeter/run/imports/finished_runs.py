"""Finished runs as inputs of `import`: one read again by another rule, or parts joined."""

from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.run.files.folder import RECORDS
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.merged_runs import merge
from tiltmeter.run.files.output_files import SEAL
from tiltmeter.run.files.reread_runs import reread
from tiltmeter.run.imports.input_kinds import ImportedResult, ImportRequest, InputKind
from tiltmeter.run.planning.study_files import read_if_named, study_of

READING = ("rule", "convention", "set", "data", "map", "encoding", "missing")


def is_run(path: Path, _: ImportRequest) -> bool:
    """Whether a folder is that of a run, also of one that did not finish."""
    return any((path / name).is_file() for name in (SEAL, RECORDS))


def results(request: ImportRequest) -> list[ImportedResult]:
    """Each run read again; of several without a rule, a convention or a setting, the run over all of them.

    Raises:
        BadInput: A run cannot be read again, or the runs cannot be joined, or the result would replace one.
    """
    read_if_named(request.study or None, allow_code=request.allow_code)
    options = request.options
    joined = len(request.inputs) > 1 and not (
        options.rule or options.convention or options.settings
    )
    made = _joined(request) if joined else _read_again(request)
    folder, runs = request.folder, {run.resolve() for run in request.inputs}
    for each in made:
        if folder is not None and (folder / folder_name(each.result)).resolve() in runs:
            reason = "the result would replace the run, which has the same rule and settings"
            raise BadInput(reason, "name another --rule or setting, or another --out")
    return made


def _joined(request: ImportRequest) -> list[ImportedResult]:

    if request.options.data is not None:
        raise BadInput("--data has no effect on runs that are joined", "leave it out")
    result = merge(request.inputs, command=request.command)
    return [ImportedResult(study_of(result.card), result)]


def _read_again(request: ImportRequest) -> list[ImportedResult]:

    made = [
        reread(run, request.options, request.monitor, command=request.command)
        for run in request.inputs
    ]
    return [ImportedResult(again.study, again.result, again) for again in made]


INPUTS = InputKind(
    noun="finished runs",
    files="run folders: one with --rule is read again, several are joined",
    options=frozenset({*READING, "study"}),
    holds=is_run,
    results=results,
)
