"""The mark of values that rest on few items, people or whatever their n counts."""

from collections.abc import Iterable

from tiltmeter.core.results import Estimate

FEW = 5
"""Values with an n below this are marked."""
FEW_MARK = "‡"


def few_mark(estimate: Estimate) -> str:
    """The mark of a value that rests on too few items to say much; "" for others.

    >>> one = Estimate("rate", 100.0, None, None, None, 1, 50.0, "%")
    >>> few_mark(one), few_note([one])
    ('‡', ['‡ n is less than 5: too few to say.'])
    """
    return FEW_MARK if estimate.value is not None and 0 < estimate.n < FEW else ""


def few_note(estimates: Iterable[Estimate | None]) -> list[str]:
    """What the mark means, for the notes of a table that has it; else []."""
    some = any(few_mark(e) for e in estimates if e is not None)
    return [f"{FEW_MARK} n is less than {FEW}: too few to say."] if some else []
