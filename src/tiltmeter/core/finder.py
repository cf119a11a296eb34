"""Names to objects: the file's name is the name. No decorators, no import side effects."""

import importlib
import pkgutil
import sys
from functools import cache
from importlib.metadata import EntryPoints, entry_points
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


def ours(kind: str) -> list[str]:
    """Names of public modules in `tiltmeter/<kind>/`; packages among them are what several modules share."""
    package = importlib.import_module(f"tiltmeter.{kind}")
    modules = pkgutil.iter_modules(package.__path__)
    return sorted(m.name for m in modules if not m.ispkg and m.name[0] != "_")


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


def find(kind: str, name: str, attribute: str) -> Any:
    """`find("studies", "crows_pairs", "STUDY")` is tiltmeter.studies.crows_pairs.STUDY.

    Another package's entry point names a module with such an attribute; a file of ours of the same
    name wins over it.

    Raises:
        UnknownName: With the nearest names that exist.
    """
    names = known(kind)
    if name not in names:
        raise UnknownName(SINGULAR.get(kind, kind), name, names)
    if name in ours(kind):
        return getattr(importlib.import_module(f"tiltmeter.{kind}.{name}"), attribute)
    if is_added(kind, name):
        return getattr(_ADDED[kind, name], attribute)
    (entry,) = list(_offered(kind).select(name=name))[:1]  # two packages may offer one name
    return getattr(entry.load(), attribute)


def _offered(kind: str) -> EntryPoints:
    return _offered_on(kind, tuple(sys.path))


@cache
def _offered_on(kind: str, _: tuple[str, ...]) -> EntryPoints:
    """Kept for each search path: reading the metadata of all installed packages takes a while."""
    return entry_points(group=f"tiltmeter.{kind}")
