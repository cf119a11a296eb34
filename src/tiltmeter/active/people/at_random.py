"""Whoever comes: the next vote in the simulation's random order, anybody in a live round."""

from tiltmeter.active.person_choice import VoteHistory
from tiltmeter.core.types import Integers


def CHOICE(history: VoteHistory, item: int, people: Integers) -> None:  # noqa: N802 (found by this name)
    """No preference."""
    del history, item, people
