"""Identities × pairs of an offensive and a pleasant adjective, as sentence pairs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.results import notes_of
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.groups.groups import agreeing
from tiltmeter.data.groups.offensive_file import (
    ADJECTIVE,
    IDENTITY,
    STATUSES,
    Identity,
    OffensiveFile,
    read_offensive,
)
from tiltmeter.data.pairs.duplicates import repeated
from tiltmeter.data.pairs.pairs import choose

PACKAGED = "sos"
"""The lists that come with the package."""


def packaged() -> OffensiveFile:
    """The identities of Elsafoury 2023, and adjectives of our own."""
    return read_offensive(package_file(f"starter/{PACKAGED}.toml"))


def file_of(source: str | Path | None, *, encoding: str = "") -> OffensiveFile:
    """The packaged lists, or those of a TOML file.

    Raises:
        BadInput: `source` is neither, or the file cannot be read.
        BadItems: What the file says cannot be used.
    """
    named = choose(source, PACKAGED, (PACKAGED,))
    return read_offensive(named, encoding=encoding) if isinstance(named, Path) else packaged()


def offensive_pairs(
    file: OffensiveFile, *, article: str = "agree", spelling: str = "corrected"
) -> Dataset[Pair]:
    """Every identity with every pair of adjectives in every template; `more` is the offensive one.

    Args:
        file: The lists.
        article: "agree" lets English "a" become "an" before a vowel; "a" leaves it. A file whose own
            `article` is "a" is left as it is.
        spelling: "corrected" writes identities as the file lists them, "printed" as its source did.
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
    notes = notes_of("data", [*_one_sided(file.identities), *_twice(items)])
    return file.dataset(items, about, clusters="pair of adjectives", notes=notes)


def counts_of(identities: Sequence[Identity]) -> dict[str, str]:
    """By attribute, how many identities of either status there are."""
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
    """The sentence; "a" before a word that is put in becomes "an" where it must.

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
    return [
        f"{name} has identities of one status only, so there is no difference to report."
        for name in lone
    ]


def _twice(pairs: Sequence[Pair]) -> list[str]:
    again = repeated((pair.more, pair.less) for pair in pairs)
    if not again:
        return []
    shown = ", ".join(pairs[i].id for i in again[0])
    return [f"{len(again)} pairs occur more than once, and each copy counts (ids {shown}, …)."]
