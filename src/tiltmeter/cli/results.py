"""report and export: existing results."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tiltmeter.cli import arguments
from tiltmeter.cli.console import out, print_json, say_file
from tiltmeter.core.reading.options import Option
from tiltmeter.run.run_options import AllowCode, StudyPath

if TYPE_CHECKING:
    import polars as pl


def export(
    run: arguments.RunFolder,
    to: Annotated[Path, Option("File: .xlsx, .csv, .tsv, .jsonl, .parquet or .json.", argument=True)],
    *,
    form: Annotated[Literal["every-eval-ever"] | None, Option(
        "Layout of a .json file: estimates with intervals for Every Eval Ever.", name="format")] = None,
    what: Annotated[Literal["records", "estimates", "items"], Option(
        "What a file of one table holds: records, estimates, or records as items of a survey. A "
        "workbook holds the first two.")] = "records",
    thoughts: arguments.Thoughts = False,
    limit: Annotated[int, Option(
        "Only this many items, spread evenly over the run (default: all).", min=0)] = 0,
) -> None:  # fmt: skip
    """Write a run's records and estimates for another program.

    The end of the file's name says which: a spreadsheet, a table, or a program that reads JSON.
    """
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.text import json_text
    from tiltmeter.report.every_eval_ever_export import exported
    from tiltmeter.report.every_eval_ever_samples import ENDING, sample_lines
    from tiltmeter.report.rows import estimate_rows, item_rows, record_rows
    from tiltmeter.report.spreadsheet import SheetContent, workbook
    from tiltmeter.run.files import folder as folders
    from tiltmeter.run.files.output_files import write_bytes, write_text

    ending = to.suffix.lower()
    if (ending == ".json") != (form is not None):
        way_out = "--format every-eval-ever and a name that ends with .json go together"
        raise BadInput(f"no layout for {to.name!r}", way_out)
    if what != "records" and ending in {".json", ".xlsx"}:
        holds = "estimates" if ending == ".json" else "both records and estimates"
        way_out = f"leave it out, or write {what} as .csv, .tsv, .jsonl or .parquet"
        raise BadInput(f"--what has no effect: a {ending} file holds {holds}", way_out)
    if limit and what != "items":
        raise BadInput("--limit has no effect without --what items", "add --what items")
    if thoughts and what != "records":
        raise BadInput("--thoughts has no effect without records or samples", "leave it out")
    if form is not None:
        whole = folders.read(run)
        lines = sample_lines(whole, thoughts=thoughts)
        if thoughts and not lines:
            raise BadInput("--thoughts has no effect: the run has no samples", "leave it out")
        write_text(to, json_text(exported(whole)))
        say_file(to)
        if lines:
            beside = to.with_name(f"{to.stem}{ENDING}")
            write_text(beside, lines)
            say_file(beside)
        return
    if ending not in {".xlsx", ".csv", ".tsv", ".jsonl", ".parquet"}:
        raise BadInput(
            f"the name {to.name!r} does not say the format",
            "end it with .xlsx, .csv, .tsv, .jsonl or .parquet",
        )
    result = folders.read(run)
    frames = {
        "records": record_rows(result.records, thoughts=thoughts).to_polars(),
        "estimates": estimate_rows(result.estimates).to_polars(),
    }
    if ending == ".xlsx":
        content = workbook({name: SheetContent(f.columns, f.rows()) for name, f in frames.items()})
    else:
        made = item_rows(result.records, result.card.model_name, limit)
        frame = made.to_polars() if what == "items" else frames[what]
        content = _written(frame, ending)
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


def report(  # noqa: PLR0913 the command line's own options
    run: arguments.RunFolder,
    *,
    to: Annotated[Path | None, Option("File for the page.")] = None,
    figures: Annotated[Literal["pdf", "png", "svg"] | None, Option(
        "Also write pictures: svg, or pdf or png (needs the extra \\[plots]).")] = None,
    group: Annotated[list[str] | None, Option(
        "With --figures: also draw the profile of this row of a matrix, such as a group; repeatable.",
        )] = None,
    tables: Annotated[Literal["csv", "json", "markdown", "latex"] | None, Option(
        "Also write the tables.")] = None,
    predictions: Annotated[Path | None, Option(
        "Also write the scores as a prediction file.", metavar="FILE")] = None,
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
    no_text: arguments.NoText = False,
    thoughts: arguments.Thoughts = False,
    everything: arguments.Everything = False,
    cite: arguments.Cite = False,
    as_json: arguments.Json = False,
) -> None:  # fmt: skip
    """Show a finished run again and rewrite its page."""
    from tiltmeter.cli.citing import show_citation
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.triples.predictions import write_predictions
    from tiltmeter.report import tables as table_files
    from tiltmeter.report.documents.run import row_document, run_document
    from tiltmeter.report.html import page
    from tiltmeter.report.plots.export import drawings_of, save_pictures
    from tiltmeter.report.saved_runs import as_object
    from tiltmeter.report.terminal_excerpt import print_result
    from tiltmeter.run.files import folder as folders
    from tiltmeter.run.files.output_files import PAGE, write_text
    from tiltmeter.run.planning.study_files import read_if_named, study_if_known

    if group and not figures:
        raise BadInput("--group needs --figures", "add --figures svg, pdf or png")
    read_if_named(study_file, allow_code=allow_code)
    result = folders.read(run)
    if cite:
        idle = {"--figures": figures, "--group": group, "--predictions": predictions, "--json": as_json,
                "--no-text": no_text, f"--tables {tables}": tables not in {None, "latex"}}  # fmt: skip
        show_citation([result], latex=tables == "latex", to=to, idle=idle)
        return
    study = study_if_known(result.card)
    target = to or run / PAGE
    document = run_document(result, study, show_text=not no_text, show_thoughts=thoughts)
    write_text(target, page(document))
    if figures:
        drawings = drawings_of(document) | drawings_of(row_document(result, group or ()))
        for file in save_pictures(drawings, run, figures):
            say_file(file)
    for name, text in (table_files.files(document, tables) if tables else {}).items():
        if name not in result.card.files:  # an analysis has its tables among its sealed files
            write_text(run / name, text)
        say_file(run / name)
    if predictions is not None:
        write_text(predictions, write_predictions(result.records))
        say_file(predictions)
    if as_json:
        print_json(as_object([result]))
    else:
        print_result(document, out, files={"page": target}, everything=everything)
