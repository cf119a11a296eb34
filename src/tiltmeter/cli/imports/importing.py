"""import: what was made elsewhere as results, recognised by what it holds."""

from itertools import groupby
from pathlib import Path
from typing import Annotated

from tiltmeter.cli import arguments
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import AllowCode, ReadingOptions, RunOptions, ScoringOptions


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
        "Name of the model, one for each file (default: the log's, or the file's).")] = None,
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
    from tiltmeter.cli.imports.input_kinds import Given
    from tiltmeter.cli.imports.recognising import kind_of
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce, show_runs
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.derived.comparisons.compare import compare_all
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable

    given = Given(
        inputs, options, study, allow_code, cluster, name or [], lower_is_better, output,
        limits=parse(fail_if), command=repeatable(command_line()),
    )  # fmt: skip
    kind = kind_of(given)
    prepare(output.folder)
    made = sorted(kind.results(given), key=lambda pair: pair[0].name)
    groups = [[*group] for _, group in groupby(made, key=lambda pair: pair[0].name)]
    # before a folder is written: what cannot be compared is an error of the command
    differences = [
        compare_all([result for _, result in group], seed=options.seed) if len(group) > 1 else None
        for group in groups
    ]
    shown = []
    for group, differing in zip(groups, differences, strict=True):
        studies, results = zip(*group, strict=True)
        shown += show_runs(
            studies[0], results, output,
            seed=results[0].card.seed if len(group) == 1 else options.seed, differences=differing,
        )  # fmt: skip
    enforce(given.limits, shown)
