"""Functions of analyses, each made of what its file in `analyses` declares: `analyse.leak(runs, k=5)`."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import fill
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from tiltmeter.api.analysis_calls import analysed
from tiltmeter.api.keywords import refuse_unknown
from tiltmeter.api.python_words import errors_for_python, without_flags
from tiltmeter.api.results import RunResult
from tiltmeter.core.analysis import Analysis, Input
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.reading.options import OptionField, declared_types, options_of

INPUT = "AnalysisInput"
"""The name of `analysis_calls.AnalysisInput` in signatures."""

WIDTH = 100
"""Columns of a line of documentation."""


def function_of(analysis: Analysis) -> Callable[..., RunResult]:
    """The Python function of an analysis, with the signature and documentation that its options make."""
    signature = signature_of(analysis)

    def function(*inputs: Any, out: Any = None, monitor: Any = None, **options: Any) -> RunResult:
        refuse_unknown(options, signature.parameters, analysis.name)
        with errors_for_python():
            return analysed(analysis, inputs, options, out=out, monitor=monitor)

    function.__name__ = function.__qualname__ = analysis.name
    function.__module__ = "tiltmeter.api.analyse"
    function.__annotations__ = {}  # those of the signature count
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = documentation_of(analysis)
    return function


def signature_of(analysis: Analysis) -> inspect.Signature:
    """Inputs by their place, then each option with its default, in the types that Python takes, as text."""
    owner: Any = analysis.options  # which mypy takes to be no key of a cache
    types = declared_types(owner)
    named = [
        ("inputs", f"{INPUT} | Sequence[{INPUT}]", inspect.Parameter.empty),
        *((o.name, accepted(types[o.name], o), o.default) for o in options_of(owner).values()),
        ("out", "str | Path | None", None),
        ("monitor", "Monitor | None", None),
    ]
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY if i else inspect.Parameter.VAR_POSITIONAL,
            default=default, annotation=TypeText(kind),
        )
        for i, (name, kind, default) in enumerate(named)
    ]  # fmt: skip
    return inspect.Signature(parameters, return_annotation=TypeText("RunResult"))


class TypeText(str):
    """A type as text, which help pages show without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def accepted(hint: Any, option: OptionField) -> str:
    """The type that Python takes for an option: one or several for a tuple, a text for a path.

    >>> from tiltmeter.core.reading.options import Option, option_field
    >>> field = option_field("by", Option("Columns."), tuple[str, ...] | None, None)
    >>> accepted(tuple[str, ...] | None, field), accepted(Path, field)
    ('str | Sequence[str] | None', 'str | Path')
    >>> accepted(tuple[tuple[str, ...], ...], field)
    'str | Sequence[str | Sequence[str]]'
    """
    if hint is str and option.choices:
        return f"Literal[{', '.join(map(repr, option.choices))}]"
    return " | ".join(dict.fromkeys(_members(hint, file=option.option.file)))


def _members(hint: Any, *, file: bool = False) -> list[str]:
    """The types of a union, or a single one, as text."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint == Input:
        return [INPUT]
    if origin is None:
        names = {Path: ["str", "Path"], NoneType: ["None"]}.get(hint, [hint.__name__])
        return [*names, "Table"] if hint is Path and file else names
    if origin is tuple:
        one = _members(inner[0], file=file)
        first = ["str"] if get_origin(inner[0]) is tuple else one
        return [*first, f"Sequence[{' | '.join(one)}]"]
    if origin in {dict, Mapping}:
        parts = (dict.fromkeys(_members(of, file=True)) for of in inner)
        return [f"Mapping[{', '.join(' | '.join(part) for part in parts)}]"]
    if origin is Literal:
        return [f"Literal[{', '.join(map(repr, inner))}]"]
    return [name for part in inner for name in _members(part, file=file)]


def documentation_of(analysis: Analysis) -> str:
    """The docstring of the function, from what the analysis declares."""
    owner: Any = analysis.options
    inputs = _in_python(analysis.inputs).rstrip(".")
    arguments = {
        "*inputs": f"{inputs}; several, or one list. A table in memory stands for a file.",
        **{option.name: _in_python(option.option.help) for option in options_of(owner).values()},
        "out": "A folder in which the result's folder is made; None saves nothing.",
        "monitor": "Reports progress; by default the log `tiltmeter`.",
    }
    returned = "A result whose estimates have these names, each with its interval where it has one:"
    limits = analysis.not_what and f"What it does not show: {analysis.not_what}"
    source = analysis.source and f"Source: {analysis.source.rstrip('.')}."
    paragraphs = (
        *(fill(text, WIDTH) for text in (analysis.summary, analysis.means, limits, source)),
        analysis.example,
        _section("Args", (f"{name}: {text}" for name, text in arguments.items())),
        _section("Returns", (returned, "", *(f"- {_described(q)}" for q in analysis.quantities))),
        _section("Raises", ("TiltmeterError: As the command line.",)),
    )
    return "\n\n".join(filter(None, paragraphs))


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([
        f"{title}:",
        *(fill(line, WIDTH, initial_indent="    ", subsequent_indent="        ") for line in lines),
    ])  # fmt: skip


def _in_python(text: str) -> str:
    """The help of an option without the ways of the command line.

    >>> _in_python("A column; repeatable. Read from --text-column.")
    'A column; several in a list. Read from text_column.'
    """
    text = re.sub(
        r"([;,(]) ?repeatable", lambda sign: f"{sign[1]} several in a list".replace("( ", "("), text
    )
    return without_flags(text)


def _described(quantity: Quantity) -> str:
    """A quantity's name, title, unit, range and neutral value.

    >>> from tiltmeter.core.quantity import quantity
    >>> _described(quantity("tau", "Kendall’s τ", least=-1, most=1, neutral=0))
    '`tau`: Kendall’s τ, −1 to 1, neutral value 0'
    """
    meaning, unit = quantity.meaning, quantity.unit
    least, most = (f"{end:g}".replace("-", "−") for end in meaning.range(unit))
    span = {(False, False): f"{least} to {most}", (False, True): f"{least} or more"}
    facts = (
        meaning.title or quantity.name,
        unit and f"in {unit}",
        span.get((least == "−inf", most == "inf"), ""),
        "" if quantity.neutral is None else f"neutral value {quantity.neutral:g}",
    )
    return f"`{quantity.name}`: {', '.join(filter(None, facts))}"
