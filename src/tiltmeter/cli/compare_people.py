"""compare-people: matrices of groups × traits and what people say.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import Json, Out, data_file
from tiltmeter.cli.console import err, out, say_file
from tiltmeter.core.options import Encoding, PeopleScale, Seed


def compare_people(  # noqa: PLR0913 the command line's own options
    matrices: Annotated[
        list[str],
        typer.Argument(
            help="A run folder with a matrix, or a table: group, pair, value, or "
            "wide. Several are shown side by side.",
            metavar="MATRIX…",
            show_default=False,
        ),
    ],
    *,
    people: Annotated[
        str,
        typer.Option(
            help="us_stereotypes, or a file: single ratings or means, JSON or a table.",
            parser=lambda text: str(data_file(text)),
            metavar="NAME_OR_FILE",
        ),
    ] = "us_stereotypes",
    scale: PeopleScale = "0:100",
    pilot: Annotated[
        str | None,
        typer.Option(
            help="Groups on which templates are chosen, separated by commas, or none (default: "
            "Asian, Black, Hispanic, immigrant).",
            metavar="NAMES|none",
            show_default=False,
        ),
    ] = None,
    k: Annotated[
        int, typer.Option("--k", min=1, help="Pairs at either end for precision at k.")
    ] = 3,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Also report agreement and means for each value of this column about annotators; "
            "repeatable. COLUMN,COLUMN crosses columns.",
            metavar="COLUMN[,COLUMN]",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            help="Also print this group's profile: top and bottom traits of people and of each matrix; "
            "repeatable.",
            metavar="GROUP",
            show_default=False,
        ),
    ] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option(
            help="Two names of one group, pair or trait; repeatable.",
            metavar="NAME=NAME",
            show_default=False,
        ),
    ] = None,
    middle: Annotated[float, typer.Option(help="Neutral value of MATRIX tables.")] = 0.0,
    figures: Annotated[
        Literal["pdf", "png", "svg"] | None,
        typer.Option(help="Also write pictures: pdf, png or svg (extra `plots`)."),
    ] = None,
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Compare groups × traits with what people say: Kendall's τ, precision at k, a noise ceiling."""
    from tiltmeter.analysis.people.alignment import Wanted, align
    from tiltmeter.analysis.people.as_json import as_object, folder_name
    from tiltmeter.analysis.people.profiles import chosen
    from tiltmeter.analysis.people.sources import named_apart, people_of, source_of
    from tiltmeter.cli.console import print_json
    from tiltmeter.data.groups.groups import packaged
    from tiltmeter.data.people.ratings import scale_named
    from tiltmeter.report.documents.people.document import people_document
    from tiltmeter.report.documents.people.files import file_tables
    from tiltmeter.report.html import page
    from tiltmeter.report.tables import as_csv
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import PAGE, write_files

    folders.prepare(out_folder)
    wanted = Wanted(
        k=k, pilot=_names(pilot), by=_columns(by or []), aliases=_aliases(alias or []), seed=seed
    )
    sources = [source_of(path, middle=middle, encoding=encoding) for path in matrices]
    _once(matrices)
    said = people_of(people, scale=scale_named(scale), encoding=encoding)
    made = align(named_apart(sources), said, wanted, lists=packaged())
    target = out_folder / folder_name(made)
    value = as_object(made)
    files = {"alignment.json": folders.to_json(value)}
    files |= {f"{name}.csv": as_csv(table) for name, table in file_tables(made).items()}
    shown = chosen(made, profile or ())
    document = people_document(made, shown=shown, command=_command(), files=list(files))
    write_files(target, {**files, PAGE: page(document)})
    if figures:
        from tiltmeter.report.plots.export import drawings_of, save_pictures

        for file in save_pictures(drawings_of(document), target, figures):
            say_file(file)
    if as_json:
        for note in made.notes:
            err.print(note)
        print_json(value)
        return
    print_document(document, out, files={"page": target / PAGE, "all": target})


def _names(pilot: str | None) -> tuple[str, ...] | None:
    """What --pilot says: None for the usual groups, () for none."""
    if pilot is None:
        return None
    if pilot.strip().lower() == "none":
        return ()
    names = tuple(name.strip() for name in pilot.split(",") if name.strip())
    if not names:
        from tiltmeter.core.errors import BadInput

        raise BadInput("--pilot is empty", "name groups, separated by commas, or write none")
    return names


def _columns(given: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What --by says: columns, several in one entry where they are crossed.

    >>> _columns(["age", "race,gender"])
    (('age',), ('race', 'gender'))
    """
    from tiltmeter.core.errors import BadInput

    found = tuple(tuple(name.strip() for name in text.split(",")) for text in given)
    if not all(name for columns in found for name in columns):
        raise BadInput("--by is empty", "write --by COLUMN, or --by COLUMN,COLUMN")
    return found


def _aliases(given: Sequence[str]) -> dict[str, str]:
    """What --alias says.

    >>> _aliases(["farmers=farmer"])
    {'farmers': 'farmer'}
    """
    from tiltmeter.core.errors import BadInput

    found = {}
    for text in given:
        one, sign, other = (part.strip() for part in text.partition("="))
        if not (one and sign and other):
            raise BadInput(f"--alias {text!r} is not NAME=NAME", "write --alias 'farmers=farmer'")
        found[one] = other
    return found


def _once(paths: Sequence[str]) -> None:
    from tiltmeter.core.errors import BadInput

    places = [Path(path).resolve() for path in paths]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise BadInput("it is listed twice", "give each matrix once", file=paths[number])


def _command() -> str:
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.run.repeatable_command import repeatable

    return repeatable(command_line())
