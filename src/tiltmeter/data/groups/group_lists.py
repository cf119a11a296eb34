"""Groups, pairs of opposite traits and templates: what one TOML file says, in any language.

Words may depend on a group's grammatical gender and on the form that a template asks for. Where they
do, a table stands in the place of the word, and `said` chooses from it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from tiltmeter.core.errors import UnknownName

Said: TypeAlias = Mapping[str, tuple[str, ...]]
"""Words by "gender form", form or gender; under "" those that never change."""

GROUP = "{group}"
TRAIT = "{trait}"
LEFT, RIGHT = "{left}", "{right}"


@dataclass(frozen=True, slots=True)
class Group:
    """A social group and how it is named in sentences."""

    name: str
    forms: Mapping[str, str]
    """By form: {"singular": "woman", "plural": "women"}."""
    domain: str = ""
    adjective: Said = field(default_factory=dict)
    """How it stands before another group's form in a crossing: "female"; {} where it cannot."""
    after: Said = field(default_factory=dict)
    """How it stands behind one that has no adjective: "with a disability"; {} where it cannot."""
    aliases: tuple[str, ...] = ()
    """Its names in other tables."""
    gender: str = ""
    """Grammatical, where words agree with it."""
    article: str = ""
    """English: "a" or "an", where the spelling does not tell ("an MP")."""
    parts: tuple["Group", ...] = ()
    """The two groups that a crossed one is made of."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called: its name, its aliases, its forms."""
        return self.name, *self.aliases, *self.forms.values()


@dataclass(frozen=True, slots=True)
class TraitPair:
    """Two opposite traits."""

    name: str
    left: Said
    right: Said
    more_left: Said = field(default_factory=dict)
    """Further words for the left trait."""
    more_right: Said = field(default_factory=dict)
    dimension: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return self.name, *self.aliases


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with a place for a group and one for a trait."""

    name: str
    """Its text with [group] and [trait]."""
    text: Said
    """With {group} and {trait}, each once."""
    form: str
    """Which form of the group it asks for."""
    family: str = ""
    domain: str = ""
    """Always "": lets templates be chosen as groups are."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return self.name, *(text for texts in self.text.values() for text in texts)


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """A prompt that asks for one of two opposite traits, given a group."""

    name: str
    text: str
    """With {group}, {left} and {right}, each once."""
    form: str
    """Which form of the group and of the traits it asks for."""


@dataclass(frozen=True, slots=True)
class CrossingRule:
    """Which groups may, or may not, be crossed; names of groups or of domains."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    either_way: bool = False
    """Also with first and second changed over."""
    why: str = ""

    def speaks_of(self, first: Group, second: Group) -> bool:
        """Whether this order of these two is meant."""
        straight = _among(first, self.first) and _among(second, self.second)
        turned = _among(second, self.first) and _among(first, self.second)
        return straight or (self.either_way and turned)


def _among(group: Group, names: Iterable[str]) -> bool:
    return group.name in names or group.domain in names


@dataclass(frozen=True, slots=True)
class GroupFile:
    """All that one file says, checked."""

    file: str
    name: str
    version: str
    language: str
    nouns: Mapping[str, Said]
    """By form, a noun that names no group: "person", "people"."""
    groups: tuple[Group, ...]
    pairs: tuple[TraitPair, ...]
    templates: tuple[Template, ...]
    choices: tuple[ChoicePrompt, ...] = ()
    """Wordings of the choice between two traits."""
    noun_gender: str = ""
    """The nouns' own gender, with which a sentence without a group agrees; "" for the group's."""
    article: str = "a"
    """English: "agree" makes "a" before a group "a" or "an"; "a" leaves templates as they are."""
    allow: tuple[CrossingRule, ...] = ()
    """Groups of one domain that are crossed all the same."""
    exclude: tuple[CrossingRule, ...] = ()
    """Groups that are not crossed."""
    source: str = ""
    licence: str = "not stated"
    warning: str = ""
    sha256: str = ""


def said(options: Said, gender: str = "", form: str = "") -> tuple[str, ...]:
    """The words for this gender and form; () where there are none.

    >>> cold = {"masculine": ("froid",), "feminine": ("froide",), "feminine plural": ("froides",)}
    >>> said(cold, "feminine", "plural"), said(cold, "masculine", "plural"), said(cold, "neuter")
    (('froides',), ('froid',), ())
    """
    for key in (f"{gender} {form}", form, gender):
        if key in options:
            return options[key]
    return options.get("", ())


class HasNames(Protocol):
    """Something that a user may name."""

    @property
    def name(self) -> str:
        """Its own name."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, its own first."""
        ...

    @property
    def domain(self) -> str:
        """What it is one of several of."""
        ...


N = TypeVar("N", bound=HasNames)


def known_as(things: Sequence[N]) -> dict[str, tuple[N, ...]]:
    """Which things a name means, upper and lower case alike: one, or all those of a domain.

    A thing's own name goes before others' aliases, and these before forms and domains.

    >>> woman = Group("woman", {"plural": "women"}, "gender", aliases=("females",))
    >>> [len(known_as([woman])[name]) for name in ("woman", "women", "females", "gender")]
    [1, 1, 1, 1]
    """
    known: dict[str, tuple[N, ...]] = {}
    for thing in things:
        known.setdefault(thing.name.casefold(), (thing,))
    for thing in things:
        for name in thing.names:
            known.setdefault(name.casefold(), (thing,))
    for domain in dict.fromkeys(thing.domain for thing in things if thing.domain):
        known.setdefault(domain.casefold(), tuple(t for t in things if t.domain == domain))
    return known


def chosen(kind: str, things: Sequence[N], names: str) -> list[N]:
    """Those of `things` that `names` lists, in the order of `things`; all where it is empty.

    Names are separated by commas, or by semicolons where a name has a comma in it.

    Raises:
        UnknownName: One of them is none.
    """
    wanted = [part.strip() for part in names.split(";" if ";" in names else ",")]
    wanted = [part for part in wanted if part]
    if not wanted:
        return list(things)
    known = known_as(things)
    meant = set()
    for name in wanted:
        if name.casefold() not in known:
            raise UnknownName(kind, name, [thing.name for thing in things])
        meant |= {thing.name for thing in known[name.casefold()]}
    return [thing for thing in things if thing.name in meant]
