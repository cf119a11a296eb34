"""The three changes of docs/extend/your-first-change.md, made in a copy of the package as the page says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobs.job_pages import DOCS, Job

ROOT = Path(__file__).parents[2]
PAGE = DOCS / "extend" / "your-first-change.md"
ASIDE = shutil.ignore_patterns("__pycache__", "goldens", ".*")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A copy of the package and its tests, which commands and tests there use in place of this one."""
    folder = tmp_path / "checkout"
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ASIDE)
    shutil.copy(ROOT / "pyproject.toml", folder)
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)  # the tests there are no workers of this session
    return folder


@pytest.mark.slow
def test_each_change_does_what_the_page_says(checkout):
    def tilt(*words):
        command = [sys.executable, "-m", "tiltmeter", *words]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    done = Job("your-first-change", checkout, tilt).run(PAGE)
    assert (done.folder / "src/tiltmeter/studies/tidy_desks.py").is_file()
