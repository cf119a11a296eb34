"""What changes between two sentences, word by word, and which changes only follow another.

Word lists are English; alignment is not.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tiltmeter.data.downloads.places import package_table

STEM = 3
"""Letters two words must begin with to count as forms of one word."""
ENDING = 3
"""Letters that may follow the common beginning in each."""


class WordChange(NamedTuple):
    """Words of the first sentence that are replaced by words of the second in one place."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def turned(self) -> "WordChange":
        """The change as seen from the second sentence."""
        return WordChange(self.theirs, self.ours)

    def __str__(self) -> str:
        return f"“{' '.join(self.ours)}” / “{' '.join(self.theirs)}”"


_WORD = re.compile(r"\w+(?:'\w+)*")
_CLITIC = re.compile(r"(?:'(?:s|d|ll|ve|re|m)|')$")
_NOT = re.compile(r"n't$")
_SHORT = {"can't": "can", "cannot": "can", "won't": "will", "ain't": "is"}


_WORDS = {
    name: frozenset(words.split())
    for name, words in package_table("pairs/english_words.toml").items()
}
NEGATIONS, PRONOUNS, GENDERED = (_WORDS[n] for n in ("negations", "pronouns", "gendered"))
GROUPS = _WORDS["groups"]
"""Words with a capital that name groups and places rather than persons."""
_FUNCTION = _WORDS["function"] | NEGATIONS
"""Words that never count as a change of their own: they follow the group, or are negations."""


@lru_cache(maxsize=8)  # every check asks for the same two sentences
def words(text: str) -> tuple[str, ...]:
    """The words as written, with inner apostrophes ("didn't"); a hyphen parts words.

    >>> words("Well-off people didn’t.")
    ('Well', 'off', 'people', "didn't")
    """
    return tuple(_WORD.findall(text.replace("’", "'")))


def bare(word: str) -> str:
    """Without 's, 'd and the like: "jack's" is "jack"."""
    return _CLITIC.sub("", word)


def _between(a: list[str], b: list[str]) -> list[WordChange]:
    """The differing stretches between the words of a longest common subsequence."""
    from rapidfuzz.distance import Indel  # noqa: PLC0415  (slow to import)

    replaced: list[WordChange] = []
    i = k = 0
    for same in Indel.opcodes(a, b).as_matching_blocks():
        if same.a > i or same.b > k:
            replaced.append(WordChange(tuple(a[i : same.a]), tuple(b[k : same.b])))
        i, k = same.a + same.size, same.b + same.size
    return replaced


@lru_cache(maxsize=8)  # every check asks for the same two sentences
def changes(first: str, second: str) -> tuple[WordChange, ...]:
    """The places in which two sentences differ, in words, whatever their case and punctuation.

    Exchanging the sentences exchanges the sides of each change and nothing else.

    >>> [str(c) for c in changes("He lost his hat.", "She lost her hat.")]
    ['“he” / “she”', '“his” / “her”']
    """
    ours = [word.lower() for word in words(first)]
    theirs = [word.lower() for word in words(second)]
    # Between equally good alignments the order decides; a fixed order keeps the result symmetric.
    turn = theirs < ours
    replaced = _between(theirs, ours) if turn else _between(ours, theirs)
    return tuple(change.turned for change in replaced) if turn else tuple(replaced)


def same_word(a: str, b: str) -> bool:
    """Whether two words are forms or misspellings of one. Rough: "poor" and "pool" pass too.

    >>> same_word("learn", "learned"), same_word("was", "is"), same_word("easy", "hard")
    (True, True, False)
    """
    if a == b or ({a, b} <= _WORDS["forms"]):
        return True
    short, long = sorted((len(a), len(b)))
    common = next((i for i in range(short) if a[i] != b[i]), short)
    if common >= STEM and long - common <= ENDING:
        return True
    if short <= STEM:
        return False
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  (slow to import)

    return Levenshtein.distance(a, b) <= 1


def _same_words(a: Sequence[str], b: Sequence[str]) -> bool:
    if len(a) == len(b):
        return all(map(same_word, a, b))
    return "".join(a) == "".join(b)  # water park / waterpark


def _content(listed: Iterable[str]) -> tuple[str, ...]:
    """The content words, with negations reduced: "couldn't" is "could"."""
    plain = (bare(_NOT.sub("", _SHORT.get(word, word))) for word in listed)
    return tuple(word for word in plain if word not in _FUNCTION)


def _repeats(change: WordChange, earlier: WordChange) -> bool:
    """Whether both replace the same words, in either direction."""
    return any(
        _same_words(change.ours, other.ours) and _same_words(change.theirs, other.theirs)
        for other in (earlier, earlier.turned)
    )


def separate(first: str, second: str) -> list[WordChange]:
    """The changes that no other change explains: whom it is about, and what changes besides.

    Left out are pronouns, articles and other small words, negations, forms and misspellings of
    one word, and a change that repeats an earlier one or turns it round. Names and gendered words
    together are one change: the first of them stands for all.

    >>> [str(c) for c in separate("Jack has a loud dog.", "Mary has a quiet dog.")]
    ['“jack” / “mary”', '“loud” / “quiet”']
    """
    capitals = {bare(w.lower()) for t in (first, second) for w in words(t) if w[0].isupper()}
    persons: list[tuple[WordChange, WordChange]] = []
    others: list[tuple[WordChange, WordChange]] = []
    for change in changes(first, second):
        content = WordChange(_content(change.ours), _content(change.theirs))
        if not _same_words(content.ours, content.theirs):
            who = (capitals | PRONOUNS | GENDERED).issuperset(content.ours + content.theirs)
            (persons if who else others).append((change, content))
    nouns = [c for c in persons if not PRONOUNS.issuperset(c[1].ours + c[1].theirs)]
    kept = nouns[:1]
    for change, content in others:
        if not any(_repeats(content, earlier) for _, earlier in kept + nouns):
            kept.append((change, content))
    return [change for change, _ in kept]
