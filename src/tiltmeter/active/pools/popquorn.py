"""POPQUORN, offensiveness (Pei and Jurgens 2023): comments rated from 1 (not offensive) to 5."""

from tiltmeter.active.vote_sources import VoteCollection, rows_of
from tiltmeter.active.votes import VotePool
from tiltmeter.data.downloads.registry import locate


def read() -> VotePool:
    """All votes of the data set, with K = 5 ordered labels."""
    collection = VoteCollection("popquorn")
    for row in rows_of(locate("popquorn").file, "instance_id", "user_id", "text", "offensiveness"):
        label = row["offensiveness"].removesuffix(".0")
        collection.add(row["instance_id"], row["text"], row["user_id"], label)
    return collection.pool("12345", ordered=True)
