"""One place for each thing: what belongs to one study or analysis alone lies with it; rooms stay small."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1] / "src" / "tiltmeter"
PLACES = ("studies", "analyses")
"""Rooms in which each file or folder is one thing with its name."""
GENERAL = {"stats", "core"}
"""Rooms of what is of general use, however many use it today."""
SCATTERED = 1500
"""So many lines outside the places of studies and analyses may belong to a single one of them."""
LONGEST = 450
DRAWER = 40
"""A room with so many files is a drawer in which nobody finds anything."""


def modules(root: Path) -> dict[str, Path]:
    """Every module by its name within the package: "studies.bbq.study"."""
    return {
        ".".join(file.relative_to(root).with_suffix("").parts): file
        for file in root.rglob("*.py")
        if file.name != "__init__.py"
    }


def place(module: str) -> str:
    """The study or analysis in whose place a module lies; "" for all others."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in PLACES and len(parts) > 1 else ""


def imported(file: Path, known: set[str]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            of = node.module.removeprefix("tiltmeter.")
            found |= {f"{of}.{a.name}" if f"{of}.{a.name}" in known else of for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.removeprefix("tiltmeter.") for alias in node.names}
    return found & known


@cache
def owned(root: Path = ROOT) -> dict[str, str]:
    """Modules outside these places that only one of them uses, itself or through others; and which."""
    files = modules(root)
    users = defaultdict(set)
    for module, file in files.items():
        for used in imported(file, set(files)) - {module}:
            users[used].add(module)
    owner = {module: place(module) for module in files if place(module)}
    found: dict[str, str] = {}
    while True:
        new = {}
        for module in files.keys() - owner.keys():
            owners = {owner.get(user) for user in users[module]}
            if len(owners) == 1 and (one := owners.pop()):
                new[module] = one
        if not new:
            return found
        owner |= new
        found |= new


def length(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines())


def scattered(root: Path = ROOT) -> dict[str, int]:
    files = modules(root)
    return {
        f"{module} (of {owner})": length(files[module])
        for module, owner in sorted(owned(root).items())
        if module.split(".")[0] not in GENERAL
    }


def test_what_one_study_or_analysis_needs_alone_lies_with_it():
    lines = scattered()
    assert sum(lines.values()) < SCATTERED, lines


def test_a_module_of_a_single_study_is_seen(tmp_path):
    """Directly, and through another module that only this study uses."""
    files = {
        "studies/a.py": "from tiltmeter.metrics.rate import rate",
        "studies/b/study.py": "from tiltmeter.metrics import share\nfrom tiltmeter.studies.b import data",
        "studies/b/data.py": "from tiltmeter.data.rows import rows",
        "metrics/share.py": "from tiltmeter.metrics.rate import rate",
        "metrics/rate.py": "",
        "data/rows.py": "from tiltmeter.data.cells import cells\n",
        "data/cells.py": "\n\n",
        "cli/app.py": "import tiltmeter.studies.a",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert scattered(tmp_path) == {
        "data.cells (of studies.b)": 2,
        "data.rows (of studies.b)": 1,
        "metrics.share (of studies.b)": 1,
    }


@pytest.mark.parametrize("room", PLACES)
def test_nothing_hides_under_an_underscore(room):
    hidden = [m for m in modules(ROOT) if m.startswith(f"{room}._") or f".{room}._" in m]
    assert hidden == []


def test_files_are_short_enough_to_read():
    lengths = {module: length(file) for module, file in modules(ROOT).items()}
    assert {module: n for module, n in lengths.items() if n >= LONGEST} == {}
    assert median(lengths.values()) < 150


def test_no_room_is_a_drawer():
    rooms = defaultdict(list)
    for file in modules(ROOT).values():
        rooms[file.parent.relative_to(ROOT).as_posix()].append(file.stem)
    assert {room: len(files) for room, files in rooms.items() if len(files) >= DRAWER} == {}


LOOKED_UP = re.compile(r"\bWORDS\[|\bFILE\.(option|text|shown)\(|(table|quantities)_beside\(")


def test_words_stand_in_python_beside_what_they_describe():
    """A sentence that a person reads is where its value is computed, in one language."""
    found = [m for m, file in modules(ROOT).items() if LOOKED_UP.search(file.read_text("utf-8"))]
    assert found == []
