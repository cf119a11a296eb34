"""How good a set of pairs is: its make-up, what the checks find, what its annotators said."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from tiltmeter.analysis.quality.annotations import Annotation, Votes, votes
from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.data.pairs.pair_checks import WARNED
from tiltmeter.data.pairs.suspect_pairs import SUSPICIOUS, Flag, all_flags

SHOWN = 5
"""Examples kept for each flag."""


@dataclass(frozen=True, slots=True)
class Example:
    """A flagged pair. Everything but the id quotes the data."""

    id: str
    reason: str
    more: str
    less: str


@dataclass(frozen=True, slots=True)
class PairCheck:
    """How many pairs of the set a check marks."""

    name: str
    suspicious: bool
    pairs: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """A set of pairs, described."""

    name: str
    pairs: int
    groups: Mapping[str, Mapping[str, int]]
    """Pairs by bias type and by direction."""
    words: tuple[int, float, int]
    """A sentence's words: fewest, median, most."""
    distance: tuple[int, float, int]
    """Characters that differ within a pair (Levenshtein): fewest, median, most."""
    beyond: int
    """Pairs with more than 13 such characters."""
    flagged: int
    flagged_by_type: Mapping[str, int]
    checks: tuple[PairCheck, ...]
    votes: Votes | None = None
    notes: tuple[str, ...] = ()


def quality(
    pairs: Sequence[Pair],
    annotations: Sequence[Annotation] | None = None,
    *,
    name: str = "",
    notes: Sequence[str] = (),
) -> Quality:
    """Describe pairs, and recompute what their annotations tell where there are any.

    Raises:
        Undefined: If there are no pairs.
    """
    if not pairs:
        raise Undefined("there are no pairs to describe")
    flags_by_pair = all_flags(pairs)
    bad = [any(flag.suspicious for flag in flags) for flags in flags_by_pair]
    lengths = [len(text.split()) for pair in pairs for text in (pair.more, pair.less)]
    distances = [Levenshtein.distance(pair.more, pair.less) for pair in pairs]
    kinds = [pair.groups.get("bias_type", "") for pair in pairs]
    return Quality(
        name=name,
        pairs=len(pairs),
        groups={axis: _shares(pairs, axis) for axis in ("bias_type", "direction")},
        words=(min(lengths), statistics.median(lengths), max(lengths)),
        distance=(min(distances), statistics.median(distances), max(distances)),
        beyond=sum(distance > WARNED for distance in distances),
        flagged=sum(bad),
        flagged_by_type=dict(Counter(k for k, b in zip(kinds, bad, strict=True) if b and k)),
        checks=_by_check(pairs, flags_by_pair),
        votes=votes(annotations) if annotations else None,
        notes=(*notes, *_mismatch(pairs, annotations)),
    )


def describe(dataset: Dataset[Pair], annotations: Sequence[Annotation] | None = None) -> Quality:
    """`quality` of a data set, with its name and the notes of its reader."""
    return quality(
        dataset.items, annotations, name=dataset.name, notes=tuple(map(str, dataset.notes))
    )


def _shares(pairs: Sequence[Pair], axis: str) -> dict[str, int]:
    counts = Counter(pair.groups[axis] for pair in pairs if axis in pair.groups)
    return dict(counts.most_common())


def _by_check(
    pairs: Sequence[Pair], flags_by_pair: Sequence[Sequence[Flag]]
) -> tuple[PairCheck, ...]:
    examples: dict[str, dict[int, Example]] = {}
    for place, (pair, flags) in enumerate(zip(pairs, flags_by_pair, strict=True)):
        for flag in flags:
            example = Example(pair.id, flag.reason, pair.more, pair.less)
            examples.setdefault(flag.name, {}).setdefault(place, example)
    checks = [
        PairCheck(name, name in SUSPICIOUS, len(marked), tuple(marked.values())[:SHOWN])
        for name, marked in examples.items()
    ]
    return tuple(sorted(checks, key=lambda check: (not check.suspicious, -check.pairs, check.name)))


def _mismatch(pairs: Sequence[Pair], annotations: Sequence[Annotation] | None) -> list[str]:
    if annotations is None:
        return []
    if not annotations:
        return ["No annotation can be used: each is empty or is not a list of lists of bias types."]
    apart = len({pair.id for pair in pairs} ^ {a.id for a in annotations})
    if not apart:
        return []
    ids = "id is" if apart == 1 else "ids are"
    return [f"{apart:,} {ids} in the pairs or the annotations only."]
