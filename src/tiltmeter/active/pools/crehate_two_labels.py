"""CREHate without the votes for the undocumented label 2."""

from tiltmeter.active.pools.crehate import read_labels
from tiltmeter.active.votes import VotePool


def read() -> VotePool:
    """Votes for hate (1) or not (0)."""
    return read_labels("crehate_two_labels", ("0", "1"))
