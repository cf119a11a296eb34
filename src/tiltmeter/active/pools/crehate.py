"""CREHate (Lee et al. 2024): English posts, hate or not, at least 25 votes each from five countries.

The label 2 is in the file and not documented; here it is a label as the others.
"""

from tiltmeter.active.vote_sources import VoteCollection, rows_of
from tiltmeter.active.votes import VotePool
from tiltmeter.data.downloads.registry import locate


def read_labels(name: str, labels: tuple[str, ...]) -> VotePool:
    """The votes with these labels."""
    votes, texts = (
        locate("crehate").files[f"crehate/CREHate_{f}_annotations.csv"] for f in ("raw", "final")
    )
    text = {row["ID"]: row["Text"] for row in rows_of(texts, "ID", "Text")}
    collection = VoteCollection(name)
    for row in rows_of(votes, "ID", "annotator_id", "annotation"):
        if row["annotation"] in labels:
            collection.add(row["ID"], text[row["ID"]], row["annotator_id"], row["annotation"])
    return collection.pool(labels)


def read() -> VotePool:
    """All votes, K = 3."""
    return read_labels("crehate", ("0", "1", "2"))
