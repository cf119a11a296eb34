"""Jobs of docs/jobs, each run as its page says."""

import pytest
from job_pages import Job

from command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


@pytest.fixture
def job(tilt, tmp_path):
    """Run a page in a folder of its own."""

    def run(name, **swaps):
        return Job(name, tmp_path, tilt, swaps).run()

    return run
