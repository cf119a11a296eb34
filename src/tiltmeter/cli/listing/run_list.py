"""The list of finished runs in a folder."""

from pathlib import Path

import typer

from tiltmeter.cli.arguments import PrintedAs
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.report.document import Table


def list_runs(folder: Path, *, as_json: bool, printed_as: PrintedAs) -> None:
    """List the finished runs of a folder, the latest first.

    Args:
        folder: It and all folders in it are searched.
        as_json: Print one JSON value.
        printed_as: A format as of --format.
    """
    from tiltmeter.report import tables
    from tiltmeter.report.documents.run_list import run_list_document
    from tiltmeter.run.files import folder as folders
    from tiltmeter.run.files.output_files import SEAL

    seals = sorted(folder.glob(f"**/{SEAL}"))
    results = [(seal.parent, folders.read_numbers(seal.parent)) for seal in seals]
    document = run_list_document(results, folder)
    if not results:
        err.print(f"There are no runs in {folder}.")
    elif as_json or printed_as == "json":
        print_json([row for table in document.tables() for row in tables.as_rows(table)])
    elif printed_as != "text":
        for text in tables.files(document, printed_as).values():
            typer.echo(text, nl=False)
    else:
        for table in document.tables():
            _print_list(table)


def _print_list(table: Table) -> None:
    """A line a run; its folder has a line of its own if there is no room for it beside all else."""
    from rich.text import Text

    from tiltmeter.core.text import visible
    from tiltmeter.report.terminal import Sheet
    from tiltmeter.report.text_table import TextColumn, fitting, lines, total

    sheet = Sheet(out)
    columns = [
        TextColumn(visible(c.title), [*map(visible, c.cells)], c.number, c.drop)
        for c in table.in_single_lines().kept("terminal")
    ]
    *facts, folders = columns
    is_below = total(columns) > sheet.width
    kept = fitting(facts, sheet.width) if is_below else columns
    heading, *rows = lines(kept, sheet.width, [False] * table.rows)
    sheet.line(heading)
    for row, name in zip(rows, folders.cells, strict=True):
        sheet.line(row)
        if is_below:
            sheet.line(Text(f"  {name}", style="dim"))
