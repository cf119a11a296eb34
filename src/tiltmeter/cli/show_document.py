"""A document on the terminal or in another format, once its folder is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import typer

from tiltmeter.cli.console import out, print_json
from tiltmeter.report import tables
from tiltmeter.report.document import Document, Json, Table
from tiltmeter.report.html import page
from tiltmeter.report.plots.export import Format, drawings_of, save_pictures
from tiltmeter.report.terminal import print_document
from tiltmeter.run import folder as folders
from tiltmeter.run.output_files import PAGE, write_files

PrintedAs: TypeAlias = Literal["text", "csv", "json", "markdown", "latex"]


@dataclass(frozen=True, slots=True)
class Saved:
    """A document's folder: the page, everything as JSON, and its tables."""

    document: Document
    folder: Path
    value: Json
    """All numbers, for JSON."""
    tables: Mapping[str, Table]
    """By the name of the file; the first is what `--format csv` prints."""


def save_document(saved: Saved, name: str, figures: Format | None = None) -> list[Path]:
    """Write the page, NAME.json, a CSV for each table and, where `figures` is given, the pictures.

    Returns:
        The files of the pictures.

    Raises:
        MissingExtra: The pictures are PDF or PNG, and the library that draws them is not installed.
        StorageError: The folder cannot be written.
    """
    pictures = save_pictures(drawings_of(saved.document), saved.folder, figures) if figures else []
    texts = {f"{name}.json": folders.to_json(saved.value)}
    texts |= {f"{stem}.csv": tables.as_csv(table) for stem, table in saved.tables.items()}
    write_files(saved.folder, {**texts, PAGE: page(saved.document)})
    return pictures


def show_document(
    saved: Saved, printed_as: PrintedAs = "text", pictures: Sequence[Path] = ()
) -> None:
    """Print it as text with the addresses of its files, or its numbers alone in another format."""
    if printed_as == "json":
        print_json(saved.value)
    elif printed_as == "csv":
        typer.echo(tables.as_csv(next(iter(saved.tables.values()))), nl=False)
    elif printed_as != "text":
        (text,) = tables.files(saved.document, printed_as).values()
        typer.echo(text, nl=False)
    else:
        drawn = {"pictures": saved.folder / f"*{pictures[0].suffix}"} if pictures else {}
        files = {"page": saved.folder / PAGE, **drawn, "all": saved.folder}
        print_document(saved.document, out, files=files)
