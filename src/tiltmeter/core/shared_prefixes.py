"""Groups texts that begin alike, so that a causal model reads a shared beginning only once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST = 2
"""The shortest beginning worth sharing, in tokens: the start token alone is not."""


@dataclass(frozen=True, slots=True)
class PrefixFamily:
    """Texts read in one row of a batch: the beginning they share, then the rest of each in turn."""

    members: tuple[int, ...]
    """Indices of the texts, which are in lexicographic order."""
    shared: int
    """Length of the shared beginning in tokens; 0 for a text that shares nothing."""
    length: int
    """Length of the row in tokens."""


def families(texts: Sequence[Sequence[int]], most: int) -> list[PrefixFamily]:
    """Group texts where that saves the most tokens, without making a row longer than `most`.

    The result depends on the set of texts and not on their order. Neighbours in lexicographic order
    are merged, those with the longest common beginning first, as long as each merge saves tokens.

    >>> families([(1, 2, 3, 4), (7, 8), (1, 2, 3, 5, 6)], most=100)
    [PrefixFamily(members=(0, 2), shared=3, length=6),
     PrefixFamily(members=(1,), shared=0, length=2)]
    """
    order = sorted(range(len(texts)), key=lambda i: (tuple(texts[i]), i))
    common = [_common(texts[a], texts[b]) for a, b in pairwise(order)]
    alone = [PrefixFamily((i,), 0, len(texts[i])) for i in order]
    # a family is found by the first and the last position of its run of neighbours
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
    """Both families in one row, where only the beginning that all texts have in common is shared."""
    length = sum(_unshared(family, shared) for family in (first, second)) + shared
    return PrefixFamily((*first.members, *second.members), shared, length)


def _unshared(family: PrefixFamily, shared: int) -> int:
    """Length of a family's row without the shared part, if only `shared` tokens are shared."""
    again = len(family.members) * (family.shared - shared) if family.shared else -shared
    return family.length - family.shared + again


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two texts have in common at their beginning."""
    for at, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return at
    return min(len(first), len(second))
