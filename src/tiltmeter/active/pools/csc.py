"""CSC, conversational sarcasm (Jang and Frassinelli 2024, as in LeWiDi 2025): responses rated from 1 to 6.

The development and test parts only: 1,408 items.
"""

import json

from tiltmeter.active.lewidi import lewidi_items
from tiltmeter.active.published_votes import VoteCollection
from tiltmeter.active.votes import VotePool
from tiltmeter.data.downloads.registry import locate

META = "lewidi/CSC_annotators_meta.json"


def read() -> VotePool:
    """All votes of the data set, with K = 6 ordered labels."""
    about = json.loads(locate("csc").files[META].read_text("utf-8"))
    collection = VoteCollection("csc")
    for item, text, given in lewidi_items("csc"):
        for person, label in given.items():
            whole = f"{text['context']}\n{text['response']}"
            collection.add(item, whole, person, label, about.get(person, {}))
    return collection.pool("123456", ordered=True)
