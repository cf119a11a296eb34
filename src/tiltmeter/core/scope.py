"""The scope of a study's intervals: what they take as a sample, and what they hold fixed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """What a study knows of the intervals of its first measure; the data and the run say the rest."""

    units: str = ""
    """What is taken as the sample, in the plural: "target words". "" is the clusters of the data, such as
    templates, or else the items."""
    units_of_one: str = ""
    """An axis of versions of the same items: where the data have several, their clusters are the sample, not
    `units`."""
    fixed: tuple[str, ...] = ()
    """What stays as it is, in the plural and with its article: "the attribute words". The wording of
    questions, and clusters that are not the sample, are added."""
    left_out: str = ""
    """An axis, such as "template", whose values are left out one at a time, to see how much the first measure
    over all items depends on each; "" for none."""


NO_SCOPE = Scope()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a measure over all items comes to without one value of an axis at a time."""

    measure: str
    axis: str
    count: int
    """How many values are left out, each once."""
    low: float
    """The lowest value of the measure without one of them, in its unit."""
    high: float
    error: float
    """The jackknife standard error over the values of the axis."""
    farthest: str
    """The value of the axis without which the measure is farthest from what it is with all."""
    without: float
    """The measure without that one."""
