"""The numbers of an alignment against hand-made tables and slow code."""

from itertools import permutations

import numpy as np
import pytest

from derived.people.examples import GROUPS, PAIRS, matrix, table
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.alignment_numbers import own_less_others, pooled
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.analyses.compare_people.quantities import OWN
from tiltmeter.stats.correlations.correlation import kendall_tau


def test_pooled_and_mean_are_different_measures():
    """Within groups the order is the same; but the group that people put higher is lower here."""
    said = np.array([[10.0, 20, 30], [60.0, 70, 80]])
    scores = np.array([[5.0, 6, 7], [1.0, 2, 3]])
    (one,) = align(
        [Source("m", "m", matrix(scores, GROUPS[:2], PAIRS[:3]))],
        table(said, GROUPS[:2], PAIRS[:3]),
        Wanted(),
    ).parts
    assert one.find("mean_kendall_tau").value == 1
    # Of 15 pairs of cells, 6 lie within a group and agree, 9 lie between and do not.
    assert one.find("kendall_tau").value == pytest.approx((6 - 9) / 15)
    assert "needs" in one.find("precision_at_3").why or "needed" in one.find("precision_at_3").why


def test_what_fits_every_group_is_told_apart():
    """The same row for all groups agrees with people as far as their rows are alike, and no further."""
    rng = np.random.default_rng(0)
    shared = rng.normal(size=16)
    said = shared + rng.normal(scale=0.7, size=(20, 16))
    alike = np.tile(shared, (20, 1)) + rng.normal(scale=1e-3, size=(20, 16))
    found = own_less_others(alike, said, seed=0)
    assert abs(found.value) < 0.05
    assert found.p > 0.05
    assert pooled(alike, said, seed=0).value > 0.4
    assert "rough" not in found.why
    assert "rough: only 4 groups" in pooled(alike[:4], said[:4], seed=0).why
    own = own_less_others(said, said, seed=0)
    assert own.name == OWN.name
    taus = [[kendall_tau(a, b) for b in said] for a in said]
    others = np.mean([taus[i][j] for i in range(20) for j in range(20) if i != j])
    assert own.value == pytest.approx(1 - others)
    assert own.p == 1 / 10_000


def test_p_of_own_people_is_that_of_all_ways_to_deal_the_rows():
    """Far from what dealt rows give on average, which is above 0 where all groups are alike."""
    rng = np.random.default_rng(3)
    shared = 2 * rng.normal(size=12)
    said = shared + rng.normal(size=(5, 12))
    scores = shared + rng.normal(size=(5, 12)) + 0.5 * (said - shared)
    taus = np.array([[kendall_tau(a, b) for b in said] for a in scores])
    every = np.array(
        [np.mean([taus[i, j] for i, j in enumerate(o)]) for o in permutations(range(5))]
    )
    seen = abs(np.trace(taus) / 5 - every.mean())
    exact = np.mean(np.abs(every - every.mean()) >= seen - 1e-12)
    assert 0.02 < exact < 0.9
    assert own_less_others(scores, said, seed=0).p == pytest.approx(exact, abs=0.02)
