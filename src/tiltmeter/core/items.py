"""What we measure on. Frozen, with an id and the groups it concerns; no base class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar
from unicodedata import category

from tiltmeter.core.errors import Problem
from tiltmeter.core.results import Note
from tiltmeter.core.types import Groups

T = TypeVar("T")
Direction = Literal["stereo", "antistereo"]
Task = Literal["intrasentence", "intersentence"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences that differ, as a rule, only in whom they are about."""

    id: str
    more: str
    """The more stereotyping sentence, whatever order the source had; in `sos` the offensive one."""
    less: str
    """The less stereotyping sentence; in `sos` the pleasant one."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: bias_type, direction (stereo, antistereo), audit, …"""
    cluster: str = ""
    """What the item was made from (a template, a writer, a target term); "" where it stands alone."""
    where: str = ""
    """File and line, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that a rule may ask about."""
        return self.more, self.less

    @property
    def first(self) -> str:
        """The sentence about the disadvantaged group: `more` of a stereo pair, else `less`."""
        return self.less if self.groups.get("direction") == "antistereo" else self.more

    @property
    def second(self) -> str:
        """The other one."""
        return self.more if self.groups.get("direction") == "antistereo" else self.less


BLANK = "BLANK"
"""Marks the gap in the context of an intrasentence triple."""
SIDES = ("stereotype", "anti_stereotype", "unrelated")
"""The candidates of a triple, in this order wherever they stand in a row."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One context with three candidates: a context association test."""

    id: str
    task: Task
    context: str
    """intrasentence: a sentence with BLANK in it, once or more; intersentence: the sentence before."""
    sentences: tuple[str, str, str]
    """The whole sentences as the source has them, in the order of SIDES."""
    target: str
    """The term that the context is about: what results are averaged over."""
    domain: str
    attributes: tuple[str, ...] = ()
    """intrasentence: what fills the BLANK, in the order of SIDES."""
    names: tuple[str, ...] = ()
    """The sentences' own ids in the source, in the order of SIDES."""
    groups: Groups = field(default_factory=dict)
    """More axes to report over, beside task, domain and target."""
    where: str = ""
    """File and place, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that a rule may ask about: at most the context and a sentence at a time."""
        return tuple(f"{self.context} {sentence}" for sentence in self.sentences)

    @property
    def filled(self) -> tuple[str, ...]:
        """The context with each candidate in it: in the gap, or after the sentence before.

        The case of the letters is the context's, which published sentences often changed.
        """
        if self.task == "intrasentence":
            return tuple(self.context.replace(BLANK, a) for a in self.attributes)
        return tuple(f"{self.context} {s}" for s in self.sentences)

    @property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Where in each of `filled` the candidate stands: characters from and to, once or more.

        >>> Triple("1", "intrasentence", "The BLANK and BLANK.", ("", "", ""), "", "",
        ...        ("cat", "a", "is")).places[0]
        ((4, 7), (12, 15))
        """
        if self.task == "intersentence":
            return tuple(((len(self.context) + 1, len(text)),) for text in self.filled)
        return tuple(_places(self.context, len(fill)) for fill in self.attributes)


def _places(context: str, length: int) -> tuple[tuple[int, int], ...]:
    found, at = [], 0
    for part in context.split(BLANK)[:-1]:
        at += len(part)
        found.append((at, at + length))
        at += length
    return tuple(found)


POLES = ("left", "right")
"""The two traits of a pair, in this order."""
LAST = "trait-last"
"""The task of cells whose trait ends the sentence, but for a full stop or its like."""
WITHIN = "trait-within"
"""The task of the others."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A group, two opposite traits and a template: which of the two is the group nearer to?

    >>> cell = Cell("1", "The woman is BLANK.", (4, 9), "The person is BLANK.", (("cold",), ("warm",)))
    >>> cell.texts
    ('The woman is cold.', 'The woman is warm.')
    """

    id: str
    frame: str
    """The template with the group in it, and BLANK once where a trait goes."""
    place: tuple[int, int]
    """Characters of `frame` that name the group, from and to."""
    without: str
    """The frame with a noun in the group's place that names no group: person, people."""
    poles: tuple[tuple[str, ...], tuple[str, ...]]
    """Adjectives for the left trait and for the right one, at least one each."""
    groups: Groups = field(default_factory=dict)
    """group, pair ("cold - warm"), template, and more: domain, dimension, family, …"""
    cluster: str = ""
    """The template's name."""
    where: str = ""
    """File and place, for messages."""

    @property
    def task(self) -> str:
        """LAST or WITHIN: what stands behind the trait, causal models do not see.

        >>> frames = ("That boy is BLANK.", "That boy is BLANK today.", "The BLANK boy.")
        >>> [Cell("1", frame, (5, 8), "", (("cold",), ("warm",))).task for frame in frames]
        ['trait-last', 'trait-within', 'trait-within']
        """
        rest = self.frame[self.frame.rindex(BLANK) + len(BLANK) :]
        return LAST if all(category(mark)[0] in "PZ" for mark in rest) else WITHIN

    @property
    def texts(self) -> tuple[str, ...]:
        """The frame with each adjective in it."""
        return tuple(self.frame.replace(BLANK, word) for pole in self.poles for word in pole)


@dataclass(frozen=True, slots=True)
class WordSets:
    """An association test: are targets X nearer to attributes A than to B, more than Y are?"""

    name: str
    x: tuple[str, ...]
    y: tuple[str, ...]
    """() where the test is of one group."""
    a: tuple[str, ...]
    b: tuple[str, ...]
    names: tuple[str, str, str, str] = ("X", "Y", "A", "B")
    """What each set is a set of."""
    family: str = ""
    """Which other tests it may be averaged with; "" where with none."""
    groups: Groups = field(default_factory=dict)
    """More axes to report over."""


@dataclass(frozen=True, slots=True)
class Target:
    """A word or a sentence of an association test, on one of its two sides."""

    id: str
    text: str
    side: str
    """Either "X" or "Y"."""
    test: WordSets
    groups: Groups = field(default_factory=dict)
    """test, side, family where it is of one, concept."""
    cluster: str = ""
    """Of a sentence, the word that it is about; "" of a word."""
    where: str = ""
    """File and place, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its own; what it is held against is the same for all of a test."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a term of several words, and a list of words that it is held against."""

    id: str
    text: str
    against: tuple[str, ...]
    """The same for all terms of a data set."""
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    where: str = ""
    """File, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its own; what it is held against is the same for all."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of running text, of which is asked how likely it is."""

    id: str
    """The number of its document and its own in it: "12/3"."""
    text: str
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    """Its document; "" where all sentences are from one."""
    where: str = ""
    """File, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its own."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Dataset(Generic[T]):
    """Items of one kind, and where they come from."""

    name: str
    version: str
    items: Sequence[T]
    source: str
    """Citation and address, as the report prints it."""
    licence: str
    sha256: str = ""
    """Of the file or files that the items were read from; "" for made-up items."""
    warning: str = ""
    """The authors' own words of caution, in short: shown once before a run and in the report."""
    clusters: str = ""
    """What `Pair.cluster` names ("writer", "template", …); "" where items are independent."""
    invalid: Sequence[Problem] = ()
    """Rows that were left out because the user asked to skip what cannot be read."""
    notes: Sequence[Note] = ()
    """What the reader noticed and the result should say."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Plain names of the values of an axis, where these are codes: {"test": {"weat6": "…"}}."""
    about: Mapping[str, str] = field(default_factory=dict)
    """More lines for the data card."""
