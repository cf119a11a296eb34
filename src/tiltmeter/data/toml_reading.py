"""What a TOML file of the user's says, key by key, with everything that is wrong with it at once."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tiltmeter.core.errors import Problem

T = TypeVar("T")


@dataclass(slots=True)
class TomlReading:
    """A file that is being read. Problems are collected; the reader raises them together.

    >>> reading = TomlReading("form.toml")
    >>> reading.known({"tittle": "x"}, ("title",), "the form")
    >>> print(reading.problems[0])
    form.toml: the form has an unknown key 'tittle'; did you mean 'title'? known: title
    """

    file: str
    problems: list[Problem] = field(default_factory=list)

    def complain(self, reason: str, way_out: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(reason, way_out, file=self.file))

    def known(self, table: Mapping[str, Any], keys: Sequence[str], at: str) -> None:
        """Note every key that is not one of `keys`."""
        for key in table:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                self.complain(f"{at} has an unknown key {key!r}", f"{hint}known: {', '.join(keys)}")

    def tables(
        self,
        table: Mapping[str, Any],
        key: str,
        made: Callable[[Mapping[str, Any], str], T],
        shown: str = "",
    ) -> list[T]:
        """What is made of each table of the list `key`; an absent list is empty.

        Args:
            table: The table with the list.
            key: The list's key.
            made: Called with each table and how messages name it.
            shown: The list's full name, where it lies within another table.
        """
        value = table.get(key, [])
        if not (isinstance(value, list) and all(isinstance(entry, dict) for entry in value)):
            self.complain(f"{key} is not a list of tables", f"begin each with [[{shown or key}]]")
            return []
        return [made(entry, f"[[{shown or key}]] {i}") for i, entry in enumerate(value, start=1)]

    def table_in(self, table: Mapping[str, Any], key: str, at: str) -> Mapping[str, Any]:
        """The table under a key; {} where there is none."""
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self.complain(f"{at}: {key} is not a table", f"write [{key}] and its keys below")
        return {}
