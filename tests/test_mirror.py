"""The test of a module is found by its name: tests/A/test_X.py is the test of src/tiltmeter/A/X.py.

`test_X_<aspect>.py` is one of several files about X, a module or a TOML file; private modules `_X.py` and
`_X_<part>.py` and a package `X/` are found as `X.py` is, the package with the modules in it. What goes
through several modules lies in `tests/whole`, whole jobs of users in `tests/jobs`, and what holds for all
modules in `tests`.
"""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "tiltmeter"
THROUGH = {"whole", "jobs"}
"""Folders of tests that go through several modules."""
SHORT = 60
"""So many lines may go without a test of their own."""

TESTED_BY = {
    "train/classifier_net": "train/test_classifier",
    "train/grid": "cli/training/test_grid",
    "cli/training/grid_file": "cli/training/test_grid",
    "cli/importing": "run/imports/test_recognising",
    "report/documents/written_texts": "studies/inferences/test_study",
    "core/study_views": "report/documents/test_extremes",
    "mitigate/export": "cli/training/test_mitigate",
    "mitigate/transfer": "models/applied_mitigations/test_prompted",
    "report/plots/people_profile": "analyses/compare_people/test_profiles",
    "run/sweeps/sweep_jobs": "cli/test_sweep",
    "survey/formats/potato": "survey/formats/test_label_studio",
}
"""Modules without a test or an example of their own, and the file that tests them. It only grows shorter."""


def subjects(test: Path, source: Path = SOURCE, tests: Path = TESTS) -> list[Path]:
    """The modules that a test file is named after: those of the longest name that there is."""
    place = test.relative_to(tests)
    words = place.stem.removeprefix("test_").split("_")
    for count in range(len(words), 0, -1):
        name = source / place.parent / "_".join(words[:count])
        endings = (f"{name.name}.py", f"_{name.name}.py", f"{name.name}.toml")
        options = [name.with_name(ending) for ending in endings]
        options += sorted(name.parent.glob(f"_{name.name}_*.py"))
        found = [*filter(Path.is_file, options), *filter(Path.is_dir, [name])]
        if found:
            return found
    return []


def mirrored() -> list[Path]:
    every = TESTS.rglob("test_*.py")
    return sorted(
        t for t in every if t.parent != TESTS and t.relative_to(TESTS).parts[0] not in THROUGH
    )


def without_test() -> dict[str, int]:
    """Modules that have neither a test nor an example, and how long each is."""
    tested = {module for test in mirrored() for module in subjects(test)}
    bare = {}
    for module in SOURCE.rglob("*.py"):
        text = module.read_text("utf-8")
        if (
            not {module, module.parent} & tested
            and module.name != "__init__.py"
            and ">>>" not in text
        ):
            bare[module.relative_to(SOURCE).with_suffix("").as_posix()] = len(text.splitlines())
    return bare


@pytest.mark.parametrize("test", mirrored(), ids=lambda t: t.relative_to(TESTS).as_posix())
def test_a_test_is_named_after_a_module(test):
    assert subjects(test), "name it after what it tests, or move it to tests/whole"


def test_a_module_has_a_test_or_an_example():
    bare = {name for name, lines in without_test().items() if lines > SHORT}
    assert bare <= TESTED_BY.keys(), "give each a test of its name, or an example"


def test_the_list_holds_nothing_that_is_gone_or_has_a_test_by_now():
    assert TESTED_BY.keys() <= without_test().keys()


@pytest.mark.parametrize("test", sorted(set(TESTED_BY.values())))
def test_the_files_that_the_list_names_hold_tests(test):
    parsed = ast.parse((TESTS / f"{test}.py").read_text("utf-8"))
    assert any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in parsed.body
    )


@pytest.mark.parametrize(
    ("test", "module"),
    [
        ("a/test_x.py", ["a/x.py"]),
        ("a/test_x_odd_cases.py", ["a/x.py"]),
        ("a/test_x_y.py", ["a/x_y.py"]),
        ("a/test_z.py", ["a/_z.py", "a/_z_part.py"]),
        ("a/test_b.py", ["a/b"]),
        ("test_x.py", []),
        ("a/test_y.py", []),
        ("b/test_x.py", []),
    ],
)
def test_the_longest_name_counts(tmp_path, test, module):
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("x", "x_y", "_z", "_z_part"):
        (tmp_path / "a" / f"{name}.py").touch()
    named = subjects(tmp_path / test, source=tmp_path, tests=tmp_path)
    assert named == [tmp_path / name for name in module]
