"""What is known of a data set as plain values, for JSON: texts of the data only where they are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from tiltmeter.core.errors import Problem
from tiltmeter.core.items import Triple
from tiltmeter.core.results import Estimate


@dataclass(frozen=True, slots=True)
class Example:
    """A flagged pair. Everything but the id quotes the data."""

    id: str
    reason: str
    more: str
    less: str


def plain_values(value: Any, *, show_text: bool = False) -> Any:
    """A description with all that it is made of; without `show_text` pairs and triples are ids only.

    >>> plain_values(Example("7", "odd", "A.", "B.")), plain_values({3: (1.5, None)})
    ('7', {'3': [1.5, None]})
    """
    if isinstance(value, Example | Triple) and not show_text:
        return value.id
    if isinstance(value, Triple):
        names: tuple[str, ...] = ("id", "context", "sentences")
    elif isinstance(value, Estimate):
        names = ("name", "groups", "value", "low", "high", "n", "why")
    elif isinstance(value, Problem):
        return str(value)
    elif is_dataclass(value):
        names = tuple(field.name for field in fields(value))
    elif isinstance(value, Mapping):
        return {str(key): plain_values(of, show_text=show_text) for key, of in value.items()}
    elif isinstance(value, list | tuple):
        names = getattr(value, "_fields", ())
        if not names:
            return [plain_values(of, show_text=show_text) for of in value]
    else:
        return value
    return {name: plain_values(getattr(value, name), show_text=show_text) for name in names}
