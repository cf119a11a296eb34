"""A random sample of a data set, for a quick look: said wherever its numbers are shown."""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Note
from tiltmeter.data.memory.lazy_sequence import Selection

T = TypeVar("T")
SAMPLE = "sample"
"""The fact of a data card that says that there was a sample."""


def sampled(data: Dataset[T], limit: int | None, *, seed: int = 0) -> Dataset[T]:
    """At most `limit` items (None is all), drawn at random and left in their order.

    Equal seeds draw equal samples of equal data.

    >>> from tiltmeter.core.items import Pair
    >>> pairs = [Pair(str(i), f"he {i}", f"she {i}") for i in range(9)]
    >>> some = sampled(Dataset("d", "", pairs, "", ""), 3)
    >>> len(some.items), some.name, some.notes[0].text
    (3, 'd, 3 of 9', 'A random sample: 3 of 9 items, drawn with seed 0.')
    """
    size = len(data.items)
    if limit is None or limit >= size:
        return data
    picked = np.random.default_rng(seed).permutation(size)[:limit]
    note = f"A random sample: {limit:,} of {size:,} items, drawn with seed {seed}."
    return replace(
        data,
        name=f"{data.name}, {limit:,} of {size:,}",
        items=Selection(data.items, np.sort(picked)),
        notes=(*data.notes, Note("coverage", note)),
        about={**data.about, SAMPLE: f"{limit:,} of {size:,} items, seed {seed}"},
    )
