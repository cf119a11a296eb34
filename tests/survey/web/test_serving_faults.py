"""Kills, a full disk and a database that restarts, while people take part: nothing acknowledged is lost."""

import asyncio
import os
import resource
import signal
import subprocess
import time

import httpx2
import pytest
from benchmarks._postgres import postgres_server, why_none
from benchmarks._survey_people import Pace, Traffic, take_part
from benchmarks._survey_server import LoadForm, SurveyProcess, faults
from sqlalchemy import create_engine, text

from support.survey.browsing import hidden_fields

pytestmark = pytest.mark.slow
FORM = LoadForm(people=8, pages=2, sliders=8)
PACE = Pace(0.02, 0.1)


@pytest.fixture
def traffic():
    return Traffic()


def crowd_with(survey, traffic, *incidents):
    """Let people take part, half of them without JavaScript, while one incident after the other happens."""

    async def all_at_once():
        async with asyncio.TaskGroup() as group:
            for half, script in enumerate((True, False)):
                first, count = half * FORM.people // 2, FORM.people // 2
                group.create_task(
                    take_part(survey.address, count, PACE, traffic, script=script, first=first)
                )
            for number, incident in enumerate(incidents, start=1):
                enough = FORM.answers * number // (len(incidents) + 1)
                while len(traffic.acknowledged) < enough:  # noqa: ASYNC110 no event of anybody's
                    await asyncio.sleep(0.005)
                await asyncio.to_thread(incident)

    asyncio.run(all_at_once())


def all_is_well(survey, traffic):
    survey.stop()
    assert faults(survey.database, FORM, traffic.acknowledged) == []
    assert sum(traffic.codes.values()) == FORM.people and len(traffic.codes) == FORM.people
    assert traffic.again > 0
    assert set(traffic.statuses) <= {200, 303, 503}


@pytest.mark.parametrize("kills", [1, pytest.param(12, marks=pytest.mark.long)])
def test_kills_lose_nothing_and_double_nothing(url, tmp_path, traffic, kills):
    survey = SurveyProcess(FORM, tmp_path, url)

    def killed():
        survey.kill()
        survey.start()

    crowd_with(survey, traffic, *[killed] * kills)
    all_is_well(survey, traffic)


@pytest.fixture
def own_postgres():
    """A server of one database: after a crash it reads all its files, and others have many."""
    if why := why_none():
        pytest.skip(why)
    with postgres_server(synced=False) as server:
        yield server


def test_postgres_connections_come_back(own_postgres, tmp_path, traffic):
    postgres = own_postgres.new_database("crashing")
    survey = SurveyProcess(FORM, tmp_path, postgres)

    def backends_killed():
        engine = create_engine(postgres.replace("postgresql", "postgresql+psycopg"))
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        with engine.connect() as connection:
            found = text(f"SELECT pid FROM pg_stat_activity WHERE {others}")
            pids = connection.scalars(found).all()
        engine.dispose()
        assert pids
        os.kill(pids[0], signal.SIGKILL)  # PostgreSQL then ends all others and recovers

    def restarted():
        own_postgres.stop()
        own_postgres.start()

    crowd_with(survey, traffic, backends_killed, restarted)
    all_is_well(survey, traffic)
    assert traffic.failures > 0


class FullDisk:
    """A small file system of its own."""

    def __init__(self, folder):
        self.folder, self.filler = folder, folder / "filler"

    def fill(self, _pid):
        with self.filler.open("wb", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError:
                return

    def free(self, _pid):
        self.filler.unlink()


class FileLimit:
    """No file of the process may grow: what is left where nothing can be mounted."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self, pid):
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, limits[1]))

    def free(self, pid):
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (limits[1], limits[1]))


@pytest.fixture(params=[FullDisk, FileLimit])
def disk(request, tmp_path):
    if request.param is FileLimit:
        yield FileLimit(tmp_path)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(tmp_path)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield FullDisk(tmp_path)
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_said_and_everything_goes_through_once_there_is_space(disk, traffic):
    survey = SurveyProcess(FORM, disk.folder, str(disk.folder / "survey.db"))
    pages = []
    client = httpx2.Client(base_url=survey.address, follow_redirects=True, timeout=60)

    def full_for_a_time():
        disk.fill(survey.process.pid)
        before = traffic.failures
        pages.append(client.post(action, data=fields | {"agree": "yes"}))
        for _ in range(6000):
            if traffic.failures >= before + 5:
                break
            time.sleep(0.01)
        disk.free(survey.process.pid)

    with client:
        # somebody reads the consent while there are places, and agrees when the disk is full
        action, fields = hidden_fields(client.get("/?lang=en"))
        crowd_with(survey, traffic, full_for_a_time)
    (page,) = pages
    assert page.status_code == 503
    assert "Answers cannot be saved right now. Go back and try again in a few minutes." in page.text
    assert traffic.failures >= 5
    all_is_well(survey, traffic)
