"""What a check finds out about a data set, whatever kind of items it has."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.data.items import SIDES, Pair, Triple
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.records import Record
from tiltmeter.core.types import Groups

ITEMS = quantity("items", "Items", decimals=0, least=0)
SHARE = quantity("share", "Share of all items", "share", unit="%")


@dataclass(frozen=True, slots=True)
class DataDescription:
    """What a check found out about a data set."""

    estimates: list[Estimate]
    """The first is the number of items."""
    records: list[Record]
    """Lists beside the numbers: lengths, examples of what is odd, keywords."""
    notes: list[str]
    """What is missing and why, what was left out, and further remarks."""
    facts: dict[str, object] = field(default_factory=dict)
    """Facts about the data set as a whole, for its card."""
    method: str = ""
    """Which instruments rated sentences and compared words."""


def counted_items(
    of: Quantity, n: int, total: int, place: Groups, verdict: str = ""
) -> Iterator[Estimate]:
    """A count of items, and its share of all."""
    yield of.at(n, n=total, groups=place, verdict=verdict)
    yield SHARE.at(100 * n / total, n=total, groups=place)


def texts_of(item: Any) -> dict[str, str]:
    """The texts of an item, by side."""
    if isinstance(item, Pair):
        return {"more": item.more, "less": item.less}
    if isinstance(item, Triple):
        return {"context": item.context, **dict(zip(SIDES, item.sentences, strict=True))}
    return {"text": text} if (text := getattr(item, "text", "")) else {}
