"""Answers that other programs stored as the number of an option, from 0 or from 1, or as its letter."""

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from tiltmeter.core.reading.typed_values import Fault

LONGEST = 4
"""Digits of a number that may be an option's."""
_LETTER = re.compile(r"\s*(?:\(?([A-Z])[).:]?|\(?([a-z])[).:])\s*")


def number_in(text: str) -> int | None:
    """The number that a text is, and nothing else; None where it is more or no number.

    >>> number_in(" 2 "), number_in("2 of them"), number_in("two")
    (2, None, None)
    """
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= LONGEST else None


def first_number(answers: Iterable[str], truths: Iterable[str], options: int) -> int | None:
    """Whether numbers count the options from 0 or from 1; None where nothing shows it.

    A 0 shows the one, the number of the options the other: among the answers, or else among the right ones.

    Args:
        answers: Texts, of which those that are numbers count.
        truths: The right answers, as they are stored beside.
        options: How many options a question has.

    >>> first_number(["2", "0"], [], 3), first_number(["1", "3"], ["0"], 3), first_number(["1"], ["0"], 3)
    (0, 1, 0)
    >>> first_number(["1", "2"], [], 3)
    """
    for texts in (answers, truths):
        numbers = {number_in(text) for text in texts}
        if (0 in numbers) != (options in numbers):
            return 0 if 0 in numbers else 1
    return None


def option_named(text: str, options: Sequence[str], first: int | None) -> str:
    """The option whose number or letter the text is; any other text as it is, and an option before both.

    Args:
        text: What is stored as the answer.
        options: In the order in which they are counted.
        first: The first one's number, of `first_number`.

    Raises:
        Fault: Nothing shows how options are counted.

    >>> option_named("1", ["Ann", "Ben"], 0), option_named("Ann.", ["Ann", "Ben"], 0)
    ('Ben', 'Ann.')
    >>> option_named("(B)", ["Ann", "Ben"], None), option_named("C", ["Ann", "Ben"], None)
    ('Ben', 'C')
    """
    if not options or text.strip() in options:
        return text
    if letter := _LETTER.fullmatch(text):
        place = ascii_uppercase.index((letter[1] or letter[2]).upper())
        return options[place] if place < len(options) else text
    number = number_in(text)
    if number is None:
        return text
    if first is None:
        raise Fault(
            f"its answer is the number {number}, and nothing shows whether options count from 0 or 1"
        )
    named = range(first, first + len(options))
    return options[named.index(number)] if number in named else text
