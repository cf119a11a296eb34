"""How far answers change when a model is asked again: the measure of every study whose models write."""

from dataclasses import replace

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference, Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics import labels
from tiltmeter.metrics.counts import compare_by_texts

CHANGED, REPEATS = "changed_between_repeats", "repeats"
"""Scores of the first record of an item with several replies: 1 where the answers are not all the same, else
0; and how many replies there are."""


def compare_changed(sample: PairedSample) -> tuple[float, Inference]:
    """A's share of items with changed answers minus B's.

    Raises:
        Undefined: The two have different numbers of repeats, of which more find more changes.
    """
    (of_a, a), (of_b, b) = (tuple(side) for side in (sample.a, sample.b))
    if (a != b).any():
        raise Undefined("the two results have different numbers of repeats")
    return compare_by_texts(replace(sample, a=[of_a], b=[of_b]))


CHANGED_BETWEEN_REPEATS = Measure(
    CHANGED, labels.rate, (CHANGED,), "%", neutral=None, needs=(CHANGED,), where={"repeat": 0.0},
    summary="The share of items whose answers are not the same in all repeats: whether the item is answered, "
    "and with which option; in studies without options, the text. More repeats find more changes.",
    meaning=Meaning(
        "Answers that change between repeats", role="cost", counts="items", better="lower",
        sentence="does not give the same answer in all repeats to $value of $n $counts",
    ),
    comparison=Comparison(by=compare_changed, reads=(REPEATS,)),
)  # fmt: skip
"""Reported of runs with repeats, whatever the study."""
