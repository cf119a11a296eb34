"""Texts as a tree of tokens, so that a causal model reads what several begin with only once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

LONG = 32
"""Tokens that all texts of a batch must begin with for these to be read by themselves, and kept."""
FILLED = 8
"""A batch may end early once it holds the most tokens divided by this."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What one text adds to the tree: tokens that stand side by side."""

    text: int
    """The number of the text, from 0."""
    start: int
    stop: int
    """The end of its tokens in the list of all tokens."""


class PrefixTree:
    """Texts laid out one after another, each without what it has in common with the text before it.

    Texts are laid out in lexicographic order, so that no beginning appears twice.

    >>> tree = PrefixTree([(1, 2, 3), (7,), (1, 2, 4, 5)])
    >>> tree.ids
    [1, 2, 3, 4, 5, 7]
    >>> tree.positions
    [0, 1, 2, 2, 3, 0]
    >>> tree.paths
    [[0, 1, 2], [5], [0, 1, 3, 4]]
    """

    def __init__(self, texts: Sequence[Sequence[int]], begun: int = 0) -> None:
        self.ids: list[int] = []
        """All tokens that have to be read."""
        self.positions: list[int] = []
        """Of each token in its text."""
        self.paths: list[list[int]] = [[] for _ in texts]
        """For each text, the places of its tokens; without the first `begun`, which are read elsewhere."""
        self.branches: list[Branch] = []
        last: list[int] = []
        for text, common in _in_order(texts):
            tokens = texts[text]
            shared = max(common, begun)
            start = len(self.ids)
            self.ids += tokens[shared:]
            self.positions += range(shared, len(tokens))
            last = [*last[: shared - begun], *range(start, len(self.ids))]
            self.paths[text] = last
            if len(self.ids) > start:
                self.branches.append(Branch(text, start, len(self.ids)))


def _in_order(texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Each text in lexicographic order, and how many tokens it has in common with the one before."""
    order = sorted(range(len(texts)), key=lambda i: (tuple(texts[i]), i))
    yield from ((i, 0) for i in order[:1])
    yield from ((after, common(texts[i], texts[after])) for i, after in pairwise(order))


def tree_batches(
    texts: Sequence[Sequence[int]], most: int, more: Sequence[int] = ()
) -> list[tuple[list[int], int]]:
    """Texts whose trees have at most `most` tokens each, with the tokens of each tree.

    `more` are tokens that each text has beside those.

    What all texts of a batch begin with does not count where it is long, since it is read once for several
    batches; such a batch also ends where texts begin otherwise. A text that is longer than `most` gets a
    batch of its own. The result depends on the set of texts and not on their order.

    >>> tree_batches([(1, 2, 3), (7, 8), (1, 2, 4)], most=4)
    [([0, 2], 4), ([1], 2)]
    """
    batches: list[tuple[list[int], int]] = []
    members: list[int] = []
    tokens = begun = 0
    for text, shared in _in_order(texts):
        length = len(texts[text])
        both = min(begun, shared)  # what all would begin with
        turns = both < LONG <= begun and tokens * FILLED >= most
        added = length - shared + (more[text] if more else 0)
        if members and (tokens + added - (both if both >= LONG else 0) > most or turns):
            batches.append((members, tokens))
            members = []
        begun = both if members else length
        tokens = tokens + added if members else added + shared
        members.append(text)
    return [*batches, (members, tokens)] if members else batches


def common(first: Sequence[int | str], second: Sequence[int | str]) -> int:
    """How many tokens two texts have in common at their beginning."""
    for at, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return at
    return min(len(first), len(second))


def beginning(texts: Sequence[Sequence[int] | str]) -> int:
    """How many tokens, or letters, all texts have in common at their beginning."""
    ordered: list[Any] = [tuple(text) for text in texts]
    # What the first and the last in order have in common, all between them have too.
    return common(min(ordered), max(ordered)) if ordered else 0
