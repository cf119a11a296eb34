"""Work on foreign files in a process of its own, with limited time and memory."""

import multiprocessing
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

from tiltmeter.core.errors import BadInput, TiltmeterError, Unavailable, portable

P = ParamSpec("P")
R = TypeVar("R")
MEMORY = 2 << 30
"""Bytes that the work may use, where the system can limit it (not on Windows and macOS)."""


def within(seconds: float, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The result of `work`, which must be a function at the top of a module, as must its arguments' types.

    Raises:
        BadInput: It took longer, or needed more memory than `MEMORY`.
        TiltmeterError: As `work` did.
        Unavailable: The process ended without an answer, for example for lack of memory.
    """
    context = multiprocessing.get_context("spawn")  # safe in a server with threads, unlike fork
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, work, args, kwargs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise BadInput(
                f"checking took longer than {seconds:g} seconds", "submit a smaller file"
            )
        result, refused = ours.recv()
    except EOFError:
        raise Unavailable("the check ended without an answer; submit again later") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if refused is not None:
        raise refused
    return result  # type: ignore[no-any-return]  # what `work` returned


def _answer(
    answer: Connection, work: Callable[P, R], args: tuple[object, ...], kwargs: dict[str, object]
) -> None:
    _limit_memory()
    try:
        answer.send((work(*args, **kwargs), None))  # type: ignore[arg-type]  # as given to `within`
    except TiltmeterError as error:
        answer.send((None, portable(error)))
    except MemoryError:
        answer.send((None, BadInput("checking needs too much memory", "submit a smaller file")))


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # Windows; a lower limit that holds already
        import resource  # noqa: PLC0415 absent on Windows

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
