"""Subsets of a data set: a random sample, or the items about the development or test terms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted
from tiltmeter.data.memory.lazy_sequence import Selection

T = TypeVar("T")
SAMPLE = "sample"
"""The key of the fact in a data card that says that a sample was drawn."""


def sampled(data: Dataset[T], limit: int | None, *, seed: int = 0) -> Dataset[T]:
    """A random sample of at most `limit` items (None: all items), in their original order.

    The same seed draws the same sample from the same data.

    >>> from tiltmeter.core.data.items import Pair
    >>> pairs = [Pair(str(i), f"he {i}", f"she {i}") for i in range(9)]
    >>> some = sampled(Dataset("d", "", pairs, "", ""), 3)
    >>> len(some.items), some.name, some.notes[0].text
    (3, 'd, 3 of 9', 'A random sample: 3 of 9 items, drawn with seed 0.')
    """
    size = len(data.items)
    if limit is None or limit >= size:
        return data
    picked = np.random.default_rng(seed).permutation(size)[:limit]
    note = f"A random sample: {limit:,} of {counted(size, 'items')}, drawn with seed {seed}."
    return replace(
        data,
        name=f"{data.name}, {limit:,} of {size:,}",
        items=Selection(data.items, np.sort(picked)),
        notes=(*data.notes, Note("coverage", note)),
        about={**data.about, SAMPLE: f"{limit:,} of {counted(size, 'items')}, seed {seed}"},
    )


_DRAWN = re.compile(r"([\d,]+) of ([\d,]+) ")


@dataclass(frozen=True, slots=True)
class DrawnFrom:
    """How many items of how many a run measured, and the name of the data without that."""

    drawn: int
    whole: int
    name: str


def drawn_from(data: Mapping[str, Any]) -> DrawnFrom | None:
    """Which sample the data of a card are; None where they are all items.

    >>> drawn_from({"name": "d, 3 of 9", "sample": "3 of 9 items, seed 0"})
    DrawnFrom(drawn=3, whole=9, name='d')
    """
    sizes = _DRAWN.match(str(data.get(SAMPLE, "")))
    if sizes is None:
        return None
    drawn, whole = (int(size.replace(",", "")) for size in sizes.groups())
    name = str(data.get("name", "")).removesuffix(f", {drawn:,} of {whole:,}")
    return DrawnFrom(drawn, whole, name)


Part = Literal["development", "test"]
PARTS: tuple[Part, ...] = ("development", "test")
SPLIT = "split"
"""The key of the fact in a data card that says which part was used."""
SHARE = 0.25
"""The share of target terms used for development (Nadeem et al. 2021, section 5.1)."""


def split(data: Dataset[T], part: str, *, seed: int = 0, share: float = SHARE) -> Dataset[T]:
    """The items of one part; each term belongs wholly to one part, and domains keep their shares of terms.

    Raises:
        UnknownName: There is no such part.
        BadInput: The items have no target terms, or fewer than two.
    """
    if part not in PARTS:
        raise UnknownName("part", part, PARTS)
    terms = {str(getattr(i, "target", "")): str(getattr(i, "domain", "")) for i in data.items}
    if len(terms) < 2 or "" in terms:  # noqa: PLR2004
        reason = f"{data.name} cannot be split: its items are not about several target terms"
        raise BadInput(reason, "leave out --split")
    chosen = development_terms(sorted(terms.items()), seed=seed, share=share)
    wanted = part == "development"
    mine = ((str(getattr(i, "target", "")) in chosen) == wanted for i in data.items)
    count = len(chosen) if wanted else len(terms) - len(chosen)
    note = f"Only the {part} part: {count} of {counted(len(terms), 'target terms')}, drawn with seed {seed}."
    about = {k: v for k, v in data.about.items() if k not in {"task", "domain", "target terms"}}
    return replace(
        data,
        name=f"{data.name}, {part} terms",
        items=Selection(data.items, np.flatnonzero(np.fromiter(mine, np.bool_))),
        notes=(*data.notes, Note("coverage", note)),
        about={**about, "target terms": f"{count:,}", SPLIT: f"{part}, seed {seed}"},
    )


def development_terms(
    terms: Sequence[tuple[str, str]], *, seed: int, share: float = SHARE
) -> frozenset[str]:
    """The terms for development, out of pairs (term, domain): `share` of all, and about that of each domain.

    >>> terms = [(f"{d}{i}", d) for d in ("a", "b") for i in range(8)]
    >>> sorted(t[0] for t in development_terms(terms, seed=1))
    ['a', 'a', 'b', 'b']
    """
    by_domain: dict[str, list[str]] = {}
    for term, domain in sorted(terms):
        by_domain.setdefault(domain, []).append(term)
    wanted = min(max(1, round(share * len(terms))), len(terms) - 1)
    exact = {domain: share * len(members) for domain, members in by_domain.items()}
    sizes = {domain: int(size) for domain, size in exact.items()}
    rest = sorted(exact, key=lambda domain: (sizes[domain] - exact[domain], domain))
    for domain in rest[: max(0, wanted - sum(sizes.values()))]:
        sizes[domain] += 1
    rng = np.random.default_rng(seed)
    drawn = [
        members[int(i)]
        for domain, members in by_domain.items()
        for i in rng.permutation(len(members))[: sizes[domain]]
    ]
    return frozenset(drawn)
