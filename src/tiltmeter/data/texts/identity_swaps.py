"""Identity terms exchanged in texts, and the texts in which that would break grammar or meaning.

Nothing is left out silently: every text with an identity term gives a swap, or a reason why it gives none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, TypeAlias

from tiltmeter.core.errors import known_names
from tiltmeter.core.reading.typed_values import OTHERS, UNREAD, Fault
from tiltmeter.core.reading.value_types import Line, some, via
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.toml_file import read_toml


def _single(term: str) -> str:
    if len(term.split()) > 1:
        way_out = "leave it out: words are exchanged one for one"
        raise Fault(f"is {term!r}, not a single word", way_out)
    return term


Term: TypeAlias = Annotated[Line, _single]


@dataclass(frozen=True)
class TermSets:
    """The sets of one attribute.

    >>> [str(fault) for fault in TermSets(("women", "men"), (("she", "he"), ("her",))).faults()]
    ['sets[2] is not one word for each of women, men']
    """

    groups: tuple[Line, ...]
    """What each place in a set is: women, men."""
    sets: Annotated[tuple[tuple[Term, ...], ...], some]

    def faults(self) -> Iterator[Fault]:
        """Sets that have not one term for each group, and groups that cannot be exchanged."""
        if len(self.groups) < 2 or max(Counter(self.groups).values()) > 1:  # noqa: PLR2004
            yield Fault("names fewer than two groups", 'write groups = ["women", "men"]')
        for number, terms in enumerate(self.sets, start=1):
            if len(terms) != len(self.groups):
                reason = f"is not one word for each of {', '.join(self.groups)}"
                yield Fault(reason, 'write sets = [["she", "he"], …]', f"sets[{number}]")


_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_BEGINS = re.compile(r"(?:^|[.!?…])[\s\"“‘(]*$")
_VOWEL = re.compile(r"(?!uni|eu|one)[aeiou]", re.IGNORECASE)


_Words: TypeAlias = Annotated[
    frozenset[str], via(tuple[Line, ...], lambda words: frozenset(map(str.lower, words)))
]


@dataclass(frozen=True, slots=True)
class Swap:
    """A text with its terms exchanged for those of another group, or why that is not done."""

    before: str
    """The group that the text names."""
    after: str
    text: str
    doubt: str = ""
    """Why the new text would be ungrammatical or mean something else; "" where nothing says so."""


@dataclass(frozen=True)
class SwapList(TermSets):
    """The terms of one attribute, and what a swap would break."""

    attribute: Annotated[str, UNREAD] = ""
    unclear: _Words = frozenset()
    """Words that are terms of people only before one of `people`; in lower case."""
    tied: _Words = frozenset()
    """Words that fit one group alone; in lower case."""
    people: Annotated[frozenset[str], UNREAD] = frozenset()

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        """By word, in lower case: the set that it is in, and its group."""
        places: dict[str, tuple[int, int]] = {}
        for number, words in enumerate(self.sets):
            for group, word in enumerate(words):
                places.setdefault(word.lower(), (number, group))
        return places

    def swaps(self, text: str) -> Iterator[Swap]:
        """The text for every other group; nothing where it holds no term.

        >>> swaps = SwapList(("women", "men"), (("woman", "man"),), tied=frozenset({"pregnant"}))
        >>> [one.text for one in swaps.swaps("An old woman.")], [*swaps.swaps("Rain.")]
        (['An old man.'], [])
        >>> [one.doubt for one in swaps.swaps("A pregnant woman.")]
        ["'pregnant' fits one group alone"]
        """
        words = [*_WORD.finditer(text)]
        known = ((i, self._places.get(word[0].lower())) for i, word in enumerate(words))
        mine = [(i, place) for i, place in known if place is not None]
        if not mine:
            return
        groups = sorted({group for _, (_, group) in mine})
        doubt = self._doubt(words, mine, groups)
        for other in range(len(self.groups)):
            if other in groups:
                continue
            new = [
                (words[i].span(), self.sets[number][other], self.sets[number][group])
                for i, (number, group) in mine
            ]
            yield Swap(self.groups[groups[0]], self.groups[other], exchanged(text, new), doubt)
        if len(groups) == len(self.groups):  # no other group is left, which the doubt says
            yield Swap(self.groups[groups[0]], self.groups[groups[1]], text, doubt)

    def _doubt(
        self,
        words: Sequence[re.Match[str]],
        mine: Sequence[tuple[int, tuple[int, int]]],
        groups: Sequence[int],
    ) -> str:
        """Why an exchange would break the text."""
        if len(groups) > 1:
            names = " and ".join(self.groups[group] for group in groups)
            return f"it names {names}, which an exchange would make one"
        texts = {word[0].lower() for word in words}
        if tied := sorted(texts & self.tied):
            return f"{tied[0]!r} fits one group alone"
        if loose := sorted((texts & self.unclear) - self._places.keys()):
            return f"{loose[0]!r} has several counterparts, and which one fits depends on grammar"
        for i, _ in mine:
            word = words[i][0].lower()
            after = words[i + 1][0].lower() if i + 1 < len(words) else ""
            if word in self.unclear and after not in self.people:
                return f"{word!r} may not be about people here"
        return ""


def exchanged(text: str, new: Sequence[tuple[tuple[int, int], str, str]]) -> str:
    """The text with other words in these places; capitals and a or an before them are kept right.

    `new` has the place, the new word, and the old one as the list spells it.

    >>> exchanged("He met an Asian man.", [((10, 15), "black", "Asian")])
    'He met a black man.'
    """
    written, at = "", 0
    for (start, end), word, listed in new:
        before = text[at:start]
        if old := _ARTICLE.search(before):
            article = "an" if _VOWEL.match(word) else "a"
            article = article.capitalize() if old[1][0].isupper() else article
            before = before[: old.start()] + article + old[2]
        begins = _BEGINS.search(text[:start]) is not None
        written += before + _cased(word, listed, text[start:end], begins=begins)
        at = end
    return written + text[at:]


def _cased(word: str, listed: str, like: str, *, begins: bool) -> str:
    """The new word with the capitals of the old one, unless the list spells that one with a capital."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    raised = like[:1].isupper() and (begins or not listed[:1].isupper())
    return word[:1].upper() + word[1:] if raised else word


@dataclass(frozen=True)
class _SwapFile:
    lists: Annotated[Mapping[str, SwapList], OTHERS]
    people: _Words = frozenset()


def swap_lists(path: str = "", attributes: str = "") -> list[SwapList]:
    """The lists of the package, or of a TOML file of the same shape, for some attributes joined by +.

    Raises:
        BadInput: The file cannot be read.
        BadItems: What it says cannot be used.
        UnknownName: There is no such attribute.
    """
    file = Path(path) if path else package_file("texts/identity_swaps.toml")
    read = read_toml(_SwapFile, file, "docs/how-to/classifiers.md")
    names = [part.strip() for part in attributes.split("+") if part.strip()] or [*read.lists]
    known_names(f"attribute in {file.name}", names, read.lists)
    return [replace(read.lists[name], attribute=name, people=read.people) for name in names]
