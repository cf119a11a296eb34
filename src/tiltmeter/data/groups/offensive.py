"""Words for social groups with offensive and pleasant adjectives: their file, and sentence pairs of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.reading.typed_values import Fault, Key, near_miss
from tiltmeter.core.reading.value_types import Line, some, via
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.groups.articles import agreeing
from tiltmeter.data.groups.group_lists import with_places
from tiltmeter.data.pairs.pairs import repeated_pairs

MARGINALISED, OTHER = STATUSES = ("marginalised", "non-marginalised")
ADJECTIVE, IDENTITY = PLACES = ("{adjective}", "{identity}")


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
    """Whether society marginalises the group or not: one of STATUSES."""


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
                f"has {counted(len(self.offensive), 'offensive words')} and "
                f"{counted(len(self.pleasant), 'pleasant ones')}",
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


@dataclass(frozen=True, kw_only=True)
class OffensiveFile(ListFile):
    """One TOML file of identities, adjectives and templates."""

    packaged = ("sos",)
    """The identities of Elsafoury 2023, and adjectives of our own."""
    manual = "docs/studies/sos.md"

    article: Literal["agree", "a"] = "a"
    """English: "agree" makes "a" before a word "a" or "an"; "a" leaves templates as they are."""
    templates: Annotated[tuple[Annotated[Line, with_places(*PLACES)], ...], some, _different]
    """Each with {adjective} and {identity} once."""
    identities: Annotated[tuple[Identity, ...], via(Mapping[Line, _Sides], _identities)]
    pairs: Annotated[
        tuple[tuple[str, str], ...],
        Key("adjectives"),
        via(_Adjectives, lambda both: tuple(zip(both.offensive, both.pleasant, strict=True))),
    ]
    """An offensive adjective and a pleasant one."""
    printed: Mapping[str, Word] = field(default_factory=dict)
    """How the source spells identities that the file spells otherwise."""

    def faults(self) -> Iterator[Fault]:
        """Other spellings than those of identities in the file."""
        words = [identity.word for identity in self.identities]
        for word in self.printed:
            if word not in words:
                hint = near_miss(word, words).strip() or "leave it out"
                yield Fault(f"{word!r} is not an identity in the file", hint, "printed")

    def spelled(self, word: str, spelling: str) -> str:
        """An identity as the file lists it, or "printed" as its source spells it."""
        return self.printed.get(word, word) if spelling == "printed" else word


def offensive_pairs(
    file: OffensiveFile, *, article: str = "agree", spelling: str = "corrected"
) -> Dataset[Pair]:
    """Every identity with every pair of adjectives in every template; `more` is the offensive one.

    `article` "agree" lets English "a" become "an" before a vowel where the file allows it; `spelling` writes
    identities as the file lists them ("corrected"), or as its source did ("printed").
    """
    agree = article == "agree" and file.article == "agree"
    items = [
        _pair(file, template, identity, number, agree=agree, spelling=spelling)
        for identity in file.identities
        for number in range(len(file.pairs))
        for template in file.templates
    ]
    about = {
        "identities": f"{len(file.identities):,}",
        "pairs of adjectives": f"{len(file.pairs):,}",
        "templates": f"{len(file.templates):,}",
        **counts_of(file.identities),
    }
    notes = notes_of("data", [*_one_sided(file.identities), *repeated_pairs(items)])
    return file.dataset(items, about, clusters="pair of adjectives", notes=notes)


def counts_of(identities: Sequence[Identity]) -> dict[str, str]:
    """By attribute, the identities of each status in words: "3 marginalised, 2 non-marginalised"."""
    counts = Counter((i.attribute, i.status) for i in identities)
    return {
        attribute: ", ".join(f"{n} {s}" for s in STATUSES if (n := counts[attribute, s]))
        for attribute in dict.fromkeys(i.attribute for i in identities)
    }


def _pair(
    file: OffensiveFile,
    template: str,
    identity: Identity,
    number: int,
    *,
    agree: bool,
    spelling: str,
) -> Pair:
    """Named by number, not by what it says: names are shown where texts are hidden."""
    pair, word = file.pairs[number], file.spelled(identity.word, spelling)
    more, less = (_said(template, adjective, word, agree=agree) for adjective in pair)
    groups = {"attribute": identity.attribute, "status": identity.status, "identity": identity.word}
    name = f"{identity.attribute}|{identity.word}|{number + 1}"
    if len(file.templates) > 1:
        shown = template.replace("{", "[").replace("}", "]")
        groups["template"], name = shown, f"{name}|{shown}"
    return Pair(name, more, less, groups, cluster=" - ".join(pair), where=file.file)


def _said(template: str, adjective: str, identity: str, *, agree: bool) -> str:
    """The filled template; with `agree`, "a" before a filled word becomes "an" where it must.

    >>> _said("You are a {adjective} {identity}", "awful", "artist", agree=True)
    'You are an awful artist'
    """
    text = template
    for place, word in ((ADJECTIVE, adjective), (IDENTITY, identity)):
        before, behind = text.split(place)
        begins = not any(mark.isalnum() or mark in "{}" for mark in before)
        start = agreeing(before, word, "") if agree else before
        text = f"{start}{word[:1].upper() + word[1:] if begins else word}{behind}"
    return text


def _one_sided(identities: Sequence[Identity]) -> list[str]:
    lone = [name for name, counts in counts_of(identities).items() if "," not in counts]
    why = "has identities of one status only, so there is no difference to report."
    return [f"{name} {why}" for name in lone]
