"""The file under the store of answers: opened, made, set aside where it cannot be trusted; and its rows."""

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from zlib import crc32

import numpy as np

from tiltmeter.core.model.query import StoredValue
from tiltmeter.run.files.file_locks import Claim, is_shared

VERSION = 4
"""Of the tables below. A file of another version is set aside: its answers cannot be checked."""
SCHEMA = """
CREATE TABLE models (
    id INTEGER PRIMARY KEY, fingerprint TEXT, name TEXT, precision TEXT, used INTEGER,
    answers INTEGER, bytes INTEGER
);
CREATE TABLE answers (id INTEGER PRIMARY KEY, model INTEGER, request BLOB, rows INTEGER, answer BLOB);
CREATE TABLE entries (id INTEGER PRIMARY KEY, model INTEGER, entries BLOB);
"""
PATIENCE = 60
"""Seconds to wait while another process writes."""
TURNS = 30
"""How often to look whether a damaged file is in nobody's use, some 3 seconds in all."""
LOG_PAGES = 16_384
"""Pages of 4 kB that the log may hold before they are put into their places, and awaited on disk."""
CACHED = 8_192
"""Kilobytes of pages in memory."""
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside its file."""


class Unfit(Exception):
    """The file is there and cannot be trusted. Never leaves this package."""


class Damaged(sqlite3.DatabaseError):
    """The content is wrong, though SQLite does not notice."""

    sqlite_errorname = "SQLITE_CORRUPT"


@contextmanager
def transaction(database: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All that is done within, or nothing; DEFERRED reads everything as it was at the first reading."""
    database.execute(f"BEGIN {kind}")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # a full disk has undone it already
            database.execute("ROLLBACK")
        raise


def begin(
    path: Path | None, claim: Claim, bad: int | None = None
) -> tuple[sqlite3.Connection, str]:
    """Open the file; one that cannot be trusted is set aside, and a new one begun.

    `bad` is the number of a file known to be damaged. A file that another process has open stays where
    it is, since SQLite's files must not be renamed under it: answers are then kept in memory.

    Returns:
        What was opened, and what the user should know of it ("" where nothing).
    """
    why = ""
    for _ in range(TURNS):
        claim.share()
        try:
            return opened(path, bad), ""
        except Unfit as unfit:
            why = str(unfit)
        if path is not None and claim.alone():
            try:
                return opened(path, bad), ""  # another process was quicker
            except Unfit:
                aside = set_aside(path)
                reason = f"{why}; it was set aside as {aside.name}, and a new one was started"
                return opened(path), f"the answer store {path} {reason}: answers are computed again"
            finally:
                claim.share()
        time.sleep(random.uniform(0.05, 0.15))  # noqa: S311 so that two do not keep step
    claim.release()
    return opened(None), (
        f"the answer store {path} {why}, and cannot be set aside while another process has it open: "
        "this run keeps its answers in memory only, and an interrupted run would start over"
    )


def opened(path: Path | None, bad: int | None = None) -> sqlite3.Connection:
    """The file as a database of this version; an empty or absent one is made.

    Raises:
        Unfit: It is something else, or damaged.
        sqlite3.Error: It can be neither read nor written now.
    """
    if path is not None and path.is_dir():
        raise Unfit("is a folder")
    if path is not None and ((bad is not None and number(path) == bad) or _has_other_format(path)):
        raise Unfit("was damaged")
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return _connected(path)
        except UnicodeDecodeError as error:  # SQLite quotes what is damaged in its message
            raise Unfit("was damaged") from error
        except sqlite3.Error as error:
            if is_damage(error):
                raise Unfit(f"was damaged ({error})") from error
            # SQLite does not wait for all locks that making or switching the log takes
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _has_other_format(path: Path) -> bool:
    """Whether the file says that it has a format which nobody writes: SQLite would take it as protected."""
    with suppress(OSError), path.open("rb") as file:
        return not {*file.read(FORMATS.stop)[FORMATS]} <= {1, 2}
    return False


FORMATS = slice(18, 20)
"""Bytes of the versions in which a file is written and read: 2 with a log, else 1."""


def number(path: Path) -> int:
    """What tells this file from another that gets its name later."""
    try:
        return path.stat().st_ino
    except OSError:
        return -1


def is_damage(error: Exception) -> bool:
    """Whether the error says that the content is wrong, rather than that it cannot be reached."""
    wrong_format = _code(error) == "SQLITE_ERROR" and "file format" in str(error)
    return wrong_format or _code(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_busy(error: Exception) -> bool:
    """Whether another process only has to be waited for."""
    return _code(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _code(error: Exception) -> str:
    return str(getattr(error, "sqlite_errorname", ""))


def set_aside(path: Path) -> Path:
    """Rename a file and what SQLite keeps beside it out of the way."""
    free = (n for n in count(1) if not path.with_name(f"{path.name}.damaged-{n}").exists())
    aside = path.with_name(f"{path.name}.damaged-{next(free)}")
    path.replace(aside)
    for suffix in BESIDE:
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            beside.replace(aside.with_name(aside.name + suffix))
    return aside


def set_asides(path: Path) -> list[Path]:
    """The files that were set aside, with what was beside them."""
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def way_out(error: Exception) -> str:
    """The reason in words, and what to do."""
    code = _code(error)
    if code == "SQLITE_FULL" or "No space" in str(error):
        return (
            "no space is left on the disk; free some and run the same command again: "
            "stored answers are kept"
        )
    if code.startswith("SQLITE_IOERR"):
        return (
            f"the drive failed or is full, or a quota is used up ({error}); make room and run the same "
            "command again, or use another folder: TILTMETER_CACHE=FOLDER"
        )
    if is_busy(error):
        return (
            "another process has been writing to it for a minute; wait for that to end, or use "
            "a separate store: TILTMETER_CACHE=FOLDER"
        )
    if code.startswith("SQLITE_READONLY"):
        return "it is write-protected; make it writable, or use another: TILTMETER_CACHE=FOLDER"
    return f"{error}; check the folder, or use another: TILTMETER_CACHE=FOLDER"


def _connected(path: Path | None) -> sqlite3.Connection:
    """With a write-ahead log where that works; else the older way, which needs nothing but locks."""
    if path is not None and is_shared(path):
        return _prepared(path, _without_log)
    try:
        return _prepared(path, _with_log)
    except sqlite3.Error as error:
        if is_busy(error) or is_damage(error) or _code(error) == "SQLITE_FULL":
            raise
        try:
            return _prepared(path, _without_log)
        except sqlite3.Error as other:
            raise (other if is_busy(other) or is_damage(other) else error) from None


def _prepared(
    path: Path | None, choose: Callable[[sqlite3.Connection], None]
) -> sqlite3.Connection:
    database = sqlite3.connect(path or ":memory:", timeout=PATIENCE, isolation_level=None)
    try:
        choose(database)
        # Some builds write zeros over all that is deleted, and so the index twice.
        database.execute("PRAGMA secure_delete=FAST")
        with transaction(database):  # fails here if it cannot be written, not hours later
            _make_tables(database)
    except BaseException:
        database.close()
        raise
    return database


def _with_log(database: sqlite3.Connection) -> None:
    (mode,) = database.execute("PRAGMA journal_mode=WAL").fetchone()
    # With a log, NORMAL is enough to keep the file sound: a power cut can only lose the last answers.
    database.execute(f"PRAGMA synchronous={'NORMAL' if mode == 'wal' else 'FULL'}")
    database.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
    database.execute(f"PRAGMA cache_size=-{CACHED}")


def _without_log(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA locking_mode=EXCLUSIVE")  # so a log is read without shared memory
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("PRAGMA locking_mode=NORMAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()  # lets go of the lock


def _make_tables(database: sqlite3.Connection) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    made = _tables(database)
    if not made and not version:
        for statement in STATEMENTS:
            database.execute(statement)
        database.execute(f"PRAGMA user_version={VERSION}")
    elif version != VERSION:
        raise Unfit("was written by another version of Tiltmeter")
    elif not made >= {" ".join(statement.split()).encode() for statement in STATEMENTS}:
        raise Unfit("was damaged or changed by another program")


STATEMENTS = [statement.strip() for statement in SCHEMA.split(";") if statement.strip()]


def _tables(database: sqlite3.Connection) -> set[bytes]:
    """The statements that made the tables, as bytes: damaged ones need not be text."""
    database.text_factory = bytes
    try:
        rows = database.execute("SELECT CAST(sql AS BLOB) FROM sqlite_master").fetchall()
    finally:
        database.text_factory = str
    return {b" ".join(sql.split()) for (sql,) in rows if sql is not None}


SINGLE = -1
"""Form of a one-dimensional array in single precision (float32)."""
TEXT = -2
"""Form under which a text is stored; `written` gives the others."""
CHECK = 4
"""Bytes of checksum at the end of every answer."""


def is_finite(value: StoredValue) -> bool:
    """Whether all numbers are finite; always true of a text."""
    return isinstance(value, str) or bool(np.isfinite(value).all())


def written(value: StoredValue) -> tuple[int, bytes]:
    """An answer's form and its bytes.

    The form is SINGLE, TEXT, 0 for a one-dimensional array in double precision, or the number of rows
    of a two-dimensional one.
    """
    if isinstance(value, str):
        return TEXT, value.encode("utf-8", "surrogatepass")
    single = value.ndim == 1 and value.dtype == np.float32
    form = value.shape[0] if value.ndim == 2 else SINGLE if single else 0  # noqa: PLR2004
    return form, value.astype("<f4" if single else "<f8").tobytes()


def read(seed: int, key: bytes, form: object, answer: object) -> StoredValue | None:
    """The answer; None if a byte of the row is not as it was written."""
    if not isinstance(form, int) or not isinstance(answer, bytes):
        return None
    content = answer[:-CHECK]
    if answer[-CHECK:] != checksum(seed, key, form, content):
        return None
    if form == TEXT:
        return content.decode("utf-8", "surrogatepass")
    flat = np.frombuffer(content, dtype="<f4" if form == SINGLE else "<f8")
    return flat.reshape(form, -1) if form > 0 else flat


def seed_of(model: int) -> int:
    """What the checksums of a model's answers start from."""
    return crc32(model.to_bytes(8))


def checksum(seed: int, key: bytes, form: int, content: bytes) -> bytes:
    """Of the model, the request, the form and the content together."""
    return crc32(content, crc32(key, (seed + form) % 2**32)).to_bytes(CHECK)
