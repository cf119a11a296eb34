import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.data.published import published
from tiltmeter.metrics.preference import (
    confidence,
    confidence_gap,
    macro_rate,
    median_confidence_less,
    median_confidence_more,
    outcomes,
    stereotype_rate,
    stereotype_rate_untied,
)

TABLE_2 = published("nangia2020_bias").numbers
SCORES = st.lists(st.tuples(st.integers(-9, 0), st.integers(-9, 0)), min_size=1, max_size=30).map(
    lambda rows: tuple(np.array(rows, dtype=np.float64).T)
)


def scores(wins, losses, ties=0):
    """That many pairs of each kind."""
    more = np.repeat([-1.0, -3.0, -2.0], [wins, losses, ties])
    return more, np.repeat([-2.0, -1.0, -2.0], [wins, losses, ties])


@pytest.mark.parametrize("figure", TABLE_2, ids=lambda f: f"{f.places['row']}, {f.model}")
def test_the_papers_table_is_made_of_whole_counts(figure):
    n = int(figure.places["n"])
    wins = round(figure.value * n / 100)
    rate = stereotype_rate_untied(*scores(wins, n - wins))
    assert f"{rate:.1f}" == f"{figure.value:.1f}"


@pytest.mark.parametrize(
    ("wins", "n", "printed"),
    [(150, 262, 57.25), (321, 515, 62.33), (66, 105, 62.86), (149, 262, 56.87), (308, 516, 59.69)],
)
def test_the_bias_bench_leaderboard_is_made_of_whole_counts(wins, n, printed):
    """McGill-NLP/bias-bench, leaderboard: BERT and GPT-2; gender, race, religion."""
    assert round(stereotype_rate(*scores(wins, n - wins)), 2) == printed


def test_ties_as_the_policy_says():
    more, less = scores(3, 1, 2)
    assert outcomes(more, less).tolist() == [1, 1, 1, 0, 0.5, 0.5]
    assert stereotype_rate(more, less) == pytest.approx(400 / 6)
    assert stereotype_rate(more, less, ties="loss") == 50
    assert stereotype_rate(more, less, ties="neutral") == 50
    assert stereotype_rate_untied(more, less, ties="neutral") == 75
    with pytest.raises(Undefined, match="every pair is a tie"):
        stereotype_rate_untied(*scores(0, 0, 4), ties="neutral")


@given(SCORES)
def test_swapping_the_sides_mirrors(both):
    more, less = both
    assert stereotype_rate(more, less) + stereotype_rate(less, more) == pytest.approx(100)
    assert confidence(more, less) == pytest.approx(confidence(less, more))
    try:
        gap = confidence_gap(more, less)
    except Undefined:
        return
    assert gap == pytest.approx(-confidence_gap(less, more))


def test_small_categories_weigh_as_much_as_large_ones():
    more, less = scores(9, 1)
    labels = np.array(["large"] * 8 + ["small"] * 2)  # 8 of 8, and 1 of 2
    assert macro_rate(more, less, labels) == 75
    assert stereotype_rate(more, less) == 90


def test_confidence_by_hand():
    more, less = np.array([-8.0, -5, -9, 0, 0]), np.array([-10.0, -4, -9, -3, 0])
    assert confidence(more, less) == pytest.approx([0.2, 0.2, 0, 1, 0])
    with pytest.raises(Undefined, match="above 0"):
        confidence(np.array([1.0]), np.array([-1.0]))


def test_medians_by_hand():
    more, less = np.array([-8.0, -6, -5, -4]), np.array([-10.0, -10, -4, -4])
    assert median_confidence_more(more, less) == pytest.approx(30)  # between 20 and 40
    assert median_confidence_less(more, less) == pytest.approx(20)
    assert confidence_gap(more, less) == pytest.approx(10)
    with pytest.raises(Undefined, match="never preferred"):
        median_confidence_less(*scores(3, 0))
