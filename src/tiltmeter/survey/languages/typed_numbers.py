"""Numbers as people type them: in the digits of their language."""

import unicodedata

from tiltmeter.core.text import decimal_number

_SIGNS = str.maketrans(
    {"\u2212": "-", "\uff0d": "-", "\uff0b": "+", "\u066b": ".", "\uff0e": ".", ",": "."}
)
"""Minus, plus and decimal points; nobody is asked for thousands."""
_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u061c"))
"""Marks of direction, which keyboards for Arabic and Hebrew may add."""


def typed_number(text: str) -> float | None:
    """The number that somebody typed, in any digits and with a point or a comma; None where it is none.

    >>> typed_number("٤٢٫٥"), typed_number("४२"), typed_number("4,5"), typed_number("−7"), typed_number("x")
    (42.5, 42.0, 4.5, -7.0, None)
    """
    plain = text.translate(_MARKS).translate(_SIGNS)
    return decimal_number("".join(_ascii_digit(letter) for letter in plain))


def _ascii_digit(letter: str) -> str:
    digit = unicodedata.decimal(letter, None)
    return letter if digit is None else str(digit)
