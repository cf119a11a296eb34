"""Amounts of money: decimal numbers of whole cents, so that payments sum up exactly."""

from decimal import ROUND_CEILING, Decimal
from typing import Annotated, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import via, within

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
LARGEST = 1_000_000_000


def exact(number: float) -> Decimal:
    """The amount that a file writes as a number.

    >>> exact(0.1) + exact(0.2)
    Decimal('0.30')

    Raises:
        Fault: It has fractions of a cent, which no panel pays.
    """
    amount = Decimal(str(number))
    if amount != (cents := amount.quantize(CENT)):
        raise Fault(f"is {number!r}", "write at most two decimals")
    return cents


def cents_up(amount: Decimal) -> Decimal:
    """The amount in whole cents, rounded up: what is promised is reached.

    >>> cents_up(Decimal("0.401")), cents_up(Decimal("0.4"))
    (Decimal('0.41'), Decimal('0.40'))
    """
    return amount.quantize(CENT, ROUND_CEILING)


Money: TypeAlias = Annotated[Decimal, via(Annotated[float, within(0, LARGEST)], exact)]
"""In a form: an amount of money, which is not negative."""
