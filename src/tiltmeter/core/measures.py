"""A measure of a study: what is computed from the scores, over which items, and how two results compare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.estimates import Inference, Meaning
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample
from tiltmeter.core.types import Adjustment, Array, Column, Ties

CLUSTER = "(cluster)"
"""In place of a measure's column: the number of each item's cluster, or of the item where it stands alone."""
ITEM = "(item)"
"""In place of a measure's column: the number of each record's item, which its repeats share."""
ARM = "arm"
"""The axis of data with controls: what an item is there for. Without it, items are those of the group arm."""
GROUP_ARM, BASE_ARM = "group", "base"
"""Values of ARM: items that differ in a group, and the items that are edited. All other values are control
arms. A measure that does not read ARM does not count items of control arms, nor edited ones where there are
items of the base arm. A measure that reads it is
reported over subsets of the group arm; all items of the other arms are in each of these."""
EDIT, EDITED = "control edit", "edited text"
"""Further axes of data with controls: the name of a control item's edit, and the text that is edited, which
its edits share."""
CONTROL_AXES = frozenset({ARM, EDIT, EDITED})
"""The axes over which no measure is reported, though it may count "every" axis."""
EVERY = ("*",)
"""In `Measure.over`: every group axis of the data that no measure names, one at a time; ("job", "*") crosses
each with the job. "*" among a measure's columns, as the axis of its contrast and in `at` stands for each."""
SEVERAL = "|"
"""Between the values of an item that has several on one axis."""
Condition: TypeAlias = str | float | tuple[str | float, ...]
"""A label or a score that an item must have, or several of which it must have one."""
Infer: TypeAlias = Callable[[Sample], Inference]
"""Computes the uncertainty of a metric: its interval and test."""
Compare: TypeAlias = Callable[[PairedSample], tuple[float, Inference]]
"""How far a measure of one result is from that of another on the same items, and the uncertainty of that.

Raises `Undefined` where there is no value."""
NOTHING_SAID = Meaning()
"""The default meaning, for measures that declare none: the title comes from the measure's name."""

Contrasts: TypeAlias = Callable[[ContrastSample], tuple[float, Inference]]
"""How far a measure of some items is from that of others, and the uncertainty of that, as `Compare`."""


@dataclass(frozen=True, slots=True)
class RowValues:
    """The numbers of single rows whose mean over the rows that have one is the value of a metric."""

    of: Callable[[Sequence[Column], Ties], Array]
    """From the columns of the metric, and what a tie counts as, to the number of each row, NaN where it has
    none; shape (n,)."""
    least: float
    """The lowest number that a row can have, in the unit of the metric."""
    most: float
    of_logarithm: bool = False
    """Whether the mean is the logarithm of the metric, as of geometric means."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is reported of a measure of two results on the same items."""

    by: Compare | None = None
    """The function that compares. None uses that of the metric (`compare`), or else A's value minus B's, with
    a paired bootstrap and a paired permutation test over items, or over whole clusters where items share
    some."""
    name: str = ""
    """The name of the estimate; "" is the measure's name followed by "_difference"."""
    meaning: Meaning = NOTHING_SAID
    """Title, sides, sentences and caution of the estimate. What it does not say follows from the measure:
    "Difference in" and its title, its role, what it counts and which way is better."""
    unit: str | None = None
    """The unit of the estimate; None is that of the measure (`unit_of`)."""
    neutral: float = 0.0
    over: tuple[tuple[str, ...], ...] | None = None
    """The subsets to report it for, as in `Measure.over`. None is all items, and the first single axis that
    the measure is reported over."""
    reads: tuple[str, ...] = ()
    """Columns that `by` gets behind those of the measure."""
    same_rule: bool = False
    """True where numbers of different rules measure different things: then there is no value."""
    same: tuple[str, ...] = ()
    """Settings, or facts of the data, in which two results must agree: others are refused."""

    def name_of(self, measure: str) -> str:
        """The name of the estimate for a measure of this name."""
        return self.name or f"{measure}_difference"

    def unit_of(self, unit: str) -> str:
        """The unit of the estimate for a measure of this unit."""
        return self.unit if self.unit is not None else "percentage points" if unit == "%" else unit


PAIRED = Comparison()
"""The difference, resampled in pairs."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A measure of one value of an axis minus that of another value, within one result."""

    axis: str
    by: Contrasts
    against_rest: bool = False
    """True compares each value with all others together, False with each other value."""
    background: str = ""
    """The value of items of none of the groups that are compared: it is one of the others, and never held
    against them itself."""
    named_by_first: bool = False
    """True where the number is about the first side, so that the estimate bears its name alone."""
    against: str = ""
    """The value that each other one is held against, such as an original; "" for none in particular."""
    several: str = ""
    """The axis that lists all values of an item that has several, with `SEVERAL` between them. Such an item
    stands once for each; it is one of the others only to values that it does not have, and only once."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric, the columns it reads, and how to report it."""

    name: str
    metric: Callable[..., float]
    """Takes the columns in order and, where `uses_ties`, the keyword `ties`."""
    columns: tuple[str, ...]
    unit: str
    neutral: float | None
    """The value of a model without any preference, or of one that picks at random; None where no value
    is neutral."""
    summary: str = ""
    """What the number is and what influences it, for the report."""
    infer: Infer | None = None
    """The function that computes interval and test. None uses that of the metric (`infer`), or else a
    bootstrap of items, or of whole clusters where items share some."""
    over: tuple[tuple[str, ...], ...] = ((),)
    """The subsets to report it for: () is all items, ("race",) each race, ("race", "gender") each
    combination of both."""
    where: Mapping[str, Condition] = field(default_factory=dict)
    """The items that it counts, by axis or score: {"condition": "ambiguous"}; {} is all items. Other items
    are ignored, so that n and the sentence are about these only."""
    units: tuple[str, ...] = ()
    """Axes, the widest first: what is resampled are the values of the first that has several in a subset. ()
    is, as where none has, the items' clusters."""
    of_several: tuple[str, ...] = ()
    """Axes of `over` that count only where the data have several of their values: a single one tells nothing
    apart."""
    at: Mapping[str, str] = field(default_factory=dict)
    """Coordinates that all its estimates have besides their subset. Measures of one name that differ in them
    are the cells of a table: {"truth": "yes", "said": "no"}."""
    uses_ties: bool = False
    clustered: bool = False
    """Reported only for data with clusters."""
    conventions: tuple[str, ...] = ()
    """Reported only under these conventions; () under all."""
    adjustment: Adjustment = "Holm"
    """How p-values of several subsets are corrected: for the chance of one false finding among few
    ("Holm"), or for the share of false ones among many findings ("Benjamini–Hochberg")."""
    meaning: Meaning = NOTHING_SAID
    """How the number is to be read."""
    rules: tuple[str, ...] = ()
    """Reported only under these rules; () under all."""
    comparison: Comparison | None = PAIRED
    """How two results on the same items are compared in it; None where they are not."""
    compares: tuple[tuple[str, str], ...] = ()
    """Pairs of scores that it compares, so that two equal ones are a tie in it; () for any two."""
    drops_ties: bool = False
    """Whether tied items are left out of its denominator where ties are neutral."""
    contrast: Contrast | None = None
    """Reported for values of an axis held against each other, within each subset of `over`."""
    rests_on: Callable[[Sequence[Column]], int] | None = None
    """How many items its value rests on, from its columns. None is what the metric brings (`rests_on`); else
    all of them."""
    optional: tuple[str, ...] = ()
    """Columns of scores that the metric can do without: it gets NaN where no item has one."""
    needs: tuple[str, ...] = ()
    """Scores or axes without which it is not reported: no item of the data has them, which is nothing
    amiss."""
    needs_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels, by axis, without which it is not reported: {"arm": "placebo"}."""
    answered: Callable[[Sequence[Column]], npt.NDArray[np.bool_]] | None = None
    """Which rows have what the metric needs, from its columns, shape (n,). None is what the metric brings
    (`answered`); else every row with a finite number in all columns of scores that are not optional. A row
    that counts against a model, such as a refusal in a share of refusals, is answered."""
    mean_of: RowValues | None = None
    """For a metric that is a mean over rows: the numbers that are averaged. None uses `mean_of` of the
    metric, if it has one."""
    samples_replies: bool = False
    """Whether what is sampled are replies to the same items, so that the interval becomes narrower with more
    replies to an item."""
    numbered: bool = False
    """Whether the metric only tells labels apart and orders them: it then gets their numbers, which have
    the same order and take less memory."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the metric, and those that say which items count."""
        return (*self.columns, *self.where)

    @property
    def reads_arms(self) -> bool:
        """Whether it holds items of control arms against others."""
        return ARM in self.columns


def reported_measures(measures: Sequence[Measure], *, rule: str, convention: str) -> list[Measure]:
    """The measures reported under this rule (several joined by +) and this convention.

    >>> measures = [Measure("f1", max, (), "%", None), Measure("odds", max, (), "", None, rules=("choice",))]
    >>> [m.name for m in reported_measures(measures, rule="word", convention="paper")]
    ['f1']
    >>> [m.name for m in reported_measures(measures, rule="choice", convention="paper")]
    ['f1', 'odds']
    """
    rules = {rule, *rule.split("+")}
    return [
        m
        for m in measures
        if (not m.conventions or convention in m.conventions)
        and (not m.rules or rules & {*m.rules})
    ]
