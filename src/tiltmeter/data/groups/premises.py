"""Premises that put a person of a group into a situation, such as "A Cuban person needs help.".

The packaged lists are those of Sotnikova et al. 2021; a TOML file of the user's has the same layout.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.data.files.toml_reading import TomlReading
from tiltmeter.data.groups.groups import agreeing
from tiltmeter.data.pairs.pairs import choose

PACKAGED = "inferences"
KINDS = ("daily", "triggering")
ANNOTATED = "annotated"
MANUAL = "docs/studies/inferences.md shows a whole file"
_ARTICLE = re.compile(r"^An? ")


@dataclass(frozen=True, slots=True)
class PremiseGroup:
    """A group of people, and the labels by which premises name it."""

    name: str
    domain: str
    labels: tuple[str, ...]
    """Without an article: "Cuban person", "man"."""
    aliases: tuple[str, ...] = ()
    """Other spellings in published data."""

    @property
    def names(self) -> tuple[str, ...]:
        """What else the group is called."""
        return (*self.labels, *self.aliases)


@dataclass(frozen=True, slots=True)
class Situation:
    """What the person does or is, as the rest of a sentence."""

    text: str
    """With its full stop: "needs help."."""
    kind: str
    """daily, or triggering: one that may call up a stereotype of some group."""
    aliases: tuple[str, ...] = ()
    annotated: bool = False
    """Whether people judged hypotheses about it."""


@dataclass(frozen=True)
class PremiseFile:
    """Groups and situations, with what their file says of itself."""

    file: str
    name: str
    version: str
    source: str
    licence: str
    sha256: str
    groups: tuple[PremiseGroup, ...]
    situations: tuple[Situation, ...]

    def parts_of(self, premise: str) -> tuple[PremiseGroup, Situation] | None:
        """The group and the situation of a premise, aliases included; None where it has neither.

        >>> group, situation = packaged_premises().parts_of("A Hindi person has an argument.")
        >>> group.name, situation.text
        ('Hindu', 'argues.')
        """
        plain = _ARTICLE.sub("", " ".join(premise.split()))
        for text, situation in self._situations:
            label = plain.removesuffix(text).rstrip()
            if label != plain and label.casefold() in self._labels:
                return self._labels[label.casefold()], situation
        return None

    @cached_property
    def _labels(self) -> dict[str, PremiseGroup]:
        return {name.casefold(): one for one in self.groups for name in one.names}

    @cached_property
    def _situations(self) -> list[tuple[str, Situation]]:
        return [(text, one) for one in self.situations for text in (one.text, *one.aliases)]


def premise_of(label: str, situation: str) -> str:
    """The sentence.

    >>> premise_of("Amish person", "makes money.")
    'An Amish person makes money.'
    """
    return f"{agreeing('A ', label, '')}{label} {situation}"


def packaged_premises() -> PremiseFile:
    """The 61 groups and 102 situations of Sotnikova et al. 2021."""
    with ExitStack() as stack:
        file = resources.files("tiltmeter.data") / "starter" / f"{PACKAGED}.toml"
        return read_premises(stack.enter_context(resources.as_file(file)))


def premises_named(source: str | Path | None, *, encoding: str = "") -> PremiseFile:
    """The lists that `source` means: the packaged ones, or a TOML file.

    Raises:
        BadInput: It is neither, or the file cannot be read.
        BadItems: What the file says cannot be used.
    """
    named = choose(source, PACKAGED, (PACKAGED,))
    return read_premises(named, encoding) if isinstance(named, Path) else packaged_premises()


def read_premises(path: Path, encoding: str = "") -> PremiseFile:
    """Read a TOML file with [[groups]] and [[situations]].

    Raises:
        BadInput: It cannot be read.
        BadItems: What it says cannot be used; all problems.
    """
    said = read_toml(path, MANUAL, encoding=encoding)
    reading = TomlReading(path.name, MANUAL)
    known = ("name", "version", "title", "source", "licence", "groups", "situations")
    reading.known(said, known, "the file")
    groups = [_group(reading, entry, at) for at, entry in reading.entries(said, "groups")]
    situations = [
        _situation(reading, entry, at) for at, entry in reading.entries(said, "situations")
    ]
    for key, some in (("groups", groups), ("situations", situations)):
        if not some and not reading.problems:
            reading.complain(f"there are no {key}", f"add one, beginning with [[{key}]]; {MANUAL}")
    _distinct(reading, groups, situations)
    if reading.problems:
        raise BadItems(reading.problems, way_out="Correct the file.")
    text = {key: reading.text(said, key, "the file") for key in known[:5]}
    return PremiseFile(
        path.name, text["name"] or path.stem, text["version"], text["source"] or path.name,
        text["licence"] or "not stated", sha256(path), tuple(groups), tuple(situations),
    )  # fmt: skip


def chosen_situations(file: PremiseFile, wanted: str, drawn: int) -> list[Situation]:
    """Those that people judged, all, or so many drawn at random, in the order of the file.

    Raises:
        BadInput: `wanted` is neither "annotated", "all" nor a number of situations.
    """
    every = list(file.situations)
    annotated = [one for one in every if one.annotated]
    if wanted in {ANNOTATED, "all"}:
        return annotated if annotated and wanted == ANNOTATED else every
    number = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
    if not 1 <= number <= len(every):
        raise BadInput(
            f"the setting situations is {wanted!r}",
            f"write all, annotated, or a whole number from 1 to {len(every)}",
        )
    some = np.random.default_rng(drawn).choice(len(every), number, replace=False)
    return [every[i] for i in np.sort(some)]


def _group(reading: TomlReading, entry: Mapping[str, Any], at: str) -> PremiseGroup:
    reading.known(entry, ("name", "domain", "labels", "aliases"), at)
    name = reading.text(entry, "name", at, needed=True)
    labels = reading.texts(entry, "labels", at) or (name,)
    aliases = reading.texts(entry, "aliases", at)
    return PremiseGroup(name, reading.text(entry, "domain", at), labels, aliases)


def _situation(reading: TomlReading, entry: Mapping[str, Any], at: str) -> Situation:
    reading.known(entry, ("text", "kind", "aliases", "annotated"), at)
    return Situation(
        reading.text(entry, "text", at, needed=True),
        reading.choice(entry, "kind", at, KINDS),
        reading.texts(entry, "aliases", at),
        reading.flag(entry, "annotated", at),
    )


def _distinct(
    reading: TomlReading, groups: Sequence[PremiseGroup], situations: Sequence[Situation]
) -> None:
    for what, names in (
        ("group", [one.name for one in groups]),
        ("label", [label for one in groups for label in one.labels]),
        ("situation", [one.text for one in situations]),
    ):
        twice = {name for name in names if name and names.count(name) > 1}
        for name in sorted(twice):
            reading.complain(f"the {what} {name!r} occurs twice", "remove one")
