"""Draws of contexts: for every word of an association test, one sentence that contains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tiltmeter.core.data.items import WordSets
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.types import Groups
from tiltmeter.data.memory.lazy_sequence import LazySequence

Contexts: TypeAlias = tuple[Passage, ...]
MOST_AT_ONCE = 10_000_000
"""The most draws of a run: a larger number is taken for a slip of the finger."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One context for each word of a test, drawn at random: one sample of contextual vectors."""

    id: str
    x: Contexts
    y: Contexts
    """() for a test of a single group: then `x` is one context of any of the group's words."""
    a: Contexts
    b: Contexts
    groups: Groups = field(default_factory=dict)
    """Axes to report over: test and family, or group and pair."""
    where: str = ""
    """File and place, for messages."""

    @property
    def passages(self) -> Contexts:
        """All contexts that need a vector."""
        return (*self.x, *self.y, *self.a, *self.b)

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences of all contexts."""
        return tuple(passage.text for passage in self.passages)

    @property
    def sets(self) -> Mapping[str, Contexts]:
        """The contexts by the name of their set."""
        return {"x": self.x, "y": self.y, "a": self.a, "b": self.b}


@dataclass(frozen=True, slots=True)
class _Drawn:
    test: WordSets
    pools: tuple[tuple[Contexts, ...], ...]
    """By set (X, Y, A, B) and word, the contexts that the word has."""
    places: npt.NDArray[np.int32]
    """Shape (draws, words): the index of the context that is drawn for each word."""

    def draw(self, number: int) -> Draw:
        """The draw of this number, counted from 0."""
        left = iter(self.places[number].tolist())
        x, y, a, b = (tuple(pool[next(left)] for pool in pools) for pools in self.pools)
        name = self.test.name
        return Draw(f"{name}/{number + 1}", x, y, a, b, self.test.groups, name)


class Draws(LazySequence[Draw]):
    """All draws of all tests, test by test, made when they are asked for.

    For each draw, one context of each word is drawn with replacement, `draws` times for each test.

    A test without targets Y is of one group: then one context is drawn, of all that hold any of the words
    of X.

    >>> test = WordSets("insects", ("rose",), ("ant",), ("joy",), ("pain",))
    >>> words = ("rose", "ant", "joy", "pain")
    >>> contexts = {word: [Passage(f"Such {word}!", (5, 5 + len(word)))] for word in words}
    >>> [draw.id for draw in Draws([test], contexts, draws=2)]
    ['insects/1', 'insects/2']
    """

    def __init__(
        self,
        tests: Sequence[WordSets],
        contexts: Mapping[str, Sequence[Passage]],
        *,
        draws: int,
        seed: int = 0,
    ) -> None:
        self._draws = draws
        self._tests = [_drawn(test, contexts, draws, seed) for test in tests]

    def __len__(self) -> int:
        return self._draws * len(self._tests)

    def item(self, place: int) -> Draw:
        """The draw at a place."""
        return self._tests[place // self._draws].draw(place % self._draws)


def _drawn(
    test: WordSets, contexts: Mapping[str, Sequence[Passage]], draws: int, seed: int
) -> _Drawn:
    x = tuple(tuple(contexts[word]) for word in test.x)
    if not test.y:
        x = (tuple(passage for pool in x for passage in pool),)
    y, a, b = (tuple(tuple(contexts[word]) for word in words) for words in (test.y, test.a, test.b))
    pools = (x, y, a, b)
    sizes = np.array([len(pool) for words in pools for pool in words])
    # Seeded by its name, a test has the same draws whichever tests are beside it. Python's own hash of a text
    # would differ between processes.
    rng = np.random.default_rng([seed, crc32(test.name.encode("utf-8", "surrogatepass"))])
    return _Drawn(test, pools, rng.integers(sizes, size=(draws, len(sizes))).astype(np.int32))
