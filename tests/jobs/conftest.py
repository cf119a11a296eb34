"""Jobs of docs/jobs, each run as its page says."""

import pytest

from command_line import own_cache, tilt
from jobs.job_pages import Job

__all__ = ["own_cache", "tilt"]


@pytest.fixture
def job(tilt, tmp_path):
    """Run a page in a folder of its own."""

    def run(name, **swaps):
        return Job(name, tmp_path, tilt, swaps).run()

    return run
