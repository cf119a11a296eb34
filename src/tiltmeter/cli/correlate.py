"""correlate: how measures relate.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import AllowCode, Figures, Json, Out, PrintedAs, StudyPath, data_file
from tiltmeter.cli.console import err
from tiltmeter.core.options import Encoding, Seed

if TYPE_CHECKING:
    from tiltmeter.analysis.points import Observation, Over, Points


SLOW = 2_000
"""Pairs of measures times points, beyond which a line says what takes so long."""


def correlate(  # noqa: PLR0913 the command line's own options
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Run folders of any studies.", metavar="[RUN…]", show_default=False),
    ] = None,
    *,
    table: Annotated[
        list[Path] | None,
        typer.Option(
            help="Other numbers: one row per point (columns `model`, `group`), one column per measure.",
            parser=data_file,
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
            help="The estimate to use from each run: NAME or NAME:AXIS=VALUE (default: the headline). "
            "Each one given is a measure.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    between: Annotated[
        bool,
        typer.Option(
            "--between",
            help="Only correlate measures of different sources: studies, files, published tables.",
        ),
    ] = False,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            help="Over groups and cells: the axis of the runs, `a,b` for intersections; of several, the "
            "first that a run has (default: the one that shares most with the other sources).",
            metavar="AXIS",
            show_default=False,
        ),
    ] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option(
            help="Another name of a model or group, as used in another source.",
            metavar="NAME=NAME",
            show_default=False,
        ),
    ] = None,
    reliability: Annotated[
        list[str] | None,
        typer.Option(
            help="A measure's reliability, if known from elsewhere.",
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
    printed_as: PrintedAs = "text",
    figures: Figures = None,
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
    seed: Seed = 0,
) -> None:
    """Correlate measures over models, groups or cells: exact tests, intervals and statistical power."""
    from dataclasses import replace

    from tiltmeter.analysis import correlate as correlations
    from tiltmeter.analysis.points import points_of
    from tiltmeter.analysis.sources import renamed
    from tiltmeter.cli.show_document import Saved, save_document, show_document
    from tiltmeter.cli.terminal_monitor import StepBar
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.documents.correlations.document import correlations_document
    from tiltmeter.report.documents.correlations.files import correlations_json, points_table
    from tiltmeter.report.documents.correlations.pairs import pairs_table
    from tiltmeter.run import folder as folders
    from tiltmeter.run.repeatable_command import repeatable
    from tiltmeter.run.study_files import read_study

    if study_file is not None:
        read_study(study_file, allow_code=allow_code)
    folders.prepare(out_folder)
    shares = {name: _share(name, text) for name, text in _pairs(reliability, "reliability").items()}
    names = _pairs(alias, "alias")
    found, notes = _read(
        runs or [], table or [], published or [], over, measure or [], axis or [], names, encoding
    )
    points = points_of(renamed(found, names), over)
    points = replace(points, notes=(*points.notes, *notes))
    sources = combinations((measure.source for measure in points.measures), 2)
    pairs = sum(not between or one != other for one, other in sources)
    if pairs * len(points.labels) > SLOW:
        err.print(f"correlating {pairs:,} pairs of measures over {len(points.labels):,} points")
    with StepBar("correlating", pairs, "pairs of measures") as bar:
        made = correlations.correlate(
            points,
            method=method,
            seed=seed,
            between=between,
            reliabilities=shares,
            done=bar.reach,
        )
    named = [*(p.name for p in (*(runs or []), *(table or []))), *(published or [])]
    command = repeatable(command_line())
    settings = [method, f"{seed} {between}", *map(repr, shares.items())]
    saved = Saved(
        correlations_document(made, sources=named, command=command),
        out_folder / _folder_name(points, settings),
        correlations_json(made, sources=named, command=command),
        {"correlations": pairs_table(made), "points": points_table(points)},
    )
    pictures = save_document(saved, "correlations", figures)
    if as_json or printed_as != "text":
        for note in made.notes:
            err.print(note)
    show_document(saved, "json" if as_json else printed_as, pictures)


def _folder_name(points: "Points", settings: Sequence[str]) -> str:
    """What the points are, and a digest of all that went in."""
    from hashlib import sha256

    parts = [*points.labels, *points.names, *map(repr, points.values.ravel().tolist()), *settings]
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"correlations-{points.over}-{digest}"


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
        raise BadInput("--axis does not apply over models", "add --over groups, or leave it out")
    _once([*tables, *published])
    chosen = [wanted(text) for text in measures]
    _once(measures)
    if measures and not runs:
        raise BadInput(
            "--measure chooses among the measures of runs, and no run is given",
            "leave it out, or name run folders",
        )
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
            raise BadInput("it is listed twice", "give it once", file=str(given[number]))


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
                f"--{option} {text!r} is not NAME=VALUE", "write the name, =, and the value"
            )
        if name in found:
            raise BadInput(f"--{option} is given twice for {name!r}", "give it once")
        found[name] = value
    return found


def _share(name: str, text: str) -> float:
    """A reliability as a number: above 0 and at most 1."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.text import decimal_number

    value = decimal_number(text)
    if value is None or not 0 < value <= 1:
        raise BadInput(
            f"--reliability of {name!r} is {text!r}", "give a share above 0 and at most 1"
        )
    return value
