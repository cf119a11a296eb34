"""Databases for the tests: SQLite in a folder, and a PostgreSQL server of their own where there is one."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tiltmeter.survey.store import SurveyStore


def as_postgres(*command):
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else [*command]


def programs():
    """The folder of PostgreSQL's programs; None without them."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    path = found[-1] if found else shutil.which("initdb")
    return Path(path).resolve().parent if path else None


@pytest.fixture(scope="session")
def postgres_server():
    """The address of a new server."""
    pytest.importorskip("psycopg")
    where = programs()
    if where is None or (os.getuid() == 0 and not shutil.which("runuser")):
        pytest.skip("no PostgreSQL here")
    folder = Path(tempfile.mkdtemp(prefix="tiltmeter-pg-", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        made = as_postgres(
            where / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8"
        )
    subprocess.run(made, check=True, capture_output=True, cwd=folder)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    start = as_postgres(
        where / "pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start"
    )
    subprocess.run(start, check=True, capture_output=True, cwd=folder)
    yield f"postgresql://tester@127.0.0.1:{port}"
    stop = as_postgres(where / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    subprocess.run(stop, check=True, capture_output=True, cwd=folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(postgres_server, request):
    """The address of a new, empty database."""
    name = f"t{abs(hash(request.node.nodeid))}"
    admin = create_engine(
        f"{postgres_server}/postgres".replace("postgresql", "postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return f"{postgres_server}/{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    """A database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "survey.db")
    return request.getfixturevalue("postgres")


@pytest.fixture
def store(url):
    with SurveyStore(url) as opened:
        yield opened
