"""CSC, conversational sarcasm (Jang and Frassinelli 2024, as in LeWiDi 2025): responses rated from 1 to 6.

The development and test parts only: 1,408 items.
"""

from tiltmeter.active.vote_sources import lewidi_pool
from tiltmeter.active.votes import VotePool


def read() -> VotePool:
    """All votes of the data set, with K = 6 ordered labels."""
    return lewidi_pool(
        "csc", "123456", ordered=True, text_of=lambda text: f"{text['context']}\n{text['response']}"
    )
