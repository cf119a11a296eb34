"""intersections: intersectional groups and their components.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import Json, Out, data_file
from tiltmeter.cli.console import out, say_file
from tiltmeter.core.options import Seed


def intersections(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="A run folder with intersectional groups and their components, or one of each.",
            metavar="RUN [RUN]",
        ),
    ],
    *,
    findings: Annotated[
        Path | None,
        typer.Option(
            help="Human associations with intersectional groups: TOML, CSV or JSONL (default: the few "
            "findings that the paper names).",
            parser=data_file,
            metavar="FILE",
        ),
    ] = None,
    traits: Annotated[
        Literal["pairs", "poles"],
        typer.Option(help="Compare groups by pair scores, or by both traits of each pair."),
    ] = "pairs",
    top: Annotated[int, typer.Option(min=1, help="How many emergent traits to list.")] = 50,
    figures: Annotated[
        Literal["pdf", "png", "svg"] | None,
        typer.Option(help="Also write pictures: pdf, png or svg (extra `plots`)."),
    ] = None,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Intersectional groups (Black women) and their components: order, domains, emergent traits.

    Takes runs of group_traits: one with --set cross=both, or two, with cross=no and cross=only.
    """
    from tiltmeter.analysis.intersections import summary
    from tiltmeter.cli.console import print_json
    from tiltmeter.data.groups.findings import packaged_findings, read_findings
    from tiltmeter.report.documents.intersections.document import intersections_document
    from tiltmeter.report.documents.intersections.files import file_tables
    from tiltmeter.report.html import page
    from tiltmeter.report.tables import as_csv
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import PAGE, write_files

    folders.prepare(out_folder)
    known = read_findings(findings) if findings else packaged_findings()
    file = findings.name if findings else "those that the paper's text names"
    results = [folders.read(run) for run in runs]
    made = summary.intersections(results, known, file=file, traits=traits, seed=seed)
    target = out_folder / summary.folder_name(made, results)
    value = summary.as_object(made, top)
    files = {"intersections.json": folders.to_json(value)}
    files |= {f"{name}.csv": as_csv(table) for name, table in file_tables(made).items()}
    document = intersections_document(made, most=top, files=list(files))
    write_files(target, {**files, PAGE: page(document)})
    if figures:
        from tiltmeter.report.plots.export import drawings_of, save_pictures

        for picture in save_pictures(drawings_of(document), target, figures):
            say_file(picture)
    if as_json:
        print_json(value)
        return
    print_document(document, out, files={"page": target / PAGE, "all": target})
