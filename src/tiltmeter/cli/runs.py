"""runs, export: what run folders there are, and what is in them, for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tiltmeter.cli.arguments import Json, PrintedAs, RunFolder
from tiltmeter.core.options import Option

if TYPE_CHECKING:
    import polars as pl


def runs(
    folder: Annotated[Path, Option("Where the runs are.", argument=True)] = Path("runs"),
    *,
    as_json: Json = False,
    printed_as: PrintedAs = "text",
) -> None:
    """List finished runs, the latest first."""
    from tiltmeter.cli.console import err, out, print_json
    from tiltmeter.core.errors import BadInput
    from tiltmeter.report import tables
    from tiltmeter.report.documents.run_list import run_list_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import SEAL

    if not folder.is_dir():
        raise BadInput("there is no such folder", "name the folder of your runs", file=str(folder))
    results = [
        (path.parent, folders.read(path.parent)) for path in sorted(folder.glob(f"**/{SEAL}"))
    ]
    document = run_list_document(results, folder)
    if not results:
        err.print(f"There are no runs in {folder}.")
    elif as_json or printed_as == "json":
        print_json([row for table in document.tables() for row in tables.as_rows(table)])
    elif printed_as != "text":
        for text in tables.files(document, printed_as).values():
            typer.echo(text, nl=False)
    else:
        print_document(document, out)


def export(
    run: RunFolder,
    to: Annotated[Path, Option("File: .xlsx, .csv, .tsv, .jsonl or .parquet.", argument=True)],
    *,
    what: Annotated[
        Literal["records", "estimates"],
        Option("What a file of one table holds; a workbook holds both."),
    ] = "records",
) -> None:
    """Write a run's records and estimates for a spreadsheet or another program."""
    from tiltmeter.cli.console import say_file
    from tiltmeter.core.errors import BadInput
    from tiltmeter.report.rows import estimate_rows, record_rows
    from tiltmeter.report.spreadsheet import SheetContent, workbook
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import write_bytes

    ending = to.suffix.lower()
    if ending not in {".xlsx", ".csv", ".tsv", ".jsonl", ".parquet"}:
        raise BadInput(
            f"the name {to.name!r} does not say the format",
            "end it with .xlsx, .csv, .tsv, .jsonl or .parquet",
        )
    result = folders.read(run)
    frames = {
        "records": record_rows(result.records).to_polars(),
        "estimates": estimate_rows(result.estimates).to_polars(),
    }
    if ending == ".xlsx":
        content = workbook({name: SheetContent(f.columns, f.rows()) for name, f in frames.items()})
    else:
        content = _written(frames[what], ending)
    write_bytes(to, content)
    say_file(to)


def _written(frame: "pl.DataFrame", ending: str) -> bytes:
    import io

    import polars as pl

    from tiltmeter.core.text import spreadsheet_text

    out = io.BytesIO()
    if ending == ".parquet":
        frame.write_parquet(out)
    elif ending == ".jsonl":
        frame.write_ndjson(out)
    else:
        texts = [name for name, kind in frame.schema.items() if kind == pl.String]
        safe = frame.with_columns(
            pl.col(name).map_elements(spreadsheet_text, return_dtype=pl.String) for name in texts
        )
        safe.columns = list(map(spreadsheet_text, safe.columns))
        safe.write_csv(out, separator="\t" if ending == ".tsv" else ",")
    return out.getvalue()
