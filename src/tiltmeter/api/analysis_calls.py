"""Analyses called from Python: inputs and options as programs have them, tables in memory among them."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, get_args, get_origin

from tiltmeter.api.items import Table, is_table, write_table
from tiltmeter.api.results import RunResult
from tiltmeter.core.analysis import Analysis, Place, check_count, placed
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option, declared_types, options_of
from tiltmeter.core.results import Result
from tiltmeter.run.files.folder import prepare
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.repeatable_command import local_reference
from tiltmeter.run.jobs import stamped
from tiltmeter.run.monitor import Logged, Monitor

AnalysisInput: TypeAlias = str | Path | RunResult | Result | Table
"""What an analysis takes: a result, a folder, a file, a registered name, or a table in memory."""


def analysed(
    analysis: Analysis,
    inputs: Sequence[AnalysisInput | Sequence[AnalysisInput]],
    options: Mapping[str, Any],
    *,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    """The result of an analysis.

    Args:
        analysis: What is computed.
        inputs: What it is about: several, or one list.
        options: Values of its options by the names of their fields; one text may stand for a list of one.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Raises:
        TiltmeterError: As the command of the analysis, with the same messages.
    """
    several = _several(analysis, inputs)
    folder = None if out is None else Path(out).expanduser()
    if folder is not None:
        prepare(folder)
    begun, call = time.monotonic(), _call(analysis.name, several, options)
    with ExitStack() as stack:
        given = [_bare(value, stack) for value in several]
        chosen = analysis.options(**_chosen(analysis, options, stack))
        result = analysis.compute(given, placed(chosen, Place(folder, call)), monitor or Logged())
    made = RunResult(stamped(result, begun, call), None)
    return made if folder is None else made.save(folder / folder_name(made.result))


def _several(
    analysis: Analysis, inputs: Sequence[AnalysisInput | Sequence[AnalysisInput]]
) -> list[Any]:
    several = [
        value
        for given in inputs
        for value in (given if isinstance(given, list | tuple) else [given])
    ]
    for value in several:
        if not (isinstance(value, str | Path | RunResult | Result) or is_table(value)):
            raise BadInput(
                f"{analysis.name} cannot take {value!r}", f"its inputs: {analysis.inputs}"
            )
    check_count(analysis, len(several))
    return several


def _bare(value: Any, stack: ExitStack) -> Any:
    """What was given as analyses take it; a table becomes a file that is there until the stack closes."""
    if isinstance(value, RunResult):
        return value.result
    if is_table(value):
        folder = stack.enter_context(TemporaryDirectory(prefix="tiltmeter-"))
        return write_table(value, Path(folder))
    if isinstance(value, Mapping):
        return {key: _bare(one, stack) for key, one in value.items()}
    return tuple(_bare(one, stack) for one in value) if isinstance(value, list | tuple) else value


def _chosen(analysis: Analysis, options: Mapping[str, Any], stack: ExitStack) -> dict[str, Any]:
    """Values of options as the dataclass takes them."""
    owner: Any = analysis.options
    types = declared_types(owner)
    declared = {option.name: option.option for option in options_of(owner).values()}
    return {
        name: _bare(_listed(value, types[name], declared[name]), stack) if name in types else value
        for name, value in options.items()
    }


def _listed(value: Any, hint: Any, option: Option) -> Any:
    """Of an option that takes several: texts as the command line reads them, and a path in a list.

    >>> _listed("age", tuple[str, ...] | None, Option("Columns."))
    ['age']
    >>> _listed("age,sex", tuple[str, ...], Option("Columns.", parse=lambda text: text.split(","), typed=str))
    ['age', 'sex']
    >>> _listed("age", str, Option("A column."))
    'age'
    """
    tuples = [part for part in (hint, *get_args(hint)) if get_origin(part) is tuple]
    if not tuples:
        return value
    if isinstance(value, str) and option.parse and tuple not in _origins(option.typed):
        return option.parse(value)
    several = [value] if isinstance(value, str | Path) or is_table(value) else value
    nested = get_origin(get_args(tuples[0])[0]) is tuple
    if nested and option.parse and isinstance(several, list | tuple):
        return [
            part
            for one in several
            for part in (option.parse([one]) if isinstance(one, str) else [one])
        ]
    return several


def _origins(hint: Any) -> set[Any]:
    return {get_origin(part) for part in (hint, *get_args(hint))}


def _call(name: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> str:
    """The call as Python, for the card: without the places of this computer's files."""
    words = [*map(_written, inputs), *(f"{key}={_written(v)}" for key, v in options.items())]
    function = name if name == "compare" else f"analyse.{name}"
    return f"tiltmeter.{function}({', '.join(words)})"


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, RunResult | Result):
        return "result"
    if is_table(value):
        return "table"
    return repr(local_reference(str(value))) if isinstance(value, str | Path) else repr(value)
