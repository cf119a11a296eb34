"""What is there stands by itself: every import leads somewhere, and a study, an audit and a page are made.

Small enough to be run without each wing (`test_wings`).
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from support.audits import PROFILE
from tiltmeter.core.errors import MissingExtra

ROOT = Path(__file__).parents[2]
PLACES = (ROOT / "src", ROOT / "tests", ROOT)
OURS = {"tiltmeter", "benchmarks"} | {
    path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "whole"
}
"""What absolute imports of ours begin with."""


def imported(file: Path) -> Iterator[str]:
    """The names of modules that a file imports; of a test only at its top, as it may be about a wing."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in tree.body if (ROOT / "tests") in file.parents else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            if node.module in OURS:  # a folder of helpers
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_there(module: str) -> bool:
    path = Path(*module.split("."))
    return any(
        (place / path).is_dir() or (place / path).with_suffix(".py").is_file() for place in PLACES
    )


def is_defined(module: str) -> bool:
    """Whether a name of a package is one of its modules, or something in its __init__."""
    package, _, name = module.rpartition(".")
    return is_there(module) or (
        package in {"tiltmeter", "benchmarks"} and hasattr(import_module(package), name)
    )


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "docs"])
def test_every_import_of_ours_leads_somewhere(folder):
    lost = [
        (str(file.relative_to(ROOT)), module)
        for file in sorted((ROOT / folder).rglob("*.py"))
        for module in imported(file)
        if module.split(".")[0] in OURS and not is_defined(module)
    ]
    assert not lost


def test_every_module_is_imported():
    files = [*(ROOT / "src" / "tiltmeter").rglob("*.py")]
    names = {
        ".".join(file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        for file in files
        if file.name != "__main__.py"
    }
    for name in sorted(names):
        try:
            import_module(name)
        except (MissingExtra, ModuleNotFoundError) as error:
            of_ours = isinstance(error, ModuleNotFoundError) and "tiltmeter" in str(error.name)
            assert not of_ours, name


def test_a_study_an_audit_and_a_page_are_made(tilt, tmp_path):
    code, out, _ = tilt("run", "starter_pairs", "fake:masked", "--out", "runs")
    assert code == 0 and "stereotyping sentence" in out
    (tmp_path / "small.toml").write_text(PROFILE, "utf-8")
    code, _, err = tilt("audit", "fake:masked", "--profile", "small.toml", "--out", "audit")
    assert code == 0, err
    code, _, err = tilt("view", "runs", "--out", "view")
    assert code == 0, err
    assert "<html" in (tmp_path / "view" / "index.html").read_text("utf-8")
