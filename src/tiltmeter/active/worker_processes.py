"""Tasks in several processes, which end with the one that started them.

A worker shares nothing with its parent but a pipe: a parent that is killed closes it, and the worker ends.
The parent has no threads and takes no locks, so Ctrl-C finds nothing that could be left locked.
"""

import multiprocessing
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TypeVar

from tiltmeter.core.errors import Unavailable, portable

S = TypeVar("S")
T = TypeVar("T")


def tasks_done(
    work: Callable[[S, T], object], shared: S, tasks: Sequence[T], processes: int
) -> Generator[T, None, None]:
    """Call `work(shared, task)` for each task; gives the tasks in the order in which they are done.

    Args:
        work: A function at the top of a module. What it returns is dropped.
        shared: Sent to each process once.
        tasks: Begun in this order.
        processes: How many at a time; one task at a time needs no process of its own.

    Raises:
        Unavailable: A process was killed, for example for lack of memory.
        BaseException: What `work` raised, as `portable` sends it.
    """
    if processes == 1:
        for task in tasks:
            work(shared, task)
            yield task
        return
    left = deque(tasks)
    running: dict[Connection, T] = {}
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker()) for _ in range(min(processes, len(tasks)))]
        for worker in workers:
            running[worker] = left.popleft()
            with _deaths_in_words():
                worker.send((work, shared))
                worker.send(running[worker])
        while running:
            ready = wait([*running])
            for worker in [busy for busy in running if busy in ready]:
                with _deaths_in_words():
                    error = worker.recv()
                if error is not None:
                    raise error
                yield running.pop(worker)
                if left:
                    running[worker] = left.popleft()
                    with _deaths_in_words():
                        worker.send(running[worker])


@contextmanager
def _deaths_in_words() -> Iterator[None]:
    try:
        yield
    except (EOFError, ConnectionError):
        reason = "one of the processes was killed; if memory is short, use fewer --processes"
        raise Unavailable(reason) from None


@contextmanager
def _worker() -> Iterator[Connection]:
    """A process that works; gives the pipe to it. It does not get the terminal's Ctrl-C."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    with _no_interrupt():
        process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.terminate()
        process.join()
        ours.close()


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back; a process that is started meanwhile never gets it."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # or it would be started with the first process, and lets Ctrl-C in
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(parent: Connection) -> None:
    """Do what comes through the pipe until it is closed."""
    with suppress(EOFError, ConnectionError):
        work, shared = parent.recv()
        while True:
            parent.send(_error_of(work, shared, parent.recv()))


def _error_of(work: Callable[[S, T], object], shared: S, task: T) -> BaseException | None:
    """What a task raises, to be raised again in the parent; a panic in Polars is no `Exception`."""
    try:
        work(shared, task)
    except BaseException as error:  # noqa: BLE001
        raised = portable(error)
        raised.add_note(traceback.format_exc())
        return raised
    return None
