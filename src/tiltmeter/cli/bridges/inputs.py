"""Logs of other evaluation programs as inputs of `import`."""

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tiltmeter.cli.imports.input_kinds import Given, InputKind
from tiltmeter.core.reading.options import options_of
from tiltmeter.run.run_options import ScoringOptions

if TYPE_CHECKING:
    from tiltmeter.cli.imports.input_kinds import Imported


def is_log(path: Path, _: Given) -> bool:
    """Whether a file or folder holds logs."""
    from tiltmeter.bridges.reading import holds_logs

    return holds_logs(path)


def results(given: Given) -> "Imported":
    """The result of each log.

    Raises:
        BadInput: A log cannot be read, or it is not about the study that is named.
    """
    from tiltmeter.bridges.matching import named_apart, refuse_tags, result_of
    from tiltmeter.bridges.reading import read_logs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.model.thoughts import tags_given
    from tiltmeter.run.jobs import stamped
    from tiltmeter.run.planning.study_files import refuse_allowance

    begun, tags = time.monotonic(), tags_given(given.options.thinking_tags)
    refuse_allowance(allow_code=given.allow_code)
    read = [log for path in given.inputs for log in read_logs(path, tags)]
    if given.names and len(given.names) != len(read):
        reason = f"logs: {len(read)}, names: {len(given.names)}"
        raise BadInput(reason, "give one --name a log")
    if given.names:
        read = [replace(log, model=n) for log, n in zip(read, given.names, strict=True)]
    made = []
    for log in named_apart(read, given.study):
        monitor.step(f"reading {log.file}")
        refuse_tags(tags, log)
        of, result = result_of(log, given.options, monitor, study=given.study, by=given.cluster)
        made.append((of, stamped(result, begun, given.command)))
    return made


INPUTS = InputKind(
    noun="logs of other programs",
    files="inspect_ai's .eval and .json, lm-evaluation-harness' samples_*.jsonl, folders of HELM, samples of "
    "Every Eval Ever",
    options=frozenset({
        *options_of(ScoringOptions), "data", "encoding", "seed", "thinking-tags", "study", "cluster", "name",
    }),
    holds=is_log,
    results=results,
)  # fmt: skip
