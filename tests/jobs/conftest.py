"""Jobs of docs/jobs, each run as its page says."""

import pytest

from jobs.job_pages import Job
from support.command_line import own_cache, tilt
from tiltmeter.core import finder

__all__ = ["own_cache", "tilt"]


@pytest.fixture
def job(tilt, tmp_path, monkeypatch):
    """Run a page in a folder of its own; the studies that it reads from files are forgotten afterwards."""
    monkeypatch.setattr(finder, "_ADDED", dict(finder._ADDED))

    def run(name, **swaps):
        return Job(name, tmp_path, tilt, swaps).run()

    return run
