"""Items against the rest: correlations by slow code, and how often chance alone is named."""

import numpy as np
import pytest

from tiltmeter.stats.correlations.item_rest import against_rest, item_rest


def drawn(seed, models=8, items=30, lean=0.0):
    rng = np.random.default_rng(seed)
    chance = 0.5 + lean * np.linspace(-1, 1, models)[:, None]
    return (rng.random((models, items)) < chance).astype(float)


def slowly(table, clusters):
    found = []
    for i in range(table.shape[1]):
        rest = table[:, clusters != clusters[i]].mean(axis=1)
        x = table[:, i]
        flat = np.ptp(x) == 0 or np.ptp(rest) == 0
        found.append(np.nan if flat else np.corrcoef(x, rest)[0, 1])
    return found


@pytest.mark.parametrize("each", [1, 3])
def test_correlations_leave_out_the_items_cluster(each):
    table, clusters = drawn(1), np.arange(30) // each
    table[:, 4] = 1.0
    made = item_rest(table, clusters)
    assert made == pytest.approx(slowly(table, clusters), nan_ok=True)
    assert np.isnan(made[4])


def test_there_is_none_over_two_models_or_in_a_single_cluster():
    assert np.isnan(item_rest(drawn(1, models=2), np.arange(30))).all()
    assert np.isnan(item_rest(drawn(1), np.zeros(30, dtype=int))).all()
    assert np.isnan(against_rest(drawn(1, models=2), np.arange(30), np.random.default_rng(0))).all()


def test_an_item_that_is_turned_round_is_named_and_no_other():
    table = drawn(2, models=16, items=40, lean=0.45)
    table[:, 7] = (table.mean(axis=1) < 0.5) * 1.0
    p = against_rest(table, np.arange(40), np.random.default_rng(0))
    assert np.flatnonzero(p < 0.05).tolist() == [7]
    assert item_rest(table, np.arange(40))[7] < -0.7


def test_p_is_the_share_of_orders_whose_lowest_r_is_as_low():
    """Three models have six orders, of which the random ones are copies."""
    table = np.array([[0.0, 0, 1, 1], [1, 0, 0, 0], [1, 1, 0, 0]])
    clusters = np.arange(4)
    p = against_rest(table, clusters, np.random.default_rng(3))
    from itertools import permutations

    seen, lowest = slowly(table, clusters), []
    for order in permutations(range(3)):
        rs = []
        for i in range(4):
            rest = np.delete(table, i, axis=1).mean(axis=1)
            if np.ptp(rest) and np.ptp(table[:, i]):
                rs.append(np.corrcoef(table[list(order), i], rest)[0, 1])
        lowest.append(min(rs))
    shares = [np.mean([low <= r + 1e-9 for low in lowest]) for r in seen]
    assert p == pytest.approx(shares, abs=0.05)


def test_chance_alone_names_an_item_in_few_of_a_hundred_benchmarks():
    found = 0
    for seed in range(60):
        table = drawn(100 + seed, models=9, items=25)
        p = against_rest(table, np.arange(25), np.random.default_rng(seed))
        found += bool((p < 0.05).any())
    assert found <= 8  # of 60, 3 expected
