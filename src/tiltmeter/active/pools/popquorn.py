"""POPQUORN, offensiveness (Pei and Jurgens 2023): comments rated from 1 (not offensive) to 5."""

from tiltmeter.active.published_votes import VoteCollection, rows_of
from tiltmeter.active.votes import VotePool
from tiltmeter.data.downloads.registry import locate

ABOUT = ("gender", "race", "age", "occupation", "education")


def read() -> VotePool:
    """All votes, K = 5, ordered."""
    found = VoteCollection("popquorn")
    for row in rows_of(locate("popquorn").file, "instance_id", "user_id", "text", "offensiveness"):
        label = row["offensiveness"].removesuffix(".0")
        about = {column: row[column] for column in ABOUT}
        found.add(row["instance_id"], row["text"], row["user_id"], label, about)
    return found.pool("12345", ordered=True)
