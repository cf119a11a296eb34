"""Types of the values in files of users, and checks for `Annotated` (`core.reading.typed_values`)."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar

from tiltmeter.core.reading.typed_values import Fault, Raw, Read, reader

C = TypeVar("C", bound=Collection[Any])


def _written(value: str) -> str:
    if not value:
        raise Fault("is empty", "write it, or leave the key out")
    if any("\ud800" <= c <= "\udfff" or (c < " " and c not in "\n\t") for c in value):
        raise Fault("holds a control character", "remove it")
    return value


def _in_one_line(value: str) -> str:
    line = value.strip()
    if not line:
        raise Fault("is empty", "write it, or leave the key out")
    if not value.isprintable():
        raise Fault(f"is {value!r}", "write it in one line, in visible characters")
    return line


Text: TypeAlias = Annotated[str, _written]
"""A text that is not empty."""
Line: TypeAlias = Annotated[str, _written, _in_one_line]
"""Not empty, of visible characters, without the spaces around it."""


def via(kind: Any, convert: Read) -> Raw:
    """In `Annotated`: a value that the file writes as `kind`, and that is then converted."""
    return Raw(lambda value: convert(reader(kind)(value)))


def several(kind: Any) -> Raw:
    """In `Annotated`: a list, or one entry of it by itself; read as a tuple."""
    entries_of, entry_of = reader(tuple[kind, ...]), reader(kind)
    return Raw(lambda value: entries_of(value) if isinstance(value, list) else (entry_of(value),))


def by_name(kind: Any) -> Raw:
    """In `Annotated`: a table of tables, read as a tuple; what each is called is its field `name`."""
    read = reader(Mapping[str, kind])

    def tables(value: Any) -> tuple[Any, ...]:
        by_name = value
        if isinstance(value, Mapping):
            by_name = {
                name: {"name": name, **table} if isinstance(table, Mapping) else table
                for name, table in value.items()
            }
        return tuple(read(by_name).values())

    return Raw(tables)


Lines: TypeAlias = Annotated[tuple[str, ...], several(Line)]
"""A list of lines, or one line."""


def some(value: C) -> C:
    """A list or table with at least one entry."""
    if not value:
        raise Fault("is empty", "write at least one")
    return value


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A check for `Annotated`: a number from `low` to `high`."""

    low: float
    high: float = math.inf

    def __call__(self, value: float) -> float:
        """The number, if it is within the limits.

        Raises:
            Fault: It is not.
        """
        if not self.low <= value <= self.high:
            raise Fault(f"is {value!r}", f"write a number {self}")
        return value

    def __str__(self) -> str:
        """The limits as words.

        >>> str(NumberRange(1)), str(NumberRange(0, 1))
        ('of at least 1', 'from 0 to 1')
        """
        if self.high == math.inf:
            return f"of at least {self.low:g}"
        return f"from {self.low:g} to {self.high:g}"


def within(low: float, high: float = math.inf) -> NumberRange:
    """A number from `low` to `high`."""
    return NumberRange(low, high)


def repeated(what: str, names: Iterable[str]) -> Iterator[Fault]:
    """What to say of names that occur several times.

    >>> [str(fault) for fault in repeated("page", ["a", "b", "a"])]
    ["the page 'a' occurs 2 times"]
    """
    for name, times in Counter(names).items():
        if times > 1:
            yield Fault(f"the {what} {name!r} occurs {times} times", "name each differently")
