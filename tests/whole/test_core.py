"""What is there stands by itself: every import leads somewhere, and a study, an audit and a page are made.

Small enough to be run without each wing (`test_wings`).
"""

from importlib import import_module
from pathlib import Path

import pytest

from support.audits import PROFILE
from support.imports import imports_of_ours, place_of
from tiltmeter.core.errors import MissingExtra

ROOT = Path(__file__).parents[2]


def is_defined(module: str) -> bool:
    """Whether a name of a package is one of its modules, or something in its __init__."""
    package, _, name = module.rpartition(".")
    return place_of(module) is not None or (
        package in {"tiltmeter", "benchmarks"} and hasattr(import_module(package), name)
    )


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "docs"])
def test_every_import_of_ours_leads_somewhere(folder):
    lost = [
        (str(file.relative_to(ROOT)), module)
        for file in sorted((ROOT / folder).rglob("*.py"))
        for module in imports_of_ours(file)
        if not is_defined(module)
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
