"""data list | get | import | check, check FILE: everything about data on this machine."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli.console import err, fetching, out

app = typer.Typer(help="Data sets: list them, fetch them, check them.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A data set: see `tiltmeter data list`.")]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Encoding = Annotated[str, typer.Option(help="Of the file, where it is not UTF-8.")]
ShowText = Annotated[bool, typer.Option("--show-text", help="Print the sentences too.")]


@app.command("list")
def list_sets(*, as_json: Json = False) -> None:
    """List the data sets that Tiltmeter knows, and whether they are here."""
    from tiltmeter.data import registry

    if as_json:
        rows = [asdict(s) | {"status": registry.status(name)} for name, s in registry.SETS.items()]
        typer.echo(json.dumps({"data": rows}, ensure_ascii=False, indent=2))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("name", "status", "licence", "what"):
        table.add_column(title, no_wrap=title == "name")
    for name, one in registry.SETS.items():
        table.add_row(name, registry.status(name), one.licence, one.title)
    out.print(table)


@app.command()
def get(name: Name) -> None:
    """Fetch a data set into the cache and verify its checksum."""
    from tiltmeter.data import registry

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
    from tiltmeter.data import places, registry

    registry.import_file(name, path)
    err.print(f"{name} is in {places.cache()}", markup=False)


@app.command()
def check(
    source: Annotated[
        str, typer.Argument(help="A data set's name, or a file of pairs or triples.")
    ],
    *,
    encoding: Encoding = "",
    reference: Annotated[
        Path | None,
        typer.Option(help="Word frequencies that keywords stand out from: word, count."),
    ] = None,
    show_text: ShowText = False,
    as_json: Json = False,
) -> None:
    """Say what is in a set of pairs or triples and how good it is, annotations included if any."""
    from tiltmeter.analysis.quality import pairs
    from tiltmeter.analysis.quality import triples as triple_quality
    from tiltmeter.analysis.quality.triple_lines import lines as triple_lines
    from tiltmeter.cli.check import annotations_of, items_of, triples_of
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data import frequencies

    lines: Iterable[str]
    if (chosen := triples_of(source, encoding)) is not None:
        read = frequencies.read_reference(reference, encoding=encoding) if reference else None
        told = triple_quality.describe(*chosen, reference=read)
        plain, lines = told.to_json(show_text=show_text), triple_lines(told, show_text=show_text)
    else:
        if reference is not None:
            way_out = "leave --reference out, or give a set of triples as `stereoset`"
            raise BadInput(f"{source} holds pairs, of which no keywords are told", way_out)
        found = pairs.describe(items_of(source, encoding), annotations_of(source))
        plain, lines = found.to_json(show_text=show_text), pairs.lines(found, show_text=show_text)
    if as_json:
        typer.echo(json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=2))
        return
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)


def check_file(
    file: Annotated[
        str, typer.Argument(help="A file of pairs or triples, or of lists of words (TOML).")
    ],
    *,
    encoding: Encoding = "",
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Count what would be left; exit with 0.")
    ] = False,
) -> None:
    """Check a file of items before anything is loaded: every bad row with its reason."""
    from tiltmeter.cli.check import holds_triples, of_lists
    from tiltmeter.data import pairs, triples

    items: Any
    if Path(file).suffix.lower() == ".toml":
        out.print(f"{file}: {of_lists(file, encoding)}", markup=False, soft_wrap=True)
        return
    of_triples = holds_triples(Path(file), encoding)
    if of_triples:
        items = triples.read_triples(file, encoding=encoding, skip_invalid=skip_invalid)
    else:
        items = pairs.load_pairs(file, "", encoding=encoding, skip_invalid=skip_invalid)
    for problem in items.invalid:
        err.print(str(problem), markup=False)
    for note in items.notes:
        err.print(note.text, markup=False)
    kind = "triples" if of_triples else "pairs"
    out.print(f"{file}: {len(items.items):,} {kind} can be scored", markup=False, soft_wrap=True)
