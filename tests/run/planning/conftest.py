"""What tests of studies of one's own share."""

import pytest

from tiltmeter.core import finder


@pytest.fixture
def new_process(monkeypatch):
    """Studies that are read are forgotten afterwards, as by a process that ends."""
    monkeypatch.setattr(finder, "_ADDED", {})
