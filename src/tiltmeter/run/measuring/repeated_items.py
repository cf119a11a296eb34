"""Items that repeat another under an id of their own: they make intervals narrower than they should be."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted, shortened
from tiltmeter.data.pairs.suspect_pairs import CHECK

SHOWN, LONGEST = 3, 24
"""Ids in a note, and the characters of each."""


class RepeatedItems:
    """Items with the texts and the labels of an earlier one that does not share their cluster.

    Items that share a cluster may repeat each other, as replies to one prompt do: their interval allows for
    it. Records without texts are not looked at.
    """

    def __init__(self) -> None:
        self._texts, self._clusters = array("q"), array("q")

    def passed(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, which are looked at as they pass, as there may be a million."""
        for record in records:
            # Python's hashes differ between processes; these never leave this one.
            labels = tuple(sorted(i for i in record.groups.items() if i[0] != CHECK))
            alike = hash((tuple(sorted(record.texts.items())), labels))
            self._texts.append(alike if any(record.texts.values()) else 0)
            self._clusters.append(hash(record.cluster or ("item", record.item)))
            yield record

    def places(self) -> list[int]:
        """The places of those that repeat an earlier one, in order."""
        texts, clusters = (
            np.frombuffer(column, dtype=np.int64) for column in (self._texts, self._clusters)
        )
        order = np.argsort(texts, kind="stable")
        begins = np.flatnonzero(np.r_[True, np.diff(texts[order]) != 0])
        first = order[np.repeat(begins, np.diff(np.r_[begins, len(order)]))]
        repeats = (order != first) & (texts[order] != 0) & (clusters[order] != clusters[first])
        return [int(place) for place in np.sort(order[repeats])]

    def notes(self, records: Sequence[Record]) -> list[Note]:
        """A note with their number and the first ids; none where there are none."""
        places = self.places()
        if not places:
            return []
        ids = ", ".join(shortened(records[place].item, LONGEST) for place in places[:SHOWN])
        more = ", …" if len(places) > SHOWN else ""
        verb = "repeats" if len(places) == 1 else "repeat"
        text = (
            f"{counted(len(places), 'items')} {verb} the texts and labels of another under an id of "
            f"its own ({ids}{more}): intervals take them as independent and are too narrow."
        )
        return [Note("caution", text)]
