"""Lists of groups and situations, whose sentences ("A Cuban person needs help.") are premises of inferences.

The packaged lists are those of Sotnikova et al. 2021; a TOML file of the user's has the same layout.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, repeated, some
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.groups.articles import agreeing

Kind: TypeAlias = Literal["daily", "triggering"]
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
        """Use the name as the label where none is given."""
        if not self.labels:
            object.__setattr__(self, "labels", (self.name,))

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of the group, and other spellings of them."""
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
    """One TOML file of groups and situations."""

    packaged = ("inferences",)
    """The 61 groups and 102 situations of Sotnikova et al. 2021."""
    manual = "docs/studies/inferences.md"

    groups: Annotated[tuple[PremiseGroup, ...], some]
    situations: Annotated[tuple[Situation, ...], some]

    def faults(self) -> Iterator[Fault]:
        """Names, labels and situations that occur more than once."""
        yield from repeated("group", [group.name for group in self.groups])
        yield from repeated("label", [label for group in self.groups for label in group.labels])
        yield from repeated("situation", [situation.text for situation in self.situations])

    def parts_of(self, premise: str) -> tuple[PremiseGroup, Situation] | None:
        """The group and the situation of a premise, aliases included; None where it has neither.

        >>> group, situation = PremiseFile.named().parts_of("A Hindi person has an argument.")
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
        return {name.casefold(): group for group in self.groups for name in group.names}

    @cached_property
    def _situations(self) -> list[tuple[str, Situation]]:
        return [(text, s) for s in self.situations for text in (s.text, *s.aliases)]


def premise_of(label: str, situation: str) -> str:
    """The sentence that puts a person of this label into this situation.

    >>> premise_of("Amish person", "makes money.")
    'An Amish person makes money.'
    """
    return f"{agreeing('A ', label, '')}{label} {situation}"
