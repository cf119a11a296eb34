"""Reads a large JSON text value by value, so that only the current one is in memory."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tiltmeter.core.reading.json_text import check_whole, fields_once, plain_fault

_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
NEAR = 16
"""An error so close to the end of what was read may only say that the rest is not read yet."""
LONGEST = 2**26
"""The characters that a value may have at most."""
OPEN = "Unterminated string"
"""How the error begins of a text that is not closed, which may be as long as it likes."""


class JsonStream:
    """A JSON text that comes in pieces.

    Args:
        pieces: The text.
        twice: Whether an object may have a field twice, of which the last counts.
    """

    def __init__(self, pieces: Iterator[str], *, twice: bool = False) -> None:
        self._pieces = pieces
        self._decoder = json.JSONDecoder(object_pairs_hook=None if twice else fields_once)
        self._text, self._at = "", 0
        self._lines = self._column = self._passed = 0
        """The lines before the text that is held, the characters of its first line and all before it."""
        self._counted = self._breaks = 0
        """Up to where the line breaks in the text are counted, and how many those are."""

    def next(self) -> str:
        """The next character that is not white space, which stays there; "" at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self) -> str:
        """The next character that is not white space."""
        char = self.next()
        self._at += len(char)
        return char

    @property
    def line(self) -> int:
        """The line of the next character, from 1."""
        self._breaks += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return 1 + self._lines + self._breaks

    def value(self) -> Any:
        """The next value.

        Raises:
            ValueError: It is broken, nested too deeply, has a field twice, or holds a number too long to be
                read or half a character.
        """
        self.next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_whole = error.pos < len(self._text) - NEAR and not error.msg.startswith(OPEN)
                if is_whole or not self._more():
                    raise self._placed(error) from None
                continue
            except (ValueError, RecursionError) as error:
                raise plain_fault(error) from None
            if end > len(self._text) - NEAR and self._more():
                continue  # a number may go on
            if _HALF.search(self._text, self._at, end):
                check_whole(value)
            self._at = end
            return value

    def values(self) -> Iterator[Any]:
        """The values of the list that is next.

        Raises:
            ValueError: As `value`; or a comma is missing.
        """
        self.take()
        while self.next() != "]":
            yield self.value()
            self._separated("]", "array")
        self.take()

    def fields(self) -> Iterator[str]:
        """The names of the fields of the object that is next; each value has to be read before the next name.

        Raises:
            ValueError: As `value`; or the object is broken.
        """
        self.take()
        while (char := self.next()) != "}":
            if char != '"':
                raise self.error("Expecting property name enclosed in double quotes")
            name = self.value()
            if self.next() != ":":
                raise self.error("Expecting ':' delimiter")
            self.take()
            yield name
            self._separated("}", "object")
        self.take()

    def _separated(self, end: str, kind: str) -> None:
        """Take the comma behind a member, which must be followed by another one; or find the end."""
        char = self.next()
        if char == ",":
            self.take()
            if self.next() == end:
                raise self.error(f"Illegal trailing comma before end of {kind}")
        elif char != end:
            raise self.error("Expecting ',' delimiter")

    def error(self, message: str) -> json.JSONDecodeError:
        """An error at the next character."""
        return self._placed(json.JSONDecodeError(message, self._text, self._at))

    def _placed(self, error: json.JSONDecodeError) -> json.JSONDecodeError:
        """The error with its line and column in the whole text."""
        if error.lineno == 1:
            error.colno += self._column
        error.lineno += self._lines
        error.pos += self._passed
        where = f"line {error.lineno} column {error.colno} (char {error.pos})"
        error.args = (f"{error.msg}: {where}",)
        return error

    def _more(self) -> bool:
        """Read as much again as is left, and let go of what was read before; False at the end.

        Raises:
            ValueError: The value that is being read is too long.
        """
        left = self._text[self._at :]
        if len(left) > LONGEST:
            raise ValueError(f"a value has more than {LONGEST:,} characters")
        further, length = [], 0
        while length <= len(left) and (piece := next(self._pieces, "")):
            further.append(piece)
            length += len(piece)
        if not further:
            return False
        passed = self._text[: self._at]
        if breaks := passed.count("\n"):
            self._lines, self._column = self._lines + breaks, 0
        self._passed += len(passed)
        self._column += len(passed) - passed.rfind("\n") - 1
        self._at = self._counted = self._breaks = 0
        self._text = "".join((left, *further))
        return True
