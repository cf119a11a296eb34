"""Premises that put a person of a group into a situation, such as "A Cuban person needs help.", as items.

The packaged lists are those of Sotnikova et al. 2021; a TOML file of the user's has the same layout. There is
an item for each group, situation, relation and rank of a hypothesis.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias, Unpack

import numpy as np

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, AskedInference
from tiltmeter.core.results import Note
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.study_words import StudyWords
from tiltmeter.core.typed_values import Fault
from tiltmeter.core.value_types import Line, repeated, some
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.groups.group_lists import chosen
from tiltmeter.data.groups.groups import agreeing
from tiltmeter.data.prompts.prompt_items import DRAWN, MOST, check_drawn, names_in, whole_setting

ANNOTATED = "annotated"
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


def chosen_situations(file: PremiseFile, wanted: str, drawn: int) -> list[Situation]:
    """Those that people judged, all, or so many drawn at random, in the order of the file.

    Raises:
        BadInput: `wanted` is neither "annotated", "all" nor a number of situations.
    """
    every = list(file.situations)
    annotated = [situation for situation in every if situation.annotated]
    if wanted in {ANNOTATED, "all"}:
        return annotated if annotated and wanted == ANNOTATED else every
    number = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
    if not 1 <= number <= len(every):
        reason = f"the setting situations is {wanted!r}"
        raise BadInput(reason, f"write all, annotated, or a whole number from 1 to {len(every)}")
    some = np.random.default_rng(drawn).choice(len(every), number, replace=False)
    return [every[i] for i in np.sort(some)]


WORDS = StudyWords.beside(__file__)
SETTINGS = (*WORDS.settings[:6], *DRAWN, *WORDS.settings[6:], WRAP)


def load_inferences(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[AskedInference]:
    """The premises of the packaged lists, or of a TOML file of the user's."""
    values = with_defaults(SETTINGS, settings)
    check_drawn(values)
    file = PremiseFile.named(source, encoding=reading.get("encoding", ""))
    groups = chosen("group", file.groups, values["groups"])
    drawn = whole_setting(values, "drawn", 0, 0, 2**32)
    situations = chosen_situations(file, values["situations"].strip(), drawn)
    return inferences_of(file, groups, situations, values)


def inferences_of(
    file: PremiseFile,
    groups: Sequence[PremiseGroup],
    situations: Sequence[Situation],
    settings: Mapping[str, str],
) -> Dataset[AskedInference]:
    """The items of these groups and situations."""
    relations = names_in(settings["relations"])
    if not relations:
        raise BadInput("the setting relations names none", "write neutral, or xAttr,xEffect,oWant")
    count = whole_setting(settings, "hypotheses", 3, 1, MOST)
    place = {situation.text: i for i, situation in enumerate(file.situations)}
    each = settings["labels"] == "each"

    def labels(group: PremiseGroup, situation: Situation) -> tuple[str, ...]:
        if each:
            return group.labels
        turn = place[situation.text] if settings["labels"] == "turn" else 0
        return (group.labels[turn % len(group.labels)],)

    items = [
        AskedInference(
            f"{label if each else group.name}|{situation.text.rstrip('.')}|{relation}|{rank}",
            premise_of(label, situation.text),
            label,
            relation,
            rank,
            _axes(group, situation, relation if len(relations) > 1 else ""),
            situation.text.rstrip("."),
            file.file,
        )
        for group in groups
        for situation in situations
        for label in labels(group, situation)
        for relation in relations
        for rank in range(count)
    ]
    about = {
        "groups": f"{len(groups):,}",
        "situations": f"{len(situations):,}",
        "relations": ", ".join(relations),
        "premises": f"{len(items) // (len(relations) * count):,}",
    }
    warning = "Models may write stereotypes of the groups, and insults."
    notes = _notes(groups, situations)
    return file.dataset(items, about, warning=warning, clusters="situation", notes=notes)


def _axes(group: PremiseGroup, situation: Situation, relation: str) -> dict[str, str]:
    axes = {
        "group": group.name,
        "domain": group.domain,
        "kind": situation.kind,
        "relation": relation,
        "situation": situation.text.rstrip("."),
    }
    return {axis: label for axis, label in axes.items() if label}


def _notes(groups: Sequence[PremiseGroup], situations: Sequence[Situation]) -> list[Note]:
    texts = {
        "With one group there is no other to compare it with in the same situation.": groups,
        "With one situation, nothing says how much situations differ.": situations,
    }
    return [Note("caution", text) for text, several in texts.items() if len(several) == 1]
