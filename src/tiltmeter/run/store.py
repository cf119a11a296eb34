"""Every answer of a model, kept as it is made: the cache between runs, and what resuming rests on.

One SQLite file (write-ahead log, one short transaction a batch), keyed by the model's fingerprint
and a digest of the request. Nothing is pickled: an answer is its float64 bytes.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from tiltmeter.core.errors import StorageError
from tiltmeter.core.types import Array

SCHEMA = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, fingerprint TEXT UNIQUE, name TEXT);
CREATE TABLE IF NOT EXISTS answers (
    model INTEGER, request BLOB, rows INTEGER, answer BLOB, PRIMARY KEY (model, request)
) WITHOUT ROWID;
"""
AT_ONCE = 500
"""Keys looked up in one query; SQLite allows 32,766 parameters, older builds 999."""
PATIENCE = 60
"""Seconds to wait while another process writes."""


class Store:
    """Answers by (model, request). `Store(None)` keeps them in memory for this run only.

    A damaged file is set aside and never trusted: `note` says so, and a new one is begun.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.note = ""
        """What the user should know of how the store was found; "" where nothing."""
        self._place = "in memory" if path is None else str(path)
        with self._guard():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = _opened(path)
            except sqlite3.DatabaseError as error:
                if path is None or not _is_damage(str(error)):
                    raise
                aside = _set_aside(path)
                self.note = (
                    f"the answer store {path} was damaged ({error}); it is set aside as {aside.name} "
                    "and a new one is begun: answers are asked anew"
                )
                self._db = _opened(path)

    def model(self, fingerprint: str, name: str) -> int:
        """The number under which this model's answers are kept."""
        with self._guard(), self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO models (fingerprint, name) VALUES (?, ?)",
                (fingerprint, name),
            )
            row = self._db.execute(
                "SELECT id FROM models WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
        return int(row[0])

    def get(self, model: int, keys: Sequence[bytes]) -> dict[bytes, Array]:
        """The answers that are there."""
        found: dict[bytes, Array] = {}
        with self._guard():
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = self._db.execute(
                    # only question marks are put into the text
                    f"SELECT request, rows, answer FROM answers WHERE model = ? AND request IN ({marks})",  # noqa: S608
                    (model, *some),
                )
                for request, height, answer in rows:
                    if len(answer) % (8 * max(height, 1)) == 0:  # else it is asked again
                        flat = np.frombuffer(answer, dtype="<f8")
                        found[request] = flat.reshape(height, -1) if height else flat
        return {key: answer for key, answer in found.items() if np.isfinite(answer).all()}

    def put(self, model: int, answers: Mapping[bytes, Array]) -> None:
        """Keep a batch of answers: all of them or, if the process dies, none."""
        rows = [
            (model, key, a.shape[0] if a.ndim == 2 else 0, a.astype("<f8").tobytes())  # noqa: PLR2004
            for key, a in answers.items()
        ]
        with self._guard(), self._db:
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)

    def summary(self) -> list[tuple[str, int, int]]:
        """(model, answers, bytes) for every model, most answers first."""
        with self._guard():
            rows = self._db.execute(
                "SELECT name, COUNT(request), COALESCE(SUM(LENGTH(answer)), 0) FROM models "
                "LEFT JOIN answers ON model = id GROUP BY id ORDER BY 2 DESC, 1"
            )
            return [(str(n), int(c), int(b)) for n, c, b in rows]

    def clear(self) -> int:
        """Forget everything; how many answers there were."""
        with self._guard():
            with self._db:
                count = self._db.execute("DELETE FROM answers").rowcount
                self._db.execute("DELETE FROM models")
            self._db.execute("VACUUM")
        return int(count)

    def close(self) -> None:
        """Write what is pending and let go of the file."""
        with self._guard():
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            said = str(error)
            if self.path is not None and _is_damage(said):
                said = f"{said}; set aside as {_set_aside(self.path).name}"
            raise StorageError(f"the answer store {self._place}: {_way_out(said)}") from error


def _way_out(reason: str) -> str:
    if "full" in reason or "No space" in reason:
        return (
            "no space is left on the disk; free some and run the same command again: "
            "what was stored is kept"
        )
    if "locked" in reason:
        return (
            "another process has been writing to it for a minute; wait for that to end, or use "
            "a store of its own: TILTMETER_CACHE=FOLDER"
        )
    if _is_damage(reason):
        return f"it is damaged ({reason}); run the same command again: a new one is begun"
    return f"{reason}; check the folder, or name another: TILTMETER_CACHE=FOLDER"


def _opened(path: Path | None) -> sqlite3.Connection:
    database = sqlite3.connect(path or ":memory:", timeout=PATIENCE)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.executescript(SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _is_damage(reason: str) -> bool:
    return "not a database" in reason or "malformed" in reason


def _set_aside(path: Path) -> Path:
    """Rename a damaged store, and what SQLite keeps beside it, out of the way."""
    number = next(n for n in count(1) if not path.with_name(f"{path.name}.damaged-{n}").exists())
    aside = path.with_name(f"{path.name}.damaged-{number}")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.replace(aside)
    return aside
