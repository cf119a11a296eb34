"""The margins of claims that have to be shown, beside those that are given for all differences."""

from collections.abc import Iterable

from tiltmeter.core.equivalence_margins import EquivalenceMargins, read_margins
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.audits.thresholds import Threshold


def margins_with(
    margins: EquivalenceMargins, thresholds: Iterable[Threshold]
) -> EquivalenceMargins:
    """The margins, and those that claims name.

    Raises:
        BadInput: A measure has two margins, or a claim has none.
    """
    for limit in thresholds:
        if limit.says.margin:
            margins = margins.adding(read_margins([f"{limit.name}={limit.says.margin}"]))
        elif limit.says.claim and not margins:
            raise BadInput(f"{limit.source}: no margin is given", "add one: MEASURE equivalent 2")
    return margins
