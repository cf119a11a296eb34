"""Identities and offensive and pleasant adjectives from a TOML file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.typed_values import Fault, Key, near_miss
from tiltmeter.core.value_types import Line, some, via
from tiltmeter.data.files.toml_file import ListFile, read_list

MARGINALISED, OTHER = STATUSES = ("marginalised", "non-marginalised")
ADJECTIVE, IDENTITY = PLACES = ("{adjective}", "{identity}")


def _template(text: str) -> str:
    for place in PLACES:
        if (times := text.count(place)) != 1:
            shown = f"{times} times" if times else "not at all"
            raise Fault(f"{text!r} has {place} {shown}", "write it once")
    if set("{}") & set(text.replace(ADJECTIVE, "").replace(IDENTITY, "")):
        raise Fault(f"{text!r} has other braces", f"there are {' and '.join(PLACES)} only")
    return text


def _word(text: str) -> str:
    if any(mark in text for mark in "|{}"):
        raise Fault(f"is {text!r}", "leave out the signs |, { and }")
    return " ".join(text.split())


def _different(words: tuple[str, ...]) -> tuple[str, ...]:
    seen: set[str] = set()
    for word in words:
        if word.casefold() in seen:
            raise Fault(f"has {word!r} more than once", "write it once")
        seen.add(word.casefold())
    return words


Word: TypeAlias = Annotated[Line, _word]
Words: TypeAlias = Annotated[tuple[Word, ...], some, _different]


@dataclass(frozen=True, slots=True)
class Identity:
    """A word or term that names a social group."""

    word: str
    attribute: str
    status: str
    """One of STATUSES."""


@dataclass(frozen=True, slots=True)
class _Sides:
    marginalised: Words = ()
    others: Annotated[Words, Key(OTHER)] = ()

    def faults(self) -> Iterator[Fault]:
        for check in (some, _different):
            check(self.marginalised + self.others)
        yield from ()


@dataclass(frozen=True, slots=True)
class _Adjectives:
    offensive: Words
    pleasant: Words

    def faults(self) -> Iterator[Fault]:
        if len(self.offensive) != len(self.pleasant):
            yield Fault(
                f"has {len(self.offensive)} offensive words and {len(self.pleasant)} pleasant ones",
                "make both lists equally long: the n-th of each make a pair",
            )
        pleasant = {word.casefold() for word in self.pleasant}
        for word in self.offensive:
            if word.casefold() in pleasant:
                yield Fault(f"has {word!r} in both lists", "leave it in one of them")


def _identities(by_attribute: Mapping[str, _Sides]) -> tuple[Identity, ...]:
    return tuple(
        Identity(word, attribute, status)
        for attribute, sides in some(by_attribute).items()
        for status, words in zip(STATUSES, (sides.marginalised, sides.others), strict=True)
        for word in words
    )


def _pairs(adjectives: _Adjectives) -> tuple[tuple[str, str], ...]:
    return tuple(zip(adjectives.offensive, adjectives.pleasant, strict=True))


@dataclass(frozen=True, kw_only=True)
class OffensiveFile(ListFile):
    """All that one file says, checked."""

    article: Literal["agree", "a"] = "a"
    """English: "agree" makes "a" before a word "a" or "an"; "a" leaves templates as they are."""
    templates: Annotated[tuple[Annotated[Line, _template], ...], some, _different]
    """Each with {adjective} and {identity} once."""
    identities: Annotated[tuple[Identity, ...], via(Mapping[Line, _Sides], _identities)]
    pairs: Annotated[tuple[tuple[str, str], ...], Key("adjectives"), via(_Adjectives, _pairs)]
    """An offensive adjective and a pleasant one."""
    printed: Mapping[str, Word] = field(default_factory=dict)
    """How the source spells identities that the file spells otherwise."""

    def faults(self) -> Iterator[Fault]:
        """Other spellings are of identities in the file."""
        words = [identity.word for identity in self.identities]
        for word in self.printed:
            if word not in words:
                hint = near_miss(word, words).strip() or "leave it out"
                yield Fault(f"{word!r} is not an identity in the file", hint, "printed")

    def spelled(self, word: str, spelling: str) -> str:
        """An identity as the file lists it, or "printed" as its source spells it."""
        return self.printed.get(word, word) if spelling == "printed" else word


def read_offensive(path: str | Path, *, encoding: str = "") -> OffensiveFile:
    """Read and check a file of identities and adjectives; errors as in `read_toml`."""
    manual = "docs/studies/sos.md"
    return read_list(OffensiveFile, Path(path), manual, encoding=encoding)
