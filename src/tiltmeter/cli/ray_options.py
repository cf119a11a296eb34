"""--ray: where models are opened, as the command line says it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.terminal_monitor import monitor

if TYPE_CHECKING:
    from tiltmeter.run.model_openers import ModelOpener

Ray = Annotated[
    bool, typer.Option("--ray", help="Distribute the work over Ray workers, here or on a cluster.")
]
RayAddress = Annotated[str | None, typer.Option(help="HOST:PORT of a Ray cluster; implies --ray.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Number of Ray workers (default: one per GPU, or one per machine)."),
]


def check(*, ray: bool, address: str | None, workers: int | None) -> None:
    """Check that the options go together.

    Raises:
        BadInput: --workers without --ray.
    """
    from tiltmeter.core.errors import BadInput

    if workers is not None and not ray and address is None:
        raise BadInput("--workers only applies with --ray", "add --ray, or leave it out")


@contextmanager
def model_opener(
    *, ray: bool, address: str | None, workers: int | None, gpus: bool
) -> Iterator["ModelOpener"]:
    """This process or, with --ray, a cluster's workers, for as long as the block lasts.

    Raises:
        BadInput: --workers without --ray.
    """
    from tiltmeter.run.model_openers import LocalOpener

    check(ray=ray, address=address, workers=workers)
    if not ray and address is None:
        yield LocalOpener(monitor)
        return
    from tiltmeter.run.ray_cluster import cluster

    with cluster(address, workers, gpus=gpus, say=monitor.step) as opener:
        yield opener
