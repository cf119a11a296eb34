"""Text that people read: that of others made safe to show or to compare, and numbers with their nouns."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby

_ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, overrides of the writing direction, separators of lines, broken surrogates."""
_DECIMAL = re.compile(r"[+-]?([0-9]++(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_CONTAINERS = (dict, list, tuple, Iterator)
"""What has values of its own in JSON."""
_ENCODED = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
"""Letters and digits, with apostrophes and hyphens inside."""
_OF_ONE = {"are": "is", "have": "has", "were": "was", "do": "does"}
"""Irregular verbs: the form in the plural, and that in the singular."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What spreadsheets run, as a cell's first character."""


def visible(text: str) -> str:
    r"""The text with characters that would act on the reader's screen spelled out instead.

    Control characters, overrides of the writing direction and broken surrogates; line breaks and
    tabs become spaces. Letters of every script, emoji and their joiners stay as they are.

    >>> visible("a\u202eb\x1b[31m")
    'a[U+202E]b[U+001B][31m'
    """
    return text if text.isprintable() else _ACTING.sub(_spelled, text)


def counted(n: int, counts: str, verb: str = "") -> str:
    """A number with its noun, and the verb where one is given; both are passed in the plural.

    >>> counted(1, "pairs"), counted(1508, "pairs"), counted(0, "identities"), counted(1, "people")
    ('1 pair', '1,508 pairs', '0 identities', '1 person')
    >>> counted(1, "replies", "were"), counted(2, "replies", "were")
    ('1 reply was', '2 replies were')
    """
    words = visible(counts) or "items"
    number = f"{n:,} {singular(words) if n == 1 else words}"
    return f"{number} {verb_for(n, verb)}" if verb else number


def verb_for(n: int, verb: str) -> str:
    """The verb, passed in the plural, that agrees with a number as its subject.

    >>> verb_for(1, "have"), verb_for(2, "have"), verb_for(1, "come")
    ('has', 'have', 'comes')
    """
    first, space, rest = verb.partition(" ")
    return f"{_OF_ONE.get(first, f'{first}s')}{space}{rest}" if n == 1 else verb


def singular(nouns: str) -> str:
    """The singular of a noun; of several words, of the one before "of" or else of the last.

    >>> [singular(nouns) for nouns in ("pairs of adjectives", "target terms", "axes", "classes")]
    ['pair of adjectives', 'target term', 'axis', 'class']
    """
    head, of, rest = nouns.partition(" of ")
    before, space, noun = head.rpartition(" ")
    for end, one in (("people", "person"), ("axes", "axis"), ("theses", "thesis"), ("series", "series"),
                     ("ies", "y"), ("sses", "ss"), ("s", "")):  # fmt: skip
        if noun.endswith(end):
            noun = noun.removesuffix(end) + one
            break
    return f"{before}{space}{noun}{of}{rest}"


def plural(noun: str) -> str:
    """The plural of a regular noun; of several words, of the one before "of" or else of the last.

    >>> [plural(noun) for noun in ("template", "category", "pair of adjectives", "target term")]
    ['templates', 'categories', 'pairs of adjectives', 'target terms']
    """
    first, of, rest = noun.partition(" of ")
    many = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{many}{of}{rest}"


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def shortened(text: str, most: int = 2_000) -> str:
    """A text of so many characters at most; of a longer one both ends, and how long it was.

    >>> shortened("a" * 50 + "b" * 50, most=40)
    'aaaaaaaaa … (100 characters) … bbbbbbbbb'
    """
    if len(text) <= most:
        return text
    left_out = f" … ({len(text):,} characters) … "
    kept = max(most - len(left_out), 2) // 2
    return text[:kept] + left_out + text[-kept:]


def in_bytes(count: float) -> str:
    """A number of bytes in words.

    >>> in_bytes(5_300_000_000), in_bytes(45_000_000), in_bytes(260_000)
    ('5.3 GB', '45 MB', '260 kB')
    """
    for size, unit, decimals in ((10**9, "GB", 1), (10**6, "MB", 0)):
        if count >= size:
            return f"{count / size:,.{decimals}f} {unit}"
    return f"{count / 1e3:,.0f} kB"


def visible_lines(text: str) -> str:
    r"""Like `visible`, for a message of several lines: its line breaks stay.

    >>> visible_lines("two bad rows:\na\x1bb")
    'two bad rows:\na[U+001B]b'
    """
    return "\n".join(map(visible, text.split("\n")))


def spreadsheet_text(text: str) -> str:
    """Text for a cell of a table file: visible, and never taken for a formula.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("age")
    ("'=1+1", 'age')
    """
    return ("'" if text.startswith(FORMULA) else "") + visible(text)


def json_text(value: object) -> str:
    r"""Indented JSON with every letter as it is, and what acts on a screen by its number.

    NaN and infinity are errors, not numbers.

    >>> print(json_text("é\u202eb"))
    "é\u202eb"
    """
    return _ACTING.sub(lambda match: _numbered(match[0]), indented_json(value))


def indented_json(value: object, depth: int = 0) -> str:
    """JSON as Python indents it by two spaces, with every letter as it is; NaN and infinity are errors.

    Python's own way with indents takes several times as long and has each comma in memory by itself.

    Args:
        value: What is written; an iterator is a list of which one value is in memory at a time.
        depth: How deep it stands in another value.

    >>> print(indented_json({"a": [1, 2.5], "b": {}, "c": None}))
    {
      "a": [
        1,
        2.5
      ],
      "b": {},
      "c": null
    }
    """
    if isinstance(value, dict):
        brackets, members = "{}", []
        for holds, fields in groupby(
            value.items(), lambda field: isinstance(field[1], _CONTAINERS)
        ):
            if holds:
                members += [
                    _ENCODED({key: 0})[1:-2] + indented_json(each, depth + 1)
                    for key, each in fields
                ]
            else:
                members.append(_at_depth(depth + 1)(dict(fields))[1:-1])
    elif isinstance(value, _CONTAINERS):
        brackets = "[]"
        members = [indented_json(each, depth + 1) for each in value]
    else:
        return _ENCODED(value)
    if not members:
        return brackets
    inner, outer = ("\n" + "  " * level for level in (depth + 1, depth))
    return f"{brackets[0]}{inner}{f',{inner}'.join(members)}{outer}{brackets[1]}"


@cache
def _at_depth(depth: int) -> Callable[[object], str]:
    """Writes an object or a list without others in it, each value on a line of its own."""
    separators = (",\n" + "  " * depth, ": ")
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=separators).encode


def json_line(value: object) -> str:
    """JSON in one line, with every letter as it is; NaN and infinity are errors."""
    return _ENCODED(value) + "\n"


def _spelled(match: re.Match[str]) -> str:
    return " " if match[0] in "\t\n\r" else f"[U+{ord(match[0]):04X}]"


def _numbered(char: str) -> str:
    # Line breaks occur only between JSON's values; inside strings they are escaped already.
    return char if char == "\n" else f"\\u{ord(char):04x}"


def decimal_number(text: str) -> float | None:
    """The number that a text writes in ASCII digits, infinity if it is too large; None if it writes none.

    >>> decimal_number(" -1.5e3 "), decimal_number("1_000"), decimal_number("nan")
    (-1500.0, None, None)
    """
    return float(text) if _DECIMAL.fullmatch(text.strip()) else None


def plain_words(text: str) -> str:
    """A text's words in lower case, by which two are compared.

    >>> plain_words("  He's late. ")
    "he's late"
    """
    return " ".join(word[0].casefold() for word in _WORD.finditer(text))


def raised(text: str) -> str:
    """The text with a capital first letter; the other letters are kept, and so is a symbol such as α.

    >>> raised("percent agreement"), raised("α without this annotator")
    ('Percent agreement', 'α without this annotator')
    """
    is_symbol = "α" <= text[:1] <= "ω" and not text[1:2].isalpha()
    return text if is_symbol else text[:1].upper() + text[1:]
