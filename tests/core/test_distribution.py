"""Tiltmeter is found under its own name, and says so where another project's files lie among ours."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tiltmeter.core.distribution import DISTRIBUTION, other_project

ROOT = Path(__file__).parents[2]
THEIRS = re.compile(
    r"""pip3? install\s+(-\S+\s+)*['"]?tiltmeter(?![\w.-]*\.whl)(?!-bias|_bias)|['"`]tiltmeter\\?\["""
)
"""What would install the other project, or name an extra of it."""


def test_the_name_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == DISTRIBUTION


@pytest.mark.parametrize(
    ("text", "is_theirs"),
    [
        ("pip install tiltmeter", True),
        ("python -m pip install -U 'tiltmeter>=0.1'", True),
        ("'tiltmeter[hf]'", True),
        ("pip install 'tiltmeter-bias[hf]'", False),
        ("pip install ./tiltmeter_bias-0.1.0-py3-none-any.whl", False),
        ("pip install '.[gguf]' && tiltmeter run starter_pairs demo", False),
    ],
)
def test_what_would_install_the_other_project_is_seen(text, is_theirs):
    assert bool(THEIRS.search(text)) is is_theirs


def test_no_text_installs_the_other_project():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    own = Path(__file__).relative_to(ROOT).as_posix()
    found = {}
    for name in {*listed} - {"", own}:
        # what is listed may be moved away in a checkout with changes
        if (file := ROOT / name).is_file() and (
            match := THEIRS.search(file.read_text("utf-8", "replace"))
        ):
            found[name] = match[0]
    assert not found


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "site-packages" / "tiltmeter"
    folder.mkdir(parents=True)
    return folder


def test_an_environment_with_ours_and_our_plug_ins_is_whole(package):
    for name in ("tiltmeter_bias-0.1.0", "tiltmeter_trades-1.0", "tilt-2.0"):
        (package.parent / f"{name}.dist-info").mkdir()
    assert other_project(package) == ""


def test_the_other_project_in_the_same_environment_is_named_with_the_way_out(package):
    (package.parent / "tiltmeter_bias-0.1.0.dist-info").mkdir()
    (package.parent / "tiltmeter-0.7.2.dist-info").mkdir()
    damage = other_project(package)
    assert "tiltmeter 0.7.2, another project" in damage
    assert f"pip uninstall tiltmeter {DISTRIBUTION}" in damage
