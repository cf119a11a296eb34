"""Finds groups whose names differ only in capitals, accents or spaces, which are counted as two."""

import unicodedata
from collections.abc import Iterable

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Note
from tiltmeter.core.text import visible


def notes_on_alike_labels(estimates: Iterable[Estimate]) -> list[Note]:
    """A note for each axis with such names: they are probably one group.

    >>> from tiltmeter.core.estimates import Estimate
    >>> by = [Estimate("rate", 1.0, None, None, None, 1, None, "", groups={"a": v}) for v in ("Old", "old")]
    >>> [note.text for note in notes_on_alike_labels(by)][0].partition(":")[0]
    '“Old” and “old” of the axis a are counted as different groups'
    """
    values: dict[str, dict[str, None]] = {}
    for estimate in estimates:
        for axis, value in estimate.groups.items():
            values.setdefault(axis, {})[value] = None
    notes = []
    for axis, names in values.items():
        same: dict[str, list[str]] = {}
        for name in names:
            plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
            same.setdefault(plain, []).append(name)
        for alike in same.values():
            if alike[1:]:
                listed = " and ".join(f"“{visible(name)}”" for name in sorted(alike))
                text = (
                    f"{listed} of the axis {visible(axis)} are counted as different groups: they differ only "
                    "in capitals, spaces or how an accent is written. If they are one, spell them alike."
                )
                notes.append(Note("caution", text))
    return notes
