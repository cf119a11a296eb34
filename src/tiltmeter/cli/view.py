"""view: one page over all results of a folder."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted


def view(
    places: Annotated[list[Path] | None, Option(
        "Folders of runs, or some runs (default runs).", metavar="FOLDER…", argument=True)] = None,
    *,
    publish: Annotated[Path | None, Option(
        "Write the page for others into this folder, without texts of items and links to your files.",
        metavar="FOLDER")] = None,
    out: Annotated[Path | None, Option(
        "Folder for the page (default: beside the results, with -view after the name).",
        metavar="FOLDER")] = None,
    text: Annotated[bool | None, typer.Option(
        "--text/--no-text", show_default=False,
        help="Include the texts of items, hidden until opened. Default: not with --publish.")] = None,
    serve: Annotated[bool, Option(
        "Serve the page on this computer and build its parts when opened, instead of writing "
        "them all: for folders with many items.")] = False,
    port: Annotated[int, Option("With --serve.", min=0, max=65535)] = 8100,
    everything: Annotated[bool, Option(
        "Write the details and items of every result, also of more than 200 (default: of so many their main "
        "numbers and links to their own pages).", name="all")] = False,
) -> None:  # fmt: skip
    """Write one page about all results: models by studies, items, comparisons.

    It also shows all numbers in a list, rank ranges, and what changed between runs.
    """
    from contextlib import suppress

    from tiltmeter.analyses.compare import comparison
    from tiltmeter.cli.console import err, print_path
    from tiltmeter.cli.heartbeats import heartbeat
    from tiltmeter.core.errors import BadInput
    from tiltmeter.derived.comparisons.compare import compare_all
    from tiltmeter.report.view.view_files import ViewFiles
    from tiltmeter.report.view.view_server import ViewServer

    if serve and publish is not None:
        raise BadInput("--serve writes nothing that could be published", "leave one of them out")
    if out is not None and (serve or publish is not None):
        raise BadInput("--out is for a page of your own", "leave out --serve and --publish")
    for folder in filter(None, (publish, out)):
        if folder.suffix.lower() in {".html", ".htm"}:
            way_out = "name a folder; to send one result, send its report.html alone"
            raise BadInput(f"{folder} would be a folder, not a page", way_out)
    folders = places or [Path("runs")]
    shown = ", ".join(map(str, folders))
    first = folders[0].resolve()
    name = first.name if len(folders) == 1 else first.parent.name
    beside = first if len(folders) == 1 else first.parent
    to = publish or out or beside.with_name(f"{name}-view")
    files = ViewFiles(
        folders, lambda runs: comparison(runs, compare_all([*runs.values()])),
        show_text=publish is None if text is None else text,
        to=None if serve or publish is not None else to, served=serve, everything=everything,
    )  # fmt: skip
    for note in files.found[1]:
        err.print(note)
    if not files.found[0]:
        raise BadInput("it has no finished runs", "name the folder of your runs", file=shown)
    if files.is_slim and not serve:
        err.print(
            f"{counted(len(files.found[0]), 'results')}: the page has their main numbers and "
            "links to their pages. "
            "--serve has everything when it is looked at, --all writes it.", soft_wrap=True,
        )  # fmt: skip
    if not serve:
        print_path(files.write_page(to, files.names))
        return
    with ViewServer(files, port) as server:
        err.print(f"{server.address} shows {shown}. Stop with Ctrl+C.", soft_wrap=True)
        with suppress(KeyboardInterrupt):
            heartbeat.rest()
            server.serve_forever()
