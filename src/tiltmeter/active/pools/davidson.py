"""Davidson et al. 2017: tweets with the number of votes for hate speech, offensive language, and neither."""

from tiltmeter.active.vote_sources import rows_of
from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.data.downloads.registry import locate

LABELS = ("hate_speech", "offensive_language", "neither")


def read() -> VotePool:
    """All votes, K = 3, without annotators."""
    texts, votes = {}, []
    for row in rows_of(locate("davidson").file, "tweet", *LABELS):
        item = row[""]
        texts[item] = row["tweet"]
        votes += [NamedVote(item, None, label) for label in LABELS for _ in range(int(row[label]))]
    return vote_pool("davidson", texts, votes, labels=LABELS)
