"""Which word a test's sentence is about. Test files do not say, so it is inferred."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tiltmeter.core.data.items import WordSets

Places: TypeAlias = Mapping[str, tuple[int, int] | None]
"""By sentence, the start and end of its word in characters; None where it cannot be determined."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_END = tuple(".!?…。！？")


def is_sentence(text: str) -> bool:
    """Whether a text ends like a sentence, and so is not a word or a name.

    >>> is_sentence("This is a rose."), is_sentence("European American")
    (True, False)
    """
    return text.rstrip().endswith(_END)


def places_in(test: WordSets) -> Places:
    """For each sentence of the test, the position of the word that it is about.

    Test sentences are templates filled with many words. The word is one that no sentence of the opposite
    set contains (X and Y, A and B); of these, the one that the fewest sentences of the test contain.
    Adjacent words that tie count as one ("Mary Ann").

    >>> x, y = ("This is Ann.", "Ann is here."), ("This is Bo.", "Bo is here.")
    >>> places_in(WordSets("t", x, y, ("joy",), ("war",)))
    {'This is Ann.': (8, 11), 'Ann is here.': (0, 3), 'This is Bo.': (8, 10), 'Bo is here.': (0, 2)}
    """
    sets = (test.x, test.y, test.a, test.b)
    counts = [Counter(w for t in texts if is_sentence(t) for w in _distinct(t)) for texts in sets]
    held = counts[0] + counts[1] + counts[2] + counts[3]
    opposite = (counts[1], counts[0], counts[3], counts[2])
    return {
        text: _rarest(text, held, other)
        for texts, other in zip(sets, opposite, strict=True)
        for text in texts
        if is_sentence(text)
    }


def _distinct(text: str) -> set[str]:
    return {word[0].casefold() for word in _WORD.finditer(text)}


def _rarest(text: str, held: Mapping[str, int], other: Mapping[str, int]) -> tuple[int, int] | None:
    words = list(_WORD.finditer(text))
    of_this_set = [i for i, word in enumerate(words) if not other.get(word[0].casefold())]
    among = of_this_set or range(len(words))
    fewest = min((held[words[i][0].casefold()] for i in among), default=0)
    at = [i for i in among if held[words[i][0].casefold()] == fewest]
    if not at or at[-1] - at[0] != len(at) - 1:
        return None  # there is none, or they are not adjacent
    return words[at[0]].start(), words[at[-1]].end()


def clusters_of(test: WordSets, targets: Sequence[str]) -> dict[str, str]:
    """For each target that is a sentence, the word it is about; singular and plural count as one.

    A sentence whose word cannot be determined is a cluster of its own.

    >>> x, y = ("This is a rose.", "These are roses."), ("This is a bee.", "These are bees.")
    >>> list(clusters_of(WordSets("t", x, y, ("joy",), ("war",)), (*x, *y)).values())
    ['rose', 'rose', 'bee', 'bee']
    """
    places = places_in(test)
    words = {
        text: text[at[0] : at[1]].casefold() if (at := places[text]) else text
        for text in targets
        if text in places
    }
    known = set(words.values())
    return {text: _singular(word, known) for text, word in words.items()}


def _singular(word: str, known: set[str]) -> str:
    """The word without a plural ending, if the sentences also contain the singular."""
    return next((word[:-n] for n in (1, 2) if word.endswith("s") and word[:-n] in known), word)
