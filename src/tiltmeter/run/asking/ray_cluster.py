"""Many workers through Ray, which places them, restarts them and moves the data.

The driver (this process) plans batches, has workers answer them, and stores the answers. It never
loads the model: a worker reports the model's facts, and workers tokenise. So the driver needs no
accelerator and no memory for weights, and one class of machines can do all the computing.
"""

import logging
import os
import signal
import socket
import threading
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, extra
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.asking.executors import RemoteModel
from tiltmeter.run.asking.model_openers import opening_text
from tiltmeter.run.asking.workers import (
    Refused,
    Shard,
    ShardTask,
    Size,
    Wanted,
    Worker,
    anchored,
    size,
)

DEATHS = 3
"""Times that a shard may end its worker; then the run ends, since another attempt would be no different."""
PATIENCE = 60
"""Seconds without any result, after which the user is told what the run is waiting for."""


@contextmanager
def cluster(
    address: str | None = None,
    workers: int | None = None,
    *,
    gpus: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator["Cluster"]:
    """Join the cluster at `address`, or at RAY_ADDRESS, or of this machine; or start one here.

    If this process has joined one already, that one is used and left running.

    Raises:
        MissingExtra: Ray is not installed.
        Unavailable: There is no such cluster, or it cannot be joined.
        BadInput: There is no room for so many workers.
    """
    if address is not None:
        check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = library()
    with ExitStack() as stack:
        if not ray.is_initialized():
            stack.callback(ray.shutdown)
            join(ray, address)
        machines = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        made = Cluster(ray, size(machines, workers, gpus=gpus), say)
        stack.callback(made.close)
        each = f"{'one GPU and ' if made.size.gpus else ''}{_many(made.size.cpus, 'CPU')} each"
        say(f"Ray: {_many(made.size.workers, 'worker')}, {each}; machines: {len(machines):,}")
        yield made


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class Cluster:
    """Workers, and which of them are free. Made by `cluster`."""

    def __init__(self, ray: Any, size: Size, say: Callable[[str], None]) -> None:
        self.size = size
        self._ray = ray
        self._say = say
        self._idle: list[Any] = []
        self._coming: dict[Any, Any] = {}
        """Workers by the answer after which they are free."""
        # started again for ever, since Ray knows when there is room; what may not be tried for ever
        # is a shard, and those are counted in `done`
        made = ray.remote(
            num_cpus=size.cpus, num_gpus=size.gpus, max_restarts=-1, max_task_retries=0
        )(Worker)
        self._workers = [made.remote(max(size.cpus, 1)) for _ in range(size.workers)]
        for worker in self._workers:
            self._await(worker)

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return self.size.workers

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[RemoteModel]:
        """Open the model on all workers at the same time; one that is started later loads it with its work.

        Raises:
            BadInput: The options name one of several GPUs.
            CannotAnswer, Unavailable: As `open_model`, on the first worker.
        """
        if options.device.startswith("cuda:"):
            raise BadInput(
                f"Ray gives each worker its GPU, not {options.device}", "use --device cuda"
            )
        self._say(opening_text(where, options))
        wanted = Wanted(anchored(where), options, name or where.name)
        try:
            yield RemoteModel(self, wanted)
        finally:
            for worker in self._workers:
                worker.drop.remote(wanted)

    def done(self, shards: Sequence[Shard]) -> Generator[tuple[int, list[Any]], None, None]:
        """(Number of the shard, one result for each of its parts), each as soon as it is done.

        Raises:
            CannotAnswer, Unavailable: A worker refused, a shard keeps ending its workers, or no worker
                can be started.
        """
        waiting, deaths = deque(range(len(shards))), Counter[int]()
        running: dict[Any, tuple[Any, int]] = {}
        try:
            while waiting or running:
                self._feed(shards, waiting, running)
                ready, _ = self._ray.wait([*running, *self._coming], timeout=PATIENCE)
                if not ready:
                    self._tell(len(running), len(waiting))
                elif ready[0] in self._coming:
                    self._arrived(ready[0])
                else:
                    worker, number = running.pop(ready[0])
                    results = self._result(ready[0], worker)
                    if results is None:
                        deaths[number] += 1
                        self._check(shards[number], deaths[number])
                        waiting.appendleft(number)
                        continue
                    self._feed(shards, waiting, running)  # before the answers are looked at
                    yield number, results
        finally:
            for worker, _ in running.values():  # free once what is no longer wanted is done
                self._await(worker)

    def close(self) -> None:
        """End the workers, whatever they are at."""
        for worker in self._workers:
            with suppress(Exception):  # nothing is left that could be lost
                self._ray.kill(worker)

    def _feed(
        self, shards: Sequence[Shard], waiting: deque[int], running: dict[Any, tuple[Any, int]]
    ) -> None:
        while waiting and self._idle:
            worker, number = self._idle.pop(), waiting.popleft()
            task = worker.work.options(name=f"tiltmeter {shards[number].id}")
            running[task.remote(shards[number])] = worker, number

    def _result(self, reference: Any, worker: Any) -> list[Any] | None:
        """What a worker returned, which is now free; None if it died."""
        wrong = self._ray.exceptions
        try:
            result: list[Any] | Refused = self._ray.get(reference)
        except (
            wrong.RayActorError, wrong.WorkerCrashedError, wrong.OutOfMemoryError, wrong.NodeDiedError,
            wrong.ObjectLostError,
        ):  # fmt: skip
            self._await(worker)
            return None
        self._idle.append(worker)
        if isinstance(result, Refused):
            raise (CannotAnswer if result.mendable else Unavailable)(result.text)
        return result

    def _await(self, worker: Any) -> None:
        """Treat it as free once it answers, that is, once it is started and its work is done."""
        self._coming[worker.ready.options(max_task_retries=-1).remote()] = worker

    def _arrived(self, reference: Any) -> None:
        worker = self._coming.pop(reference)
        try:
            self._ray.get(reference)
            self._idle.append(worker)
        except self._ray.exceptions.RayActorError as error:  # it cannot even be made
            self._workers.remove(worker)
            self._say("a worker could not be started; the run continues without it")
            if not self._workers:
                lines = str(error).strip().splitlines()
                why = lines[-1][:300] if lines else "no reason given"
                if error.actor_init_failed:
                    raise Unavailable(
                        f"no worker could be started ({why}); see that the same Tiltmeter and "
                        "libraries are installed on all machines"
                    ) from error
                raise Unavailable(
                    f"Ray has ended, or lost all its workers ({why}). Answers so far are stored: see "
                    "that Ray runs, and give the same command again"
                ) from error

    def _check(self, shard: Shard, deaths: int) -> None:
        """Give up on a shard that has ended too many workers."""
        if deaths < DEATHS:
            self._say(f"a worker died; its work (shard {shard.id}) is repeated")
            return
        if shard.task == ShardTask():
            raise Unavailable(
                f"{shard.model.name}: opening it crashed its worker {deaths} times, usually because the "
                "weights do not fit into memory; give each worker more: fewer --workers, or larger machines"
            )
        asked = sum(map(len, shard.parts))
        longest = f", the longest of {shard.longest:,} tokens" if shard.longest else ""
        raise Unavailable(
            f"the same work crashed its worker {deaths} times (shard {shard.id}: {asked:,} requests "
            f"of kind {shard.task.label}{longest}), usually because memory is too small; "
            "try a smaller --batch-tokens, or fewer --workers. Answers so far are stored"
        )

    def _tell(self, running: int, waiting: int) -> None:
        if running:
            return  # long work is no news
        kind = "GPU" if self.size.gpus else _many(self.size.cpus, "CPU")
        self._say(f"no worker is free yet: {waiting:,} shards wait for a machine with {kind}")


ANSWER = 10
"""Seconds within which a cluster must answer."""
LAST_PORT = 65_535


def check_address(address: str) -> None:
    """Refuse what is not an address, before Ray is started.

    Raises:
        BadInput: It is neither HOST:PORT nor `auto` or `local`.
    """
    if "://" in address:
        raise BadInput(
            f"{address!r} is not the address of a cluster that this machine belongs to",
            "run the command on one of its machines, with --ray-address HOST:PORT or auto",
        )
    host, _, port = address.rpartition(":")
    if address not in {"auto", "local"} and not (
        host and port.isdecimal() and 0 < int(port) <= LAST_PORT
    ):
        raise BadInput(
            f"{address!r} is not an address", "give it as HOST:PORT, for example 10.0.0.1:6379"
        )


def library() -> Any:
    """Ray itself.

    Raises:
        MissingExtra: It is not installed.
    """
    with extra("--ray", "ray"):
        import ray  # noqa: PLC0415 optional
    return ray


def join(ray: Any, address: str | None) -> None:
    """Connect, with no output from Ray and with this process's own handling of signals.

    Raises:
        Unavailable: There is no such cluster, or it cannot be joined.
    """
    ray._private.worker._worker_logs_enabled = False  # noqa: SLF001 else it prints on standard output
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        _knock(address or os.environ.get("RAY_ADDRESS", ""))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(
                address=address, include_dashboard=False, log_to_driver=False,
                logging_level=logging.CRITICAL, configure_logging=True,
            )  # fmt: skip
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        place = address or os.environ.get("RAY_ADDRESS") or "on this machine"
        raise Unavailable(
            f"the Ray cluster {place} cannot be joined: {reason[:300]}; see that `ray status` finds it "
            "on this machine, and that all machines have the same Python, Ray and token"
        ) from error
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def _knock(address: str) -> None:
    """Check that something answers there: Ray would wait for ever."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()
