"""Numbers of a set of seeds: mean, standard deviation, and two intervals that must be kept apart.

One is about *these seeds* on other items like these. The other is about *seeds like these*: another training
of the same kind, on other items. Few seeds say little of others: one training in ten that fails is in none of
three seeds in 73 of 100 cases. So the second is Gaffke's for bounded values, with half an unseen seed at
the limit, joined with the interval over items (`stats.confidence_intervals.crossed_means`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from tiltmeter.analyses.seeds.item_intervals import (
    as_if_together,
    interval_over_items,
    values_over_items,
)
from tiltmeter.analyses.seeds.seed_sets import SeedSet
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.crossed_means import (
    FEWEST_LEVELS,
    SURE_LEVELS,
    over_levels,
)

AXIS = "trained_on"
"""The axis of what classifiers were trained on."""
SD, OVER_SEEDS = "{}_sd", "{}_over_seeds"
"""The names of a measure's standard deviation over seeds, and of its mean over seeds like these."""
DECIMALS = 3
"""Decimals of the standard deviation of a number without a unit, such as an area under a curve."""
JOINED = "interval over items joined with Gaffke’s over seeds, half an unseen seed at the limit"
Distances = tuple[float, float]
"""How far an interval reaches below and above its value."""


def seed_means(sets: Sequence[SeedSet], close: Sequence[str] = ()) -> Iterator[Estimate]:
    """Each number averaged over the seeds of a set; then its mean over seeds like these, and its deviation.

    The mean is under the set's name, with the axis `trained_on` for classifiers, and the `n` of a run.

    Args:
        sets: The sets of seeds.
        close: Measures whose interval over items is computed from the items, for the number over all of
            them. Other intervals are as wide as the runs' own, as if all seeds erred together.
    """
    for seeds in sets:
        by_place: dict[tuple[str, tuple[tuple[str, str], ...]], list[Estimate]] = {}
        for run in seeds.runs.values():
            for e in run.estimates:
                by_place.setdefault((e.name, tuple(e.groups.items())), []).append(e)
        from_items = cache(lambda name, seeds=seeds: _from_items(seeds, name))
        for (name, groups), trained in by_place.items():
            whole = name in close and not groups and len(trained) == len(seeds.runs)
            yield from _averaged(seeds, trained, from_items(name) if whole else None)


def _averaged(
    seeds: SeedSet, trained: Sequence[Estimate], from_items: Distances | None
) -> Iterator[Estimate]:
    """One number over its seeds."""
    first, n = trained[0], len(trained)
    missing = next((e for e in trained if e.value is None), None)
    values = np.array([e.value for e in trained if e.value is not None])
    groups = ({AXIS: seeds.data} if seeds.data else {}) | dict(first.groups)
    empty = replace(
        first, value=None, low=None, high=None, p=None, p_adjusted=None, model=seeds.name, groups=groups,
        test="", adjustment="", mde=None, tied=0, clusters=None, interval="", verdict="", level=0.95,
        why=f"undefined in a training: {missing.why}" if missing else "",
    )  # fmt: skip
    if missing:
        yield empty
        yield _deviation(empty, None, empty.why)
        return
    mean = replace(empty, value=float(values.mean()))
    reach, how, why = _reach(trained, from_items)
    these = mean
    if reach is not None and mean.value is not None:
        these = replace(mean, low=mean.value - reach[0], high=mean.value + reach[1], interval=how)
    yield replace(these, why=why)
    if not (first.meaning.variant_of or first.meaning.bounds):
        yield _like_these(these, values)
    sd = float(values.std(ddof=1)) if n > 1 else None
    yield _deviation(mean, sd, "" if n > 1 else "of one training there is no standard deviation")


def _reach(
    trained: Sequence[Estimate], from_items: Distances | None
) -> tuple[Distances | None, str, str]:
    """How far the interval over items reaches, how it was made, and why there is none."""
    seeds = counted(len(trained), "seeds")
    if from_items is not None:
        return from_items, f"over items, of the mean of {seeds}", ""
    ends = [(e.low, e.high) for e in trained if e.low is not None and e.high is not None]
    if len(ends) < len(trained):
        return None, "", "no interval over items: some runs have none"
    values = [e.value for e in trained if e.value is not None]
    return (
        as_if_together(values, ends),
        f"mean of the intervals of {seeds}, as if all erred together",
        "",
    )


def _like_these(these: Estimate, values: Array) -> Estimate:
    """The mean over seeds like these, as a variant of that over these seeds."""
    within = these.meaning.range(these.unit)
    sure, why = Inference(None, None), why_no_interval(these, len(values), within)
    if not why and these.value is not None and these.low is not None and these.high is not None:
        ends = over_levels(these.value, (these.low, these.high), values, within)
        sure, why = Inference(*ends, interval=JOINED), few_seeds(len(values))
    title = these.meaning.title or these.name.replace("_", " ").capitalize()
    meaning = replace(
        these.meaning, title=f"{title}, seeds like these", short="", sentence="", sentence_below="",
        variant_of=these.name,
    )  # fmt: skip
    return replace(
        these, name=OVER_SEEDS.format(these.name), low=sure.low, high=sure.high, interval=sure.interval,
        why=why, meaning=meaning, clusters=len(values),
    )  # fmt: skip


def why_no_interval(these: Estimate, seeds: int, within: tuple[float, float]) -> str:
    """Why there is no interval about seeds like these; "" where there is one."""
    if seeds < FEWEST_LEVELS:
        return (
            f"no interval about other seeds: it takes {FEWEST_LEVELS} seeds, there "
            f"{'is one' if seeds == 1 else f'are {seeds}'}"
        )
    if not np.isfinite(within).all():
        return "no interval about other seeds: its values have no limits, so nothing bounds what they give"
    if these.low is None or these.high is None:
        return "no interval about other seeds: there is none over items"
    return ""


def few_seeds(seeds: int) -> str:
    """A caution where an interval rests on few seeds."""
    return f"it rests on {seeds} seeds" if seeds < SURE_LEVELS else ""


def _deviation(mean: Estimate, sd: float | None, why: str) -> Estimate:
    """The standard deviation over seeds."""
    meaning = Meaning(
        f"{mean.meaning.title or mean.name}: standard deviation over seeds", "sd", "description",
        mean.meaning.counts,
        decimals=mean.meaning.decimals if mean.unit else mean.meaning.decimals or DECIMALS, least=0.0,
    )  # fmt: skip
    return replace(
        mean, name=SD.format(mean.name), value=sd, neutral=None, meaning=meaning, why=why,
        unit="points" if mean.unit == "%" else mean.unit,
    )  # fmt: skip


def _from_items(seeds: SeedSet, measure: str) -> Distances | None:
    """How far the interval of the mean over these seeds reaches; None where items do not say."""
    try:
        values = values_over_items([*seeds.runs.values()], measure)
        return interval_over_items(values, np.full(len(seeds.runs), 1 / len(seeds.runs)))
    except Undefined:
        return None


def lowest_and_highest(seeds: SeedSet, measure: str, groups: Mapping[str, str]) -> Array:
    """The values of a number in the seeds of a set, sorted."""
    values = (
        e.value for run in seeds.runs.values() for e in run.estimates
        if e.name == measure and e.groups == groups and e.value is not None
    )  # fmt: skip
    return np.sort(np.array([*values]))
