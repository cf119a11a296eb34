"""Finds items that repeat another item under a different id, which make intervals too narrow."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted, shortened
from tiltmeter.data.pairs.suspect_pairs import CHECK

SHOWN, LONGEST = 3, 24
"""The number of ids in a note, and the maximum number of characters of each."""


class RepeatedItems:
    """Finds the items with the texts and labels of an earlier item in another cluster.

    Items in the same cluster may repeat each other, as replies to one prompt do: intervals allow for that.
    Records without texts are ignored.
    """

    def __init__(self) -> None:
        self._texts, self._clusters = array("q"), array("q")

    def passed(self, records: Iterable[Record]) -> Iterator[Record]:
        """Passes the records through, noting each: there may be a million, too many to go through twice."""
        for record in records:
            # Python's hashes differ between processes; these never leave this one.
            labels = tuple(sorted(i for i in record.groups.items() if i[0] != CHECK))
            alike = hash((tuple(sorted(record.texts.items())), labels))
            self._texts.append(alike if any(record.texts.values()) else 0)
            self._clusters.append(hash(record.cluster or ("item", record.first)))
            yield record

    def places(self) -> list[int]:
        """The indices of the records that repeat an earlier one, ascending."""
        texts, clusters = (
            np.frombuffer(column, dtype=np.int64) for column in (self._texts, self._clusters)
        )
        order = np.argsort(texts, kind="stable")
        begins = np.flatnonzero(np.r_[True, np.diff(texts[order]) != 0])
        first = order[np.repeat(begins, np.diff(np.r_[begins, len(order)]))]
        repeats = (order != first) & (texts[order] != 0) & (clusters[order] != clusters[first])
        return [int(place) for place in np.sort(order[repeats])]

    def notes(self, records: Sequence[Record]) -> list[Note]:
        """A note with the number of repeated items and the first ids; no note if there are none."""
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
