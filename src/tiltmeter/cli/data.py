"""data list | get | import | check, check FILE, cache: everything about data on this machine."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tiltmeter.analysis import quality
from tiltmeter.cli.console import err, fetching, out
from tiltmeter.core.finder import find, known
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.study import Study
from tiltmeter.data import pairs, places, registry
from tiltmeter.run.store import Store

app = typer.Typer(help="Data sets: list them, fetch them, check them.", no_args_is_help=True)
cache = typer.Typer(help="What is kept on this machine between runs.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A data set: see `tiltmeter data list`.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Encoding = Annotated[str, typer.Option(help="Of the file, where it is not UTF-8.")]
ShowText = Annotated[bool, typer.Option("--show-text", help="Print the sentences too.")]


@app.command("list")
def list_sets(*, as_json: Json = False) -> None:
    """List the data sets that Tiltmeter knows, and whether they are here."""
    if as_json:
        rows = [asdict(s) | {"status": registry.status(name)} for name, s in registry.SETS.items()]
        typer.echo(json.dumps({"data": rows}, ensure_ascii=False, indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("name", "status", "licence", "what"):
        table.add_column(title, no_wrap=title == "name")
    for name, one in registry.SETS.items():
        table.add_row(name, registry.status(name), one.licence, one.title)
    out.print(table)


@app.command()
def get(name: Name) -> None:
    """Fetch a data set into the cache and verify its checksum."""
    with fetching(name) as progress:
        found = registry.locate(name, progress=progress)
    err.print(f"{found.set.title}: {found.set.licence}", markup=False)
    if found.set.warning:
        err.print(found.set.warning, markup=False)
    for path in found.files.values():
        typer.echo(path)


@app.command("import")
def import_set(
    name: Name, path: Annotated[Path, typer.Argument(help="A file, folder, .zip or .tar.gz.")]
) -> None:
    """Take a data set from a file you have, if its checksum is right."""
    registry.import_file(name, path)
    err.print(f"{name} is in {places.cache()}", markup=False)


@app.command()
def check(
    source: Annotated[str, typer.Argument(help="A data set's name, or a file of pairs.")],
    *,
    encoding: Encoding = "",
    show_text: ShowText = False,
    as_json: Json = False,
) -> None:
    """Say what is in a set of pairs and how good it is, annotations included if it has any."""
    items = _items(source, encoding)
    found = quality.describe(items, _annotations(source))
    if as_json:
        typer.echo(json.dumps(found.to_json(), ensure_ascii=False, allow_nan=False, indent=2))
        return
    for line in quality.lines(found, show_text=show_text):
        out.print(line, markup=False, soft_wrap=True)


def check_file(
    file: Annotated[str, typer.Argument(help="A file of pairs.")],
    *,
    encoding: Encoding = "",
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Count what would be left; exit with 0.")
    ] = False,
) -> None:
    """Check a file of pairs before anything is loaded: every bad row with line and reason."""
    items = pairs.load_pairs(file, "", encoding=encoding, skip_invalid=skip_invalid)
    for problem in items.invalid:
        err.print(str(problem), markup=False)
    for note in items.notes:
        err.print(note, markup=False)
    out.print(f"{file}: {len(items.items):,} pairs can be scored", markup=False, soft_wrap=True)


def _items(source: str, encoding: str) -> Dataset[Pair]:
    """Through the study that reads this set, else as a file of pairs."""
    for name in known("studies"):
        study: Study[Pair] = find("studies", name, "STUDY")
        if source in study.data:
            return study.load(source, skip_invalid=True, encoding=encoding)
    return pairs.load_pairs(source, "", skip_invalid=True, encoding=encoding)


def _annotations(source: str) -> list[quality.Annotation] | None:
    """Of the one published set that has them, by name or as a file with that column."""
    path = registry.locate(source).file if source == "crows_pairs" else Path(source)
    if not path.is_file() or not _has_annotations(path):
        return None
    return quality.read_annotations(path, skip_invalid=True)


def _has_annotations(path: Path) -> bool:
    with path.open("rb") as file:
        return b"annotations" in file.readline()


@cache.command("info")
def cache_info() -> None:
    """Show where the cache is and what it holds."""
    folder = places.cache()
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    out.print(f"{folder}: {size / 1e6:,.1f} MB", markup=False, soft_wrap=True)
    with Store(folder / "answers.sqlite") as store:
        for name, answers, held in store.summary():
            out.print(f"  {answers:>10,} answers, {held / 1e6:6.1f} MB  {name}", markup=False)


@cache.command("clear")
def cache_clear() -> None:
    """Forget all stored answers. Data sets and models stay."""
    with Store(places.cache() / "answers.sqlite") as store:
        err.print(f"{store.clear():,} answers forgotten")
