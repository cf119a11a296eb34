"""Each wing can be taken off: without its files, its commands and its pages, the rest passes its tests."""

import os
import re
import subprocess
import sys

import pytest

from support.imports import imports_of_ours, place_of
from support.wings import ROOT, WINGS, gone, taken, without

QUICK = (
    "tests/whole/test_core.py", "tests/test_layers.py", "tests/test_mirror.py", "tests/test_names.py",
    "tests/cli/test_commands.py", "tests/cli/machinery/test_lazy_commands.py",
    "tests/test_docs.py::test_links_lead_somewhere",
    "tests/test_docs.py::test_every_page_is_in_one_table_of_contents",
    "tests/test_docs.py::test_the_reference_of_commands_is_that_of_the_commands",
    "tests/test_docs.py::test_shell_examples_are_understood",
)  # fmt: skip
EXCEPT = "not test_no_option_is_described_that_does_not_exist and not test_a_module_has_a_test_or_an_example"
"""Pages of the core may name an option of a command that is gone; tests of back-ends for mitigated and
trained models go with the trainings that make them."""
FEWER = (
    "test_everything_but_the_backends_loads_without_torch", "test_the_pure_layers_load_without_what_is_slow",
    "test_the_list_of_studies_loads_no_study_the_second_time", "test_no_module_imports_in_a_circle",
    "test_no_two_public_classes_share_a_name", "test_imports_point_down",
    "test_no_study_and_no_measure_is_named", "test_planted", "test_every_import_of_ours_leads_somewhere",
)  # fmt: skip
"""What holds of all modules also holds of fewer, and imports of what is gone are found without a copy."""


def run(folder, *words, at="."):
    """A command in a copy of the repository, or in a folder of it, with the modules of the copy."""
    inside = {"PYTHONPATH": str(folder / "src"), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, *words], cwd=folder / at, capture_output=True, text=True,
        env=os.environ | inside, check=False,
    )  # fmt: skip


def passes(folder, *words):
    done = run(folder, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *words)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture(params=WINGS)
def wing(request):
    return WINGS[request.param]


def test_what_belongs_to_a_wing_is_there(wing):
    for pattern in wing.patterns():
        assert [*ROOT.glob(pattern)], f"{pattern} is gone: take it out of support/wings.py"
    for file, beginnings in wing.lines.items():
        lines = [line.strip() for line in (ROOT / file).read_text("utf-8").splitlines()]
        for beginning in beginnings:
            assert any(line.startswith(beginning) for line in lines), (file, beginning)


def test_the_page_of_the_core_names_its_files_and_every_wing():
    page = (ROOT / "docs" / "extend" / "architecture.md").read_text("utf-8")
    files = re.findall(r"^\d+\. `([\w/]+\.py)`", page, re.MULTILINE)
    code = [ROOT / "src" / "tiltmeter" / file for file in files]
    assert len(code) == 12
    assert sum(len(path.read_text("utf-8").splitlines()) for path in code) < 2_600
    own = {
        path
        for wing in WINGS.values()
        for pattern in wing.patterns()
        for path in ROOT.glob(pattern)
    }
    assert not own & {parent for path in code for parent in (path, *path.parents)}
    assert re.findall(
        r"^\| `(\w+)` \| (?:asks|chooses|people|trains|makes|reads|models)", page, re.MULTILINE
    ) == [*WINGS]


def test_nothing_that_stays_imports_what_goes_with_it(wing):
    assert lost_imports(wing.name) == []


def lost_imports(name):
    """Files that stay without a wing, each with a module that it imports and that goes."""
    away = gone(name)
    exported = {f"tiltmeter.{path.stem}" for path in away if path.parent.name == "wings"}
    return [
        (str(path), module)
        for folder in ("src", "tests", "benchmarks", "docs")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if not away & {file, *file.parents}
        for path in [file.relative_to(ROOT)]
        for module in imports_of_ours(file)
        if (module in exported or is_away(module, away)) and not is_cut(name, path, module)
    ]


def is_cut(name, path, module):
    """Whether the line of the import goes with the wing."""
    return any(
        f" {module} " in line for wing in taken(name) for line in wing.lines.get(str(path), ())
    )


def is_away(module, away):
    place = place_of(module)
    return place is not None and bool(away & {place, *place.parents})


def test_an_import_of_a_wing_is_seen():
    assert is_away("tiltmeter.bridges", gone("bridges"))
    assert is_away("tiltmeter.survey.form", gone("survey"))
    assert not is_away("tiltmeter.survey.form", gone("bridges"))


@pytest.mark.timeout(300)
def test_the_core_does_without_it(wing, tmp_path):
    folder = without(wing.name, tmp_path)
    assert run(folder, "-m", "goldens.of_commands", "--write", at="tests").returncode == 0
    page = run(folder, "-m", "tiltmeter", "--help").stdout
    assert "─ Measure ─" in page
    for lost in taken(wing.name):
        for command in lost.commands:
            assert not re.search(rf"^│ {command} ", page, re.MULTILINE), command
    passes(folder, *QUICK, "-k", " and not ".join((EXCEPT, *FEWER)))


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_all_other_tests_pass_without_it(wing, tmp_path):
    folder = without(wing.name, tmp_path)
    for kept in ("goldens.of_help", "goldens.of_commands"):
        assert run(folder, "-m", kept, "--write", at="tests").returncode == 0
    passes(folder, "src", "tests", "-k", EXCEPT, "--ignore", "tests/whole/test_wings.py",
           "--ignore", "tests/whole/test_readme_tour.py")  # fmt: skip
