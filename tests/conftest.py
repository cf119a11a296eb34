"""Made-up examples are the same on every run; HYPOTHESIS_PROFILE=explore tries new ones."""

import gc
import os

if "PYTEST_XDIST_WORKER" in os.environ:  # as many threads as processors would wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)  # how long one takes is no test
settings.register_profile(
    "explore", settings.get_profile("default"), max_examples=500, deadline=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="module", autouse=True)
def _whole_collections_stay_cheap():
    """What lives longer than a file of tests is not looked through again at every collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each worker takes a stretch of the tests in order, so that what a file shares is made once."""
    from xdist.scheduler import WorkStealingScheduling

    return None if config.getvalue("dist") != "load" else WorkStealingScheduling(config, log)
