"""import-scores, report: commands for existing results."""

from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.cli.arguments import FailIf, Json, NoText, RunFolder, RunOutput, StudyOrFile
from tiltmeter.cli.console import out, say_file
from tiltmeter.cli.option_parameters import without
from tiltmeter.core.options import Option
from tiltmeter.run.run_options import AllowCode, RunOptions, StudyPath


def import_scores(
    study: StudyOrFile,
    files: Annotated[
        list[Path],
        Option("CSV, TSV, JSONL or Parquet of scores.", metavar="FILE…", file=True, argument=True),
    ],
    *,
    options: Annotated[RunOptions, without("settings", "limit", "fresh")],
    allow_code: AllowCode = False,
    name: Annotated[list[str] | None, Option("Name of the model (default: the file's).")] = None,
    output: RunOutput,
    lower_is_better: Annotated[
        bool, Option("The scores are losses or perplexities: change their signs.")
    ] = False,
    fail_if: FailIf = (),
) -> None:
    """Evaluate per-sentence scores computed elsewhere, without a model.

    For pairs, a row has a pair with its two scores (sent_more, sent_less, sent_more_score,
    sent_less_score), an id with two scores, or one sentence with its score; the last two are matched
    to --data, or to the study's own data. For stereoset, give a prediction file in the authors'
    layout, or a table of id and score. Use --rule to name the rule that produced the scores.
    """
    from tiltmeter.analysis.threshold_checks import check_declared
    from tiltmeter.analysis.thresholds import parse
    from tiltmeter.cli.show import show_runs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.cli.thresholds import enforce
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.imported_scores import import_scores as evaluated
    from tiltmeter.run.repeatable_command import repeatable
    from tiltmeter.run.run_plan import study_named

    chosen_study = study_named(study, allow_code=allow_code)
    limits = parse(fail_if)
    check_declared(limits, {chosen_study.name: chosen_study.measures})
    if name and len(name) != len(files):
        raise BadInput(f"{len(files)} files but {len(name)} names", "give one --name a file")
    prepare(output.folder)
    command = repeatable(command_line())
    names = name or [file.stem for file in files]
    results = [
        evaluated(
            chosen_study, file, options, monitor,
            name=called, command=command, lower_is_better=lower_is_better,
        )
        for file, called in zip(files, names, strict=True)
    ]  # fmt: skip
    show_runs(chosen_study, results, output, seed=options.seed)
    enforce(limits, results)


def report(  # noqa: PLR0913 the command line's own options
    run: RunFolder,
    *,
    to: Annotated[Path | None, Option("File for the page.")] = None,
    figures: Annotated[
        Literal["pdf", "png", "svg"] | None,
        Option("Also write pictures: svg, or pdf or png (needs the extra \\[plots])."),
    ] = None,
    group: Annotated[
        list[str] | None,
        Option(
            "With --figures: also draw the profile of this row of a matrix, such as a group; "
            "repeatable."
        ),
    ] = None,
    tables: Annotated[
        Literal["csv", "json", "markdown", "latex"] | None, Option("Also write the tables.")
    ] = None,
    predictions: Annotated[
        Path | None, Option("Also write the scores as a prediction file.", metavar="FILE")
    ] = None,
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
    no_text: NoText = False,
    as_json: Json = False,
) -> None:
    """Show a finished run again and rewrite its page."""
    from tiltmeter.cli.console import print_json
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.triples.predictions import write_predictions
    from tiltmeter.report import tables as table_files
    from tiltmeter.report.documents.run import row_document, run_document
    from tiltmeter.report.html import page
    from tiltmeter.report.plots.export import drawings_of, save_pictures
    from tiltmeter.report.saved_runs import as_object
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import PAGE, write_text
    from tiltmeter.run.study_files import read_study, study_if_known

    if study_file is not None:
        read_study(study_file, allow_code=allow_code)
    result = folders.read(run)
    study = study_if_known(result.card)
    target = to or run / PAGE
    document = run_document(result, study, show_text=not no_text)
    write_text(target, page(document))
    if group and not figures:
        raise BadInput("--group needs --figures", "add --figures svg, pdf or png")
    if figures:
        drawings = drawings_of(document) | drawings_of(row_document(result, group or ()))
        for file in save_pictures(drawings, run, figures):
            say_file(file)
    for name, text in (table_files.files(document, tables) if tables else {}).items():
        write_text(run / name, text)
        say_file(run / name)
    if predictions is not None:
        write_text(predictions, write_predictions(result.records))
        say_file(predictions)
    if as_json:
        print_json(as_object([result]))
    else:
        print_document(document, out, files={"page": target})
