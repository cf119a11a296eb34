"""Databases by their addresses, and engines for them: SQLite set up to be durable, and PostgreSQL."""

import stat
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, inspect, text

from tiltmeter.core.errors import BadInput, MissingExtra
from tiltmeter.survey.schema import Base

EVERYBODY = stat.S_IRWXO
"""What people may do who are neither the owner nor in the file's group."""
PATIENCE = 30
"""Seconds to wait while another process writes."""
LOCK = 7_461_746
"""The number of the PostgreSQL lock under which one program at a time creates the tables."""


def full_url(given: str | Path) -> str:
    """The URL with which SQLAlchemy opens a database that a user named: a file or a server."""
    name = str(given)
    for scheme in ("postgresql://", "postgres://"):
        if name.startswith(scheme):
            return f"postgresql+psycopg://{name.removeprefix(scheme)}"
    if "://" in name and not name.startswith(("sqlite:///", "postgresql+")):
        raise BadInput(f"{without_password(name)} is no database", "give a file, or postgresql://…")
    if "://" in name:
        return name
    return f"sqlite:///{Path(name).expanduser().resolve()}"


def without_password(url: str | Path) -> str:
    """A URL without the password in it.

    >>> without_password("postgresql://me:secret@host/db")
    'postgresql://…@host/db'
    """
    scheme, sign, rest = str(url).partition("://")
    _, at, host = rest.rpartition("@")
    return f"{scheme}{sign}…{at}{host}" if at else str(url)


def engine_for(url: str, begin: str, *, readers: int) -> Engine:
    """An engine for reading, or for the one connection that writes."""
    size = readers or 1
    if not url.startswith("sqlite"):
        try:
            level = "REPEATABLE READ" if readers else "READ COMMITTED"
            return create_engine(
                url, pool_size=size, max_overflow=0, isolation_level=level, pool_pre_ping=True
            )
        except ModuleNotFoundError:
            raise MissingExtra("A PostgreSQL database", "postgres") from None
    path = Path(url.removeprefix("sqlite:///"))
    if not path.parent.is_dir():
        raise BadInput("its folder does not exist", "create it first", file=str(path))
    _make_private(path)
    # not the text of the address: in a name ? and % would mean something else there
    file = URL.create("sqlite", database=str(path))
    engine = create_engine(file, pool_size=size, max_overflow=0, connect_args={"timeout": PATIENCE})

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions of its own
        for pragma in (
            "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON",
            f"query_only={'ON' if readers else 'OFF'}",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _make_private(path: Path) -> None:
    """Answers of people are for the owner's eyes, and for those of a group to which the owner gives them."""
    if not path.exists():
        path.touch(mode=0o600)
    mode = path.stat().st_mode
    if mode & EVERYBODY and path.is_file():
        path.chmod(0o600 if not path.stat().st_size else mode & ~EVERYBODY)


def make_tables(engine: Engine, name: str) -> None:
    """Make the tables that a database lacks, in one transaction; `name` is what errors call it.

    Raises:
        BadInput: Another version of Tiltmeter made it, with other columns.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        Base.metadata.create_all(connection)
        stored = inspect(connection).get_multi_columns()
        for table in Base.metadata.tables.values():
            there = {column["name"] for column in stored[None, table.name]}
            wanted = {*table.columns.keys()}
            if there != wanted:
                lists = (("without", wanted - there), ("with", there - wanted))
                how = " and ".join(f"{word} {', '.join(sorted(c))}" for word, c in lists if c)
                raise BadInput(
                    f"was made by another version of Tiltmeter (its table {table.name!r} is {how})",
                    "open and export it with that version, or name another database",
                    file=name,
                )
