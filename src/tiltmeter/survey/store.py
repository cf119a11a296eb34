"""The store of a survey: every write goes through one thread, which commits many at once.

    store = SurveyStore("survey.db")                    # or a PostgreSQL URL
    study = store.save(lambda session: open_study(session, form))
    await store.saved(partial(save_answers, person=person, answers=answers))   # in async code
    store.read(partial(study_status, study=study))

An operation is a function that takes a SQLAlchemy session; the modules of this package have them. It
must not commit, and should return plain values. `save`, `saved` and the future of `submit` give its
result only after the database has committed: what was acknowledged survives a crash. What an operation
raises undoes this operation alone and is raised by the caller's `save`. If the commit fails (a full disk,
a lost connection), every operation of that round raises `StorageError`; send them again.

A joint operation takes many items at once, and so needs few statements for answers of many people that
arrive together: `await store.saved_jointly(save_batches, batch)`. It waits a moment (`GATHERING`) for more
of them, while plain operations go on. If it raises anything for all of them, it is undone and run for
each item alone.

SQLite runs in WAL mode with `synchronous=FULL` and `BEGIN IMMEDIATE`; several processes may use one file.
"""

import asyncio
import contextlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,  # noqa: A004 of the pool of connections
)
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.engines import engine_for, full_url, without_password
from tiltmeter.survey.migrations import migrate

T = TypeVar("T")
Item = TypeVar("Item")
Operation = Callable[[Session], T]
Joint = Callable[[Session, list[Any]], list[Any]]
"""Takes items, and gives a result for each."""
_log = logging.getLogger("tiltmeter.survey")
TOGETHER = 200
"""Operations in one commit, at most."""
GATHERING = 0.015
"""Seconds for which the first item of a joint operation waits for others."""
JOINED = 50
"""Items of one joint operation, at most: databases limit the parameters of a statement."""
READERS = 20
"""Connections that may read at once."""


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """One item of an operation that waits to be committed."""

    run: Joint
    item: object
    future: "Future[Any]"
    sent: float
    """When it was submitted, by `time.monotonic`."""


Outcome = tuple["Future[Any]", Any, BaseException | None]


class SurveyStore:
    """A database of studies; safe to use from many threads."""

    def __init__(self, url: str | Path) -> None:
        """Open a database, make it if it is absent, and bring its tables up to date.

        Args:
            url: A file for SQLite, or `postgresql://…`.

        Raises:
            BadInput: The file is no database.
            StorageError: It cannot be reached, or a newer Tiltmeter has changed it.
        """
        self.url = full_url(url)
        self._writer = engine_for(self.url, "BEGIN IMMEDIATE", readers=0)
        self._reader = engine_for(self.url, "BEGIN", readers=READERS)
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._closed = self._failing = False
        try:
            migrate(self._writer)
        except OperationalError as error:
            raise StorageError(f"{without_password(url)} cannot be opened: {error.orig}") from error
        except DatabaseError as error:
            raise BadInput(
                f"is no database: {error.orig}", "name another file", file=str(url)
            ) from error
        self._thread = threading.Thread(target=self._write, name="survey-store", daemon=True)
        self._thread.start()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.url.startswith("sqlite")

    def submit(self, operation: Operation[T]) -> "Future[T]":
        """Have an operation committed; the future is done once it is."""
        return self._submit(_alone, operation)

    def save(self, operation: Operation[T]) -> T:
        """The result of an operation, after it is committed."""
        return self.submit(operation).result()

    async def saved(self, operation: Operation[T]) -> T:
        """As `save`, for async code."""
        return await asyncio.wrap_future(self.submit(operation))

    async def saved_jointly(self, run: Callable[[Session, list[Item]], list[T]], item: Item) -> T:
        """The result of a joint operation for one item, after it is committed."""
        future: Future[T] = self._submit(run, item)
        return await asyncio.wrap_future(future)

    def read(self, operation: Operation[T]) -> T:
        """The result of an operation that only reads: what was committed before, at one moment."""
        try:
            with Session(self._reader, expire_on_commit=False) as session:
                return operation(session)
        except (DBAPIError, TimeoutError) as error:  # also if too many read at once
            failed = StorageError(f"nothing could be read: {getattr(error, 'orig', error)}")
            _log.error("%s", failed)
            raise failed from error

    def scrub(self) -> None:
        """After something was erased: remove it from SQLite's log too, as far as readers allow."""
        if self.is_sqlite:
            with self._reader.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None  # noqa: S101 an open connection has one
                raw.rollback()
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Commit what is waiting and close the database."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        self._writer.dispose()
        self._reader.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    # ---- The writing thread

    def _submit(self, run: Joint, item: object) -> "Future[Any]":
        future: Future[Any] = Future()
        with self._closing:
            if self._closed:
                raise StorageError("the store is closed")
            self._queue.put(_Work(run, item, future, time.monotonic()))
        return future

    def _write(self) -> None:
        """Commit plain operations while joint ones wait for more of their kind."""
        plain: deque[_Work] = deque()
        joint: deque[_Work] = deque()
        ended = False
        while plain or joint or not ended:
            ended |= self._take(plain, joint, wait=not (plain or joint or ended))
            due = joint[0].sent + GATHERING if joint else math.inf
            if plain:
                self._commit(([work] for work in _popped(plain)), until=due)
            elif joint and not ended:
                time.sleep(max(0.0, due - time.monotonic()))
            ended |= self._take(plain, joint)
            if joint and (not plain or due <= time.monotonic()):
                self._commit(_groups([*_popped(joint)]))

    def _take(self, plain: deque[_Work], joint: deque[_Work], *, wait: bool = False) -> bool:
        """Sort what has been submitted; gives whether the store is being closed."""
        with contextlib.suppress(Empty):
            while (work := self._queue.get(block=wait)) is not None:
                (plain if work.run is _alone else joint).append(work)
                wait = False
            return True
        return False

    def _commit(self, groups: Iterable[list[_Work]], until: float = math.inf) -> None:
        """Run groups in one transaction, each in a savepoint; one at least, and no more after `until`."""
        outcomes: list[Outcome] = []
        running: list[_Work] = []
        try:
            with Session(self._writer, expire_on_commit=False) as session:
                for group in groups:
                    works = [work for work in group if work.future.set_running_or_notify_cancel()]
                    running += works
                    outcomes += _outcomes(session, works) if works else []
                    if time.monotonic() >= until:
                        break
                session.commit()
        except Exception as error:  # noqa: BLE001 whatever it was, every caller must hear of it
            failed = StorageError(f"nothing could be stored: {getattr(error, 'orig', error)}")
            failed.__cause__ = error
            self._note(str(failed))
            for work in running:
                work.future.set_exception(failed)
            return
        self._note("")
        for future, result, problem in outcomes:
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)

    def _note(self, problem: str) -> None:
        """Tell the log when storing begins to fail, and when it works again."""
        if problem and not self._failing:
            _log.error("%s. Whoever sends something is asked to try again later.", problem)
        elif self._failing and not problem:
            _log.error("Answers are stored again.")
        self._failing = bool(problem)


def _alone(session: Session, operations: list[Operation[T]]) -> list[T]:
    """Run a plain operation, as a joint one of which there is one item."""
    (operation,) = operations
    return [operation(session)]


def _popped(works: deque[_Work]) -> Iterator[_Work]:
    """The first works of a queue, each taken out of it."""
    for _ in range(min(TOGETHER, len(works))):
        yield works.popleft()


def _groups(works: list[_Work]) -> Iterator[list[_Work]]:
    """The items of each joint operation together."""
    joint: dict[Joint, list[_Work]] = {}
    for work in works:
        joint.setdefault(work.run, []).append(work)
    for group in joint.values():
        yield from (group[at : at + JOINED] for at in range(0, len(group), JOINED))


def _outcomes(session: Session, group: list[_Work]) -> list[Outcome]:
    """Run one group; if it raises, each of its items alone."""
    results, problem = _tried(session, group)
    if problem is None:
        return [(work.future, result, None) for work, result in zip(group, results, strict=True)]
    if len(group) == 1:
        return [(group[0].future, None, problem)]
    return [outcome for work in group for outcome in _outcomes(session, [work])]


def _tried(session: Session, group: list[_Work]) -> tuple[list[Any], BaseException | None]:
    """What the operation of a group gives, or what it raised; then nothing of it is left.

    Raises:
        OperationalError: The database itself fails, and with it the whole transaction.
    """
    try:
        with session.begin_nested():
            return group[0].run(session, [work.item for work in group]), None
    except OperationalError:
        raise
    except SQLAlchemyError as error:
        problem = StorageError(f"this could not be stored: {getattr(error, 'orig', error)}")
        problem.__cause__ = error
        return [], problem
    except Exception as error:  # noqa: BLE001 the caller hears of it
        return [], error


def lock_study(session: Session, study: int) -> None:
    """Until the transaction ends, let nobody else hand out items of a study.

    SQLite has one writer anyway; PostgreSQL may have several processes.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:study)"), {"study": study})
