"""Tiltmeter measures how far a language model leans: which groups it stereotypes, and how surely.

>>> import tiltmeter as tm
>>> "starter_pairs" in tm.studies()
True

What a name needs is imported when it is used.
"""

import sys
from importlib import import_module
from types import ModuleType

from tiltmeter.models.speed.machine_limits import limit_spinning

TYPE_CHECKING = (
    False  # as type checkers know it; `typing` itself would take most of the time of this import
)
if TYPE_CHECKING:
    from tiltmeter.api import analyse
    from tiltmeter.api.audits import audit
    from tiltmeter.api.comparisons import compare
    from tiltmeter.api.imports import import_
    from tiltmeter.api.predictions import classification, fairness
    from tiltmeter.api.results import Plot, Rows, RunResult
    from tiltmeter.api.runs import load, reread, run, studies
    from tiltmeter.api.scores import ScoreResult, score
    from tiltmeter.api.tables import RunTables, table
    from tiltmeter.api.training import TiltmeterCallback
    from tiltmeter.api.wrapped import WrappedModel, wrap
    from tiltmeter.core.data.items import Pair
    from tiltmeter.core.errors import TiltmeterError

    __all__ = [
        "Pair", "Plot", "Rows", "RunResult", "RunTables", "ScoreResult", "TiltmeterCallback",
        "TiltmeterError", "WrappedModel", "analyse", "audit", "classification", "compare", "fairness",
        "import_", "load", "reread", "run", "score", "studies", "table", "wrap",
    ]  # fmt: skip
    # What wings bring, a line each: it goes with the wing.
    from tiltmeter.api.wings.replicate import replicate as replicate

__version__ = "0.1.0"
_MODULES = {
    "analyse": "api.analyse", "audit": "api.audits", "classification": "api.predictions",
    "compare": "api.comparisons", "fairness": "api.predictions", "import_": "api.imports",
    "load": "api.runs",
    "reread": "api.runs", "run": "api.runs", "score": "api.scores", "studies": "api.runs",
    "wrap": "api.wrapped", "Pair": "core.data.items", "Plot": "api.results", "Rows": "api.results",
    "RunResult": "api.results", "RunTables": "api.tables", "table": "api.tables",
    "ScoreResult": "api.scores", "TiltmeterCallback": "api.training",
    "TiltmeterError": "core.errors", "WrappedModel": "api.wrapped",
}  # fmt: skip
"""Where each public name is defined, apart from what wings bring; `analyse` is the module itself."""


class _Package(ModuleType):
    """Keeps `run` and `studies` the functions: importing a package of that name would replace them."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _MODULES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
limit_spinning()  # here, as every process imports this before PyTorch: commands, workers, notebooks


def _brought() -> dict[str, str]:
    """Public names that wings bring, which may not be there, and their modules."""
    from pkgutil import iter_modules  # noqa: PLC0415 most programs use none of them

    from tiltmeter.api import wings  # noqa: PLC0415

    return {module.name: f"api.wings.{module.name}" for module in iter_modules(wings.__path__)}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return [*_MODULES, *_brought()]
    where = _MODULES.get(name) or (None if name.startswith("_") else _brought().get(name))
    if where is None:
        raise AttributeError(f"module 'tiltmeter' has no attribute {name!r}")
    module = import_module(f"tiltmeter.{where}")
    return module if name == "analyse" else getattr(module, name)


def __dir__() -> list[str]:
    # what completion offers: without the packages that some import has made attributes
    return sorted({*_MODULES, *_brought(), *(name for name in globals() if name.startswith("__"))})
