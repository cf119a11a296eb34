"""Names to objects: the file's name is the name. No decorators, no import side effects.

What does not fit into one file is a folder of the name; its file `study.py`, `analysis.py` … has the object.
"""

import importlib
import pkgutil
import sys
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from tiltmeter.core.errors import UnknownName

_ADDED: dict[tuple[str, str], ModuleType] = {}
"""Modules that were read in this process, by kind and name."""
SINGULAR = {
    "studies": "study", "analyses": "analysis", "models": "kind of model",
    "models.judges": "judge",
}  # fmt: skip
"""What one of a kind is called in messages."""


def known(kind: str) -> list[str]:
    """Names in `tiltmeter/<kind>/`, then those other packages offer as entry points.

    >>> "crows_pairs" in known("studies")
    True
    """
    theirs = {e.name for e in _offered(kind)} | {name for of, name in _ADDED if of == kind}
    return [*ours(kind), *sorted(theirs.difference(ours(kind)))]


@cache
def ours(kind: str) -> tuple[str, ...]:
    """Names of public modules in `tiltmeter/<kind>/`, and of folders there with a file for the object."""
    package = importlib.import_module(f"tiltmeter.{kind}")
    modules = pkgutil.iter_modules(package.__path__)
    return tuple(
        sorted(
            m.name
            for m in modules
            if m.name[0] != "_" and (not m.ispkg or _main_file(kind, m.name))
        )
    )


@cache
def _main_file(kind: str, name: str) -> str:
    """Of a folder the module that has the object: "study" for studies; "" where there is none."""
    main = SINGULAR.get(kind, "").replace(" ", "_")
    package = importlib.import_module(f"tiltmeter.{kind}")
    found = any(Path(folder, name, f"{main}.py").is_file() for folder in package.__path__)
    return main if found else ""


def add(kind: str, name: str, module: ModuleType) -> None:
    """Make a module known in this process, as if another package offered it.

    >>> add("studies", "mine", ModuleType("mine"))
    >>> "mine" in known("studies"), is_added("studies", "mine")
    (True, True)
    >>> del _ADDED["studies", "mine"]
    """
    _ADDED[kind, name] = module


def is_added(kind: str, name: str) -> bool:
    """Whether `add` made it known, and no package does."""
    return (kind, name) in _ADDED


def find(kind: str, name: str, attribute: str, *default: Any) -> Any:
    """`find("studies", "crows_pairs", "STUDY")` is tiltmeter.studies.crows_pairs.STUDY.

    Of a study in a folder it is tiltmeter.studies.NAME.study.STUDY.

    Another package's entry point names a module with such an attribute; a file of ours of the same
    name wins over it. A `default` is returned where the module has no such attribute.

    Raises:
        UnknownName: With the nearest names that exist.
    """
    names = known(kind)
    if name not in names:
        raise UnknownName(SINGULAR.get(kind, kind), name, names)
    if name in ours(kind):
        where = ".".join(filter(None, (name, _main_file(kind, name))))
        return getattr(importlib.import_module(f"tiltmeter.{kind}.{where}"), attribute, *default)
    if is_added(kind, name):
        return getattr(_ADDED[kind, name], attribute, *default)
    (entry,) = list(_offered(kind).select(name=name))[:1]  # two packages may offer one name
    return getattr(entry.load(), attribute, *default)


def _offered(kind: str) -> EntryPoints:
    return _offered_on(kind, tuple(sys.path))


@cache
def _offered_on(kind: str, _: tuple[str, ...]) -> EntryPoints:
    """Kept for each search path: reading the metadata of all installed packages takes a while."""
    return entry_points(group=f"tiltmeter.{kind}")
