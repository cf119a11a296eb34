"""MD-Agreement (Leonardelli et al. 2021, as in LeWiDi 2023): tweets, offensive or not, five votes each."""

from tiltmeter.active.lewidi import lewidi_items
from tiltmeter.active.published_votes import VoteCollection
from tiltmeter.active.votes import VotePool


def read() -> VotePool:
    """All votes of the data set, with K = 2 labels."""
    collection = VoteCollection("md_agreement")
    for item, text, given in lewidi_items("md_agreement"):
        for person, label in given.items():
            collection.add(item, text, person, label)
    return collection.pool("01")
