"""Logs of other evaluation programs as inputs of `import`."""

import time
from dataclasses import replace
from pathlib import Path

from tiltmeter.bridges.matching import named_apart, refuse_tags, result_of
from tiltmeter.bridges.reading import holds_logs, read_logs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.thoughts import tags_given
from tiltmeter.core.reading.options import options_of
from tiltmeter.run.imports.input_kinds import ImportedResult, ImportRequest, InputKind
from tiltmeter.run.jobs import stamped
from tiltmeter.run.planning.study_files import refuse_allowance
from tiltmeter.run.run_options import ScoringOptions


def is_log(path: Path, _: ImportRequest) -> bool:
    """Whether a file or folder holds logs."""
    return holds_logs(path)


def results(request: ImportRequest) -> list[ImportedResult]:
    """The result of each log.

    Raises:
        BadInput: A log cannot be read, or it is not about the study that is named.
    """
    begun, tags = time.monotonic(), tags_given(request.options.thinking_tags)
    refuse_allowance(allow_code=request.allow_code)
    read = [log for path in request.inputs for log in read_logs(path, tags)]
    for log in read if not request.options.skip_invalid else ():
        if log.cut:
            raise BadInput(
                log.cut,
                "log the evaluation again, or take what is there with --skip-invalid",
                file=log.file,
            )
    names = request.names_of([log.model for log in read], "log")
    read = [replace(log, model=n or log.model) for log, n in zip(read, names, strict=True)]
    made = []
    for log in named_apart(read, request.study):
        request.monitor.step(f"reading {log.file}")
        refuse_tags(tags, log)
        of, result = result_of(
            log, request.options, request.monitor, study=request.study, by=request.cluster
        )
        made.append(ImportedResult(of, stamped(result, begun, request.command)))
    return made


INPUTS = InputKind(
    noun="logs of other programs",
    files="inspect_ai's .eval and .json, lm-evaluation-harness' samples_*.jsonl, folders of HELM, samples of "
    "Every Eval Ever",
    options=frozenset({
        *options_of(ScoringOptions), "data", "encoding", "skip-invalid", "seed", "thinking-tags", "study",
        "cluster", "name",
    }),
    holds=is_log,
    results=results,
)  # fmt: skip
