"""Published data sets that some tests check against: the only place that knows where they are."""

import os
from pathlib import Path

import pytest

NAMED = os.environ.get("TILTMETER_DATA", "")
FOLDER = Path(NAMED).expanduser().absolute() if NAMED else None
"""The folder that TILTMETER_DATA named when the tests were started; None without one."""


def is_there(path: str) -> bool:
    """Whether the folder has this file or folder."""
    return FOLDER is not None and (FOLDER / path).exists()


def need(path: str) -> Path:
    """Where it is; the test is skipped where it is not."""
    if FOLDER is None or not is_there(path):
        pytest.skip(_reason(path))
    return FOLDER / path


def needs(path: str) -> pytest.MarkDecorator:
    """The same for a whole test or class."""
    return pytest.mark.skipif(not is_there(path), reason=_reason(path))


def _reason(path: str) -> str:
    return f"needs the published {path}; name its folder with TILTMETER_DATA"
