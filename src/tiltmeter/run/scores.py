"""Scores that were made elsewhere, as if a rule had made them here."""

from collections.abc import Sequence

from tiltmeter.core.asks import Named
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.results import Record
from tiltmeter.core.study import Rule


def _never(*_: object) -> list[Record]:
    raise AssertionError("stored scores are not made here")


STORED: Rule[Pair] = Rule(
    "stored",
    Named,
    _never,
    "Scores as the file gives them: how they were made is not known.",
    "the file itself",
)


def records_of(items: Dataset[Pair], scores: Sequence[tuple[float, float]]) -> list[Record]:
    """One record a pair; `scores` are (more, less), in the order of the items."""
    return [
        Record(
            pair.id,
            {"more": more, "less": less},
            pair.groups,
            pair.cluster,
            texts={"more": pair.more, "less": pair.less},
        )
        for pair, (more, less) in zip(items.items, scores, strict=True)
    ]
