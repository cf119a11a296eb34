"""Made-up examples are the same on every run; HYPOTHESIS_PROFILE=explore tries new ones."""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

if "PYTEST_XDIST_WORKER" in os.environ:  # as many threads as processors would wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

import tiltmeter  # noqa: F401 before PyTorch, whose threads it tells how to wait
from plugins import bare_study
from support.browsers import browser

__all__ = ["browser"]

MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    takes_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    if takes_programs and shutil.disk_usage(MEMORY).free > 4 * 2**30:
        # Databases and stores wait until the disk has what they write; memory is there at once.
        os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None

# Compiled files are kept: without them each process of the tests would compile again what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.fsync = lambda _: None  # it waits for the disk, and no test cuts the power

settings.register_profile("same", derandomize=True, deadline=None)  # how long one takes is no test
settings.register_profile(
    "explore", settings.get_profile("default"), max_examples=500, deadline=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Nothing that is collected is garbage: looking for some takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def _whole_collections_stay_cheap():
    """What lives longer than a file of tests is not looked through again at every collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def left_handed(tmp_path, monkeypatch):
    """The study of `plugins.bare_study`, installed beside ours in this process; gives the folder it lies in.

    A process of its own finds it with that folder on PYTHONPATH.
    """
    folder = tmp_path / "plugin"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(bare_study.install(folder)))
    yield folder
    bare_study.forget()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each worker takes a stretch of the tests in order, so that what a file shares is made once."""
    from xdist.scheduler import WorkStealingScheduling

    return None if config.getvalue("dist") != "load" else WorkStealingScheduling(config, log)
