"""Groups, pairs of opposite traits and templates: what one TOML file says, in any language.

Words may depend on a group's grammatical gender and on the form that a template asks for. Where they
do, a table stands in the place of the word, and `said` chooses from it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol, TypeAlias, TypeVar

from tiltmeter.core.data.items import BLANK
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.reading.typed_values import OTHERS, UNREAD, Fault, Raw, reader
from tiltmeter.core.reading.value_types import Line, Lines, Text, several, some
from tiltmeter.core.text import counted

GROUP = "{group}"
TRAIT = "{trait}"
LEFT, RIGHT = "{left}", "{right}"
_PLACE = re.compile(r"\{[^{}]*\}")


def _unmarked(text: str) -> str:
    if "|" in text or BLANK in text:
        raise Fault(f"is {text!r}", f"write it without the signs | and {BLANK}")
    return text


def _without_places(text: str) -> str:
    if GROUP in text or TRAIT in text:
        raise Fault(f"is {text!r}", f"{GROUP} and {TRAIT} are only for templates")
    return text


def with_places(*places: str) -> Callable[[str], str]:
    """A text with each of the places once, and no other."""

    def check(text: str) -> str:
        wrong = [
            f"has {place} {f'{times} times' if times else 'not at all'}"
            for place in places
            if (times := text.count(place)) != 1
        ]
        others = sorted(set(_PLACE.findall(text)) - set(places))
        wrong += [f"has a place {other}" for other in others]
        if wrong:
            way_out = f"write {', '.join(places[:-1])} and {places[-1]} once each, and no other"
            raise Fault(f"{text!r} {' and '.join(wrong)}", way_out)
        return text

    return check


def _one(words: tuple[str, ...]) -> tuple[str, ...]:
    if len(words) > 1:
        raise Fault(f"has {counted(len(words), 'words')}", "write one")
    return words


def _options(word: Any, *checks: Any) -> Raw:
    """Reads words by gender and form, or words that never change; one word, or a list of some."""
    read = reader(Mapping[str, Annotated[tuple[str, ...], several(word), some, *checks]])
    unchanging = reader(Annotated[tuple[str, ...], several(word), some, *checks])
    # An empty table is refused as an empty list of words is.
    return Raw(lambda v: read(v) if isinstance(v, Mapping) and v else {"": unchanging(v or [])})


Word: TypeAlias = Annotated[Line, _unmarked, _without_places]
Said: TypeAlias = Annotated[Mapping[str, tuple[str, ...]], _options(Word)]
"""Words by "gender form", form or gender; under "" those that never change."""
SaidOnce: TypeAlias = Annotated[Mapping[str, tuple[str, ...]], _options(Word, _one)]
TemplateTexts: TypeAlias = Annotated[
    Mapping[str, tuple[str, ...]], _options(Annotated[Line, _unmarked, with_places(GROUP, TRAIT)])
]


@dataclass(frozen=True, slots=True)
class Group:
    """A social group and how it is named in sentences."""

    name: Word
    forms: Annotated[Mapping[str, Word], OTHERS]
    """By form: {"singular": "woman", "plural": "women"}; in a file beside the other keys."""
    domain: Word = ""
    adjective: SaidOnce = field(default_factory=dict)
    """How it stands before another group's form in a crossing: "female"; {} where it cannot."""
    after: SaidOnce = field(default_factory=dict)
    """How it stands behind one that has no adjective: "with a disability"; {} where it cannot."""
    aliases: Lines = ()
    """The group's names in other tables."""
    gender: Word = ""
    """Grammatical, where words agree with it."""
    article: Literal["", "a", "an"] = ""
    """English: "a" or "an", where the spelling does not tell ("an MP")."""
    components: Annotated[tuple["Group", ...], UNREAD] = ()
    """The two groups that a crossed one is made of."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called: its name, its aliases, its forms."""
        return self.name, *self.aliases, *self.forms.values()


@dataclass(frozen=True, slots=True)
class TraitPair:
    """Two opposite traits, each in the words that agree with a group's gender and form."""

    left: Said
    right: Said
    name: Word = ""
    """By default both traits."""
    more_left: Said = field(default_factory=dict)
    """Further words for the left trait."""
    more_right: Said = field(default_factory=dict)
    dimension: Word = ""
    aliases: Lines = ()

    def __post_init__(self) -> None:
        """Name it after its traits."""
        if not self.name:
            first = (next(iter(words.values()))[0] for words in (self.left, self.right))
            object.__setattr__(self, "name", " - ".join(first))

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return self.name, *self.aliases


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with a place for a group and one for a trait."""

    text: Mapping[str, tuple[str, ...]]
    """With {group} and {trait}, each once."""
    name: str = ""
    """By default its text with [group] and [trait]."""
    form: str = ""
    """Which form of the group it asks for."""
    family: str = ""
    domain: str = ""
    """Always "": lets templates be chosen as groups are."""

    def __post_init__(self) -> None:
        """Name it after its text."""
        if not self.name:
            first = next(iter(self.text.values()))[0]
            name = first.replace(GROUP, "[group]").replace(TRAIT, "[trait]")
            object.__setattr__(self, "name", name)

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return self.name, *(text for texts in self.text.values() for text in texts)


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """A prompt that asks for one of two opposite traits, given a group."""

    name: Word
    text: Annotated[Text, with_places(GROUP, LEFT, RIGHT)]
    """With {group}, {left} and {right}, each once."""
    form: Word = ""
    """Which form of the group and of the traits it asks for."""


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


class _HasNames(Protocol):
    """What a user may name, by any of `names`, or by the domain that it shares with others."""

    @property
    def name(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def domain(self) -> str: ...


N = TypeVar("N", bound=_HasNames)


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
    """The `things` that `names` lists, in the order of `things`; all if it is empty.

    Names are separated by commas, or by semicolons where a name has a comma in it. The full stop at the end
    of a template may be left out.

    Raises:
        UnknownName: A name is none of theirs.
    """
    wanted = [part.strip() for part in names.split(";" if ";" in names else ",")]
    wanted = [part for part in wanted if part]
    if not wanted:
        return list(things)
    known = known_as(things)
    meant = set()
    for name in wanted:
        named = known.get(name.casefold()) or known.get(f"{name.casefold()}.")
        if named is None:
            raise UnknownName(kind, name, [thing.name for thing in things])
        meant |= {thing.name for thing in named}
    return [thing for thing in things if thing.name in meant]
