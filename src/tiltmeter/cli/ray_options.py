"""--ray: where models are opened, as the command line says it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import Option, check_options

if TYPE_CHECKING:
    from tiltmeter.run.model_openers import ModelOpener


@dataclass(frozen=True, slots=True)
class RayOptions:
    """Whether a cluster's workers open the models, and which."""

    ray: Annotated[bool, Option("Distribute the work over Ray workers, here or on a cluster.")] = (
        False
    )
    ray_address: Annotated[str | None, Option("HOST:PORT of a Ray cluster; implies --ray.")] = None
    workers: Annotated[
        int | None,
        Option("Number of Ray workers (default: one per GPU, or one per machine).", min=1),
    ] = None

    def __post_init__(self) -> None:
        """Raises BadInput for --workers without --ray, which would have no effect."""
        check_options(self)
        if self.workers is not None and not self.is_used:
            raise BadInput("--workers only applies with --ray", "add --ray, or leave it out")

    @property
    def is_used(self) -> bool:
        """Whether workers open the models, instead of this process."""
        return self.ray or self.ray_address is not None


@contextmanager
def model_opener(options: RayOptions, *, gpus: bool) -> Iterator["ModelOpener"]:
    """This process or, with --ray, a cluster's workers, for as long as the block lasts."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.run.model_openers import LocalOpener

    if not options.is_used:
        yield LocalOpener(monitor)
        return
    from tiltmeter.run.ray_cluster import cluster

    with cluster(options.ray_address, options.workers, gpus=gpus, say=monitor.step) as opener:
        yield opener
