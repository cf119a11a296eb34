"""What is known of a data set, whatever its kind of items: numbers, lists, and how they came about."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.data.items import SIDES, Pair, Triple
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.results import Estimate, Record
from tiltmeter.core.types import Groups

ITEMS = quantity("items", "Items", decimals=0, least=0)
SHARE = quantity("share", "Share of all items", "share", unit="%")


@dataclass(frozen=True, slots=True)
class DataDescription:
    """What a check of a data set comes to, whatever its items are."""

    estimates: list[Estimate]
    """How many items there are first."""
    records: list[Record]
    """Lists beside the numbers: lengths, examples of what is odd, keywords."""
    notes: list[str]
    """Why something is missing, what was left out, and what else there is to know."""
    facts: dict[str, object] = field(default_factory=dict)
    """What belongs to the whole data set."""
    method: str = ""
    """By which instruments sentences were rated and words compared."""


def counted_items(
    of: Quantity, n: int, total: int, place: Groups, verdict: str = ""
) -> Iterator[Estimate]:
    """How many, and their share of all."""
    yield of.at(n, n=total, groups=place, verdict=verdict)
    yield SHARE.at(100 * n / total, n=total, groups=place)


def texts_of(item: Any) -> dict[str, str]:
    """What an item says, by the side that says it."""
    if isinstance(item, Pair):
        return {"more": item.more, "less": item.less}
    if isinstance(item, Triple):
        return {"context": item.context, **dict(zip(SIDES, item.sentences, strict=True))}
    return {"text": text} if (text := getattr(item, "text", "")) else {}
