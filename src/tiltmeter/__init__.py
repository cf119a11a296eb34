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
    from tiltmeter.api.analyses import (
        active_report,
        agreement,
        analyse,
        analyses,
        annotations,
        before_after,
        compare,
        compare_people,
        correlate,
        data_check,
        intersections,
        leak,
        ratings,
    )
    from tiltmeter.api.audits import audit
    from tiltmeter.api.papers import replicate
    from tiltmeter.api.predictions import classification, fairness
    from tiltmeter.api.results import Plot, Rows, RunResult
    from tiltmeter.api.runs import load, run, studies
    from tiltmeter.api.scores import ScoreResult, score
    from tiltmeter.api.training import TiltmeterCallback
    from tiltmeter.api.wrapped import WrappedModel, wrap
    from tiltmeter.core.errors import TiltmeterError
    from tiltmeter.core.items import Pair

__version__ = "0.1.0"
__all__ = [
    "Pair", "Plot", "Rows", "RunResult", "ScoreResult",
    "TiltmeterCallback", "TiltmeterError", "WrappedModel",
    "active_report", "agreement", "analyse", "analyses", "annotations", "audit", "before_after",
    "classification", "compare", "compare_people", "correlate", "data_check", "fairness", "intersections",
    "leak", "load", "ratings", "replicate", "run", "score", "studies", "wrap",
]  # fmt: skip
_MODULES = {
    "active_report": "api.analyses", "agreement": "api.analyses", "analyse": "api.analyses",
    "analyses": "api.analyses", "annotations": "api.analyses", "before_after": "api.analyses",
    "compare": "api.analyses", "compare_people": "api.analyses", "correlate": "api.analyses",
    "data_check": "api.analyses", "intersections": "api.analyses", "leak": "api.analyses",
    "ratings": "api.analyses",
    "audit": "api.audits", "classification": "api.predictions", "fairness": "api.predictions",
    "Pair": "core.items", "Plot": "api.results",
    "Rows": "api.results", "RunResult": "api.results", "TiltmeterError": "core.errors",
    "ScoreResult": "api.scores", "TiltmeterCallback": "api.training", "WrappedModel": "api.wrapped",
    "load": "api.runs", "replicate": "api.papers", "run": "api.runs", "score": "api.scores",
    "studies": "api.runs", "wrap": "api.wrapped",
}  # fmt: skip
"""Where each public name is defined."""


class _Package(ModuleType):
    """Keeps `run` and `studies` the functions: importing a package of that name would replace them."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _MODULES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
limit_spinning()  # here, as every process imports this before PyTorch: commands, workers, notebooks


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'tiltmeter' has no attribute {name!r}")
    return getattr(import_module(f"tiltmeter.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
