"""All analyses as functions: `tiltmeter.analyse.agreement("answers.csv", question="tone")`.

A function for each file of `analyses` and each installed plug-in, made when it is asked for. Type checkers
read `analyse.pyi`, which is written from the same declarations.
"""

import sys
from collections.abc import Callable
from types import ModuleType

from tiltmeter.api.analysis_functions import function_of
from tiltmeter.api.results import RunResult
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find, known

ELSEWHERE = frozenset({"compare"})
"""Analyses with a function of their own beside `run`, as they have a command of their own."""


class _Analyses(ModuleType):
    """Shows its functions, in consoles and notebooks."""

    def __repr__(self) -> str:
        return f"<analyses: {', '.join(__dir__())}; help(tiltmeter.analyse.NAME) explains one>"


sys.modules[__name__].__class__ = _Analyses


def __getattr__(name: str) -> Callable[..., RunResult]:
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in __dir__():
        raise AttributeError(str(UnknownName("analysis", name, __dir__())), name=name)
    return function_of(find("analyses", name, "ANALYSIS"))


def __dir__() -> list[str]:
    return sorted({*known("analyses")} - ELSEWHERE)
