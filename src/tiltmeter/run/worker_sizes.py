"""How many workers a cluster's machines have room for, and what each of them gets."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tiltmeter.core.errors import BadInput


class Size(NamedTuple):
    """How many workers there are, and what each of them gets."""

    workers: int
    cpus: int
    gpus: int


def size(machines: Sequence[Mapping[str, float]], workers: int | None, *, gpus: bool) -> Size:
    """Divide the machines: one worker a GPU or, without GPUs, a machine; or the number asked for.

    All workers get the same, so that they compute equal numbers: as many CPUs each as leave room for
    all of them.

    >>> size([{"CPU": 16}, {"CPU": 16}], None, gpus=True)
    Size(workers=2, cpus=16, gpus=0)
    >>> size([{"CPU": 16}, {"CPU": 16}], 6, gpus=True)
    Size(workers=6, cpus=5, gpus=0)
    >>> size([{"CPU": 16, "GPU": 4}, {"CPU": 64}], None, gpus=True)
    Size(workers=4, cpus=4, gpus=1)

    Raises:
        BadInput: There is no room for so many.
    """
    each = "GPU" if gpus and any(m.get("GPU", 0) >= 1 for m in machines) else "CPU"
    using = [m for m in machines if m.get(each, 0) >= 1]
    places = int(sum(m[each] // 1 for m in using))
    if not places or (workers or 0) > places:
        raise BadInput(
            f"the cluster has {places:,} {each}s, too few for {workers or 1:,} workers",
            f"use --workers {places}" if places else "start Ray on a machine that has some",
        )
    if each == "GPU":
        cpus = min(int(m.get("CPU", 0) // (m["GPU"] // 1)) for m in using)
        return Size(workers or places, cpus, 1)
    most = int(min(m["CPU"] for m in using) if workers is None else max(m["CPU"] for m in using))
    # The most processors with which all workers that are asked for have a place.
    while sum(m["CPU"] // most for m in using) < (workers or 1):
        most -= 1
    return Size(workers or int(sum(m["CPU"] // most for m in using)), most, 0)
