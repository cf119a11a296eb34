"""Which pairs look as if they do not measure what they should, as far as text alone can tell.

Blodgett et al. 2021 (doi:10.18653/v1/2021.acl-long.81) read four benchmarks of contrasted
sentences and list pitfalls that threaten their validity. Whether a stereotype is meaningful,
harmful, or about a group with less power is for readers; what is checked here is form. A pair
without flags is therefore *not* shown to be valid, and a flag is a reason to read the pair, not a
verdict.

Checks in `SUSPICIOUS` make a pair "flagged": in each of them something besides the group differs
between the two sentences, so that a difference in score may come from there, or the pair has no
difference, no place of its own, or is there twice. The others are notes: true and worth knowing,
but found in sound pairs as well. All but `duplicate`, which needs all pairs, are in
`pair_checks`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tiltmeter.core.data.items import Pair
from tiltmeter.data.memory.lazy_sequence import LazySequence
from tiltmeter.data.memory.text_numbers import repeated
from tiltmeter.data.pairs.pair_checks import CHECKS

CHECK = "check"
"""The axis of pairs that says whether the checks flag them, a repeated pair among others."""
SUSPICIOUS = frozenset(CHECKS) - {"edit_distance", "swapped", "name_pair"} | {"duplicate"}
"""The checks that make a pair "flagged"; the module says why the others do not."""
# Every data set is checked as it is loaded; the notes, with their edit distances, would take longer.
_ALONE = tuple(check for name, check in CHECKS.items() if name in SUSPICIOUS)


class Flag(NamedTuple):
    """What a check found in a pair. `suspicious` flags make the pair "flagged"; others are notes."""

    name: str
    reason: str
    """In words, with the evidence. It quotes the pair: treat it as the pair's text is treated."""

    @property
    def suspicious(self) -> bool:
        """Whether this flag alone makes its pair "flagged"."""
        return self.name in SUSPICIOUS


def flags(pair: Pair) -> list[Flag]:
    """What all checks find in one pair, most serious first; [] if nothing.

    >>> [f.name for f in flags(Pair("1", "Women are not hunters", "Men are hunters."))]
    ['negation', 'formatting']
    >>> flags(Pair("2", "Old people drive slowly.", "Young people drive slowly."))
    []
    """
    return [Flag(name, reason) for name, check in CHECKS.items() for reason in check(pair)]


def duplicates(pairs: Sequence[Pair]) -> dict[int, Flag]:
    """Positions of pairs that repeat an earlier one, in either order of the sentences.

    The first of them is not among them: leaving out the rest keeps each pair once.
    """
    flag_at: dict[int, Flag] = {}
    for alike in repeated(tuple(sorted(_plain(pair))) for pair in pairs):  # in either order
        first: dict[tuple[str, ...], int] = {}
        for i in alike:
            more, less = _plain(pairs[i])
            if (more, less) in first:
                flag_at[i] = Flag("duplicate", f"the same pair as {pairs[first[more, less]].id}")
            elif (less, more) in first:
                name = pairs[first[less, more]].id
                flag_at[i] = Flag("duplicate", f"{name} with its sides swapped")
            else:
                first[more, less] = i
    return flag_at


def _plain(pair: Pair) -> tuple[str, str]:
    more, less = (" ".join(text.lower().split()) for text in (pair.more, pair.less))
    return more, less


def all_flags(pairs: Sequence[Pair]) -> list[list[Flag]]:
    """`flags` of every pair, in order, with `duplicate` where it holds."""
    again = duplicates(pairs)
    return [flags(pair) + ([again[i]] if i in again else []) for i, pair in enumerate(pairs)]


def checked_pairs(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """The pairs, in order, with the group axis `check`: "flagged" or "passed".

    >>> pairs = [Pair("1", "He ran.", "She ran."), Pair("2", "He ran.", "He ran.")]
    >>> [pair.groups["check"] for pair in checked_pairs(pairs)]
    ['passed', 'flagged']
    """
    again = duplicates(pairs)
    alone = (any(next(check(pair), "") for check in _ALONE) for pair in pairs)
    return _CheckedPairs(pairs, bytes(at in again or flag for at, flag in enumerate(alone)))


class _CheckedPairs(LazySequence[Pair]):
    """Pairs that get the group axis `check` when they are read; in memory are only the flags, a byte each."""

    def __init__(self, pairs: Sequence[Pair], flagged: bytes) -> None:
        self._pairs = pairs
        self._flagged = flagged

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[Pair]:
        return map(_checked, self._pairs, self._flagged)

    def item(self, place: int) -> Pair:
        """The pair at a place."""
        return _checked(self._pairs[place], self._flagged[place])


def _checked(pair: Pair, flagged: int) -> Pair:
    groups = {**pair.groups, CHECK: "flagged" if flagged else "passed"}
    return Pair(pair.id, pair.more, pair.less, groups, pair.cluster, pair.where)
