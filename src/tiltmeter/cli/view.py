"""view: one page over all results of a folder."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import arguments
from tiltmeter.core.options import Option


def view(
    folder: arguments.RunsFolder = Path("runs"),
    *,
    publish: Annotated[Path | None, Option(
        "Write the page for others into this folder, without texts of items and links to your files.",
        metavar="FOLDER")] = None,
    text: Annotated[bool | None, typer.Option(
        "--text/--no-text", show_default=False,
        help="Have texts of items in the page, hidden until asked for. Default: not with --publish.")] = None,
    serve: Annotated[bool, Option(
        "Serve the page to this computer and make its parts when they are looked at, instead of writing "
        "them all: for folders with many items.")] = False,
    port: Annotated[int, Option("With --serve.", min=0, max=65535)] = 8100,
) -> None:  # fmt: skip
    """Write one page over all results: filters, items, comparisons, ranges of ranks, what changed."""
    from contextlib import suppress

    from tiltmeter.analyses.compare import comparison
    from tiltmeter.analysis.compare import compare_all
    from tiltmeter.cli.console import err, print_path
    from tiltmeter.core.errors import BadInput
    from tiltmeter.report.view.view_files import ViewFiles
    from tiltmeter.report.view.view_server import ViewServer

    if serve and publish is not None:
        raise BadInput("--serve writes nothing that could be published", "leave one of them out")
    to = publish or folder.resolve().with_name(f"{folder.resolve().name}-view")
    files = ViewFiles(
        folder, lambda runs: comparison(runs, compare_all([*runs.values()])),
        show_text=publish is None if text is None else text,
        to=None if serve or publish is not None else to, all_pairs=serve,
    )  # fmt: skip
    for note in files.found[1]:
        err.print(note)
    if not files.found[0]:
        raise BadInput("it has no finished runs", "name the folder of your runs", file=str(folder))
    if not serve:
        print_path(files.write_page(to, files.names))
        return
    with ViewServer(files, port) as server:
        err.print(f"{server.address} shows {folder}. Stop with Ctrl+C.", soft_wrap=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
