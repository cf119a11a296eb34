"""A pool of items and the single votes that people gave on them.

A pool is in canonical order: items by name, the votes of an item by annotator and label. Whatever is drawn
from it with a seed is therefore the same for every order of the rows in a file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers

ANONYMOUS = -1
"""Stands for the annotator of a vote where nobody knows who gave it."""
FEWEST_ITEMS = 10
VALIDATION, TEST = 0.1, 0.25
"""Shares of the items that settings are chosen on, and that are tested on."""
SPLIT, CAP = 101, 606
"""Distinguish the random numbers of the split, and of the votes that an item keeps, from other draws with the
same seed."""


@dataclass(frozen=True, slots=True)
class VotePool:
    """Items, and the votes on them. Make one with `vote_pool`."""

    name: str
    items: tuple[str, ...]
    """Names of the items, sorted."""
    texts: tuple[str, ...]
    """The text of each item."""
    labels: tuple[str, ...]
    """The K labels, from low to high where they have an order."""
    ordered: bool
    """Whether the labels are ordered."""
    item: Integers
    """For each vote, the position of its item; ascending."""
    label: Integers
    """For each vote, the position of its label."""
    annotator: Integers
    """For each vote, the position of its annotator, or ANONYMOUS."""
    annotators: tuple[str, ...] = ()
    """Names of the annotators, sorted."""
    sha256: str = ""
    """The checksum of the whole content, so that results name exactly what they were made from."""
    notes: tuple[str, ...] = ()

    @property
    def has_annotators(self) -> bool:
        """Whether every vote names its annotator."""
        return bool(len(self.annotator)) and bool((self.annotator != ANONYMOUS).all())

    @property
    def counts(self) -> Integers:
        """Votes for each label, shape (items, K)."""
        return label_counts(self.item, self.label, len(self.items), len(self.labels))

    @property
    def distributions(self) -> Array:
        """Share of each label among an item's votes, shape (items, K)."""
        counts = self.counts
        return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)

    @property
    def disagreement(self) -> float:
        """The probability that two different votes on an item differ, averaged over items; 0 to 1.

        Items with a single vote are left out. NaN if there are no others.
        """
        counts = self.counts
        n = counts.sum(axis=1)
        alike = (counts * (counts - 1)).sum(axis=1)[n > 1]
        n = n[n > 1]
        return float(np.mean(1 - alike / (n * (n - 1)))) if len(n) else float("nan")

    def part(self, items: Integers) -> "VotePool":
        """The pool of these items, given by position, with all their votes; annotators are kept."""
        kept = np.sort(items)
        place = np.full(len(self.items), -1)
        place[kept] = np.arange(len(kept))
        chosen = place[self.item] >= 0
        return replace(
            self,
            items=tuple(self.items[i] for i in kept),
            texts=tuple(self.texts[i] for i in kept),
            item=place[self.item[chosen]],
            label=self.label[chosen],
            annotator=self.annotator[chosen],
        )

    def subset(self, items: Integers, note: str) -> "VotePool":
        """A pool of these items, given by position, without annotators who have no vote on them.

        The note says which items were chosen.
        """
        part = self.part(items)
        known = part.annotator != ANONYMOUS
        there, place = np.unique(part.annotator[known], return_inverse=True)
        annotator = part.annotator.copy()
        annotator[known] = place
        names = tuple(self.annotators[i] for i in there)
        pool = replace(
            part, annotator=annotator, annotators=names, notes=(*self.notes, note), sha256=""
        )
        return replace(pool, sha256=_digest(pool))

    def capped(self, most: int, seed: int) -> "VotePool":
        """With at most so many votes on each item, drawn at random with the seed; 0 keeps all votes."""
        if not most:
            return self
        drawn = np.random.default_rng([seed, CAP]).random(len(self.item))
        order = np.lexsort((drawn, self.item))  # each item's votes together, in random order
        given = np.bincount(self.item, minlength=len(self.items))
        rank = np.empty(len(self.item), dtype=np.int64)
        rank[order] = np.arange(len(self.item)) - np.repeat(np.cumsum(given) - given, given)
        kept = rank < most
        return replace(
            self, item=self.item[kept], label=self.label[kept], annotator=self.annotator[kept]
        )

    def fully_agreed(self) -> Integers:
        """Positions of the items all of whose votes have the same label."""
        return np.flatnonzero((self.counts > 0).sum(axis=1) == 1)


class NamedVote(NamedTuple):
    """One vote, by names; `annotator` is None where it is not known."""

    item: str
    annotator: str | None
    label: str


class ItemSplit(NamedTuple):
    """Positions of a pool's items: for training, for choosing settings, and for testing."""

    train: Integers
    validation: Integers
    test: Integers


def label_counts(item: Integers, label: Integers, items: int, labels: int) -> Integers:
    """How often each label was given to each item, shape (items, labels).

    >>> label_counts(np.array([0, 0, 1]), np.array([1, 1, 0]), items=2, labels=2)
    array([[0, 2],
           [1, 0]])
    """
    return np.bincount(item * labels + label, minlength=items * labels).reshape(items, labels)


def vote_pool(
    name: str,
    texts: Mapping[str, str],
    votes: Iterable[NamedVote],
    *,
    labels: Sequence[str] = (),
    ordered: bool = False,
    notes: Sequence[str] = (),
) -> VotePool:
    """Put items and votes into canonical order.

    Items without a vote are left out. `labels` are all, from low to high if they are ordered; by default
    those that occur, numbers by size and words by the alphabet. Results repeat the notes.

    Raises:
        BadInput: There are fewer than two labels or fewer than ten items, or a vote has a label that is
            not in `labels`.

    >>> texts = {f"i{n}": f"text {n}" for n in range(10)}
    >>> pool = vote_pool("demo", texts, [NamedVote(i, None, n) for i in texts for n in "01"])
    >>> pool.labels, pool.counts[0].tolist(), pool.disagreement
    (('0', '1'), [1, 1], 1.0)
    """
    given = list(votes)
    label_names = _labels(given, labels)
    items = sorted({vote.item for vote in given})
    if len(items) < FEWEST_ITEMS:
        reason = (
            f"{counted(len(items), 'items', 'have')} votes; active learning needs at least "
            f"{FEWEST_ITEMS}"
        )
        raise BadInput(reason, "give a larger pool", file=name)
    people = sorted({vote.annotator for vote in given if vote.annotator is not None})
    at_item, at_label, at_person = (
        {key: i for i, key in enumerate(keys)} for keys in (items, label_names, people)
    )
    rows = sorted(
        (
            at_item[vote.item],
            ANONYMOUS if vote.annotator is None else at_person[vote.annotator],
            at_label[vote.label],
        )
        for vote in given
    )
    table = np.array(rows, dtype=np.int64)
    pool = VotePool(
        name, tuple(items), tuple(texts[item] for item in items), label_names, ordered,
        item=table[:, 0], label=table[:, 2], annotator=table[:, 1],
        annotators=tuple(people), notes=tuple(notes),
    )  # fmt: skip
    return replace(pool, sha256=_digest(pool))


def split_items(pool: VotePool, seed: int) -> ItemSplit:
    """Split a pool's items at random, with all votes of an item; equal seeds split equal pools equally."""
    n = len(pool.items)
    order = np.random.default_rng([seed, SPLIT]).permutation(n)
    bounds = round(n * TEST), round(n * TEST) + round(n * VALIDATION)
    shuffled = (order[bounds[1] :], order[bounds[0] : bounds[1]], order[: bounds[0]])
    return ItemSplit(*map(np.sort, shuffled))


def _labels(votes: Sequence[NamedVote], labels: Sequence[str]) -> tuple[str, ...]:
    occurring = {vote.label for vote in votes}
    if labels:
        unknown = sorted(occurring - set(labels))
        if unknown:
            raise BadInput(
                f"a vote has the label {unknown[0]!r}", f"use one of {', '.join(labels)}"
            )
        names = tuple(labels)
    else:
        names = tuple(_sorted_labels(occurring))
    if len(names) < 2:  # noqa: PLR2004
        raise BadInput("the votes have fewer than two labels", "give votes that differ")
    return names


def _sorted_labels(labels: Iterable[str]) -> list[str]:
    """Numbers by size, else words by the alphabet.

    >>> _sorted_labels(["10", "9", "-1"]), _sorted_labels(["no", "10"])
    (['-1', '9', '10'], ['10', 'no'])
    """
    by_alphabet = sorted(labels)
    try:
        return sorted(by_alphabet, key=float)
    except ValueError:
        return by_alphabet


def _digest(pool: VotePool) -> str:
    content = sha256(repr((pool.items, pool.texts, pool.labels, pool.annotators)).encode())
    for column in (pool.item, pool.label, pool.annotator):
        content.update(column.astype("<i8").tobytes())
    return content.hexdigest()
