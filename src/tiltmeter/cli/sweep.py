"""sweep: studies × models from a TOML file."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli.arguments import Json, Jsonl, NoText
from tiltmeter.cli.ray_options import Ray, RayAddress, Workers

FAILED = 1


def sweep(  # noqa: PLR0913 the command line's own options
    file: Annotated[Path, typer.Argument(help="A TOML file that lists studies and models.")],
    *,
    out_folder: Annotated[
        Path | None, typer.Option("--out", help="Where run folders go; runs/NAME by default.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and load nothing.")
    ] = False,
    as_json: Json = False,
    jsonl: Jsonl = False,
    no_text: NoText = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do finished runs again, and ask again what is stored.")
    ] = False,
    ray: Ray = False,
    ray_address: RayAddress = None,
    workers: Workers = None,
) -> None:
    """Score many models on many studies; give the same command again to go on after a stop."""
    from tiltmeter.cli.ray_options import check, opener
    from tiltmeter.cli.sweep_jobs import Grid, planned
    from tiltmeter.data import places
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.store import STORE
    from tiltmeter.run.store_thread import StoreThread
    from tiltmeter.run.sweep import read_sweep

    check(ray=ray, address=ray_address, workers=workers)
    said = read_sweep(file)
    out = out_folder or Path("runs") / file.stem
    prepare(out)
    grid: Grid = planned(said, out, fresh=fresh)
    if not dry_run and grid.waiting:
        from tiltmeter.cli.publish import warn

        with (
            opener(ray=ray, address=ray_address, workers=workers, gpus=grid.gpus) as opens,
            StoreThread(places.cache() / STORE, warn) as store,
        ):
            grid.run(opens, store, jsonl=jsonl, show_text=not no_text)
    elif not dry_run:
        grid.write()
    grid.show(as_json=as_json)
    if grid.failed:
        raise typer.Exit(FAILED)
