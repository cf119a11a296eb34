"""MD-Agreement (Leonardelli et al. 2021, as in LeWiDi 2023): tweets, offensive or not, five votes each."""

from tiltmeter.active.lewidi import lewidi_items
from tiltmeter.active.published_votes import VoteCollection
from tiltmeter.active.votes import VotePool


def read() -> VotePool:
    """All votes, K = 2."""
    found = VoteCollection("md_agreement")
    for item, text, given in lewidi_items("md_agreement"):
        for person, label in given.items():
            found.add(item, text, person, label)
    return found.pool("01")
