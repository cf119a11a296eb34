"""The difference of two sets of seeds: a model before and after an intervention, each trained several times.

Where both sets have the same seeds, the seeds are paired: an intervention that starts from checkpoint 3 is
held against checkpoint 3. Items are always paired. Both intervals are as of `seed_means`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analyses.seeds.item_intervals import interval_over_items, values_over_items
from tiltmeter.analyses.seeds.seed_means import AXIS, JOINED, OVER_SEEDS, few_seeds, why_no_interval
from tiltmeter.analyses.seeds.seed_sets import SeedSet
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate, Inference, estimated
from tiltmeter.core.measures import PAIRED
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.derived.comparisons.measured_difference import difference_meaning
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.crossed_means import UNSEEN_LEVELS, over_levels

DIFFERENCE = "{}_difference"
OVER_ITEMS = "over items, of the difference of means"


def against(sets: Sequence[SeedSet], name: str) -> list[tuple[SeedSet, SeedSet]]:
    """Each set with the one of this name, of the same study and data, that it is held against.

    Raises:
        BadInput: No set has the name, or there is none beside it.
    """
    base = {(s.study, s.data): s for s in sets if s.name == name}
    if not base:
        names = ", ".join(dict.fromkeys(s.name for s in sets))
        raise BadInput(
            f"--against names {name!r}, and no set of seeds is called so", f"there are: {names}"
        )
    pairs = [
        (s, base[s.study, s.data]) for s in sets if s.name != name and (s.study, s.data) in base
    ]
    if not pairs:
        raise BadInput(
            f"there is no other set of seeds to hold against {name}",
            "give runs of two sets of seeds",
        )
    return pairs


def differences(of: SeedSet, base: SeedSet, measures: Sequence[str]) -> Iterator[Estimate]:
    """How far the mean of one set is above that of another, for measures that both have over all items."""
    shared = [seed for seed in of.runs if seed in base.runs]
    # One seed in common would be no pairing; sets without one are two samples.
    first, second = ([s.runs[seed] for seed in shared] or [*s.runs.values()] for s in (of, base))
    for name in measures:
        try:
            sides = [np.array([_value(run, name) for run in runs]) for runs in (first, second)]
            values = values_over_items([*first, *second], name)
        except Undefined:
            continue
        weights = np.repeat([1 / len(first), -1 / len(second)], [len(first), len(second)])
        how = (
            f"paired by {counted(len(shared), 'seeds')}"
            if shared
            else "seeds of both sets are independent"
        )
        m = values.measure
        these = estimated(
            DIFFERENCE.format(name), float(sides[0].mean() - sides[1].mean()),
            Inference(None, None), n=len(values.items), neutral=0.0, unit=PAIRED.unit_of(m.unit),
            meaning=difference_meaning(m, PAIRED), model=f"{of.name} − {base.name}", study=of.study,
            groups={AXIS: of.data} if of.data else {}, why=how,
        )  # fmt: skip
        try:
            below, above = interval_over_items(values, weights)
            value = these.value or 0.0
            these = replace(
                these, low=value - below, high=value + above, interval=OVER_ITEMS,
            )  # fmt: skip
        except Undefined as undefined:
            these = replace(these, why=f"{how}; no interval over items: {undefined}")
        yield these
        yield _like_these(these, sides, m.meaning.range(m.unit), how, is_paired=bool(shared))


def _value(run: Result, name: str) -> float:
    for e in run.estimates:
        if e.name == name and not e.groups and e.value is not None:
            return e.value
    raise Undefined(f"{run.card.model_name} has no {name}")


def _like_these(
    these: Estimate,
    sides: Sequence[Array],
    within: tuple[float, float],
    how: str,
    *,
    is_paired: bool,
) -> Estimate:
    """The difference of the means over seeds like these."""
    fewest = min(map(len, sides))
    low = high = None
    why = why_no_interval(these, fewest, within)
    if not why and these.value is not None and these.low is not None and these.high is not None:
        most, ends = within[1] - within[0], (these.low, these.high)
        if is_paired:
            low, high = over_levels(these.value, ends, sides[0] - sides[1], (-most, most))
        else:
            low, high = _apart(these.value, ends, sides, within)
        why = few_seeds(fewest)
    meaning = replace(
        these.meaning,
        title=f"{these.meaning.title}, seeds like these",
        variant_of=these.name,
        short="",
    )
    return replace(
        these, name=OVER_SEEDS.format(these.name), low=low, high=high, clusters=fewest, meaning=meaning,
        interval="" if low is None else JOINED, why="; ".join(filter(None, (how, why))),
    )  # fmt: skip


def _apart(
    value: float, ends: tuple[float, float], sides: Sequence[Array], within: tuple[float, float]
) -> tuple[float, float]:
    """The interval of a difference of independent means, from the distances of each one's own."""
    of_a, of_b = (
        bounded_mean(side, np.arange(len(side)), within, unseen=UNSEEN_LEVELS) for side in sides
    )
    a, b = (float(side.mean()) for side in sides)
    below = np.hypot(value - ends[0], np.hypot(a - of_a[0], of_b[1] - b))
    above = np.hypot(ends[1] - value, np.hypot(of_a[1] - a, b - of_b[0]))
    return value - float(below), value + float(above)
