"""Marks values that rest on few items, people, or whatever else their n counts."""

from collections.abc import Iterable

from tiltmeter.core.estimates import Estimate

FEW = 5
"""Values with an n below this are marked."""
FEW_MARK = "‡"


def few_mark(estimate: Estimate) -> str:
    """The mark of a value that rests on too few items to say much; "" for other values.

    >>> one = Estimate("rate", 100.0, None, None, None, 1, 50.0, "%")
    >>> few_mark(one), few_note([one])
    ('‡', ['‡ n is less than 5: too few to say.'])
    """
    return FEW_MARK if estimate.value is not None and 0 < estimate.n < FEW else ""


def shown_significant(estimate: Estimate) -> bool | None:
    """Whether an estimate has the mark of a significant one (●, bold, *) wherever it is shown.

    None, as where nothing was tested, for one with the mark of few items, whatever its p, and for a value
    that is only a bound of the true one: a row says one of these things, never two.

    >>> one = Estimate("rate", 100.0, 80.0, 100.0, 0.01, 3, 50.0, "%")
    >>> one.significant, shown_significant(one)
    (True, None)
    >>> shown_significant(Estimate("ratio", 0.969, None, 0.969, 0.01, 300, 1.0, "", bound="<"))
    """
    return None if few_mark(estimate) or estimate.bound else estimate.significant


def are_too_few(row: Iterable[Estimate | None]) -> bool:
    """Whether all estimates of a row about a subset rest on too few items to say anything.

    Rows over all items are never too few: they are what was asked for.

    >>> few, many = (Estimate("rate", 50.0, None, None, None, n, 50.0, "%", groups={"job": "cook"})
    ...              for n in (2, 30))
    >>> are_too_few([few, None]), are_too_few([few, many]), are_too_few([])
    (True, False, False)
    """
    known = [e for e in row if e is not None]
    return bool(known) and all(e.groups and 0 < e.n < FEW for e in known)


def few_note(estimates: Iterable[Estimate | None]) -> list[str]:
    """A note that explains the mark, for a table that contains it; otherwise []."""
    some = any(few_mark(e) for e in estimates if e is not None)
    return [f"{FEW_MARK} n is less than {FEW}: too few to say."] if some else []
