"""The annotator who has given the rarest label most often, as a share of their votes."""

import numpy as np

from tiltmeter.active.purchases import VoteHistory, highest_person


def minority_share(history: VoteHistory, item: int, person: int) -> float:
    """Of the votes of a person, the share with the label that is rarest so far; 0 without votes."""
    del item
    counts = np.bincount(history.label, minlength=history.labels)
    rarest = int(np.where(counts > 0, counts, counts.max() + 1).argmin())
    theirs = history.label[history.annotator == person]
    return float(np.mean(theirs == rarest)) if len(theirs) else 0.0


CHOICE = highest_person(minority_share)
