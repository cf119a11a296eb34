"""Merges runs over disjoint parts of a data set into one run over all of it.

Records are streamed from the parts' files to a spool, and estimates are computed from them as in any
run. Parts given in the order of the data therefore yield the estimates and intervals of a single run.
"""

import time
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.analysis import once
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Note, Result
from tiltmeter.core.rules import given_rule
from tiltmeter.core.study import Study
from tiltmeter.data.memory.samples import SAMPLE, SPLIT
from tiltmeter.data.memory.spool import Spool
from tiltmeter.run.files.folder import read_card, read_records
from tiltmeter.run.files.repeatable_command import local_name
from tiltmeter.run.jobs import stamped
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen, ties_named
from tiltmeter.run.planning.study_files import study_of

SHOWN = 3
"""The maximum number of shared ids, and of names of data, that are listed."""
USUAL = frozenset(
    {"name", "version", "items", "source", "licence", "sha256", "clusters", "warning"}
)
"""The facts that a card states of every data set; all others are particular to one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A finished run over a part of the data."""

    folder: Path
    card: Card


def merge(folders: Sequence[Path], *, command: str = "") -> Result:
    """The result over all items of these run folders, in their order.

    Args:
        folders: Two or more run folders, in the order of the data, since bootstrap draws depend on it.
        command: The command that repeats the merge, for the card.

    Raises:
        BadInput: A folder is damaged, the runs were not made in the same way, they share items, or their
            study is not installed.
    """
    begun = time.monotonic()
    members = _parts(folders)
    study = study_of(members[0].card)
    _check(study, members)
    records = _joined(members)
    first = members[0].card
    facts = _common(part.card.model for part in members) | {"name": first.model["name"]}
    result = summarise(
        study, records, _data(members), chosen=_chosen(study, first), seed=first.seed, model=facts
    )
    return stamped(_with_parts(result, members), begun, command)


def _parts(folders: Sequence[Path]) -> list[Part]:
    if len(folders) < 2:  # noqa: PLR2004
        raise BadInput("there is only one run folder", "give two or more to merge")
    once(folders, "give each run folder once")
    return [Part(folder, read_card(folder)) for folder in folders]


def _check(study: Study[Any], parts: Sequence[Part]) -> None:
    """Refuse parts that were not made in the same way, or whose scores depend on the other items of the part.

    Raises:
        BadInput: The parts cannot be merged.
    """
    first = parts[0]
    for part in parts[1:]:
        there, here = _way(first.card), _way(part.card)
        for what, (value, shown) in there.items():
            if here[what][0] != value:
                raise BadInput(
                    f"its {what} differs from that of {first.folder}: {here[what][1]} here, "
                    f"{shown} there",
                    "merge runs of one model that were made in the same way",
                    file=str(part.folder),
                )
    for part in parts:
        for fact in (SAMPLE, SPLIT):
            if fact in part.card.data:
                raise BadInput(
                    f"it has only a part of its data ({fact}: {part.card.data[fact]})",
                    "merge runs without --limit and --split",
                    file=str(part.folder),
                )
    if study.version != first.card.study_version:
        raise BadInput(
            f"it was made by version {first.card.study_version} of {study.name}, and version "
            f"{study.version} is installed",
            "run the parts again",
            file=str(first.folder),
        )
    names = first.card.rule.split("+")
    if together := [rule.name for rule in study.rules if rule.at_once and rule.name in names]:
        raise BadInput(
            f"scores by {together[0]} depend on the other items of a run, so parts cannot be merged",
            "run the whole data set at once",
        )


def _way(card: Card) -> dict[str, tuple[object, str]]:
    """Everything in which the parts must agree: (value to compare, text to show) by its name in messages."""
    settings = sorted(card.settings.items())
    mark, file = str(card.model.get("fingerprint")), card.study_file
    return {
        "study": (card.study, card.study),
        "file of the study": (file.get("sha256"), file.get("path", "none")),
        "study version": (card.study_version, card.study_version),
        "model": (mark, f"{card.model.get('name')} with fingerprint …{mark[-8:]}"),
        "rule": (card.rule, card.rule),
        "convention": (card.convention, card.convention),
        "policy for ties": (card.ties, card.ties or "none"),
        "settings": (settings, ", ".join(f"{n}={value}" for n, value in settings) or "none"),
        "seed": (card.seed, str(card.seed)),
    }


def _joined(parts: Sequence[Part]) -> Spool[Record]:
    """All records, part by part; a digest of 8 bytes per item id suffices to find ids that occur twice.

    Raises:
        BadInput: A file is damaged, or two parts have an item in common.
    """
    records, digests, stops = Spool(Record), array("Q"), array("Q")
    for part in parts:
        for record in read_records(part.folder, part.card):
            id_bytes = record.item.encode("utf-8", "surrogatepass")
            digests.append(int.from_bytes(blake2b(id_bytes, digest_size=8).digest(), "little"))
            records.append(record)
        stops.append(len(records))
    _, firsts, kinds = np.unique(
        np.frombuffer(digests, dtype=np.uint64), return_index=True, return_inverse=True
    )
    again = np.flatnonzero(firsts[kinds] != np.arange(len(kinds)))
    shared = ((int(firsts[kinds[i]]), int(i)) for i in again)
    # Different ids may have the same digest, so the ids themselves decide.
    same = ((a, b) for a, b in shared if records[a].item == records[b].item)
    if same_ids := list(islice(same, SHOWN)):
        shown = "; ".join(
            f"{records[a].item!r} in {parts[bisect_right(stops, a)].folder} "
            f"and {parts[bisect_right(stops, b)].folder}"
            for a, b in same_ids
        )
        raise BadInput(
            f"the parts share item ids, {len(again):,} in all: {shown}",
            "merge disjoint parts; rows without ids get their row numbers, so add an id "
            "column before you split a table",
        )
    return records


def _chosen(study: Study[Any], card: Card) -> Chosen[Any]:
    """The rule and convention of the parts, as far as estimates depend on them."""
    how = next((c for c in study.conventions if c.name == card.convention), None)
    if how is None:
        raise BadInput(
            f"the installed {study.name} has no convention {card.convention!r}",
            "run the parts again",
        )
    return Chosen(
        given_rule(card.rule), how, ties_named(card.ties or None) or how.ties, card.settings
    )


def _data(parts: Sequence[Part]) -> Dataset[Any]:
    """The data of all parts as one data set, with the facts on which the parts agree."""
    cards = [part.card for part in parts]
    data = [card.data for card in cards]
    checksums = sorted({str(facts["sha256"]) for facts in data})
    labels: dict[str, dict[str, str]] = {}
    for card in cards:
        for axis, names in card.labels.items():
            labels.setdefault(axis, {}).update(names)
    return Dataset(
        name=_listed(facts["name"] for facts in data),
        version=_listed(facts["version"] for facts in data),
        items=range(sum(int(facts["items"]) for facts in data)),
        source=_listed(facts["source"] for facts in data),
        licence=_listed(facts["licence"] for facts in data),
        sha256=sha256("\n".join(checksums).encode()).hexdigest() if any(checksums) else "",
        warning=_listed(facts["warning"] for facts in data),
        clusters=_listed(facts["clusters"] for facts in data),
        notes=list(_notes(parts)),
        labels=labels,
        about={name: fact for name, fact in _common(data).items() if name not in USUAL},
    )


def _listed(values: Iterable[object]) -> str:
    """The distinct non-empty values joined by " + "; of more than a few, the number of the others.

    >>> _listed(["a.csv", "b.csv", "", "c.csv", "a.csv", "d.csv"])
    'a.csv + b.csv + c.csv + 1 more'
    """
    different = [value for value in dict.fromkeys(map(str, values)) if value]
    rest = len(different) - SHOWN
    return " + ".join([*different[:SHOWN], *([f"{rest:,} more"] if rest > 0 else [])])


def _common(facts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The facts that are the same in all parts.

    >>> _common([{"kind": "masked", "layers": 2}, {"kind": "masked"}])
    {'kind': 'masked'}
    """
    first, *others = facts
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name] == value for other in others)
    }


def _notes(parts: Sequence[Part]) -> Iterator[Note]:
    """Notes that all parts share, once each, and other notes with the folder of their part.

    Notes about axes are left out: the merged run computes its own.
    """
    seen: set[Note] = set()
    for part in parts:
        for note in part.card.notes:
            if note.kind == "axes" or note in seen:
                continue
            if all(note in other.card.notes for other in parts):
                seen.add(note)
                yield note
            else:
                yield replace(note, text=f"{part.folder.name}: {note.text}")
    versions = dict.fromkeys(part.card.versions.get("tiltmeter", "unknown") for part in parts)
    if len(versions) > 1:
        text = f"The parts were scored by different versions of Tiltmeter: {', '.join(versions)}."
        yield Note("caution", text)


def _with_parts(result: Result, parts: Sequence[Part]) -> Result:
    """The result with a card that lists the parts and counts the items that they left out."""
    card, cards = result.card, [part.card for part in parts]
    shared = _common(part_card.model for part_card in cards)
    made_of = [
        {
            "folder": local_name(str(p.folder)) if p.folder.is_absolute() else str(p.folder),
            "data": p.card.data["name"],
            "sha256": p.card.data["sha256"],
            "scored": p.card.counts["scored"],
            "model": {name: v for name, v in p.card.model.items() if name not in shared},
        }
        for p in parts
    ]
    left_out = {
        name: sum(part_card.counts[name] for part_card in cards) for name in ("total", "invalid")
    }
    merged = replace(
        card,
        method=cards[0].method,
        data={**card.data, "parts": made_of},
        counts={**card.counts, **left_out},
        invalid=[line for part_card in cards for line in part_card.invalid],
    )
    return replace(result, card=merged)
