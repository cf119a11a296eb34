"""merge: runs over parts of a data set as one run."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli.arguments import Json, Jsonl, NoText
from tiltmeter.core.options import Option
from tiltmeter.run.run_options import AllowCode, StudyPath


def merge(
    parts: Annotated[
        list[Path], Option("Run folders, in the order of the data.", metavar="RUN…", argument=True)
    ],
    *,
    out_folder: Annotated[
        Path,
        typer.Option(
            "--out", "--output", help="The new run folder.", metavar="FOLDER", show_default=False
        ),
    ],
    study: StudyPath = None,
    allow_code: AllowCode = False,
    as_json: Json = False,
    jsonl: Jsonl = False,
    no_text: NoText = False,
) -> None:
    """Join runs of one model over disjoint parts of a data set into one run over all of it.

    Estimates, intervals and tests are computed anew from the records of all parts. The runs must
    have the same study, model, rule, convention, settings and seed.
    """
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.documents.run import run_document
    from tiltmeter.report.saved_runs import as_object, save_run
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.merged_runs import merge as merged
    from tiltmeter.run.output_files import check_new_folder
    from tiltmeter.run.repeatable_command import repeatable
    from tiltmeter.run.study_files import read_study, study_of

    if study is not None:
        read_study(study, allow_code=allow_code)
    check_new_folder(out_folder)
    prepare(out_folder)
    result = merged(parts, command=repeatable(command_line()))
    made_by = study_of(result.card)
    saved = save_run(result, made_by, out_folder, jsonl=jsonl, show_text=not no_text)
    if as_json:
        print_json(as_object([result]))
    else:
        print_document(run_document(result, made_by), out, files=saved.files)
