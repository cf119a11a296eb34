"""What a TOML file says, value by value, with everything that is wrong with it collected."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tiltmeter.core.errors import Problem

T = TypeVar("T")


@dataclass(slots=True)
class TomlReading:
    """Values of one file. A value that cannot be used becomes a problem, and an empty value is returned.

    >>> reading = TomlReading("my.toml", "see the manual")
    >>> reading.number({"repeats": 0}, "repeats", "[settings.zero]", 1, at_least=1, whole=True)
    1
    >>> print(*reading.problems)
    my.toml: [settings.zero]: repeats is 0; write a whole number of at least 1
    """

    file: str
    manual: str = "see the manual"
    """Where a whole file is shown, for ways out."""
    problems: list[Problem] = field(default_factory=list)

    def complain(self, reason: str, way_out: str, *, line: int | None = None) -> None:
        """Add a problem."""
        self.problems.append(Problem(reason, way_out, file=self.file, line=line))

    def known(self, table: Mapping[str, Any], keys: Sequence[str], at: str) -> None:
        """Complain of every key that is not among `keys`."""
        for key in table:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                self.complain(f"{at} has an unknown key {key!r}", f"{hint}known: {', '.join(keys)}")

    def table(self, table: Mapping[str, Any], key: str, shown: str = "") -> Mapping[str, Any]:
        """The table under a key; {} where there is none."""
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        way_out = f"write [{shown or key}] and its keys below; {self.manual}"
        self.complain(f"{shown or key} is not a table", way_out)
        return {}

    def entries(
        self, table: Mapping[str, Any], key: str, shown: str = ""
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """Each table of the list under a key, with its name for messages: "[[texts]] 2"."""
        value = table.get(key, [])
        if not (isinstance(value, list) and all(isinstance(entry, dict) for entry in value)):
            way_out = f"begin each with [[{shown or key}]]; {self.manual}"
            self.complain(f"{shown or key} is not a list of tables", way_out)
            return []
        return [(f"[[{shown or key}]] {i}", entry) for i, entry in enumerate(value, start=1)]

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

    def text(self, table: Mapping[str, Any], key: str, at: str, *, needed: bool = False) -> str:
        """The text under a key, as it is; "" where there is none."""
        if key in table:
            return self._text(table[key], f"{at}: {key}")
        if needed:
            self.complain(f"{at} has no {key}", f'write {key} = "…"; {self.manual}')
        return ""

    def texts(self, table: Mapping[str, Any], key: str, at: str) -> tuple[str, ...]:
        """The texts under a key; () where there are none."""
        value = table.get(key, [])
        if isinstance(value, list):
            return tuple(self._text(one, f"{at}: {key}") for one in value)
        self.complain(f"{at}: {key} is not a list of texts", f'write {key} = ["…", "…"]')
        return ()

    def text_table(self, table: Mapping[str, Any], key: str, at: str) -> dict[str, str]:
        """A table of texts; {} where there is none."""
        found = self.table(table, key)
        return {name: self._text(one, f"{at}: {key}.{name}") for name, one in found.items()}

    def number(
        self,
        table: Mapping[str, Any],
        key: str,
        at: str,
        default: float,
        *,
        at_least: float = 0,
        at_most: float = 1_000_000,
        whole: bool = False,
    ) -> float:
        """The number under a key; the default where there is none or it cannot be used."""
        value = table.get(key, default)
        kinds = (int,) if whole else (int, float)
        if type(value) in kinds and at_least <= value <= at_most:
            return float(value)
        kind = "a whole number" if whole else "a number"
        limits = f"at least {at_least:g}"
        if at_most < 1_000_000:  # noqa: PLR2004
            limits = f"from {at_least:g} to {at_most:g}"
        joint = " of " if at_most >= 1_000_000 else " "  # noqa: PLR2004
        self.complain(f"{at}: {key} is {value!r}", f"write {kind}{joint}{limits}")
        return default

    def flag(self, table: Mapping[str, Any], key: str, at: str, *, default: bool = False) -> bool:
        """Whether a key is true; the default where it is absent."""
        value = table.get(key, default)
        if isinstance(value, bool):
            return value
        self.complain(f"{at}: {key} is {value!r}", "write true or false")
        return False

    def choice(self, table: Mapping[str, Any], key: str, at: str, options: Sequence[str]) -> str:
        """One of the options, the first where there is none."""
        value = table.get(key, options[0])
        if value in options:
            return str(value)
        listed = " or ".join(f'"{option}"' for option in options)
        self.complain(f"{at}: {key} is {value!r}", f"write {listed}")
        return options[0]

    def _text(self, value: Any, at: str) -> str:
        if not isinstance(value, str):
            self.complain(f"{at} is not text but {value!r}", "put it in quotation marks")
        elif not value:
            self.complain(f"{at} is empty", "write it, or leave the key out")
        elif any("\ud800" <= c <= "\udfff" or (c < " " and c not in "\n\t") for c in value):
            self.complain(f"{at} holds a control character", "remove it")
        else:
            return value
        return ""
