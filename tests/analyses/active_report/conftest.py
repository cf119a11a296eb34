"""Runs on two sets, and what the report says of them."""

import pytest

import tiltmeter as tm
from support.active_runs import written


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """On the second set entropy sampling never reaches the target."""
    folder = tmp_path_factory.mktemp("runs")
    written(folder / "calm", {"passive": 200, "daal": 100}, seeds=5)
    written(folder / "loud<b>", {"passive": 200, "entropy": 2000}, seeds=5)
    return folder


@pytest.fixture(scope="session")
def result(runs):
    return tm.analyse.active_report(runs)
