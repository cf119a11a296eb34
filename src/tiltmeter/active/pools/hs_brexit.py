"""HS-Brexit (Akhtar et al. 2021, as in LeWiDi 2023): tweets, hate speech or not, by the same six people."""

from tiltmeter.active.lewidi import lewidi_items
from tiltmeter.active.published_votes import VoteCollection
from tiltmeter.active.votes import VotePool

GROUPS = ("Ann1", "Ann2", "Ann3")
"""Of the group that the tweets are about; the other three are a control group."""


def read() -> VotePool:
    """All votes of the data set, with K = 2 labels."""
    collection = VoteCollection("hs_brexit")
    for item, text, given in lewidi_items("hs_brexit"):
        for person, label in given.items():
            group = "target" if person in GROUPS else "control"
            collection.add(item, text, person, label, {"group": group})
    return collection.pool("01")
