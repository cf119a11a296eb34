"""ConvAbuse (Cercas Curry et al. 2021): turns of users to chatbots, severity of abuse from 1 (none) to −3.

Turns with the same four utterances are one item.
"""

from tiltmeter.active.vote_sources import VoteCollection, rows_of
from tiltmeter.active.votes import VotePool
from tiltmeter.data.downloads.registry import locate

UTTERANCES = ("prev_agent", "prev_user", "agent", "user")
LABELS = ("-3", "-2", "-1", "0", "1")


def read() -> VotePool:
    """All votes, K = 5, ordered from very strongly abusive to not abusive."""
    collection = VoteCollection("convabuse")
    columns = [f"is_abuse.{label}" for label in LABELS]
    for row in rows_of(locate("convabuse").file, "annotator_id", *UTTERANCES, *columns):
        text = "\n".join(row[name] for name in UTTERANCES)
        (label,) = (known for known in LABELS if row[f"is_abuse.{known}"] == "1")
        collection.add(text, text, row["annotator_id"], label)
    return collection.pool(LABELS, ordered=True)
