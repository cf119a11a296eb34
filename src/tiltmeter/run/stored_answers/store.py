"""The store of model answers: a cache between runs, and what makes an interrupted run resumable.

It is one SQLite file, keyed by the model's fingerprint and a digest of the request. An answer is an array of
numbers or a text. Nothing is pickled: the file holds the bytes of the numbers or of the text (UTF-8), and
a checksum over them, the model and the request. Numbers are stored as float64, except that one-dimensional
arrays computed as float32, such as vectors of texts, stay float32.
"""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np

from tiltmeter.core.errors import StorageError
from tiltmeter.core.model.query import StoredValue
from tiltmeter.run.files.file_locks import Claim
from tiltmeter.run.stored_answers import database
from tiltmeter.run.stored_answers.answer_index import AnswerIndex
from tiltmeter.run.stored_answers.database import (
    checksum,
    is_finite,
    read,
    seed_of,
    transaction,
    written,
)

T = TypeVar("T")
Gathered = dict[tuple[int, bytes], tuple[int, bytes]]
"""(model, key of the request) → (form of the answer, stored in column `rows`; its bytes with the
checksum)."""
STORE = "answers.sqlite"
"""The name of the file in the cache folder."""
AT_ONCE = 500
"""The number of rows per query; SQLite allows 32,766 parameters, older builds 999."""
GATHERED = 0.1
"""Seconds for which answers may be gathered before they are written: the most that a killed process loses,
apart from the current batch. Writing each batch by itself costs several times as much, so only costly answers
are written immediately."""
FORGOTTEN_AT_ONCE = 20_000
"""The number of rows searched for answers to delete in one transaction, so that other processes wait
briefly."""
ADD = "UPDATE models SET answers = answers + ?, bytes = bytes + ? WHERE id = ?"


class StoredModel(NamedTuple):
    """A model in the store, with the number and size of its answers."""

    name: str
    answers: int
    bytes: int
    """The size of the answers and their keys; the file is larger by some 25 bytes per answer."""
    fingerprint: str
    precision: str
    used: int
    """When a run last used the model, in seconds since 1970."""


class Store:
    """The stored answers by model and request; `Store(None)` keeps them in memory, for this run only.

    A damaged file is set aside and never trusted, whether the damage shows at opening or in the middle
    of a run, which then goes on with a new file. An answer whose checksum is wrong is not returned.
    `tell` receives messages to the user about that; `note` is the last of them.
    """

    def __init__(self, path: Path | None, tell: Callable[[str], None] | None = None) -> None:
        self.path = path
        self.note = ""
        self._tell = tell
        self._models: dict[int, tuple[str, str, str]] = {}
        self._gathered: Gathered = {}
        self._written = -GATHERED  # so that the first answers are written at once
        with self._guard():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._claim = Claim(path and path.with_name(f"{path.name}.lock"))
            self._open()

    def model(self, fingerprint: str, name: str, precision: str = "") -> int:
        """Register the model and return the number of its answers, which is the same in every store."""
        number = _number(fingerprint)
        self._models[number] = (fingerprint, name, precision)
        self._do(lambda db: db.execute(
            "INSERT INTO models VALUES (?, ?, ?, ?, ?, 0, 0) ON CONFLICT (id) DO UPDATE SET "
            "name = excluded.name, precision = excluded.precision, used = excluded.used",
            (number, fingerprint, name, precision, int(time.time())),
        ))  # fmt: skip
        return number

    def get(self, model: int, keys: Sequence[bytes]) -> dict[bytes, StoredValue]:
        """The stored answers by key, for those of the requests that have one."""
        self.flush()
        answers, spoilt = self._do(lambda db: self._read(db, model, keys))
        if spoilt:
            self._say(
                f"{spoilt:,} stored {'answer does' if spoilt == 1 else 'answers do'} not match their "
                f"checksums and are computed again ({self._place}; check the drive)"
            )
        return answers

    def put(
        self, model: int, answers: Mapping[bytes, StoredValue], *, at_once: bool = False
    ) -> None:
        """Store a batch of answers: if the process dies, either all of them are stored or none.

        Args:
            model: The number of the model, as returned by `model`.
            answers: The answers by the key of the request.
            at_once: Write them before returning instead of gathering them.
        """
        seed = seed_of(model)
        for key, value in answers.items():
            form, content = written(value)
            check = checksum(seed, key, form, content)
            self._gathered[model, key] = form, content + check
        if at_once or time.monotonic() - self._written >= GATHERED:
            self.flush()

    def flush(self) -> None:
        """Write the gathered answers, in one transaction."""
        if not self._gathered:
            return
        # Taken out first: answers that cannot be written now are not tried again when the store is closed.
        gathered, self._gathered = self._gathered, {}
        self._do(lambda db: self._write(db, gathered))
        self._written = time.monotonic()

    def summary(self) -> list[StoredModel]:
        """The stored models, those with the most answers first."""
        self.flush()
        query = "SELECT name, answers, bytes, fingerprint, precision, used FROM models ORDER BY 2 DESC, 1, 4"
        return self._do(lambda db: [StoredModel(*row) for row in db.execute(query)])

    def clear(self, chosen: Callable[[StoredModel], bool] = lambda _: True) -> list[StoredModel]:
        """Delete the answers of the chosen models (by default of all), and return these models.

        The file becomes smaller only if no other process has it open; otherwise its space is reused.
        """
        kept = self.summary()
        gone = [model for model in kept if chosen(model)]
        with self._guard():
            if not self._claim.alone():
                self._do(lambda db: self._forget(db, gone))
            elif len(gone) < len(kept):
                self._do(lambda db: self._forget(db, gone))
                self._db.execute("VACUUM")
            else:
                # Deleting the whole file works even if the disk is full, unlike a transaction.
                self._remove()
                self._open()
            self._claim.share()
        return gone

    def close(self) -> None:
        """Write the gathered answers and close the file."""
        try:
            self.flush()
        finally:
            with self._guard():
                self._db.close()
                self._claim.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _place(self) -> str:
        return "in memory" if self.path is None else str(self.path)

    def _open(self, bad: int | None = None) -> None:
        try:
            self._db, note = database.begin(self.path, self._claim, bad)
        except BaseException:
            self._claim.release()
            raise
        self._index = AnswerIndex(self._db)
        self._number = -1 if self.path is None else database.number(self.path)
        self._say(note)

    def _say(self, note: str) -> None:
        self.note = note or self.note
        if note and self._tell is not None:
            self._tell(note)

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work on the database; if the file turns out to be damaged, repeat it on a new one."""
        with self._guard():
            try:
                return work(self._db)
            except sqlite3.DatabaseError as error:
                if not database.is_damage(error):
                    raise
            self._db.close()
            self._open(bad=self._number)
            return work(self._db)

    def _read(
        self, db: sqlite3.Connection, model: int, keys: Sequence[bytes]
    ) -> tuple[dict[bytes, StoredValue], int]:
        """The stored answers that match their checksums, and the number of those that do not."""
        with transaction(db, "DEFERRED"):
            rows = list(self._rows(db, model, keys))
        answers: dict[bytes, StoredValue] = {}
        seed = seed_of(model)
        for _, key, form, answer in rows:
            if (right := read(seed, key, form, answer)) is not None:
                answers[key] = right
        # First all in one call: there are many answers, and nearly always all are finite.
        numbers = [value.ravel() for value in answers.values() if not isinstance(value, str)]
        if numbers and not np.isfinite(np.concatenate(numbers)).all():
            answers = {key: value for key, value in answers.items() if is_finite(value)}
        present = {key for _, key, _, _ in rows}
        return answers, len(present) - len(answers)

    def _rows(
        self, db: sqlite3.Connection, model: int, keys: Collection[bytes]
    ) -> Iterator[tuple[int, bytes, object, object]]:
        """The number, request, form and answer of each row that answers one of these requests."""
        wanted, rows = set(keys), self._index.rows(model, keys)
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            query = (
                "SELECT id, request, rows, answer FROM answers "  # noqa: S608 only question marks are put in
                f"WHERE id IN ({marks}) AND model = ? ORDER BY id"
            )
            for row in db.execute(query, (*some, model)):
                if row[1] in wanted:
                    yield row

    def _write(self, db: sqlite3.Connection, gathered: Gathered) -> None:
        by_model: dict[int, dict[bytes, tuple[int, bytes]]] = {}
        for (model, key), answer in gathered.items():
            by_model.setdefault(model, {})[key] = answer
        with transaction(db):
            next_row = count(self._index.last_row() + 1)
            for model, answers in by_model.items():
                if model in self._models:  # another process may have cleared the store meanwhile
                    named = (model, *self._models[model], int(time.time()))
                    db.execute("INSERT OR IGNORE INTO models VALUES (?, ?, ?, ?, ?, 0, 0)", named)
                self._write_model(db, model, answers, next_row)

    def _write_model(
        self,
        db: sqlite3.Connection,
        model: int,
        answers: Mapping[bytes, tuple[int, bytes]],
        next_row: Iterator[int],
    ) -> None:
        """Write a model's answers in place of those to the same requests, and the others in new rows."""
        replaced = {
            key: (row, len(answer) if isinstance(answer, bytes) else 0)
            for row, key, _, answer in self._rows(db, model, answers)
        }
        new = {key: next(next_row) for key in answers if key not in replaced}
        rows = [
            (new[key] if key in new else replaced[key][0], model, key, form, answer)
            for key, (form, answer) in answers.items()
        ]
        db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", rows)
        if new:
            self._index.append(model, new)
        before = sum(length for _, length in replaced.values())
        after = sum(len(answer) for _, answer in answers.values()) + sum(map(len, new))
        db.execute(ADD, (len(new), after - before, model))

    def _forget(self, db: sqlite3.Connection, gone: Sequence[StoredModel]) -> None:
        models = ",".join(str(_number(model.fingerprint)) for model in gone)
        with transaction(db, "DEFERRED"):
            last = self._index.last_row()
        for start in range(0, last + 1, FORGOTTEN_AT_ONCE):
            some = f"model IN ({models}) AND id BETWEEN {start} AND {start + FORGOTTEN_AT_ONCE - 1}"
            query = (
                "SELECT -COUNT(*), -SUM(LENGTH(request) + LENGTH(answer)), model "  # noqa: S608 only numbers
                f"FROM answers WHERE {some} GROUP BY model"
            )
            with transaction(db):
                db.executemany(ADD, db.execute(query).fetchall())
                db.execute(f"DELETE FROM answers WHERE {some}")  # noqa: S608 only numbers
        self._index.forget(models, last)
        db.execute(f"DELETE FROM models WHERE id IN ({models}) AND answers <= 0")  # noqa: S608 only numbers

    def _remove(self) -> None:
        self._db.close()
        if self.path is not None:
            for suffix in (*database.BESIDE, ""):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"the answer store {self._place}: {database.way_out(error)}"
            ) from error


def _number(fingerprint: str) -> int:
    """A model's number: a digest of its fingerprint, of six bytes on disk.

    With numbers by counting, a deleted model's number would be given again to another model.
    """
    digest = blake2b(fingerprint.encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(digest) >> 1  # SQLite's integers have a sign
