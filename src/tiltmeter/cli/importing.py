"""import: what was made elsewhere as results, recognised by what it holds."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tiltmeter.cli import arguments
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import AllowCode, ReadingOptions, RunOptions, ScoringOptions

if TYPE_CHECKING:
    from tiltmeter.core.study import Study


def import_(  # noqa: PLR0913 the command line's own options
    inputs: Annotated[list[Path], Option(
        "Logs of inspect_ai, lm-evaluation-harness, HELM or Every Eval Ever; scores, predictions, replies or "
        "outcomes as a table or JSON; run folders.",
        metavar="FILE…", file=True, argument=True)],
    *,
    study: Annotated[str, Option(
        "Study that the files are about (default: recognised), or a Python file with it; log for "
        "a task that is no study.", complete="studies")] = "",
    options: Annotated[RunOptions, only(
        ScoringOptions, ReadingOptions, "split", "split_seed", "seed", "thinking_tags")],
    allow_code: AllowCode = False,
    name: Annotated[list[str] | None, Option(
        "Name of the model, one for each file, or OLD=NEW (default: the log's, or the file's).")] = None,
    cluster: Annotated[str, Option(
        "Field whose values identify documents, in a task that is no study (default: one per question).",
        metavar="FIELD")] = "",
    lower_is_better: Annotated[bool, Option(
        "The scores are losses or perplexities: change their signs.")] = False,
    output: arguments.RunOutput,
    fail_if: arguments.FailIf = (),
) -> None:  # fmt: skip
    """Evaluate logs, scores and replies from elsewhere; read or join runs.

    What a file or folder holds is recognised. Several of one study are compared
    item by item, with paired tests and Holm's correction.

    Logs: a task that is one of Tiltmeter's studies is matched to its items by id
    or text, and what does not match is listed. Any other task becomes a result
    of its own: its scores over all samples and by every field with few values.

    Scores of pairs: sent_more, sent_less, sent_more_score, sent_less_score; or
    an id with two scores, or one sentence with its score, matched to --data or
    to the data of --study. Of stereoset: a prediction file, a table of id and
    score, or ensemble:A.json=0.4+B.json=0.6 (weights left out are fitted).
    Of classifiers: id or text, label, score (the probability of positive) or
    the label predicted, and groups. --rule names the rule behind the scores.

    Runs: with --rule, --convention or --set, the replies of a finished run are
    read again, without asking the model; data that were a file are named again
    with --data. Otherwise, several runs of one model over disjoint parts of a
    data set, in the order of the data, are joined into one run over all of it.
    """
    from tiltmeter.cli.console import err, out
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce, show_runs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.text import listed
    from tiltmeter.derived.audits.threshold_checks import check_compared
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.derived.comparisons.compare import compare_all
    from tiltmeter.report.documents.reread import reread_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.imports.input_kinds import ImportRequest
    from tiltmeter.run.imports.recognising import imported
    from tiltmeter.run.measuring.measure import all_measures

    limits = parse(fail_if)

    def check_limits(study: "Study[Any]", models: int) -> None:
        check_compared(limits, study, all_measures(study), models=models)

    prepare(output.folder)
    made = imported(ImportRequest(
        inputs, options, monitor, repeatable(command_line()), study, allow_code, cluster, name or [],
        lower_is_better, output.folder, check_limits,
    ))  # fmt: skip
    for each in made if not output.as_json else ():
        if each.reread is not None:
            print_document(reread_document(each.reread, show_text=not output.no_text), out)
            out.print()
    groups = [[*group] for _, group in groupby(made, key=lambda each: each.study.name)]
    # before a folder is written: what cannot be compared is an error of the command
    differences = [
        compare_all([each.result for each in group], seed=options.seed) if len(group) > 1 else None
        for group in groups
    ]
    if len(groups) > 1 and not output.as_json:
        names = listed([f"{group[0].result.card.study}" for group in groups])
        err.print(
            f"Not compared with each other: {names}, which are different tasks.", soft_wrap=True
        )
    shown = []
    for group, differing in zip(groups, differences, strict=True):
        results = [each.result for each in group]
        shown += show_runs(
            group[0].study, results, output,
            seed=results[0].card.seed if len(group) == 1 else options.seed, differences=differing,
        )  # fmt: skip
    enforce(limits, shown)
