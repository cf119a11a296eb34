"""Which texts share their beginning, so that a causal model reads it once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST = 2
"""Tokens that a shared beginning has at least: the start token alone is not worth it."""


@dataclass(frozen=True, slots=True)
class PrefixFamily:
    """Texts that are read in one row: their beginning, then what is left of each, side by side."""

    members: tuple[int, ...]
    """Which texts, in lexicographic order."""
    shared: int
    """Tokens of the beginning; 0 for a text that stands alone."""
    length: int
    """Tokens of the row."""


def families(texts: Sequence[Sequence[int]], most: int) -> list[PrefixFamily]:
    """Group texts where that saves the most tokens; no row gets longer than `most` by it.

    The grouping depends on the set of texts and not on their order. Texts that are neighbours in
    lexicographic order are joined, those with the longest common beginning first, as long as each
    joining saves tokens.

    >>> families([(1, 2, 3, 4), (7, 8), (1, 2, 3, 5, 6)], most=100)
    [Family(members=(0, 2), shared=3, length=6), Family(members=(1,), shared=0, length=2)]
    """
    order = sorted(range(len(texts)), key=lambda i: (tuple(texts[i]), i))
    common = [_common(texts[a], texts[b]) for a, b in pairwise(order)]
    alone = [PrefixFamily((i,), 0, len(texts[i])) for i in order]
    # of each run of neighbours that are joined, the first and the last place know the family
    found = {(k, k): family for k, family in enumerate(alone)}
    starts, ends = list(range(len(order))), list(range(len(order)))
    for k in sorted(range(len(common)), key=lambda k: -common[k]):
        if common[k] < LEAST:
            break
        left, right = (starts[k], k), (k + 1, ends[k + 1])
        joined = _joined(found[left], found[right], common[k])
        if joined.length < found[left].length + found[right].length and joined.length <= most:
            del found[left], found[right]
            whole = (left[0], right[1])
            found[whole] = joined
            ends[whole[0]], starts[whole[1]] = whole[1], whole[0]
    return [found[where] for where in sorted(found)]


def _joined(first: PrefixFamily, second: PrefixFamily, shared: int) -> PrefixFamily:
    """Both in one row; of what each shared already, only what all have in common is shared still."""
    length = sum(_unshared(family, shared) for family in (first, second)) + shared
    return PrefixFamily((*first.members, *second.members), shared, length)


def _unshared(family: PrefixFamily, shared: int) -> int:
    """Tokens of a family's row when only `shared` tokens are read once, without these."""
    again = len(family.members) * (family.shared - shared) if family.shared else -shared
    return family.length - family.shared + again


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """Tokens until the first difference."""
    for at, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return at
    return min(len(first), len(second))
