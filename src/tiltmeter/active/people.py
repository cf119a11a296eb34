"""Whom to ask about an item: the ways to choose an annotator, by their names on the command line.

Those that are not random follow van der Meer et al. 2024 (annotator-centric active learning,
doi:10.18653/v1/2024.emnlp-main.1031).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class VoteHistory:
    """The votes bought so far. Arrays have one entry per vote, in the order bought."""

    features: Array
    """The vectors of the items, shape (items, d)."""
    labels: int
    """How many labels there are, K."""
    item: Integers
    label: Integers
    annotator: Integers
    rng: np.random.Generator


ChoosesPerson: TypeAlias = Callable[[VoteHistory, int, Integers], int]
"""Choose the person to ask among those who have not voted on an item: choose(history, item, people)."""


def highest_person(scores: Callable[[VoteHistory, int, Integers], list[float]]) -> ChoosesPerson:
    """Chooses the annotator with the highest of scores(history, item, people); ties are broken at random."""

    def choose(history: VoteHistory, item: int, people: Integers) -> int:
        given = np.array(scores(history, item, people))
        # argmax would always ask the first of equals, whom the pool happens to list first.
        best = np.flatnonzero(given == given.max())
        return int(people[history.rng.choice(best)])

    return choose


def cosine(first: Array, second: Array) -> float:
    """Cosine of the angle between two vectors; 0 if one has no length.

    >>> cosine(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    1.0
    """
    length = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / length if length > 0 else 0.0


def _minority_shares(history: VoteHistory, _: int, people: Integers) -> list[float]:
    """Of the votes of each person, the share with the label that is rarest so far; 0 without votes."""
    counts = np.bincount(history.label, minlength=history.labels)
    rarest = int(np.where(counts > 0, counts, counts.max() + 1).argmin())
    labels = (history.label[history.annotator == person] for person in people)
    return [float(np.mean(theirs == rarest)) if len(theirs) else 0.0 for theirs in labels]


def _distances(history: VoteHistory, item: int, people: Integers) -> list[float]:
    """Minus the mean cosine of the item and those a person has voted on; above all others without votes."""
    features = history.features
    voted = (history.item[history.annotator == person] for person in people)
    return [
        -sum(cosine(features[item], features[i]) for i in items) / len(items) if len(items) else 2.0
        for items in voted
    ]


def _unlikeness(history: VoteHistory, _: int, people: Integers) -> list[float]:
    """Minus the mean cosine of each person's votes so far, items and labels, with those of the others."""
    vectors = [_votes_so_far(history, int(person)) for person in people]
    return [
        -float(np.mean([cosine(v, w) for w in vectors if w is not v] or [0.0])) for v in vectors
    ]


def _votes_so_far(history: VoteHistory, person: int) -> Array:
    """Mean over a person's votes of the item's features and the label, one entry per label and dimension."""
    theirs = np.flatnonzero(history.annotator == person)
    means = np.zeros((history.labels, history.features.shape[1]))
    for vote in theirs:
        means[history.label[vote]] += history.features[history.item[vote]] / len(theirs)
    return means.ravel()


CHOICES: Mapping[str, ChoosesPerson | None] = {
    "at_random": None, "label_minority": highest_person(_minority_shares),
    "semantic": highest_person(_distances), "representation": highest_person(_unlikeness),
}  # fmt: skip
"""None where anybody may answer: in a simulation the next vote in its random order."""
