"""intersections: crossed groups beside their parts.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import Json, Out, Seed
from tiltmeter.cli.console import out


def intersections(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="A run folder that holds crossed groups and their parts, or one of each.",
            metavar="RUN [RUN]",
        ),
    ],
    *,
    findings: Annotated[
        Path | None,
        typer.Option(
            help="What people were found to associate with crossed groups: TOML, CSV or JSONL. "
            "Without it, the few findings that the paper names.",
            metavar="FILE",
        ),
    ] = None,
    traits: Annotated[
        Literal["pairs", "poles"],
        typer.Option(help="Compare groups by pair scores, or by both traits of each pair."),
    ] = "pairs",
    top: Annotated[int, typer.Option(min=1, help="How many emergent traits to list.")] = 50,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Crossed groups (Black women) beside their parts: order, domains, emergent traits.

    Takes runs of group_traits: one with --set cross=both, or two, with cross=no and cross=only.
    """
    from tiltmeter.analysis.intersections import summary
    from tiltmeter.analysis.intersections.emergent_traits import as_columns
    from tiltmeter.cli.publish import print_json
    from tiltmeter.data.findings import packaged_findings, read_findings
    from tiltmeter.report.crossing_files import name_of, write_tables
    from tiltmeter.report.crossing_page import crossing_page
    from tiltmeter.report.crossing_table import print_intersections
    from tiltmeter.run import folder as folders

    folders.prepare(out_folder)
    said = read_findings(findings) if findings else packaged_findings()
    file = findings.name if findings else "those that the paper's text names"
    results = [folders.read(run) for run in runs]
    made = summary.intersections(results, said, file=file, traits=traits, seed=seed)
    target = out_folder / name_of(made, results)
    value = summary.as_object(made, top)
    folders.write_text(target / "intersections.json", folders.to_json(value))
    write_tables(made, as_columns(made.crossings, made.emergent), target)
    folders.write_text(target / "report.html", crossing_page(made, most=top))
    if as_json:
        print_json(value)
        return
    print_intersections(made, out, files={"page": target / "report.html", "all": target})
