"""Finished runs as inputs of `import`: one read again by another rule, or parts joined."""

from pathlib import Path
from typing import TYPE_CHECKING

from tiltmeter.cli.imports.input_kinds import Given, InputKind

if TYPE_CHECKING:
    from tiltmeter.cli.imports.input_kinds import Imported

READING = ("rule", "convention", "set", "data", "map", "encoding", "missing")


def is_run(path: Path, _: Given) -> bool:
    """Whether a folder is that of a run, also of one that did not finish."""
    from tiltmeter.run.files.folder import RECORDS
    from tiltmeter.run.files.output_files import SEAL

    return any((path / name).is_file() for name in (SEAL, RECORDS))


def results(given: Given) -> "Imported":
    """Each run read again; of several without a rule, a convention or a setting, the run over all of them.

    Raises:
        BadInput: A run cannot be read again, or the runs cannot be joined, or the result would replace one.
    """
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.files.folder_names import folder_name
    from tiltmeter.run.planning.study_files import read_if_named

    read_if_named(given.study or None, allow_code=given.allow_code)
    options = given.options
    joined = len(given.inputs) > 1 and not (options.rule or options.convention or options.settings)
    made = _joined(given) if joined else _read_again(given)
    folders = {run.resolve() for run in given.inputs}
    for _, result in made:
        if (given.output.folder / folder_name(result)).resolve() in folders:
            reason = "the result would replace the run, which has the same rule and settings"
            raise BadInput(reason, "name another --rule or setting, or another --out")
    return made


def _joined(given: Given) -> "Imported":
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.files.merged_runs import merge
    from tiltmeter.run.planning.study_files import study_of

    if given.options.data is not None:
        raise BadInput("--data has no effect on runs that are joined", "leave it out")
    result = merge(given.inputs, command=given.command)
    return [(study_of(result.card), result)]


def _read_again(given: Given) -> "Imported":
    from tiltmeter.cli.console import out
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.report.documents.reread import reread_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.files.reread_runs import reread

    made = [reread(run, given.options, monitor, command=given.command) for run in given.inputs]
    for again in made if not given.output.as_json else ():
        print_document(reread_document(again, show_text=not given.output.no_text), out)
        out.print()
    return [(again.study, again.result) for again in made]


INPUTS = InputKind(
    noun="finished runs",
    files="run folders: one with --rule is read again, several are joined",
    options=frozenset({*READING, "study"}),
    holds=is_run,
    results=results,
)
