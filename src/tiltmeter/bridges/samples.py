"""What evaluation programs log, in one form, and how their JSON is read, which anybody may have made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.text import decimal_number

LARGEST = 2**30
"""Bytes of a file, or of one part of an archive, at most."""
WAY_OUT = "log the evaluation again"
MOST = 1e300
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Scores that inspect_ai writes as letters: correct, incorrect, partly correct, no answer."""
OURS = "tiltmeter"
"""The field that says of a sample which item of which study it is."""


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """One question to the model, and what came of it."""

    id: str
    text: str
    """What the model was given, or the question in it."""
    reply: str = ""
    """What it wrote; where the program took a letter for a choice, the choice."""
    options: tuple[str, ...] = ()
    logprobs: tuple[float, ...] = ()
    """Of the options; () where the model wrote."""
    correct: float | None = None
    """Whether the program took the answer as right, from 0 to 1."""
    scores: Mapping[str, float] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    """What else the log says of the question, such as the data set's row."""
    document: str = ""
    """Samples with the same one are about the same thing; "" is the id."""
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationLog:
    """The answers of one model to one task."""

    program: str
    """lm_eval, inspect_ai, helm or every_eval_ever, as conventions are called."""
    task: str
    model: str
    file: str
    sha256: str
    samples: Sequence[LoggedSample]
    reported: Mapping[str, float] = field(default_factory=dict)
    """The numbers that the log itself gives for the whole task."""
    problems: Sequence[Problem] = ()
    """Samples that were left out because they have no answer, with their places in the log."""
    chats: bool = False
    """Whether prompts were given as conversations."""


def sized(path: Path) -> Path:
    """The same path, unless the file there is too large."""
    if path.is_file() and path.stat().st_size > LARGEST:
        reason = f"it has more than {LARGEST >> 30} GiB"
        raise BadInput(reason, "divide the evaluation", file=path.name)
    return path


def at(value: object, *path: str | int) -> Any:
    """What lies there in a JSON value; None where there is nothing.

    >>> at({"a": [{"b": 1}]}, "a", 0, "b"), at({"a": 1}, "a", 0, "b")
    (1, None)
    """
    for step in path:
        keyed = isinstance(value, Mapping) and step in value
        if not keyed and not (isinstance(value, list) and step in range(-len(value), len(value))):
            return None
        value = value[step]  # type: ignore[index]
    return value


def named(value: object, *path: str | int) -> list[tuple[str, Any]]:
    """The keys and values of an object that lies there; [] where none does."""
    inner = at(value, *path)
    return list(inner.items()) if isinstance(inner, Mapping) else []


def listed(value: object, *path: str | int) -> list[Any]:
    """The entries of a list or the values of an object that lie there; [] where neither does."""
    inner = at(value, *path)
    return list(inner) if isinstance(inner, list) else [each for _, each in named(inner)]


def text(value: object) -> str:
    r"""A text, number or truth value as text; texts of a list or of messages on lines; else "".

    >>> text(3.0), text([{"role": "user", "content": "Who?"}, "me"]), text(None)
    ('3', 'Who?\nme', '')
    """
    if isinstance(value, list):
        return "\n".join(filter(None, map(text, value)))
    if isinstance(value, Mapping):
        return text(value.get("content", value.get("text")))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int | float) else ""


def number(value: object) -> float | None:
    """A score as a finite number, letters and truth values among them; None where it is no single number.

    >>> number("C"), number(True), number("0.5"), number(float("nan")), number([1.0])
    (1.0, 1.0, 0.5, None, None)
    """
    if isinstance(value, str):
        return LETTERS.get(value, decimal_number(value))
    return float(value) if isinstance(value, int | float) and abs(value) < MOST else None


def numbers(values: object, before: str = "") -> dict[str, float]:
    """The values of an object that are single numbers."""
    return {f"{before}{k}": read for k, v in named(values) if (read := number(v)) is not None}


def fields(row: object, before: str = "") -> dict[str, str]:
    """The texts and numbers of an object, those of an object within it as `name.key`.

    >>> fields({"a": 1, "b": {"c": "x"}, "d": None})
    {'a': '1', 'b.c': 'x'}
    """
    flat: dict[str, str] = {}
    for key, value in named(row):
        inner = isinstance(value, Mapping) and not before
        flat |= fields(value, f"{key}.") if inner else {f"{before}{key}": text(value)}
    return {key: value for key, value in flat.items() if value}
