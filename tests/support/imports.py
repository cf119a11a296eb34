"""Which modules of ours the files of the repository import."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = (ROOT / "src", ROOT / "tests", ROOT)
OURS = {"tiltmeter", "benchmarks"} | {
    path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "whole"
}
"""What absolute imports of ours begin with."""


@cache
def imports_of_ours(file: Path) -> tuple[str, ...]:
    """The names of our modules that a file imports; of a test only at its top, as it may be about a wing."""
    tree = ast.parse(file.read_bytes())
    nodes = tree.body if (ROOT / "tests") in file.parents else _statements(tree.body)
    return tuple(name for node in nodes for name in _names(node) if name.split(".")[0] in OURS)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, of functions and of classes too; no import is part of an expression."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(statement, part, []))


def _names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        if node.module in OURS:  # a folder of helpers
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def place_of(module: str) -> Path | None:
    """The file or folder of a module of ours."""
    path = Path(*module.split("."))
    for place in PLACES:
        if (place / path).is_dir():
            return place / path
        if (place / path).with_suffix(".py").is_file():
            return (place / path).with_suffix(".py")
    return None
