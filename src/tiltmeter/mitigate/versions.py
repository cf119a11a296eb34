"""Sentences of a corpus that name a group, each in a version for every group.

With the sets (she, he) and (her, his), the versions of "She sold her car." are this sentence and "He sold his
car.".
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.reading.typed_values import OTHERS
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.data.groups.offensive import OffensiveFile
from tiltmeter.data.texts.identity_swaps import TermSets

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
LONGEST = 60
"""The greatest number of words in a sentence that is used.

In longer ones, a single word has little effect on the mean over all words.
"""


@dataclass(frozen=True)
class Sets(TermSets):
    """Defining words: sets of words that differ only in the group, with one word for each group."""

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        places: dict[str, tuple[int, int]] = {}
        for number, words in enumerate(self.sets):
            for group, word in enumerate(words):
                places.setdefault(word, (number, group))
        return places

    def place(self, word: str) -> tuple[int, int] | None:
        """The number of the first set that has this word, and the number of the group that it names there.

        None where no set has it. A word that the sets write with a capital is recognised only with one:
        if "Black" names a group, "black" does not.

        >>> sets = Sets(("a", "b"), (("Black", "White"), ("she", "he")))
        >>> sets.place("White"), sets.place("white"), sets.place("He"), sets.place("SHE")
        ((0, 1), None, (1, 1), (1, 0))
        """
        either = self._places.get(word) or self._places.get(word.lower())
        return either or (self._places.get(word.title()) if word.isupper() else None)

    def named(self, sentence: str) -> set[int]:
        """The numbers of the groups that a sentence names.

        >>> Sets(("a", "b"), (("she", "he"),)).named("He said she knew.")
        {0, 1}
        """
        places = (self.place(word) for word in _WORD.findall(sentence))
        return {place[1] for place in places if place}


@dataclass(frozen=True, slots=True)
class SentenceVersions:
    """A sentence that names one group, in a version for every group."""

    group: int
    """The number of the group that the sentence names in the corpus."""
    texts: tuple[str, ...]
    """The version for each group, in the order of the groups."""


def versions(sentences: Iterable[str], sets: Sets) -> Iterator[SentenceVersions]:
    """The sentences that name exactly one group, with all defining words exchanged in each version.

    Sentences that name several groups or have more than LONGEST words are left out. Capitals are kept.

    >>> sets = Sets(("female", "male"), (("she", "he"), ("her", "his")))
    >>> [sentence.texts for sentence in versions(["She sold her car.", "He met her.", "It rained."], sets)]
    [('She sold her car.', 'He sold his car.')]
    """
    for sentence in sentences:
        words = list(_WORD.finditer(sentence))
        mine = [(w, place) for w in words if (place := sets.place(w[0]))]
        groups = {group for _, (_, group) in mine}
        if len(groups) != 1 or len(words) > LONGEST:
            continue
        texts = tuple(
            _exchanged(sentence, [(w.span(), sets.sets[number][group]) for w, (number, _) in mine])
            for group in range(len(sets.groups))
        )
        yield SentenceVersions(groups.pop(), texts)


def turned(sentence: str, sets: Sets) -> tuple[str, ...] | None:
    """The sentence, followed by the versions in which every group is replaced by another in turn.

    In the first of these, each defining word is exchanged for the one of the next group, in the second for
    the one of the group after that, and so on; the last group is followed by the first. There are as many
    texts as groups, so that every group occurs equally often, also where a sentence names several. None
    if the sentence names no group.

    >>> turned("He met her.", Sets(("female", "male"), (("she", "he"), ("her", "his"))))
    ('He met her.', 'She met his.')
    """
    mine = [(w.span(), *place) for w in _WORD.finditer(sentence) if (place := sets.place(w[0]))]
    if not mine:
        return None
    n = len(sets.groups)
    others = (
        _exchanged(
            sentence, [(span, sets.sets[number][(group + by) % n]) for span, number, group in mine]
        )
        for by in range(1, n)
    )
    return (sentence, *others)


def neutral(sentences: Iterable[str], sets: Sets) -> Iterator[str]:
    """The sentences of at most LONGEST words that have no defining word."""
    for sentence in sentences:
        words = _WORD.findall(sentence)
        if 0 < len(words) <= LONGEST and not any(map(sets.place, words)):
            yield sentence


def drawn(
    sentences: Sequence[SentenceVersions], most: int, rng: np.random.Generator
) -> list[SentenceVersions]:
    """At most `most` of the sentences, drawn at random and in their order; repeated texts count once.

    Raises:
        BadInput: There are no sentences.
    """
    once = list({sentence.texts[sentence.group]: sentence for sentence in sentences}.values())
    if not once:
        raise BadInput(
            "no sentence of the corpus holds a defining word of one group alone",
            "give a larger corpus, or --words that occur in it",
        )
    if len(once) <= most:
        return once
    return [once[i] for i in np.sort(rng.choice(len(once), size=most, replace=False))]


def _exchanged(sentence: str, new: Sequence[tuple[tuple[int, int], str]]) -> str:
    pieces, at = [], 0
    for (start, end), word in new:
        pieces += [sentence[at:start], _cased(word, sentence[start:end])]
        at = end
    return "".join([*pieces, sentence[at:]])


def _cased(word: str, like: str) -> str:
    """The word, capitalised like another; capitals that it already has are kept.

    >>> _cased("his", "Her"), _cased("his", "HER"), _cased("Muslim", "christian")
    ('His', 'HIS', 'Muslim')
    """
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


PACKAGED = "defining.toml"
"""Name of the packaged file with defining words."""
PROFANITY = "profanity"
"""The attribute whose sets pair offensive words with pleasant ones."""


@dataclass(frozen=True)
class _WordFile:
    attributes: Annotated[Mapping[str, Sets], OTHERS]


def read_words(attribute: str, path: Path | None = None) -> Sets:
    """Read the defining words of an attribute from a TOML file.

    The file has a table named as the attribute, with `groups` and `sets`.

    Args:
        attribute: The name of the table.
        path: The file; None for the packaged one.

    Raises:
        UnknownName: The file has no such attribute.
        BadInput: The file cannot be read.
        BadItems: A set does not have as many words as there are groups.
    """
    if path is None and attribute == PROFANITY:
        return Sets(("offensive", "pleasant"), OffensiveFile.named().pairs)
    known = _attributes(path)
    if attribute not in known:
        name = path.name if path else PACKAGED
        raise UnknownName(f"attribute in {name}", attribute, known if path else attributes())
    return known[attribute]


def attributes() -> list[str]:
    """The attributes for which words come with the package."""
    return [*_attributes(None), PROFANITY]


def _attributes(path: Path | None) -> Mapping[str, Sets]:
    file = path or package_file(f"starter/{PACKAGED}")
    return read_toml(_WordFile, file, "docs/how-to/mitigation.md").attributes
