"""Thresholds as text: `mine/rate:race=Black.low > 60`, read and written.

[STUDY/]MEASURE[:AXIS=VALUE,…][.FIELD] SIGN NUMBER, or of a difference [STUDY/]MEASURE[:AXIS=VALUE,…] CLAIM
[MARGIN], with a claim of equivalence. What could be mistaken for a sign of this grammar stands
in double quotes, and a double quote inside them is doubled.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from tiltmeter.core.text import visible

Field: TypeAlias = Literal["value", "low", "high", "p", "p_adjusted", "n"]
"""Which number of an estimate is compared with the bound."""
FIELDS: Final[Sequence[Field]] = get_args(Field)
Labels: TypeAlias = Mapping[str, Mapping[str, str]]
"""Plain names by axis and value, as a card has them; those of the axes are under "axis"."""
Claim: TypeAlias = Literal["", "equivalent", "not_worse"]
"""What has to be shown of a difference, within its margin."""
CLAIMS: Final[Sequence[Claim]] = ("equivalent", "not_worse")
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_CONDITION = re.compile(rf"(?s)(.*)(>=|<=|>|<)\s*({_NUMBER})\s*")
_CLAIM = re.compile(rf"(?s)(.*\S)\s+({'|'.join(CLAIMS)})(?:\s+([0-9.]+\s*%?))?\s*")
_FIELD = re.compile(rf"(?s)(.*)\.({'|'.join(FIELDS)})\s*")
_BARE_STUDY = r"[\w.-]+(?: \([^()/\"]*\))?"
"""A study, with the options that tell two runs of it apart."""
_STUDY = re.compile(rf"(?s)\s*({_BARE_STUDY}|[\ud800-\udbff])\s*/(.*)")
"""A study, and what follows the slash."""
_QUOTED = re.compile(r'(?:(?<=[\s/:,=])|^)"((?:[^"]|"")*)"(?=\s*(?:[/:,=.<>]|$))')
"""A part in quotes: it fills its place, so that quotes within a bare part are a part of it."""
_FIRST, _LAST = "\ud800", "\udbff"
"""Halves of characters, which no text has: each holds a quoted part while the rest is split."""
_NEEDS_QUOTES = re.compile(rf"[\",=:<>/]|^\s|\s$|^$|\.(?:{'|'.join(FIELDS)})$")


@dataclass(frozen=True, slots=True)
class WrittenThreshold:
    """The parts of a threshold's text."""

    study: str
    """"" where it names none."""
    measure: str
    subset: Mapping[str, str]
    """Values by axis; {} is all items, or whatever `printed` names."""
    printed: str
    """A subset without its axes, as a table prints it: "Black × male". "" where axes are named."""
    field: Field
    sign: str
    bound: float
    claim: Claim = ""
    """What has to be shown of the difference in the measure; then there is neither sign nor bound."""
    margin: str = ""
    """The margin of the claim as it is written; "" where it names none."""

    @property
    def address(self) -> str:
        """The estimate that it is about, as text."""
        return address(self.measure, self.subset, study=self.study, printed=self.printed)


def read_condition(text: str) -> WrittenThreshold | None:
    """The parts of a threshold; None where the text is none.

    >>> made = read_condition('mine/rate:race="Black, African",sex=f.low >= 60')
    >>> made.study, made.measure, made.subset, made.field, made.bound
    ('mine', 'rate', {'race': 'Black, African', 'sex': 'f'}, 'low', 60.0)
    >>> read_condition("rate:Black × male > 1").printed
    'Black × male'
    """
    whole = _CONDITION.fullmatch(text)
    made = None if whole is None else _read_place(whole[1])
    if whole is None or made is None:
        return None
    return replace(made, sign=whole[2], bound=float(whole[3]))


def read_claim(text: str) -> WrittenThreshold | None:
    """The parts of a claim that has to be shown; None where the text is none.

    >>> made = read_claim("mine/perplexity not_worse 2%")
    >>> made.study, made.measure, made.claim, made.margin
    ('mine', 'perplexity', 'not_worse', '2%')
    """
    whole = _CLAIM.fullmatch(text)
    made = None if whole is None else _read_place(whole[1])
    if whole is None or made is None or made.field != "value":
        return None
    claim = next(name for name in CLAIMS if name == whole[2])
    return replace(made, claim=claim, margin=(whole[3] or "").replace(" ", ""))


def _read_place(text: str) -> WrittenThreshold | None:
    """What stands before a sign or a claim; None where it names nothing."""
    if any(_FIRST <= char <= _LAST for char in text):
        return None
    quotes: list[str] = []

    def hold(match: re.Match[str]) -> str:
        quotes.append(match[1].replace('""', '"'))
        return chr(ord(_FIRST) + len(quotes) - 1)

    def unheld(part: str) -> str:
        return "".join(
            quotes[ord(char) - ord(_FIRST)] if _FIRST <= char <= _LAST else char
            for char in part.strip()
        )

    place = _QUOTED.sub(hold, text.rstrip())
    field_match = _FIELD.fullmatch(place)
    place, field = (field_match[1], field_match[2]) if field_match else (place, "value")
    study_match = _STUDY.fullmatch(place)
    study, place = (unheld(study_match[1]), study_match[2]) if study_match else ("", place)
    measure, colon, rest = place.partition(":")
    parts = _parts(rest)
    if not measure.strip() or (colon and not parts):
        return None
    pairs = [part.partition("=") for part in parts]
    if any(sign for _, sign, _ in pairs):
        if not all(axis.strip() and value.strip() for axis, _, value in pairs):
            return None
        subset, printed = {unheld(axis): unheld(value) for axis, _, value in pairs}, ""
    else:
        subset, printed = {}, unheld(rest)
    named = next(name for name in FIELDS if name == field)
    return WrittenThreshold(study, unheld(measure), subset, printed, named, "", 0.0)


def _parts(text: str) -> list[str]:
    """AXIS=VALUE, AXIS=VALUE; a comma before something else belongs to the value before it."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in parts[-1] and "=" not in part:
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts if text.strip() else []


def address(measure: str, subset: Mapping[str, str], *, study: str = "", printed: str = "") -> str:
    """An estimate as a threshold names it, with quotes where they are needed.

    >>> address("rate", {"race": "Black", "job": "nurse, night"}, study="mine")
    'mine/rate:race=Black,job="nurse, night"'
    """
    bare = re.fullmatch(_BARE_STUDY, study)
    start = f"{study if bare else _in_quotes(study)}/" if study else ""
    pairs = ",".join(f"{_quoted(axis)}={_quoted(value)}" for axis, value in subset.items())
    where = pairs or (_quoted(printed) if printed else "")
    return f"{start}{_quoted(measure)}{':' if where else ''}{where}"


def _quoted(text: str) -> str:
    """The text, in quotes where it could be mistaken for something else."""
    return _in_quotes(text) if _NEEDS_QUOTES.search(text) else text


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@lru_cache(maxsize=10_000)
def printed_key(text: str) -> str:
    """What two spellings of a printed text have in common: letter case and kinds of space do not count.

    >>> printed_key("Bias\u00a0type ") == printed_key("bias type")
    True
    """
    return " ".join(unicodedata.normalize("NFC", visible(text)).casefold().split())


def axis_keys(axis: str, labels: Labels) -> set[str]:
    """Every way to name an axis."""
    label = labels.get("axis", {}).get(axis, axis)
    return {printed_key(name) for name in (axis, axis.replace("_", " "), label)}


def value_keys(axis: str, value: str, labels: Labels) -> set[str]:
    """Every way to name a value of an axis."""
    return {printed_key(value), printed_key(labels.get(axis, {}).get(value, value))}
