"""Differences of two sets of seeds: paired, independent, and what is refused."""

import numpy as np
import pytest

from analyses.seeds.examples import seeds
from tiltmeter.analyses.seeds.seed_sets import seed_sets
from tiltmeter.analyses.seeds.set_differences import against, differences
from tiltmeter.core.errors import BadInput
from tiltmeter.stats.confidence_intervals.crossed_means import over_levels
from tiltmeter.stats.confidence_intervals.intervals import difference_interval

RATE = "stereotype_rate"


def drawn(seed, share, many=5, items=40):
    rng = np.random.default_rng(seed)
    return ["".join(str(int(x)) for x in rng.random(items) < share) for _ in range(many)]


def compared(base, others, names=("base-seed{}", "cda-seed{}")):
    sets = seed_sets([*seeds(base, names[0]), *seeds(others, names[1])], {})
    ((of, to),) = against(sets, "base")
    assert (of.name, to.name) == ("cda", "base")
    return [*differences(of, to, [RATE])]


def rates(sides):
    return np.array([100 * side.count("1") / len(side) for side in sides])


def test_paired_seeds_are_held_against_each_other_on_the_same_items():
    base, others = drawn(0, 0.7), drawn(1, 0.4)
    these, like_these = compared(base, others)
    apart = rates(others) - rates(base)
    each = 100 * (np.array([[*map(int, s)] for s in others]).mean(axis=0)
                  - np.array([[*map(int, s)] for s in base]).mean(axis=0))  # fmt: skip
    assert these.model == "cda − base" and these.name == "stereotype_rate_difference"
    assert these.value == pytest.approx(apart.mean()) and these.unit == "percentage points"
    assert (these.low, these.high) == pytest.approx(difference_interval(each, np.arange(40), 100))
    ends = over_levels(these.value, (these.low, these.high), apart, (-100, 100))
    assert (like_these.low, like_these.high) == pytest.approx(ends)
    assert like_these.why == "paired by 5 seeds; it rests on 5 seeds"
    assert these.significant is True and like_these.meaning.variant_of == these.name


def test_sets_without_a_seed_in_common_are_two_samples():
    base, others = drawn(0, 0.9), drawn(1, 0.2)
    sets = seed_sets([*seeds(base, "base-seed{}"), *seeds(others, "cda-seed1{}")], {})
    _, like_these = differences(sets[1], sets[0], [RATE])
    paired = compared(base, others)[1]
    assert like_these.why.startswith("seeds of both sets are independent; ")
    assert like_these.value == pytest.approx(paired.value)
    assert like_these.low < like_these.value < like_these.high


def test_seeds_that_only_one_set_has_are_left_out():
    these, _ = compared(drawn(0, 0.7, many=6), drawn(1, 0.4, many=5))
    assert "paired by 5 seeds" in these.why
    assert these.value == pytest.approx(
        (rates(drawn(1, 0.4)) - rates(drawn(0, 0.7, many=6)[:5])).mean()
    )


def test_three_seeds_say_nothing_of_others():
    these, like_these = compared(drawn(0, 0.7, many=3), drawn(1, 0.4, many=3))
    assert these.low is not None and like_these.low is None
    assert "it takes 5 seeds, there are 3" in like_these.why


def test_a_set_that_is_not_there_is_refused():
    sets = seed_sets(seeds(drawn(0, 0.5), "base-seed{}"), {})
    with pytest.raises(
        BadInput, match="names 'other', and no set of seeds is called so; there are: base"
    ):
        against(sets, "other")
    with pytest.raises(BadInput, match="no other set of seeds to hold against base"):
        against(sets, "base")
