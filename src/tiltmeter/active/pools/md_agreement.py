"""MD-Agreement (Leonardelli et al. 2021, as in LeWiDi 2023): tweets, offensive or not, five votes each."""

from tiltmeter.active.vote_sources import lewidi_pool
from tiltmeter.active.votes import VotePool


def read() -> VotePool:
    """All votes of the data set, with K = 2 labels."""
    return lewidi_pool("md_agreement", "01")
