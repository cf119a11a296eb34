"""table: one table over several runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, cast

import typer

from tiltmeter.cli import arguments
from tiltmeter.core.reading.options import Option

if TYPE_CHECKING:
    from tiltmeter.report.document import Document

Format: TypeAlias = Literal["text", "csv", "xlsx", "json", "markdown", "latex", "html"]
ENDINGS: dict[str, Format] = {
    ".txt": "text", ".csv": "csv", ".xlsx": "xlsx", ".json": "json", ".md": "markdown", ".tex": "latex",
    ".html": "html",
}  # fmt: skip
DATA = frozenset({"csv", "xlsx", "json"})
"""Formats of raw numbers."""


def table(  # noqa: PLR0913 the command line's own options
    runs: Annotated[list[Path], Option(
        "Run folders of any studies, or a folder of them.", metavar="RUN…", argument=True)],
    *,
    rows: Annotated[list[str] | None, Option(
        "What the rows are: model, data, study, rule, convention, measure, category (each study’s "
        "kinds of bias), or an axis of the items such as bias_type; `a,b` nests b in a.",
        metavar="AXIS")] = None,
    columns: Annotated[list[str] | None, Option(
        "What the columns are, as for --rows.", metavar="AXIS")] = None,
    measure: Annotated[list[str] | None, Option(
        "Which measure; repeatable. Default: each study’s main one, or those that are "
        "read together.", metavar="NAME")] = None,
    published: Annotated[list[str] | None, Option(
        "Show the numbers of a paper’s table beside yours: nangia2020_bias, …",
        metavar="NAME", complete="published")] = None,
    intervals: Annotated[Literal["beside", "below", "plusminus", "none"] | None, Option(
        "Where each number’s interval goes. Default: beside up to two columns of numbers, below up to "
        "eight, none with more.")] = None,
    caption: Annotated[str | None, Option(
        "Heading of the table, its caption in LaTeX. Default: what is in it.")] = None,
    label: Annotated[str | None, Option(
        "Label of the table in LaTeX, such as tab:main. Default: tab: and its heading.")] = None,
    printed_as: Annotated[Format | None, Option(
        "Default: text, or what the name of the --to file says.", name="format")] = None,
    to: Annotated[Path | None, Option("Write a file instead of printing.", metavar="FILE")] = None,
    cite: arguments.Cite = False,
) -> None:  # fmt: skip
    """Put the numbers of several runs into one table.

    It has models by categories, by data sets, or by measures.
    """
    from tiltmeter.cli.citing import show_citation
    from tiltmeter.cli.console import err
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.text import counted
    from tiltmeter.data.published import published as published_table
    from tiltmeter.derived.run_tables.printed_numbers import printed_numbers
    from tiltmeter.derived.run_tables.run_table import RUN, run_tables
    from tiltmeter.derived.sources import in_listed_order, read_runs
    from tiltmeter.report.documents.run_tables.run_table_page import run_table_document
    from tiltmeter.run.files.repeatable_command import repeatable

    kind = "text" if cite else _format(printed_as, to)
    axes = [*_names(rows), *_names(columns)]
    whole = bool(axes) and {*axes} <= {*RUN} and not measure  # then no part of a study has a place
    named_results, notes = read_runs(runs, whole=whole)
    for note in notes:
        err.print(note)
    results = [result for _, result in in_listed_order(named_results)]
    printed = printed_numbers(published or (), results)
    made = run_tables(
        results, rows=_names(rows), columns=_names(columns), measures=measure or (), printed=printed
    )
    if cite:
        other = printed_as not in {None, "text", "latex"}
        idle = {"--published": published, "--intervals": intervals, "--caption": caption, "--label": label,
                f"--format {printed_as}": other}  # fmt: skip
        show_citation(results, latex=printed_as == "latex", to=to, idle=idle, tables=made)
        return
    if (caption is not None or label is not None) and len(made) > 1:
        raise BadInput(
            f"there are {counted(len(made), 'tables')}, and --caption and --label name one",
            "add --rows and --columns, or name the runs of one study",
        )
    sources = [f"{name}: {published_table(name).source}" for name in published or ()]
    if kind in DATA:  # which have the ends of intervals as columns of their own
        intervals = "none"
    document = run_table_document(
        made, intervals=intervals, sources=sources, command=repeatable(command_line()),
        caption=caption or "", label=label or "",
    )  # fmt: skip
    _write(document, kind, to)


def _names(given: Sequence[str] | None) -> list[str]:
    return [name.strip() for text in given or () for name in text.split(",") if name.strip()]


def _format(given: Format | None, to: Path | None) -> Format:
    """What is written; found from the file's name where it is not given."""
    from tiltmeter.core.errors import BadInput

    if to is None:
        if given == "xlsx":
            raise BadInput("a workbook cannot be printed", "name a file: --to table.xlsx")
        return given or "text"
    if given is None and to.suffix.lower() not in ENDINGS:
        raise BadInput(
            f"the name {to.name!r} does not say the format",
            f"end it with one of {', '.join(ENDINGS)}, or give --format",
        )
    return given or ENDINGS[to.suffix.lower()]


def _write(document: "Document", kind: Format, to: Path | None) -> None:
    from tiltmeter.cli.console import out, say_file
    from tiltmeter.report.spreadsheet import tables_workbook
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.files.output_files import write_bytes, write_text

    if kind == "xlsx" and to is not None:
        write_bytes(to, tables_workbook(document.tables()))
    elif to is None and kind == "text":
        print_document(document, out)
    else:
        text = _text(document, kind)
        if to is None:
            typer.echo(text, nl=False)
        else:
            write_text(to, text)
    if to is not None:
        say_file(to)


def _text(document: "Document", kind: Format) -> str:
    from tiltmeter.report import tables
    from tiltmeter.report.html import page
    from tiltmeter.report.terminal import plain_text

    if kind == "html":
        return page(document)
    if kind in {"text", "xlsx"}:
        return plain_text(document)
    return tables.as_text(document, cast("tables.Format", kind))
