"""Many workers through Ray, which places them on machines, restarts them and moves the data.

The driver (this process) plans batches, has workers answer them, and stores the answers. It never
loads the model: a worker reports the model's facts, and workers tokenise. So the driver needs no
accelerator and no memory for weights, and one class of machines can do all the computing.
"""

import logging
import os
import signal
import socket
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, extra
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.core.text import counted
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
"""How many times a shard may crash its worker before the run ends: another attempt would fare no better."""
MOMENT = 0.05
"""Seconds for which a caller waits for Ray, before it looks for shards that others have begun meanwhile."""
PATIENCE = 60
"""After so many seconds without a result, a message says what the run is waiting for."""


@contextmanager
def cluster(
    address: str | None = None,
    workers: int | None = None,
    *,
    gpus: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator["Cluster"]:
    """Join the cluster at `address`, at RAY_ADDRESS or on this machine; if there is none, start one here.

    If this process has already joined a cluster, that one is used and left running.

    Raises:
        MissingExtra: Ray is not installed.
        Unavailable: There is no such cluster, or it cannot be joined.
        BadInput: The address is malformed, or the cluster has too few CPUs or GPUs for the workers.
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
    """A pool of Ray workers that keeps track of which are free; created by `cluster`."""

    def __init__(self, ray: Any, size: Size, say: Callable[[str], None]) -> None:
        self.size = size
        self._ray = ray
        self._say = say
        self._idle: list[Any] = []
        self._coming: dict[Any, Any] = {}
        """The workers that are starting or busy, by the Ray reference that resolves once they are free."""
        self._callers: list[_Caller] = []
        self._running: dict[Any, tuple[Any, _Caller, int]] = {}
        """The shards that workers work on: worker, caller and index, by the Ray reference of the result."""
        self._changing = threading.RLock()
        self._waiting = (
            threading.Lock()
        )  # held by the one caller that waits for Ray, on behalf of all
        self._last = time.monotonic()
        """When something last came from a worker, or a message said that nothing does."""
        # Workers are restarted without limit, since Ray waits until there is room for them. Shards are
        # not: `done` counts how often each has crashed its worker.
        made = ray.remote(
            num_cpus=size.cpus, num_gpus=size.gpus, max_restarts=-1, max_task_retries=0
        )(Worker)
        self._workers = [made.remote(max(size.cpus, 1)) for _ in range(size.workers)]
        for worker in self._workers:
            self._await(worker)

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self.size.workers

    @contextmanager
    def open(self, where: Resolved, options: Options, *, name: str = "") -> Iterator[RemoteModel]:
        """Open the model on all workers at once; one that is restarted loads it with its first shard.

        Raises:
            BadInput: The options name a particular GPU, such as "cuda:1".
            CannotAnswer, Unavailable: `open_model` raised this error on a worker.
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

    def places(self, where: Resolved, options: Options) -> int:
        """The number of workers, each of which has one shard at a time."""
        del where, options
        return self.workers

    def done(
        self, shards: Sequence[Shard], turn: StudyTurn | None = None
    ) -> Generator[tuple[int, list[Any]], None, None]:
        """Yields (index of the shard, one result per part) for each shard as soon as it is done.

        Several threads may call this; shards of earlier turns go first, and those without a turn before them.

        Raises:
            CannotAnswer, Unavailable: A worker refused, a shard keeps ending its workers, or no worker
                can be started.
        """
        caller = _Caller(shards, -1 if turn is None else turn.number)
        with self._changing:
            self._callers.append(caller)
            self._callers.sort(key=lambda each: each.order)
            self._feed()
        try:
            for _ in shards:
                while (arrival := self._arrival(caller)) is None:
                    if turn is not None and turn.is_halted:
                        raise KeyboardInterrupt
                if isinstance(arrival, Exception):
                    raise arrival
                yield arrival
        finally:
            with self._changing:
                self._callers.remove(caller)
                # Workers still compute shards that nobody wants after an early end; then they are free.
                for reference, (worker, whose, _) in [*self._running.items()]:
                    if whose is caller:
                        del self._running[reference]
                        self._await(worker)

    def _arrival(self, caller: "_Caller") -> tuple[int, list[Any]] | Exception | None:
        """The next result or error for a caller; None if nothing has come for a moment."""
        with suppress(Empty):
            return caller.arrived.get_nowait()
        if self._waiting.acquire(blocking=False):
            try:
                self._step()
            finally:
                self._waiting.release()
            patience = 0.0
        else:  # another caller waits for Ray meanwhile, and passes on what comes
            patience = MOMENT
        with suppress(Empty):
            return caller.arrived.get(timeout=patience)
        return None

    def _step(self) -> None:
        """Wait a moment for Ray, and pass on what has come to the caller that wants it."""
        with self._changing:
            references = [*self._running, *self._coming]
        if not references:  # all is done, and on its way to the callers
            return
        ready, _ = self._ray.wait(references, timeout=MOMENT)
        with self._changing:
            if not ready:
                self._tell()
                return
            self._last = time.monotonic()
            reference = ready[0]
            try:
                if reference in self._coming:
                    self._arrived(reference)
                elif reference in self._running:
                    self._pass_on(reference)
            except Unavailable as error:  # there are no workers any more
                for caller in self._callers:
                    caller.arrived.put(error)
            self._feed()

    def _pass_on(self, reference: Any) -> None:
        """Give what a worker returned to the caller; if the worker died, its shard is to be done again."""
        worker, caller, number = self._running.pop(reference)
        try:
            results = self._result(reference, worker)
            if results is None:
                caller.deaths[number] += 1
                self._check(caller.shards[number], caller.deaths[number])
                caller.waiting.appendleft(number)
            else:
                caller.arrived.put((number, results))
        except (CannotAnswer, Unavailable) as error:
            caller.arrived.put(error)

    def close(self) -> None:
        """Kill the workers, even if they are busy."""
        for worker in self._workers:
            with suppress(Exception):  # nothing is left that could be lost
                self._ray.kill(worker)

    def _feed(self) -> None:
        """Give shards to all free workers."""
        for caller in self._callers:
            while caller.waiting and self._idle:
                worker, number = self._idle.pop(), caller.waiting.popleft()
                shard = caller.shards[number]
                task = worker.work.options(name=f"tiltmeter {shard.id}")
                self._running[task.remote(shard)] = worker, caller, number

    def _result(self, reference: Any, worker: Any) -> list[Any] | None:
        """What a worker returned, marking it as free; None if the worker died."""
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
        """Treat the worker as free once it responds, that is, once it has started and finished its work."""
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
        """Report that a worker died, or raise Unavailable if the shard has crashed too many workers."""
        if deaths < DEATHS:
            self._say(f"a worker died; its work (shard {shard.id}) is repeated")
            return
        if shard.task == ShardTask():
            raise Unavailable(
                f"{shard.model.name}: opening it crashed its worker {deaths} times, usually because the "
                "weights do not fit into memory; give each worker more: fewer --workers, or larger machines"
            )
        asked = sum(map(len, shard.parts))
        longest = f", the longest of {counted(shard.longest, 'tokens')}" if shard.longest else ""
        raise Unavailable(
            f"the same work crashed its worker {deaths} times (shard {shard.id}: "
            f"{counted(asked, 'requests')} "
            f"of kind {shard.task.label}{longest}), usually because memory is too small; "
            "try a smaller --batch-tokens, or fewer --workers. Answers so far are stored"
        )

    def _tell(self) -> None:
        """Say what the run waits for, if no worker has been free for long; long work is no news."""
        if self._running or time.monotonic() - self._last < PATIENCE:
            return
        self._last = time.monotonic()
        waiting = sum(len(caller.waiting) for caller in self._callers)
        kind = "GPU" if self.size.gpus else _many(self.size.cpus, "CPU")
        self._say(
            f"no worker is free yet: {counted(waiting, 'shards')} wait for a machine with {kind}"
        )


class _Caller:
    """The shards that one caller wants done, and what has come of them."""

    def __init__(self, shards: Sequence[Shard], order: int) -> None:
        self.shards = shards
        self.order = order
        """Callers of a lower number are served first."""
        self.waiting = deque(range(len(shards)))
        self.deaths = Counter[int]()
        """How often each shard has crashed its worker."""
        self.arrived: SimpleQueue[tuple[int, list[Any]] | Exception] = SimpleQueue()


ANSWER = 10
"""Seconds within which a cluster must accept a connection."""
LAST_PORT = 65_535


def check_address(address: str) -> None:
    """Refuse a malformed cluster address, before Ray is started.

    Raises:
        BadInput: The address is not HOST:PORT, `auto` or `local`.
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
    """The imported module `ray`.

    Raises:
        MissingExtra: Ray is not installed.
    """
    with extra("--ray", "ray"):
        import ray  # noqa: PLC0415 optional
    return ray


def join(ray: Any, address: str | None) -> None:
    """Connect to a cluster without output from Ray, and keep this process's own handler for SIGTERM.

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
    """Check that the address accepts connections, since Ray would wait forever."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()
