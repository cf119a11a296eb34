"""The annotator whose earlier items are least similar to this one."""

from tiltmeter.active.purchases import VoteHistory, cosine, highest_person


def distance(history: VoteHistory, item: int, person: int) -> float:
    """Minus the mean cosine of the item and those a person has voted on; above all others without votes."""
    theirs = history.item[history.annotator == person]
    if not len(theirs):
        return 2.0
    return -sum(cosine(history.features[item], history.features[i]) for i in theirs) / len(theirs)


CHOICE = highest_person(distance)
