"""The store of a survey: every write goes through one thread, which commits many at once.

    store = SurveyStore("survey.db")                    # or a PostgreSQL URL
    study = store.save(open_study, form)
    await store.saved(save_answers, sent, form=form)   # in async code
    store.read(study_status, study)

An operation is a function that takes a SQLAlchemy session and what is passed on; this package's modules
have them. It must not commit, and should return plain values. `save`, `saved` and the future of `submit` give
its result only after the database has committed: what was acknowledged survives a crash. What an operation
raises undoes this operation alone and is raised by the caller's `save`. If the commit fails (a full disk,
a lost connection), every operation of that round raises `StorageError`; send them again.

A joint operation takes many items at once, and so needs few statements for answers of many people that
arrive together: `await store.saved_jointly(save_batches, batch)`. It waits a moment (`GATHERING`) for more
of them, while plain operations go on. If it raises anything for all of them, it is undone and run for
each item alone.

SQLite runs in WAL mode with `synchronous=FULL` and `BEGIN IMMEDIATE`; several processes may use one file.
"""

import asyncio
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import ParamSpec, Self, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    OperationalError,
    TimeoutError,  # noqa: A004 of the pool of connections
)
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.engines import engine_for, full_url, make_tables, without_password
from tiltmeter.survey.rounds import (
    Joint,
    Operation,
    Work,
    WorkResult,
    groups_of,
    results_of,
    single,
)

T = TypeVar("T")
P = ParamSpec("P")
Item = TypeVar("Item")
_log = logging.getLogger("tiltmeter.survey")
TOGETHER = 200
"""Operations in one commit, at most."""
GATHERING = 0.015
"""Seconds for which the first item of a joint operation waits for others."""
PATIENCE_FOR_LOCK = 5
"""Seconds for which `scrub` waits for a table of PostgreSQL; others wait behind it."""
READERS = 20
"""Connections that may read at once."""


class SurveyStore:
    """A database of studies; safe to use from many threads."""

    def __init__(self, url: str | Path) -> None:
        """Open a database; make it if it is absent.

        Args:
            url: A file for SQLite, or `postgresql://…`.

        Raises:
            BadInput: The file is no database, or another version of Tiltmeter made its tables.
            StorageError: It cannot be reached.
        """
        self.url = full_url(url)
        self._writer = engine_for(self.url, "BEGIN IMMEDIATE", readers=0)
        self._reader = engine_for(self.url, "BEGIN", readers=READERS)
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._closed = self._failing = False
        self.commits = 0
        """Rounds of operations that were committed: what was read is up to date while this stays the same."""
        try:
            make_tables(self._writer, without_password(url))
        except BadInput:
            self._writer.dispose()
            raise
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
        """Whether the database is a file of SQLite, and no server."""
        return self.url.startswith("sqlite")

    def submit(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Have an operation committed; the future is done once it is."""
        return self._submit(single, lambda session: operation(session, *args, **kwargs), Future())

    def save(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of an operation, after it is committed. Ctrl-C leaves the store in order."""
        # Ctrl-C within `Future.result` may leave the future locked, for which the store would wait for
        # ever; here only this thread has the future until it is submitted and after it is done.
        future: Future[T] = Future()
        done: SimpleQueue[Future[T]] = SimpleQueue()
        future.add_done_callback(done.put)
        self._submit(single, lambda session: operation(session, *args, **kwargs), future)
        return done.get().result()

    async def saved(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an operation as `save` does, without blocking the event loop."""
        return await asyncio.wrap_future(self.submit(operation, *args, **kwargs))

    async def saved_jointly(self, run: Callable[[Session, list[Item]], list[T]], item: Item) -> T:
        """The result of a joint operation for one item, after it is committed."""
        return await asyncio.wrap_future(self._submit(run, item, Future()))

    def read(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of an operation that only reads: what was committed before, at one moment."""
        try:
            with Session(self._reader, expire_on_commit=False) as session:
                return operation(session, *args, **kwargs)
        except (DBAPIError, TimeoutError) as error:  # also if too many read at once
            failed = StorageError(f"nothing could be read: {getattr(error, 'orig', error)}")
            _log.error("%s", failed)
            raise failed from error

    def scrub(self) -> None:
        """After something was erased: remove its bytes too, as far as readers allow.

        SQLite has overwritten them in its file, and its log is emptied. PostgreSQL leaves deleted rows where
        they are: the table of platform ids is written anew; rows of other tables are freed to be overwritten.
        """
        if not self.is_sqlite:
            self._vacuum()
        else:
            with self._reader.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None  # noqa: S101 an open connection has one
                raw.rollback()  # the log cannot be emptied within a transaction
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _vacuum(self) -> None:
        engine = self._reader.execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            # Whoever reads the ids for longer keeps the old rows until the next time.
            connection.execute(text(f"SET lock_timeout = '{PATIENCE_FOR_LOCK}s'"))
            with suppress(OperationalError):
                connection.execute(text("VACUUM (FULL) identity"))
            connection.execute(text("RESET lock_timeout"))
            connection.execute(
                text("VACUUM person, consent, answer, page_event, mark, assignment, session")
            )

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

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- The writing thread

    def _submit(self, run: Joint, item: object, future: "Future[T]") -> "Future[T]":
        with self._closing:
            if self._closed:
                raise StorageError("the store is closed")
            self._queue.put(Work(run, item, future, time.monotonic()))
        return future

    def _write(self) -> None:
        """Commit plain operations while joint ones wait for more of their kind."""
        plain: deque[Work] = deque()
        joint: deque[Work] = deque()
        ended = False
        while plain or joint or not ended:
            ended |= self._take(plain, joint, wait=not (plain or joint or ended))
            due = joint[0].sent + GATHERING if joint else math.inf
            if plain:
                self._commit(([work] for work in _popped(plain)), alone=len(plain) == 1, until=due)
            elif joint and not ended:
                time.sleep(max(0.0, due - time.monotonic()))
            ended |= self._take(plain, joint)
            if joint and (not plain or due <= time.monotonic()):
                groups = groups_of([*_popped(joint)])
                self._commit(groups, alone=len(groups) == 1)

    def _take(self, plain: deque[Work], joint: deque[Work], *, wait: bool = False) -> bool:
        """Sort what has been submitted; gives whether the store is being closed."""
        with suppress(Empty):
            while (work := self._queue.get(block=wait)) is not None:
                (plain if work.run is single else joint).append(work)
                wait = False
            return True
        return False

    def _commit(
        self, groups: Iterable[list[Work]], *, alone: bool, until: float = math.inf
    ) -> None:
        """Run groups in one transaction; one at least, and no more after `until`.

        Each is run in a savepoint, unless it is `alone` in the transaction.
        """
        results: list[WorkResult] = []
        running: list[Work] = []
        try:
            with Session(self._writer, expire_on_commit=False) as session:
                for group in groups:
                    works = [work for work in group if work.future.set_running_or_notify_cancel()]
                    running += works
                    results += results_of(session, works, alone=alone) if works else []
                    if time.monotonic() >= until:
                        break
                session.commit()
                self.commits += 1
        except Exception as error:  # noqa: BLE001 whatever it was, every caller must hear of it
            failed = StorageError(f"nothing could be stored: {getattr(error, 'orig', error)}")
            failed.__cause__ = error
            self._note(str(failed))
            for work in running:
                work.future.set_exception(failed)
            return
        self._note("")
        for future, result, problem in results:
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


def _popped(works: deque[Work]) -> Iterator[Work]:
    for _ in range(min(TOGETHER, len(works))):
        yield works.popleft()


def lock_study(session: Session, study: int) -> None:
    """Until the transaction ends, let nobody else hand out items of a study.

    SQLite has one writer anyway; PostgreSQL may have several processes.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:study)"), {"study": study})
