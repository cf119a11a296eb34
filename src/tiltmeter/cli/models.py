"""models list | get: models available by name."""

from dataclasses import asdict
from typing import Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_path
from tiltmeter.cli.terminal_monitor import monitor
from tiltmeter.core.options import Option


def list_models(*, as_json: Json = False) -> None:
    """List the models available by a short name. Folders and hub ids need none."""
    from tiltmeter.data.downloads import weights

    if as_json:
        rows = [asdict(w) | {"status": weights.status(n)} for n, w in weights.WEIGHTS.items()]
        print_json({"models": rows})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("name", "kind", "status", "licence", "what"):
        table.add_column(title, no_wrap=title != "what")
    for name, known in weights.WEIGHTS.items():
        table.add_row(name, known.scheme, weights.status(name), known.licence, known.title)
    out.print(table)
    out.print("\nAny folder or Hugging Face id works as well: tiltmeter run STUDY FOLDER_OR_ID")
    out.print("Models behind a server: 'chat:URL#MODEL'. Stored replies: replay:FILE")


def get(
    name: Annotated[str, Option("A name from `tiltmeter models list`.", argument=True)],
) -> None:
    """Download a model into the cache and verify it."""
    from tiltmeter.data.downloads import weights

    with monitor.download(name) as progress:
        path = weights.get(name, progress=progress)
    known = weights.find(name)
    err.print(f"{known.title}: {known.licence}. {known.note}")
    print_path(path)
