"""The annotator who, by items and labels so far, is least like the others who could be asked."""

import numpy as np

from tiltmeter.active.purchases import VoteHistory, cosine
from tiltmeter.core.types import Array, Integers


def representation(history: VoteHistory, person: int) -> Array:
    """Mean over a person's votes of the item's features and the label, one entry per label and dimension."""
    theirs = np.flatnonzero(history.annotator == person)
    means = np.zeros((history.labels, history.features.shape[1]))
    for vote in theirs:
        means[history.label[vote]] += history.features[history.item[vote]] / len(theirs)
    return means.ravel()


def CHOICE(history: VoteHistory, item: int, people: Integers) -> int:  # noqa: N802 (found by this name)
    """The lowest mean cosine with the other candidates; ties are broken at random."""
    del item
    vectors = [representation(history, int(person)) for person in people]
    likeness = np.array(
        [np.mean([cosine(v, w) for w in vectors if w is not v] or [0.0]) for v in vectors]
    )
    best = np.flatnonzero(likeness == likeness.min())
    return int(people[history.rng.choice(best)])
