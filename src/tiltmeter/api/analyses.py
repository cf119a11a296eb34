"""Analyses as functions, each made of what its file in `analyses` declares: `tiltmeter.leak(runs, k=5)`."""

import inspect
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from tiltmeter.api.results import RunResult
from tiltmeter.core.analysis import Analysis, Place, placed
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find, known
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.results import Result
from tiltmeter.run.files.folder import prepare
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.jobs import stamped
from tiltmeter.run.monitor import Logged, Monitor

INPUT = str | Path | RunResult | Result
"""What a single input of an analysis is."""

if TYPE_CHECKING:
    active_report: Callable[..., RunResult]
    agreement: Callable[..., RunResult]
    annotations: Callable[..., RunResult]
    before_after: Callable[..., RunResult]
    compare: Callable[..., RunResult]
    compare_people: Callable[..., RunResult]
    correlate: Callable[..., RunResult]
    data_check: Callable[..., RunResult]
    intersections: Callable[..., RunResult]
    leak: Callable[..., RunResult]
    ratings: Callable[..., RunResult]
    validation: Callable[..., RunResult]


def analyses() -> dict[str, Analysis]:
    """All analyses by name, those of installed plug-ins among them.

    >>> analyses()["agreement"].name
    'agreement'
    """
    return {name: find("analyses", name, "ANALYSIS") for name in known("analyses")}


def analyse(
    name: str,
    inputs: str | Path | RunResult | Result | Sequence[str | Path | RunResult | Result] = (),
    *,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
    **options: Any,
) -> RunResult:
    """Run an analysis of this name, as the command of the same name does.

    Args:
        name: One of `analyses()`.
        inputs: What it is about: results, folders or files.
        out: A folder in which the result's folder is made, as by the command line; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.
        **options: The command's options, with underscores.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    analysis: Analysis = find("analyses", str(name), "ANALYSIS")
    several = (
        list(inputs) if isinstance(inputs, Iterable) and not isinstance(inputs, INPUT) else [inputs]
    )
    for value in several:
        if not isinstance(value, INPUT):
            raise BadInput(f"{name} cannot take {value!r}", f"its inputs: {analysis.inputs}")
    given = _bare(several)
    if len(given) < analysis.fewest:
        raise BadInput(
            f"{name} needs {analysis.fewest} of: {analysis.inputs.rstrip('.')}", "give more"
        )
    folder = None if out is None else Path(out).expanduser()
    if folder is not None:
        prepare(folder)
    begun = time.monotonic()
    call = _call(name, options)
    chosen = placed(
        analysis.options(**{key: _bare(v) for key, v in options.items()}), Place(folder, call)
    )
    result = analysis.compute(given, chosen, monitor or Logged())
    made = RunResult(stamped(result, begun, call), None)
    return made if folder is None else made.save(folder / folder_name(made.result))


def __getattr__(name: str) -> Callable[..., RunResult]:
    """The function of an analysis, with the signature and the help that its options make."""
    if name not in known("analyses"):
        raise AttributeError(name)
    return function_of(find("analyses", name, "ANALYSIS"))


def function_of(analysis: Analysis) -> Callable[..., RunResult]:
    """The Python function of an analysis."""

    def function(*inputs: Any, **options: Any) -> RunResult:
        several = len(inputs) == 1 and not isinstance(inputs[0], INPUT)
        return analyse(analysis.name, inputs[0] if several else inputs, **options)

    owner: Any = analysis.options  # which mypy takes to be no key of a cache
    fields, hints = options_of(owner).values(), get_type_hints(owner)
    kind = inspect.Parameter.KEYWORD_ONLY
    keywords = [
        inspect.Parameter(f.name, kind, default=f.default, annotation=hints[f.name]) for f in fields
    ]
    keywords += [
        inspect.Parameter("out", kind, default=None, annotation=str | Path | None),
        inspect.Parameter("monitor", kind, default=None, annotation=Monitor | None),
    ]
    places = inspect.Parameter("inputs", inspect.Parameter.VAR_POSITIONAL)
    function.__name__ = function.__qualname__ = analysis.name
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [places, *keywords], return_annotation=RunResult
    )
    listed = "\n".join(f"    {f.name}: {f.option.help}" for f in fields)
    function.__doc__ = (
        f"{analysis.summary}\n\nArgs:\n    *inputs: {analysis.inputs} Several, or one list.\n{listed}\n"
        "    out: A folder in which the result's folder is made; None saves nothing.\n"
        "    monitor: Reports progress; by default the log `tiltmeter`.\n"
    )
    return function


def _bare(value: Any) -> Any:
    """What was given, with results as analyses take them."""
    if isinstance(value, RunResult):
        return value.result
    return tuple(map(_bare, value)) if isinstance(value, list | tuple) else value


def _call(name: str, options: Mapping[str, Any]) -> str:
    """The call as Python, for the card."""
    words = ["results", *(f"{key}={_written(value)}" for key, value in options.items())]
    return f"tiltmeter.{name}({', '.join(words)})"


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return "result" if isinstance(value, RunResult | Result) else repr(value)
