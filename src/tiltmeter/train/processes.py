"""Run a training in several processes of this machine, such as one for each GPU.

The processes are started and watched by `torch.multiprocessing`, and exchange gradients through
`torch.distributed` (NCCL on GPUs, Gloo elsewhere). Progress, messages, the result and errors come back from
them through a queue.
"""

import inspect
import queue as queues
import socket
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Protocol, Self, TypeVar, cast

from tiltmeter.core.errors import BadInput, TiltmeterError, Unavailable
from tiltmeter.train.steps import TrainingProgress
from tiltmeter.train.team import current_team

HERE = "127.0.0.1"
PATIENCE = timedelta(days=1)
"""How long a process waits for the others, which may be writing files or testing the trained model."""
EVERY = 0.5
"""Seconds between two looks at whether the processes are alive."""


class MovableTraining(Protocol):
    """A configuration of a training that can be moved to another device."""

    @property
    def processes(self) -> int:
        """How many processes the training runs in."""
        ...

    @property
    def device(self) -> str:
        """The device, as users write it."""
        ...

    def on(self, device: str) -> Self:
        """The training, moved to this device."""
        ...


Train = TypeVar("Train", bound=Callable[..., Any])


def in_processes(train: Train) -> Train:
    """A training that runs in as many processes as its configuration says.

    It takes the configuration, what receives the progress, and perhaps what receives messages. Each process
    calls it; only the first one reports.

    Raises:
        BadInput: There are fewer GPUs than processes.
        Unavailable: A process ended before the training was done.
    """

    @wraps(train)
    def call(config: MovableTraining, *reports: Any) -> Any:
        if config.processes == 1 or current_team().size > 1:
            return train(config, *reports)
        progress, say = (*reports, None, None)[:2]
        return _together(call, config, progress or TrainingProgress(), say or (lambda _: None))

    return cast("Train", call)


class _Sent(TrainingProgress):
    """Sends the progress to the process that started the training."""

    def __init__(self, queue: Any) -> None:
        self._queue = queue

    def start(self, **sizes: int) -> None:
        self._queue.put(("start", sizes))

    def step(self, done: int, loss: float) -> None:
        self._queue.put(("step", (done, loss)))

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        self._queue.put(("evaluated", (done, loss, accuracy)))


def _together(
    train: Callable[..., Any],
    config: MovableTraining,
    progress: TrainingProgress,
    say: Callable[[str], None],
) -> Any:
    from torch import multiprocessing
    from torch.multiprocessing.spawn import start_processes

    devices = _devices(config)
    takes_say = "say" in inspect.signature(train).parameters
    queue = multiprocessing.get_context("spawn").Queue()
    started: Any = start_processes(  # type: ignore[no-untyped-call]
        _work, (queue, _free_port(), train, config, devices, takes_say),
        nprocs=config.processes, join=False, start_method="spawn",
    )  # fmt: skip
    try:
        while True:
            try:
                what, value = queue.get(timeout=EVERY)
            except queues.Empty:
                _watch(started)
                continue
            if what == "result":
                return value
            if what == "error":
                raise value
            if what == "say":
                say(value)
            elif what == "start":
                progress.start(**value)
            else:
                getattr(progress, what)(*value)
    finally:
        for process in started.processes:
            process.terminate()
            process.join()


def _watch(started: Any) -> None:
    """See that no process has failed.

    Raises:
        Unavailable: One has.
    """
    from torch.multiprocessing.spawn import ProcessException

    try:
        started.join(timeout=0)
    except ProcessException as error:
        lines = str(error).strip().splitlines()
        raise Unavailable(
            f"a process of the training failed ({lines[-1]}); if memory ran out, give a smaller --at-once, "
            "and the same command continues"
        ) from error


def _work(
    rank: int,
    queue: Any,
    port: int,
    train: Callable[..., Any],
    config: MovableTraining,
    devices: list[str],
    takes_say: bool,  # noqa: FBT001 (`start_processes` gives arguments by their places)
) -> None:
    """What each process does."""
    import torch

    on_gpus = devices[rank].startswith("cuda")
    if on_gpus:
        torch.cuda.set_device(devices[rank])
    else:
        torch.set_num_threads(max(1, torch.get_num_threads() // len(devices)))
    torch.distributed.init_process_group(
        "nccl" if on_gpus else "gloo", init_method=f"tcp://{HERE}:{port}", rank=rank,
        world_size=len(devices), timeout=PATIENCE,
    )  # fmt: skip
    try:
        progress = _Sent(queue) if rank == 0 else TrainingProgress()
        say = (lambda text: queue.put(("say", text))) if rank == 0 else (lambda _: None)
        made = train(config.on(devices[rank]), progress, *([say] if takes_say else []))
        if rank == 0:
            queue.put(("result", made))
    except TiltmeterError as error:
        queue.put(("error", error))
    finally:
        queue.close()
        queue.join_thread()


def _devices(config: MovableTraining) -> list[str]:
    """The device of each process.

    Raises:
        BadInput: There are fewer GPUs than processes, or the device is a single one.
    """
    import torch

    n, gpus = config.processes, torch.cuda.device_count()
    if config.device == "cpu" or (config.device == "auto" and not gpus):
        return ["cpu"] * n
    if config.device not in {"auto", "cuda"}:
        raise BadInput(
            f"{n} processes cannot share the device {config.device!r}", "give --device cuda or cpu"
        )
    if gpus < n:
        raise BadInput(
            f"{n} processes need as many GPUs, and there are {gpus}", "give fewer --processes"
        )
    return [f"cuda:{number}" for number in range(n)]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])
