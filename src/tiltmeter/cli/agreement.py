"""agreement: how far annotators agree, and who uses a reversed or shifted scale.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import Encoding, Json, Out, Seed
from tiltmeter.cli.console import out


def agreement(  # noqa: PLR0913 the command line's own options
    file: Annotated[
        Path,
        typer.Argument(
            help="A table with a row per annotator and item, or single ratings as for compare-people.",
            show_default=False,
        ),
    ],
    *,
    question: Annotated[
        list[str] | None,
        typer.Option(help="A column of answers; repeatable.", metavar="COLUMN", show_default=False),
    ] = None,
    annotator: Annotated[
        str, typer.Option(help="Column of annotators (default annotator).", metavar="COLUMN")
    ] = "",
    item: Annotated[
        str, typer.Option(help="Column of items (default item).", metavar="COLUMN")
    ] = "",
    level: Annotated[
        Literal["nominal", "ordinal", "interval", "ratio"] | None,
        typer.Option(
            help="Level of all questions (default: words and two numbers are nominal, up to ten "
            "numbers ordinal, more an interval scale).",
            show_default=False,
        ),
    ] = None,
    agree: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="How many answers of a panel must be equal for m-of-n agreement (default: more than "
            "half).",
            metavar="M",
            show_default=False,
        ),
    ] = None,
    scale: Annotated[
        str, typer.Option(help="Rating scale of single ratings.", metavar="LOW:HIGH")
    ] = "0:100",
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Agreement of annotators: percent, α, κ, Gwet's AC, reversed scales, true labels."""
    from tiltmeter.analysis.quality.rater_agreement import folder_name, rater_agreement
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.data.people.annotator_answers import read_judgments
    from tiltmeter.data.people.ratings import scale_named
    from tiltmeter.report.documents.agreement import agreement_document
    from tiltmeter.report.html import page
    from tiltmeter.report.tables import files
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.folder_names import slug
    from tiltmeter.run.output_files import PAGE, write_files
    from tiltmeter.run.repeatable_command import repeatable

    prepare(out_folder)
    read = read_judgments(
        file,
        annotator=annotator,
        item=item,
        questions=question or (),
        scale=scale_named(scale),
        encoding=encoding,
    )
    made = rater_agreement(read, level=level, needed=agree, seed=seed)
    document = agreement_document(made, command=repeatable(command_line()))
    target = out_folder / slug(folder_name(made))
    tables = files(document, "csv")
    text = files(document, "json")["tables.json"]
    document = replace(document, files=["agreement.json", *tables])
    write_files(target, {"agreement.json": text, **tables, PAGE: page(document)})
    if as_json:
        typer.echo(text, nl=False)
        return
    print_document(document, out, files={"page": target / PAGE, "all": target})
