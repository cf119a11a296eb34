"""How good a set of pairs is: its make-up, what the audit finds, what its annotators said."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from tiltmeter.analysis.quality.annotations import Annotation, Value, Votes, read_annotations, votes
from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.data.audit import SUSPICIOUS, WARNED, Flag, all_flags

__all__ = ["Annotation", "Quality", "describe", "lines", "quality", "read_annotations"]

SHOWN = 5
"""Examples kept for each flag."""


class Row(NamedTuple):
    """One figure of the description."""

    section: str
    name: str
    value: float | None
    of: int | None = None
    """What `value` is a share of, where it is one."""
    why: str = ""
    """Why there is no value, or no interval."""


@dataclass(frozen=True, slots=True)
class Example:
    """One flagged pair. Everything but the id quotes the data."""

    id: str
    reason: str
    more: str
    less: str


@dataclass(frozen=True, slots=True)
class Found:
    """One check of the audit over the whole set."""

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
    found: tuple[Found, ...]
    votes: Votes | None = None
    notes: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        """One flat row a figure, in the order to show them."""
        return _rows(self)

    def to_json(self, *, show_text: bool = False) -> dict[str, Any]:
        """Everything as plain values; without `show_text` examples are ids only."""
        plain = asdict(self)
        if not show_text:
            for found in plain["found"]:
                found["examples"] = [example["id"] for example in found["examples"]]
        if self.votes is not None:
            plain["votes"]["by_named"] = {str(k): n for k, n in self.votes.by_named.items()}
        return plain


def quality(
    pairs: Sequence[Pair],
    annotations: Sequence[Annotation] | None = None,
    *,
    name: str = "",
    notes: Sequence[str] = (),
    seed: int = 0,
) -> Quality:
    """Describe pairs, and recompute what their annotations tell where there are any.

    Raises:
        Undefined: If there are no pairs.
    """
    if not pairs:
        raise Undefined("there are no pairs to describe")
    found = all_flags(pairs)
    bad = [any(flag.suspicious for flag in flags) for flags in found]
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
        found=_by_check(pairs, found),
        votes=None if annotations is None else votes(annotations, seed=seed),
        notes=(*notes, *_mismatch(pairs, annotations)),
    )


def describe(
    dataset: Dataset[Pair], annotations: Sequence[Annotation] | None = None, *, seed: int = 0
) -> Quality:
    """`quality` of a data set, with its name and the notes of its reader."""
    return quality(
        dataset.items,
        annotations,
        name=dataset.name,
        notes=tuple(map(str, dataset.notes)),
        seed=seed,
    )


def _shares(pairs: Sequence[Pair], axis: str) -> dict[str, int]:
    counts = Counter(pair.groups[axis] for pair in pairs if axis in pair.groups)
    return dict(counts.most_common())


def _by_check(pairs: Sequence[Pair], found: Sequence[Sequence[Flag]]) -> tuple[Found, ...]:
    examples: dict[str, dict[int, Example]] = {}
    for place, (pair, flags) in enumerate(zip(pairs, found, strict=True)):
        for flag in flags:
            example = Example(pair.id, flag.reason, pair.more, pair.less)
            examples.setdefault(flag.name, {}).setdefault(place, example)
    checks = [
        Found(name, name in SUSPICIOUS, len(ones), tuple(ones.values())[:SHOWN])
        for name, ones in examples.items()
    ]
    return tuple(sorted(checks, key=lambda check: (not check.suspicious, -check.pairs, check.name)))


def _mismatch(pairs: Sequence[Pair], annotations: Sequence[Annotation] | None) -> list[str]:
    if annotations is None:
        return []
    apart = len({pair.id for pair in pairs} ^ {a.id for a in annotations})
    return [f"{apart} ids are in the pairs or the annotations only."] if apart else []


def _rows(q: Quality) -> list[Row]:
    rows = [Row("make-up", "pairs", q.pairs)]
    for axis, counts in q.groups.items():
        rows += [Row(axis, label, n, q.pairs) for label, n in counts.items()]
    for title, spread in (("words", q.words), ("characters that differ", q.distance)):
        names = ("fewest", "median", "most")
        rows += [Row(title, name, value) for name, value in zip(names, spread, strict=True)]
    rows.append(Row("characters that differ", f"more than {WARNED}", q.beyond, q.pairs))
    rows.append(Row("audit", "flagged", q.flagged, q.pairs))
    rows += [Row("audit", check.name, check.pairs, q.pairs) for check in q.found]
    kinds = q.groups["bias_type"]
    rows += [Row("flagged", kind, n, kinds[kind]) for kind, n in sorted(q.flagged_by_type.items())]
    return rows + (_vote_rows(q.votes) if q.votes else [])


def _vote_rows(v: Votes) -> list[Row]:
    told = "annotations"
    rows = [Row(told, f"pairs with {n} naming a type", k, v.pairs) for n, k in v.by_named.items()]
    rows.append(Row(told, "below three votes at best", len(v.not_accepted), v.pairs))
    rows += _measured("agreement on naming a type, %", v.agreement_named)
    rows += _measured("agreement on which type, %", v.agreement_type)
    rows += _measured("alpha on which type", v.alpha_type)
    return [
        *rows,
        Row(told, "published type named most", v.most_named, v.pairs),
        Row(told, "published type tied", len(v.tied), v.pairs),
        Row(told, "published type outvoted", len(v.outvoted), v.pairs),
        Row(told, "published type named by nobody", len(v.unnamed), v.pairs),
        Row(told, "two types named twice or more", len(v.intersectional), v.pairs),
        Row("people", "writers", v.writers),
        Row("people", "pairs of the busiest writer", v.largest_writer, v.pairs),
        Row("people", "writers of half the pairs", v.half_by, v.writers),
        Row("people", "writers and annotators", v.people),
        Row("people", "pairs judged by their writer", len(v.own_judge), v.pairs),
    ]


def _measured(name: str, found: Value) -> list[Row]:
    rows = [Row("annotations", name, found.value, why=found.why)]
    if found.low is not None and found.high is not None:
        rows.append(Row("annotations", "  95 % interval, low", found.low))
        rows.append(Row("annotations", "  95 % interval, high", found.high))
    return rows


def lines(quality: Quality, *, show_text: bool = False) -> list[str]:
    """The description for a terminal; pairs appear as ids unless `show_text`."""
    out = [f"{quality.name or 'pairs'}: {quality.pairs:,} pairs, {quality.flagged:,} flagged"]
    section = "make-up"
    for row in quality.rows()[1:]:
        if row.section != section:
            section = row.section
            out += ["", section]
        out.append(f"  {row.name:<34}{_shown(row)}")
    out += ["", "examples"]
    for check in quality.found:
        out.append(f"  {check.name}{'' if check.suspicious else ' (note)'}: {_ids(check)}")
        if show_text:
            for one in check.examples:
                out += [f"    {one.id}: {one.reason}", f"      {one.more}", f"      {one.less}"]
    if quality.votes is not None:
        out += ["", *_told(quality.votes)]
    return out + [f"note: {note}" for note in quality.notes]


def _ids(check: Found) -> str:
    listed = ", ".join(example.id for example in check.examples)
    rest = check.pairs - len(check.examples)
    return f"{listed} and {rest:,} more" if rest else listed


def _shown(row: Row) -> str:
    if row.value is None:
        return f"undefined ({row.why})"
    text = f"{row.value:,.3g}" if isinstance(row.value, float) else f"{row.value:,}"
    share = f" of {row.of:,} ({100 * row.value / row.of:.1f} %)" if row.of else ""
    return f"{text:>8}{share}{f' ({row.why})' if row.why else ''}"


def _told(v: Votes) -> list[str]:
    """What the figures on annotations mean, for who was not there."""
    return [
        "The annotations tell which bias types were named, not who called a pair valid and",
        "minimally distant. Acceptance (3 votes of 6, the writer's among them) is recomputed as if",
        f"all who named a type had said so: {len(v.not_accepted)} fail even then. The 80.9 % agreement of",
        "the CrowS-Pairs paper is about validity, over the rejected examples too, and cannot be",
        "compared with the agreement here, which is about naming a type.",
    ]
