"""Databases for the tests: SQLite in a folder, and a PostgreSQL server of their own where there is one."""

from pathlib import Path

import pytest
from benchmarks import _postgres

from support.survey.databases import new_store
from tiltmeter.survey.store import SurveyStore


@pytest.fixture(scope="session")
def postgres_server():
    """A new server."""
    pytest.importorskip("psycopg")
    if why := _postgres.why_none():
        pytest.skip(why)
    with _postgres.postgres_server(synced=False) as server:
        yield server


@pytest.fixture
def postgres(postgres_server, request):
    """The address of a new, empty database."""
    return postgres_server.new_database(f"t{abs(hash(request.node.nodeid))}")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    """A database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "survey.db")
    return request.getfixturevalue("postgres")


@pytest.fixture
def store(url):
    with SurveyStore(url) if url.startswith("postgresql") else new_store(Path(url)) as opened:
        yield opened
