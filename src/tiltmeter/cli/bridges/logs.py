"""import: logs of other evaluation programs as results."""

import time
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Annotated

from tiltmeter.cli import arguments
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import RunOptions, ScoringOptions


def import_(
    logs: Annotated[list[Path], Option(
        "Logs of inspect_ai (.eval, .json) or lm-evaluation-harness (samples_*.jsonl), folders of HELM runs, "
        "samples of Every Eval Ever, or a folder with any of them.",
        metavar="LOG…", argument=True)],
    *,
    options: Annotated[RunOptions, only(
        ScoringOptions, "data", "encoding", "seed", "thinking_tags")],
    study: Annotated[str, Option(
        "Study that the log is about (default: by the task's name); log for a task of its own.",
        complete="studies")] = "",
    cluster: Annotated[str, Option(
        "Field of a task of its own whose values tell documents apart (default: one a question).",
        metavar="FIELD")] = "",
    name: Annotated[list[str] | None, Option("Name of the model (default: the log's).")] = None,
    output: arguments.RunOutput,
    fail_if: arguments.FailIf = (),
) -> None:  # fmt: skip
    """Evaluate logs of other programs; several of one task are compared.

    Where the task is one of Tiltmeter's studies, samples are matched to its items by id or text, and what
    does not match is listed. Any other task becomes a result of its own: its scores over all samples and by
    every field with few values. Logs of several models are compared item by item, with paired tests and
    Holm's correction.
    """
    from tiltmeter.bridges.matching import named_apart, refuse_tags, result_of
    from tiltmeter.bridges.reading import read_logs
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce, show_runs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.model.thoughts import tags_given
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.derived.comparisons.compare import compare_all
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import stamped

    begun, limits = time.monotonic(), parse(fail_if)
    tags = tags_given(options.thinking_tags)
    read = [log for path in logs for log in read_logs(path, tags)]
    if name and len(name) != len(read):
        raise BadInput(f"logs: {len(read)}, names: {len(name)}", "give one --name a log")
    prepare(output.folder)
    command = repeatable(command_line())
    logs_read = [replace(log, model=n) for log, n in zip(read, name, strict=True)] if name else read
    made = []
    for log in named_apart(logs_read, study):
        monitor.step(f"reading {log.file}")
        refuse_tags(tags, log)
        of, result = result_of(log, options, monitor, study=study, by=cluster)
        made.append((of, stamped(result, begun, command)))
    made.sort(key=lambda pair: pair[0].name)
    groups = [[*group] for _, group in groupby(made, key=lambda pair: pair[0].name)]
    # before a folder is written: what cannot be compared is an error of the command
    differences = [
        compare_all([result for _, result in group], seed=options.seed) if len(group) > 1 else None
        for group in groups
    ]
    shown = []
    for group, differing in zip(groups, differences, strict=True):
        studies, results = zip(*group, strict=True)
        shown += show_runs(studies[0], results, output, seed=options.seed, differences=differing)
    enforce(limits, shown)
