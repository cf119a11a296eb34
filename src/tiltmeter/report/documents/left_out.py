"""How much the first measure depends on single templates, in words."""

from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card
from tiltmeter.core.text import plural, visible
from tiltmeter.report.text import axis_title, lowered, number_of, title, with_unit


def left_out_facts(card: Card, estimates: Sequence[Estimate]) -> dict[str, str]:
    """A fact named "Without one template"; {} where the run left nothing out one at a time."""
    one = card.left_out
    head = next((e for e in estimates if not e.groups and one and e.name == one.measure), None)
    if one is None or head is None or head.value is None:
        return {}
    axis = axis_title(one.axis)
    # The last value has the unit.
    low, high = number_of(head, one.low), _with_unit(head, one.high)
    return {
        f"Without one {axis}": (
            f"{lowered(title(head))} is {low} to {high} with one of {one.count:,} "
            f"{plural(axis)} left out at a time ({number_of(head, head.value)} with all); "
            f"without “{visible(one.farthest)}” it changes most, to {number_of(head, one.without)}"
        )
    }


def _with_unit(head: Estimate, value: float) -> str:
    return with_unit(value, head.unit) if head.meaning.decimals is None else number_of(head, value)
