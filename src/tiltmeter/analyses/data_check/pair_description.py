"""What a set of pairs is made of, and what the checks find in it."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from tiltmeter.analyses.data_check.data_description import (
    ITEMS,
    DataDescription,
    counted_items,
    texts_of,
)
from tiltmeter.analyses.data_check.pair_annotations import Annotation, votes
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.data.pairs.pair_checks import WARNED
from tiltmeter.data.pairs.suspect_pairs import SUSPICIOUS, Flag, all_flags

SHOWN = 5
"""So many examples are kept of each flag."""
IDENTITY = "identity"
"""The axis that says which people a pair is about."""
FLAGGED = quantity("flagged", "Pairs flagged by the checks", "flagged", counts="pairs", unit="%")
DISTANT = quantity(
    "distant", f"Pairs that differ in more than {WARNED} characters", counts="pairs", unit="%"
)
MARKED = quantity("marked", "Pairs that a check marks", "pairs", counts="pairs", decimals=0)


def describe_pairs(
    dataset: Dataset[Pair],
    annotations: Sequence[Annotation] | None = None,
    *,
    show_text: bool = False,
) -> DataDescription:
    """Describe pairs, and recompute what their annotations tell where there are any.

    Raises:
        Undefined: If there are no pairs.
    """
    pairs = dataset.items
    if not pairs:
        raise Undefined("there are no pairs to describe")
    flags_by_pair = all_flags(pairs)
    distances = [Levenshtein.distance(pair.more, pair.less) for pair in pairs]
    marked = _by_check(pairs, flags_by_pair)
    estimates = [*_counts(pairs, flags_by_pair)]
    beyond = sum(distance > WARNED for distance in distances)
    estimates.append(DISTANT.at(100 * beyond / len(pairs), n=len(pairs)))
    for check, examples in marked.items():
        verdict = "flag" if check in SUSPICIOUS else "note"
        estimates += counted_items(
            MARKED, len(examples), len(pairs), {"check": _plain(check)}, verdict
        )
    return DataDescription(
        [*estimates, *(votes(annotations) if annotations else ())],
        [
            *_identities(pairs),
            _length(
                "words in a sentence",
                [len(text.split()) for pair in pairs for text in (pair.more, pair.less)],
            ),
            _length("characters that differ within a pair", distances),
            *(
                Record(
                    pair.id,
                    {},
                    {"check": _plain(check), "item": pair.id},
                    texts={"reason": reason, **texts_of(pair)} if show_text else {},
                    kind="example",
                )
                for check, examples in marked.items()
                for pair, reason in examples[:SHOWN]
            ),
        ],
        [*map(str, dataset.notes), *_mismatch(pairs, annotations)],
    )


def _counts(pairs: Sequence[Pair], flags_by_pair: Sequence[Sequence[Flag]]) -> Iterator[Estimate]:
    """All pairs and those that are flagged, then by bias type and direction."""
    total = len(pairs)
    yield from counted_items(ITEMS, total, total, {})
    for axis in ("bias_type", "direction"):
        values = Counter(pair.groups[axis] for pair in pairs if axis in pair.groups)
        for value, n in values.most_common():
            yield from counted_items(ITEMS, n, total, {axis: value})
    kinds = [pair.groups.get("bias_type", "") for pair in pairs]
    bad = [any(flag.suspicious for flag in flags) for flags in flags_by_pair]
    yield FLAGGED.at(100 * sum(bad) / total, n=total)
    flagged = Counter(kind for kind, is_bad in zip(kinds, bad, strict=True) if is_bad and kind)
    for kind, n in sorted(flagged.items()):
        of_kind = kinds.count(kind)
        yield FLAGGED.at(100 * n / of_kind, n=of_kind, groups={"bias_type": kind})


def _by_check(
    pairs: Sequence[Pair], flags_by_pair: Sequence[Sequence[Flag]]
) -> dict[str, list[tuple[Pair, str]]]:
    """The pairs that each check marks, with the first reason for each; suspicious checks first."""
    marked: dict[str, dict[int, tuple[Pair, str]]] = {}
    for place, (pair, flags) in enumerate(zip(pairs, flags_by_pair, strict=True)):
        for flag in flags:
            marked.setdefault(flag.name, {}).setdefault(place, (pair, flag.reason))
    order = sorted(marked, key=lambda name: (name not in SUSPICIOUS, -len(marked[name]), name))
    return {name: [*marked[name].values()] for name in order}


def _plain(check: str) -> str:
    return check.replace("_", " ")


def _length(name: str, lengths: Sequence[int]) -> Record:
    ends = {"fewest": min(lengths), "median": statistics.median(lengths), "most": max(lengths)}
    scores = {end: float(value) for end, value in ends.items()}
    return Record(name, scores, {"length": name}, kind="length")


def _identities(items: Sequence[Pair]) -> Iterator[Record]:
    """The identities that pairs name, by their other axes."""
    by_place: dict[tuple[tuple[str, str], ...], dict[str, None]] = {}
    for item in items:
        if name := item.groups.get(IDENTITY):
            place = tuple(at for at in item.groups.items() if at[0] != IDENTITY)
            by_place.setdefault(place, {})[name] = None
    for place, names in by_place.items():
        scores, texts = {"identities": float(len(names))}, {"names": ", ".join(names)}
        yield Record(
            " ".join(v for _, v in place), scores, dict(place), texts=texts, kind="identities"
        )


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
