"""active report: what finished runs of active learning say."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.arguments import Figures, Json, Out, PrintedAs
from tiltmeter.core.options import Seed

if TYPE_CHECKING:
    from tiltmeter.active.pool_result import PoolResult
QUERIES = "queries.csv"
USUAL = "passive"
"""Strategy with which the others are compared."""


def report(  # noqa: PLR0913 the command line’s own options
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders of runs, or a folder that holds some.", metavar="RUN…"),
    ],
    *,
    against: Annotated[
        str, typer.Option(help="Strategy with which the others are compared.")
    ] = USUAL,
    convention: Annotated[str, typer.Option(help="Paper whose claims are judged.")] = "baumler2023",
    queries: Annotated[
        int, typer.Option(min=0, help="Queries of each strategy that the page lists.")
    ] = 20,
    all_queries: Annotated[
        bool, typer.Option("--all-queries", help=f"Also write every query to {QUERIES}.")
    ] = False,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    printed_as: PrintedAs = "text",
    figures: Figures = None,
    seed: Seed = 0,
) -> None:
    """Compare strategies: votes to a target, learning curves, queries, verdicts on a paper’s claims."""
    from tiltmeter.active.result_reading import read_result
    from tiltmeter.cli.console import err
    from tiltmeter.cli.show_document import Saved, save_document, show_document
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.report.documents.active.document import active_document
    from tiltmeter.report.documents.active.files import active_json, file_tables
    from tiltmeter.run import folder as folders
    from tiltmeter.run.repeatable_command import repeatable

    folders.prepare(out_folder)
    found: list[PoolResult] = []
    for folder in _folders(runs):
        err.print(f"reading {folder.name}", style="dim")
        found.append(
            read_result(folder, against=against, convention=convention, shown=queries, seed=seed)
        )
    _check_against(against, found)
    command = repeatable(command_line())
    saved = Saved(
        active_document(found, command=command),
        out_folder / _folder_name(found, [against, convention, str(seed)]),
        active_json(found, command=command),
        file_tables(found),
    )
    pictures = save_document(saved, "active", figures)
    if all_queries:
        _write_queries(found, saved.folder / QUERIES)
    show_document(saved, "json" if as_json else printed_as, pictures)


def _check_against(against: str, found: "Sequence[PoolResult]") -> None:
    """See that the strategy was run somewhere; without the usual one, the first of a pool is used.

    Raises:
        UnknownName: It was not.
    """
    from tiltmeter.core.errors import UnknownName

    names = {name for one in found for name in one.manifest.strategies}
    if against not in {*names, USUAL}:
        raise UnknownName("strategy of these runs", against, names)


def _folders(given: Sequence[Path]) -> list[Path]:
    """The folders of runs among these and directly inside them, once each.

    Raises:
        BadInput: One is neither, or stands there twice.
    """
    from tiltmeter.active.run_manifest import MANIFEST
    from tiltmeter.core.errors import BadInput

    found: list[Path] = []
    for place in given:
        inside = sorted(file.parent for file in place.glob(f"*/{MANIFEST}"))
        found += [place] if (place / MANIFEST).is_file() or not inside else inside
    places = [folder.resolve() for folder in found]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise BadInput("it is listed twice", "give it once", file=str(found[number]))
    return found


def _folder_name(found: Sequence["PoolResult"], settings: Sequence[str]) -> str:
    """The pools, and a digest of all that went in."""
    from hashlib import sha256

    from tiltmeter.report.text import anchor

    parts = [*settings, *(f"{r.manifest} {r.seeds}" for r in found)]
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    names = "-".join(anchor(str(r.manifest.pool.get("name", "")))[:20] for r in found[:3])
    return f"active-{names}-{digest}"


def _write_queries(found: Sequence["PoolResult"], file: Path) -> None:
    """Every vote that was bought, with its reason, run by run."""
    import csv
    from dataclasses import asdict, fields

    from tiltmeter.active.run_files import VoteQuery, load_queries
    from tiltmeter.core.text import spreadsheet_text

    names = [field.name for field in fields(VoteQuery)]
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["set", *names])
        for result in found:
            name = str(result.manifest.pool.get("name", result.folder.name))
            for strategy in result.manifest.strategies:
                for seed in result.seeds:
                    for query in load_queries(result.folder, strategy, seed):
                        row = [name, *asdict(query).values()]
                        writer.writerow(
                            spreadsheet_text(v) if isinstance(v, str) else v for v in row
                        )
