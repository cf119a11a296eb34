"""correlate: how measures relate.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import Encoding, Json, Out, Seed
from tiltmeter.cli.console import err, out

if TYPE_CHECKING:
    from tiltmeter.analysis.points import Observation, Over


def correlate(  # noqa: PLR0913 the command line's own options
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Run folders of any studies.", metavar="[RUN…]", show_default=False),
    ] = None,
    *,
    table: Annotated[
        list[Path] | None,
        typer.Option(
            help="Numbers from elsewhere: a row a point (columns `model`, `group`), a column a measure.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    published: Annotated[
        list[str] | None,
        typer.Option(
            help="A table that a paper prints: elsafoury2023_sos, elsafoury2023_f1, …",
            metavar="NAME",
            show_default=False,
            autocompletion=completion.published,
        ),
    ] = None,
    over: Annotated[
        Literal["models", "groups", "cells"],
        typer.Option(help="What the points are: models, groups, or each group of each model."),
    ] = "models",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            help="Which estimate stands for a run: NAME or NAME:AXIS=VALUE; without it the headline. "
            "Several make a measure each.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    between: Annotated[
        bool,
        typer.Option(
            "--between",
            help="Only measures of different sources: studies, files, published tables.",
        ),
    ] = False,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            help="Over groups and cells: by which axis of the runs, `a,b` for a crossing; of several the "
            "first that a run has. Without it, the one that has most in common with the other sources.",
            metavar="AXIS",
            show_default=False,
        ),
    ] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option(
            help="Another name of a model or group, as another source has it.",
            metavar="NAME=NAME",
            show_default=False,
        ),
    ] = None,
    reliability: Annotated[
        list[str] | None,
        typer.Option(
            help="A measure's reliability, where it is known from elsewhere.",
            metavar="MEASURE=NUMBER",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        Literal["pearson", "spearman"], typer.Option(help="Which correlation is shown first.")
    ] = "pearson",
    encoding: Encoding = "",
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    seed: Seed = 0,
) -> None:
    """Correlate measures over models, groups or cells: exact tests, intervals, and what n can show."""
    from dataclasses import replace

    from tiltmeter.analysis import correlate as correlations
    from tiltmeter.analysis.points import points_of
    from tiltmeter.analysis.sources import renamed
    from tiltmeter.cli import command_line
    from tiltmeter.cli.publish import print_json, without_paths
    from tiltmeter.report.relations_files import as_object, as_table, name_of, points_table
    from tiltmeter.report.relations_page import relations_page
    from tiltmeter.report.relations_table import print_relations
    from tiltmeter.run import folder as folders

    folders.prepare(out_folder)
    shares = {name: _share(name, text) for name, text in _pairs(reliability, "reliability").items()}
    names = _pairs(alias, "alias")
    found, notes = _read(
        runs or [], table or [], published or [], over, measure or [], axis or [], names, encoding
    )
    points = points_of(renamed(found, names), over)
    points = replace(points, notes=(*points.notes, *notes))
    made = correlations.correlate(
        points, method=method, seed=seed, between=between, reliabilities=shares
    )
    named = [*(p.name for p in (*(runs or []), *(table or []))), *(published or [])]
    command = without_paths(command_line())
    target = out_folder / name_of(points, [method, f"{seed} {between}", *map(repr, shares.items())])
    value = as_object(made, named, command)
    folders.write_text(target / "correlations.json", folders.to_json(value))
    folders.write_text(target / "correlations.csv", as_table(made))
    folders.write_text(target / "points.csv", points_table(points))
    folders.write_text(target / "report.html", relations_page(made, sources=named, command=command))
    if as_json:
        for note in made.notes:
            err.print(note, markup=False)
        print_json(value)
        return
    print_relations(made, out, files={"page": target / "report.html", "all": target})


def _read(
    runs: Sequence[Path],
    tables: Sequence[Path],
    published: Sequence[str],
    over: "Over",
    measures: Sequence[str],
    axes: Sequence[str],
    aliases: Mapping[str, str],
    encoding: str,
) -> tuple[list["Observation"], list[str]]:
    """The numbers of all sources, and notes on what is not read."""
    from tiltmeter.analysis.point_tables import of_table
    from tiltmeter.analysis.sources import of_published, of_runs, read_runs, wanted
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.published import published as known

    if not (runs or tables or published):
        raise BadInput("nothing to correlate", "give run folders, a --table or a --published table")
    if axes and over == "models":
        raise BadInput("--axis has no meaning over models", "add --over groups, or leave it out")
    _once([*tables, *published])
    chosen = [wanted(text) for text in measures]
    _once(measures)
    found: list[Observation] = []
    notes: list[str] = []
    for path in tables:
        numbers, told = of_table(path, over, encoding=encoding)
        found += numbers
        notes += told
    for name in published:
        found += of_published(name, over)
        notes += [f"{name}: {note}" for note in known(name).notes]
    labels = {one.group for one in found} | set(aliases) | set(aliases.values())
    results, left_out = read_runs(runs)
    return [*of_runs(results, over, chosen, axes, labels), *found], [*notes, *left_out]


def _once(given: Sequence[Path | str]) -> None:
    from tiltmeter.core.errors import BadInput

    places = [one.resolve() if isinstance(one, Path) else one for one in given]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise BadInput("it is given twice", "give it once", file=str(given[number]))


def _pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """What an option of the form NAME=VALUE says, split at the last equals sign.

    >>> _pairs(["ss (a=b)=0.8"], "reliability")
    {'ss (a=b)': '0.8'}
    """
    from tiltmeter.core.errors import BadInput

    found: dict[str, str] = {}
    for text in given or []:
        name, sign, value = (part.strip() for part in text.rpartition("="))
        if not (name and sign and value):
            raise BadInput(
                f"--{option} {text!r} is not NAME=VALUE", "write the name, =, and the other"
            )
        if name in found:
            raise BadInput(f"--{option} is given twice for {name!r}", "give it once")
        found[name] = value
    return found


def _share(name: str, text: str) -> float:
    """A reliability as a number: above 0 and at most 1."""
    from tiltmeter.core.errors import BadInput

    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise BadInput(
            f"--reliability of {name!r} is {text!r}", "it is a share: above 0, and at most 1"
        )
    return value
