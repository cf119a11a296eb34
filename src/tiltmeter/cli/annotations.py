"""annotations: what people said about generated hypotheses, on one scale.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import Json, Out, Seed
from tiltmeter.cli.console import out


def annotations(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files in the published layout (default: the published ones).", show_default=False
        ),
    ] = None,
    *,
    convention: Annotated[
        str,
        typer.Option(
            help="harmonised (one scale, all judgments) or sotnikova2021 (codes as published, one "
            "judgment per hypothesis).",
            autocompletion=completion.words("harmonised", "sotnikova2021"),
        ),
    ] = "harmonised",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Judgments of generated hypotheses: shares by domain and group, agreement, reversed scales."""
    from tiltmeter.analysis.quality.judged_hypotheses import judged_hypotheses
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.data.people.inference_annotations import NAME, read_hypothesis_judgments
    from tiltmeter.report.documents.annotations import judged_document
    from tiltmeter.report.html import page
    from tiltmeter.report.tables import files as table_files
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.folder_names import slug
    from tiltmeter.run.output_files import PAGE, write_files
    from tiltmeter.run.repeatable_command import repeatable

    prepare(out_folder)
    published = read_hypothesis_judgments(files or NAME)
    made = judged_hypotheses(published, convention=convention, seed=seed)
    document = judged_document(made, command=repeatable(command_line()))
    target = out_folder / slug(f"annotations-{convention}-{made.judgments.sha256[0][:8]}")
    tables = table_files(document, "csv")
    text = table_files(document, "json")["tables.json"]
    document = replace(document, files=["annotations.json", *tables])
    write_files(target, {"annotations.json": text, **tables, PAGE: page(document)})
    if as_json:
        typer.echo(text, nl=False)
        return
    print_document(document, out, files={"page": target / PAGE, "all": target})
