"""The SQLite file of the answer store: opening it, setting a damaged one aside, encoding its rows."""

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
"""The version of the tables below. A file of another version is set aside: its answers cannot be checked."""
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
"""How many times to check whether a damaged file is no longer in use; some 3 seconds in all."""
LOG_PAGES = 16_384
"""How many pages of 4 kB the write-ahead log may hold before they are moved into the file and synced to
disk."""
CACHED = 8_192
"""The size of SQLite's page cache, in kilobytes."""
BESIDE = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps beside its database."""


class Unfit(Exception):
    """Raised, within this package only, if the file exists and cannot be trusted."""


class Damaged(sqlite3.DatabaseError):
    """Raised if the content is damaged in a way that SQLite does not notice."""

    sqlite_errorname = "SQLITE_CORRUPT"


@contextmanager
def transaction(database: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """A transaction that is rolled back on any exception.

    `kind` is IMMEDIATE to take the write lock at the beginning, or DEFERRED for one that only reads: it sees
    the database as it was at the first read.
    """
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
    """Open the file; one that cannot be trusted is set aside and replaced by a new one.

    `bad` is the inode number of a file known to be damaged. A file that another process has open stays where
    it is, since SQLite's files must not be renamed while in use: answers are then kept in memory.

    Returns:
        The open database, and a message for the user ("" if there is nothing to report).
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
    """Connect to the file as a database of this version; an empty or missing one is created.

    Raises:
        Unfit: The file is something else, or damaged.
        sqlite3.Error: The file cannot be read or written at present.
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
            # SQLite's own timeout does not cover every lock taken to create or switch the log.
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _has_other_format(path: Path) -> bool:
    """Whether the header has an unknown format version, which SQLite would take for write protection."""
    with suppress(OSError), path.open("rb") as file:
        return not {*file.read(FORMATS.stop)[FORMATS]} <= {1, 2}
    return False


FORMATS = slice(18, 20)
"""The bytes of the header with the write and read versions of the format: 2 with a write-ahead log, else
1."""


def number(path: Path) -> int:
    """The inode number, which tells this file from a later one with its name; -1 if it does not exist."""
    try:
        return path.stat().st_ino
    except OSError:
        return -1


def is_damage(error: Exception) -> bool:
    """Whether the error means that the content is damaged, rather than that the file cannot be accessed."""
    wrong_format = _code(error) == "SQLITE_ERROR" and "file format" in str(error)
    return wrong_format or _code(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_busy(error: Exception) -> bool:
    """Whether the error means that another process holds a lock, so that waiting helps."""
    return _code(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _code(error: Exception) -> str:
    return str(getattr(error, "sqlite_errorname", ""))


def set_aside(path: Path) -> Path:
    """Rename the file, and those that SQLite keeps beside it, to NAME.damaged-N; returns the new path."""
    free = (n for n in count(1) if not path.with_name(f"{path.name}.damaged-{n}").exists())
    aside = path.with_name(f"{path.name}.damaged-{next(free)}")
    path.replace(aside)
    for suffix in BESIDE:
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            beside.replace(aside.with_name(aside.name + suffix))
    return aside


def set_asides(path: Path) -> list[Path]:
    """The files that have been set aside, with those that SQLite kept beside them."""
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def way_out(error: Exception) -> str:
    """The reason for the error in words, and what the user can do about it."""
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
    """Connect with a write-ahead log where that works, else with a rollback journal, which needs only locks.

    A write-ahead log needs memory shared by all processes, which network drives do not have.
    """
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
    # The exclusive mode lets SQLite read a log that an earlier process left without shared memory.
    database.execute("PRAGMA locking_mode=EXCLUSIVE")
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("PRAGMA locking_mode=NORMAL")
    database.execute("PRAGMA synchronous=FULL")
    # Only with the next access does SQLite return to the normal mode and release the lock.
    database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()


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
    """The statements that created the tables, as bytes, since damaged ones may not be valid text."""
    database.text_factory = bytes
    try:
        rows = database.execute("SELECT CAST(sql AS BLOB) FROM sqlite_master").fetchall()
    finally:
        database.text_factory = str
    return {b" ".join(sql.split()) for (sql,) in rows if sql is not None}


SINGLE = -1
"""The form of a one-dimensional array in single precision (float32)."""
TEXT = -2
"""The form of a text; for the others see `written`."""
CHECK = 4
"""The number of bytes of the checksum at the end of every answer."""


def is_finite(value: StoredValue) -> bool:
    """Whether all numbers of an answer are finite; always true for a text."""
    return isinstance(value, str) or bool(np.isfinite(value).all())


def written(value: StoredValue) -> tuple[int, bytes]:
    """Encode an answer as its form and its bytes.

    The form is SINGLE, TEXT, 0 for a one-dimensional array in double precision, or the number of rows
    of a two-dimensional one.
    """
    if isinstance(value, str):
        return TEXT, value.encode("utf-8", "surrogatepass")
    single = value.ndim == 1 and value.dtype == np.float32
    form = value.shape[0] if value.ndim == 2 else SINGLE if single else 0  # noqa: PLR2004
    return form, value.astype("<f4" if single else "<f8").tobytes()


def read(seed: int, key: bytes, form: object, answer: object) -> StoredValue | None:
    """Decode the answer in a row; None if the row does not match its checksum."""
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
    """The initial value of the checksums of a model's answers."""
    return crc32(model.to_bytes(8))


def checksum(seed: int, key: bytes, form: int, content: bytes) -> bytes:
    """The CRC-32 of the model (through its seed), the request, the form and the content together."""
    return crc32(content, crc32(key, (seed + form) % 2**32)).to_bytes(CHECK)
