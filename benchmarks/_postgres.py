"""A PostgreSQL server of one's own, in a new folder, for benchmarks and tests."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, text


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server."""

    programs: Path
    folder: Path
    port: int
    synced: bool = True
    """Whether it waits until the disk has what it wrote: without, it survives a crash of its own only."""

    @property
    def url(self) -> str:
        """Its address, without a database."""
        return f"postgresql://tester@127.0.0.1:{self.port}"

    def new_database(self, name: str) -> str:
        """The address of a new, empty database."""
        admin = create_engine(
            f"{self.url}/postgres".replace("postgresql", "postgresql+psycopg"),
            isolation_level="AUTOCOMMIT",
        )
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        admin.dispose()
        return f"{self.url}/{name}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
            f"{'' if self.synced else ' -c fsync=off'}"
        )
        self._control("-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def stop(self) -> None:
        """Stop it at once, without a last checkpoint, as a crash would."""
        self._control("-m", "immediate", "stop")

    def _control(self, *how: str) -> None:
        command = [self.programs / "pg_ctl", "-D", self.folder / "data", *how]
        subprocess.run(_as_postgres(*command), check=True, capture_output=True, cwd=self.folder)


def why_none() -> str:
    """Why no server can be started here; "" where one can."""
    if _programs() is None:
        return "no PostgreSQL on this machine"
    if os.getuid() == 0 and not shutil.which("runuser"):
        return "PostgreSQL does not run as root, and there is no runuser"
    return ""


@contextmanager
def postgres_server(*, synced: bool = True) -> Iterator[PostgresServer]:
    """A new server with the settings that PostgreSQL comes with, except `synced`; gone at the end."""
    where = _programs()
    if where is None:
        raise FileNotFoundError("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="tiltmeter-pg-", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    made = [where / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust", "-E", "UTF8"]
    made += [] if synced else ["--no-sync"]
    subprocess.run(_as_postgres(*made), check=True, capture_output=True, cwd=folder)
    server = PostgresServer(where, folder, free_port(), synced)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    path = found[-1] if found else shutil.which("initdb")
    return Path(path).resolve().parent if path else None


def _as_postgres(*command: str | Path) -> list[str | Path]:
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else [*command]
