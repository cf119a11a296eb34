"""How often intervals of numbers that rest on several replies to each item contain the true value."""

from functools import cache, partial

import numpy as np
from scipy.special import expit

from simulations.cases import Case
from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.metrics import labels
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.study_families.repeats import CHANGED, CHANGED_BETWEEN_REPEATS

RATE = Measure("rate", labels.rate, ("flag",), "%", None)
READ = ("flag", "repeat", CHANGED)


def estimate(measure, flags, *, together=1):
    """The estimate of a measure from a table of items by repeats; so many items are of one text."""
    records = []
    for i, replies in enumerate(flags):
        changed = {CHANGED: float(len({*replies}) > 1)}
        for k, flag in enumerate(replies):
            scores = {"flag": float(flag), **(changed if k == 0 else {})}
            records.append(Record(f"{i}", scores, {}, f"{i // together}").as_repeat(k))
    (found,) = estimates([measure], columns_of(records, READ), "half", 0)
    return found


@cache
def mean_share(middle, items, common):
    """The mean of the shares of items in repeats, whose log-odds have these standard deviations."""
    rng = np.random.default_rng(0)
    return expit(middle + np.hypot(items, common) * rng.normal(size=1_000_000)).mean()


def replied(items, repeats, rng, *, middle=0.0, spread=1.5, common=0.0, together=1):
    """Replies whose log-odds vary over texts and, by `common`, over repeats."""
    texts = np.repeat(rng.normal(size=(-(-items // together), 1)), together, axis=0)[:items]
    shares = expit(middle + spread * texts + common * rng.normal(size=(1, repeats)))
    found = estimate(RATE, rng.random((items, repeats)) < shares, together=together)
    return found.low, found.high, 100 * mean_share(middle, spread, common)


def copied(items, repeats, rng, *, share=0.3):
    """Replies that are the same in all repeats."""
    found = estimate(RATE, np.repeat(rng.random((items, 1)) < share, repeats, axis=1))
    return found.low, found.high, 100 * share


def changed(items, repeats, rng):
    """Half of the items always have one answer, the others either with even odds."""
    shares = np.where(rng.random((items, 1)) < 0.5, 0.0, 0.5)
    found = estimate(CHANGED_BETWEEN_REPEATS, rng.random((items, repeats)) < shares)
    return found.low, found.high, 50 * (1 - 2 * 0.5**repeats)


KIND = "Wilson, by texts, of several replies"
CASES = (
    *(
        Case(KIND, "rate", f"{items} items, {repeats} equal replies each",
             partial(copied, items, repeats), 91, 100, 300)
        for items, repeats in ((20, 3), (100, 3))
    ),
    *(
        Case(KIND, "rate", f"{items} items, {repeats} replies each, {said}",
             partial(replied, items, repeats, **of), 91, 100, 300)
        for items, repeats, said, of in (
            (20, 3, "items differ", {}),
            (20, 10, "items differ", {}),
            (100, 3, "items differ", {}),
            (100, 3, "all by chance", {"spread": 0.0}),
            (100, 10, "all by chance", {"spread": 0.0}),
            (20, 3, "7 %", {"middle": -3.5}),
            (100, 3, "7 %", {"middle": -3.5}),
            (100, 3, "five of a text", {"together": 5}),
        )
    ),
    *(
        Case(KIND, "rate", f"100 items, {repeats} replies each, repeats differ by {common:g}",
             partial(replied, 100, repeats, common=common), 91, 100, 300)
        for repeats, common in ((5, 0.2), (5, 0.5), (10, 0.2), (10, 0.5), (10, 1.0))
    ),
    Case(KIND, "rate", "20 items, 5 replies each, repeats differ by 0.5",
         partial(replied, 20, 5, common=0.5), 91, 100, 300),
    Case(KIND, "changed_between_repeats", "40 items, 3 replies each", partial(changed, 40, 3), 91, 100, 300),
)  # fmt: skip
"""Log-odds vary over items with a standard deviation of 1.5, unless the row says otherwise."""
