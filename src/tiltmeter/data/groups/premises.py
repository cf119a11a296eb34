"""Premises that put a person of a group into a situation, such as "A Cuban person needs help.".

The packaged lists are those of Sotnikova et al. 2021; a TOML file of the user's has the same layout.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.typed_values import Fault
from tiltmeter.core.value_types import Line, repeated, some
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.files.toml_file import ListFile, read_list
from tiltmeter.data.groups.groups import agreeing
from tiltmeter.data.pairs.pairs import choose

PACKAGED = "inferences"
ANNOTATED = "annotated"
Kind: TypeAlias = Literal["daily", "triggering"]
MANUAL = "docs/studies/inferences.md"
_ARTICLE = re.compile(r"^An? ")


@dataclass(frozen=True, slots=True)
class PremiseGroup:
    """A group of people, and the labels by which premises name it."""

    name: Line
    domain: Line = ""
    labels: tuple[Line, ...] = ()
    """Without an article: "Cuban person", "man"; in a file the name by default."""
    aliases: tuple[Line, ...] = ()
    """Other spellings in published data."""

    def __post_init__(self) -> None:
        """Take the name for the label where there is none."""
        if not self.labels:
            object.__setattr__(self, "labels", (self.name,))

    @property
    def names(self) -> tuple[str, ...]:
        """What else the group is called."""
        return (*self.labels, *self.aliases)


@dataclass(frozen=True, slots=True)
class Situation:
    """What the person does or is, as the rest of a sentence."""

    text: Line
    """With its full stop: "needs help."."""
    kind: Kind = "daily"
    """daily, or triggering: one that may call up a stereotype of some group."""
    aliases: tuple[Line, ...] = ()
    annotated: bool = False
    """Whether people judged hypotheses about it."""


@dataclass(frozen=True, kw_only=True)
class PremiseFile(ListFile):
    """Groups and situations, with what their file says of itself."""

    groups: Annotated[tuple[PremiseGroup, ...], some]
    situations: Annotated[tuple[Situation, ...], some]

    def faults(self) -> Iterator[Fault]:
        """Names, labels and situations occur once."""
        yield from repeated("group", [one.name for one in self.groups])
        yield from repeated("label", [label for one in self.groups for label in one.labels])
        yield from repeated("situation", [one.text for one in self.situations])

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
    return read_premises(package_file(f"starter/{PACKAGED}.toml"))


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
    return read_list(PremiseFile, path, MANUAL, encoding=encoding)


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
