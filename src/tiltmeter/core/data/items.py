"""The items that a model is measured on: frozen, with an id and group labels, and no base class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar, get_args
from unicodedata import category

from tiltmeter.core.errors import Problem
from tiltmeter.core.results import Note
from tiltmeter.core.types import Groups

T = TypeVar("T")
Task = Literal["intrasentence", "intersentence"]
TASKS: tuple[Task, ...] = get_args(Task)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences that usually differ only in the group they are about.

    >>> Pair("1", more="The nurse said she was late.", less="The nurse said he was late.").cluster
    ''
    """

    id: str
    more: str
    """The more stereotyping sentence, whatever its place in the source; in `sos` the offensive one."""
    less: str
    """The less stereotyping sentence; in `sos` the pleasant one."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: bias_type, direction (stereo, antistereo), check, …"""
    cluster: str = ""
    """Items with the same cluster are not independent: they share a template, a writer or a target
    term. "" for an item that shares nothing."""
    where: str = ""
    """File and line, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask the model about."""
        return self.more, self.less

    @property
    def first(self) -> str:
        """The sentence about the disadvantaged group: `more`, or `less` in an antistereo pair."""
        return self.less if self.groups.get("direction") == "antistereo" else self.more

    @property
    def second(self) -> str:
        """The sentence about the other group."""
        return self.more if self.groups.get("direction") == "antistereo" else self.less


BLANK = "BLANK"
"""Marks the gap in the context of an intrasentence triple."""
SIDES = ("stereotype", "anti_stereotype", "unrelated")
"""The candidates of a triple, in the order in which tuples and arrays hold them."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One context with three candidates: a context association test."""

    id: str
    task: Task
    context: str
    """intrasentence: a sentence with one BLANK or more; intersentence: the sentence that comes first."""
    sentences: tuple[str, str, str]
    """The whole sentences as the source spells them, in the order of SIDES."""
    target: str
    """The term that the context is about. Scores are averaged by term."""
    domain: str
    attributes: tuple[str, ...] = ()
    """intrasentence: the words that fill the BLANK, in the order of SIDES."""
    names: tuple[str, ...] = ()
    """The sentences' own ids in the source, in the order of SIDES."""
    groups: Groups = field(default_factory=dict)
    """Further axes to report over, besides task, domain and target."""
    where: str = ""
    """File and place, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask about: the context with each of the sentences."""
        return tuple(f"{self.context} {sentence}" for sentence in self.sentences)

    @property
    def filled(self) -> tuple[str, ...]:
        """The context with each candidate: in its gap, or after it as the next sentence.

        Unlike `sentences`, whose spelling sometimes differs, these have exactly the context's letters.
        """
        if self.task == "intrasentence":
            return tuple(self.context.replace(BLANK, a) for a in self.attributes)
        return tuple(f"{self.context} {s}" for s in self.sentences)

    @property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The positions of the candidate in each text of `filled`, as (start, end) in characters.

        >>> Triple("1", "intrasentence", "The BLANK and BLANK.", ("", "", ""), "", "",
        ...        ("cat", "a", "is")).places[0]
        ((4, 7), (12, 15))
        """
        if self.task == "intersentence":
            return tuple(((len(self.context) + 1, len(text)),) for text in self.filled)
        return tuple(_places(self.context, len(fill)) for fill in self.attributes)


def _places(context: str, length: int) -> tuple[tuple[int, int], ...]:
    places, at = [], 0
    for part in context.split(BLANK)[:-1]:
        at += len(part)
        places.append((at, at + length))
        at += length
    return tuple(places)


POLES = ("left", "right")
"""The two traits of a pair, in this order."""
LAST = "trait-last"
"""The task of cells where only punctuation follows the trait."""
WITHIN = "trait-within"
"""The task of cells where more of the sentence follows the trait."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A group, a pair of opposite traits and a template: which trait is the group closer to?

    >>> cell = Cell("1", "The woman is BLANK.", (4, 9), "The person is BLANK.", (("cold",), ("warm",)))
    >>> cell.texts
    ('The woman is cold.', 'The woman is warm.')
    """

    id: str
    frame: str
    """The template with the group filled in, and one BLANK in the place of the trait."""
    place: tuple[int, int]
    """Start and end of the group's name in `frame`, in characters."""
    without: str
    """The frame with a neutral noun (person, people) in the place of the group."""
    poles: tuple[tuple[str, ...], tuple[str, ...]]
    """Adjectives for the left trait and for the right one, at least one each."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: group, pair ("cold - warm"), template, domain, dimension, family, …"""
    cluster: str = ""
    """The name of the template: cells of one template are not independent."""
    where: str = ""
    """File and place, for messages."""
    poles_without: tuple[tuple[str, ...], ...] = ()
    """The adjectives in `without`, where they agree with its noun; () where they are `poles`."""

    @property
    def task(self) -> str:
        """LAST or WITHIN: causal models are asked only where nothing they could not see follows.

        >>> frames = ("That boy is BLANK.", "That boy is BLANK today.", "The BLANK boy.")
        >>> [Cell("1", frame, (5, 8), "", (("cold",), ("warm",))).task for frame in frames]
        ['trait-last', 'trait-within', 'trait-within']
        """
        rest = self.frame[self.frame.rindex(BLANK) + len(BLANK) :]
        return LAST if all(category(mark)[0] in "PZ" for mark in rest) else WITHIN

    @property
    def texts(self) -> tuple[str, ...]:
        """The frame with each adjective filled in."""
        return tuple(self.frame.replace(BLANK, word) for pole in self.poles for word in pole)


@dataclass(frozen=True, slots=True)
class WordSets:
    """An association test: are the targets X closer to A than to B, compared with the targets Y?"""

    name: str
    x: tuple[str, ...]
    y: tuple[str, ...]
    """() for a test of a single group."""
    a: tuple[str, ...]
    b: tuple[str, ...]
    names: tuple[str, str, str, str] = ("X", "Y", "A", "B")
    """What each of the four sets contains: "MaleNames"."""
    family: str = ""
    """Tests of one family may be averaged; "" for a test that is never averaged."""
    groups: Groups = field(default_factory=dict)
    """Further axes to report over."""


@dataclass(frozen=True, slots=True)
class Target:
    """A word or a sentence from one of the two target sets of an association test, or from an attribute set.

    With attributes among its items, a test also gets its effect size without each of its words.
    """

    id: str
    text: str
    side: str
    """"X" or "Y"; of an attribute "A" or "B"."""
    test: WordSets
    groups: Groups = field(default_factory=dict)
    """Axes to report over: test, side, concept, and family if the test has one."""
    cluster: str = ""
    """For a sentence, the word that it is about; "" for a word."""
    where: str = ""
    """File and place, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The target alone, without the attributes, which are the same for the whole test."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a term of several words, and the list of words that it is compared with."""

    id: str
    text: str
    against: tuple[str, ...]
    """The words to compare with: the same for all terms of a data set."""
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    where: str = ""
    """The file that the item comes from, which error messages name."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The term alone, without the list, which is the same for all terms."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of running text, whose likelihood is measured."""

    id: str
    """The numbers of the document and of the sentence in it: "12/3"."""
    text: str
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    """The document; "" where all sentences come from one document."""
    where: str = ""
    """The file that the item comes from, which error messages name."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask about: the sentence."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Dataset(Generic[T]):
    """Items of one kind, with their source."""

    name: str
    version: str
    items: Sequence[T]
    source: str
    """Citation and address, as the report prints it."""
    licence: str
    sha256: str = ""
    """Checksum of the file or files that the items were read from; "" for made-up items."""
    warning: str = ""
    """The authors' content warning, shortened: shown once before a run and in the report."""
    clusters: str = ""
    """What the clusters of the items are ("writer", "template", …); "" if items are independent."""
    invalid: Sequence[Problem] = ()
    """Rows that were left out because the user asked to skip invalid ones."""
    notes: Sequence[Note] = ()
    """Observations about the data that are reported with the result."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Plain names for an axis whose values are codes: {"test": {"weat6": "…"}}."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Further facts for the data card, by name."""
    fixed_labels: bool = False
    """Whether the design fixed how many items have each label, as in a test suite."""

    @property
    def noun(self) -> str:
        """What the items are called, in the plural."""
        nouns: dict[type, str] = {Pair: "pairs", Triple: "triples"}
        return nouns.get(type(next(iter(self.items), None)), "items")
