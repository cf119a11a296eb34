"""What a choice among annotators sees: the votes so far, and the features of the items.

Each file in `people/` defines one CHOICE, and its name is the name on the command line. CHOICE is None where
anybody may answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class VoteHistory:
    """The votes bought so far. Arrays have one entry per vote, in the order bought."""

    features: Array
    """Of the items, shape (items, d)."""
    labels: int
    """How many labels there are, K."""
    item: Integers
    label: Integers
    annotator: Integers
    rng: np.random.Generator


class ChoosesPerson(Protocol):
    """Chooses the person who is asked about an item."""

    def __call__(self, history: VoteHistory, item: int, people: Integers) -> int:
        """One of `people`, who have not voted on the item."""


def highest_person(score: Callable[[VoteHistory, int, int], float]) -> ChoosesPerson:
    """Chooses the annotator with the highest score(history, item, annotator); ties are broken at random."""

    def choose(history: VoteHistory, item: int, people: Integers) -> int:
        scores = [score(history, item, int(person)) for person in people]
        best = np.flatnonzero(np.array(scores) == max(scores))
        return int(people[history.rng.choice(best)])

    return choose


def cosine(first: Array, second: Array) -> float:
    """Cosine of the angle between two vectors; 0 if one has no length.

    >>> cosine(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    1.0
    """
    length = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / length if length > 0 else 0.0
