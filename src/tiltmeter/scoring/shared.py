"""The tokens that two sentences share, and those in which they differ."""

from difflib import SequenceMatcher
from itertools import compress, count
from operator import not_

from tiltmeter.core.errors import Undefined
from tiltmeter.core.requests import Tokens


def shared_positions(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Positions of the tokens that both sentences share, without special ones.

    These are the `equal` blocks of `difflib.SequenceMatcher` over the two lists of ids, including
    special tokens, as in Nangia et al. 2020. The matcher is not symmetric: pass the sentence about the
    disadvantaged group first. Its heuristic for "popular" elements is off, so that texts of more than
    200 tokens are aligned by the same rule as short ones.

    >>> no = (False, False)
    >>> shared_positions(Tokens((1, 7, 8), (True, *no)), Tokens((1, 7, 9), (True, *no)))
    ([1], [1])
    """
    blocks = SequenceMatcher(None, first.ids, second.ids, autojunk=False).get_matching_blocks()
    both = [(m.a + k, m.b + k) for m in blocks for k in range(m.size)]
    kept = [(i, j) for i, j in both if not first.special[i] and not second.special[j]]
    return [i for i, _ in kept], [j for _, j in kept]


def some_shared(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """`shared_positions`, or Undefined where there are none."""
    in_first, in_second = shared_positions(first, second)
    if not in_first:
        raise Undefined("its two sentences share no tokens")
    return in_first, in_second


def differing_positions(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Positions of the tokens in which the sentences differ, without special ones.

    Raises:
        Undefined: One sentence has no such token (the other only adds to it), so there is nothing
            to compare.
    """
    shared = shared_positions(first, second)
    in_first, in_second = (
        [i for i in plain(tokens) if i not in set(common)]
        for tokens, common in zip((first, second), shared, strict=True)
    )
    if not in_first or not in_second:
        raise Undefined("one of its sentences has no token that the other lacks")
    return in_first, in_second


def plain(tokens: Tokens) -> list[int]:
    """Positions of all tokens that are not special."""
    return list(compress(count(), map(not_, tokens.special)))
