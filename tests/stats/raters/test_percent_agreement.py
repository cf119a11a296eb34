"""Percent agreement against values a hand can check, a slow implementation, and what must not matter."""

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.raters.percent_agreement import (
    draws_agree,
    draws_inference,
    m_of_n_agree,
    m_of_n_inference,
    panel_size,
)

_ = math.nan
FOUR = np.array(
    [[1, 1, 1, 1], [1, 1, 1, 2], [1, 1, 2, 2], [1, 2, 3, 4], [1, 1, _, _], [1, _, _, _]]
)

tables = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, math.nan]), min_size=4, max_size=4),
    min_size=1,
    max_size=8,
).map(np.array)


def test_values_by_hand() -> None:
    assert panel_size(FOUR) == 4
    assert m_of_n_agree(FOUR, 4, 4) == 25  # 1 of 4 items with four ratings
    assert m_of_n_agree(FOUR, 2, 2) == 100
    assert m_of_n_agree(FOUR, 3, 4) == 50
    assert m_of_n_agree(FOUR, 2, 4) == 75
    # 6, 3, 2 and 0 of 6 pairs, and 1 of 1
    assert draws_agree(FOUR) == pytest.approx(100 * (1 + 3 / 6 + 2 / 6 + 0 + 1) / 5)


def test_the_panel_is_the_most_common_size_and_of_ties_the_larger() -> None:
    assert panel_size(np.array([[1, 1, _], [2, 1, _], [2, 2, 1]])) == 2
    assert panel_size(np.array([[1, 1, _], [2, 2, 1]])) == 3


@settings(deadline=None)
@given(tables)
def test_pairs_equal_the_slow_implementation(ratings: Array) -> None:
    shares = []
    for row in ratings.tolist():
        said = [v for v in row if not math.isnan(v)]
        pairs = list(itertools.combinations(said, 2))
        if pairs:
            shares.append(100 * sum(a == b for a, b in pairs) / len(pairs))
    if shares:
        assert draws_agree(ratings) == pytest.approx(sum(shares) / len(shares))
    else:
        with pytest.raises(Undefined):
            draws_agree(ratings)


@settings(deadline=None)
@given(tables, st.randoms())
def test_the_order_of_raters_and_the_names_of_values_do_not_matter(
    ratings: Array, random: Random
) -> None:
    try:
        before = m_of_n_agree(ratings, 4, 4), draws_agree(ratings)
    except Undefined:
        return
    shuffled = np.array([random.sample(row, len(row)) for row in ratings.tolist()])
    renamed = 7 - 2 * shuffled
    assert (m_of_n_agree(renamed, 4, 4), draws_agree(renamed)) == pytest.approx(before)


def test_shares_have_wilson_intervals() -> None:
    found = m_of_n_inference(FOUR, 4, 4)
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson(1, 4)])
    found = m_of_n_inference(FOUR, 3, 4)
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson(2, 4)])


def test_copies_of_items_do_not_narrow_intervals_if_they_are_one_cluster() -> None:
    once = np.tile(FOUR[:4], (10, 1))
    thrice, clusters = np.repeat(once, 3, axis=0), np.repeat(np.arange(40), 3)

    def widths(ratings: Array, labels: Labels | None) -> Array:
        found = [
            m_of_n_inference(ratings, 4, 4, clusters=labels),
            draws_inference(ratings, clusters=labels),
        ]
        return np.array([(one.high or 0) - (one.low or 0) for one in found])

    copied = widths(thrice, clusters)
    assert copied == pytest.approx(widths(once, None), rel=0.15)
    assert (widths(thrice, None) < 0.75 * copied).all()


def test_the_interval_of_pairs_holds_the_value_and_does_not_collapse() -> None:
    found = draws_inference(FOUR)
    assert found.low is not None and found.high is not None
    assert found.low < draws_agree(FOUR) < found.high
    same = draws_inference(np.ones((5, 2)))
    assert same.high == 100 and same.low is not None and same.low < 75
    one = draws_inference(np.ones((1, 2)))
    assert one.low is None and "only one item" in one.why


def test_what_has_no_value_says_so() -> None:
    with pytest.raises(Undefined, match="no item has 2 ratings"):
        draws_agree(np.array([[1.0, _], [_, 2.0]]))
    with pytest.raises(Undefined, match="no item has 3 ratings"):
        m_of_n_agree(np.array([[1.0, 2.0]]), 3, 3)
    with pytest.raises(BadInput, match="3 of 2 raters"):
        m_of_n_agree(FOUR, 3, 2)
    with pytest.raises(BadInput, match="1 of 2 raters"):
        m_of_n_agree(FOUR, 1, 2)


def test_intervals_do_not_depend_on_the_order_of_the_items() -> None:
    rng = np.random.default_rng(0)
    agree = np.where(
        np.arange(5_000) % 10 < 5, 0.95, 0.5
    )  # ten questions in turn, half of them easy
    ratings = np.stack([np.zeros(5_000), rng.random(5_000) > agree], axis=1)
    widths = []
    for order in (slice(None), np.argsort(agree, kind="stable"), rng.permutation(5_000)):
        found = draws_inference(ratings[order])
        assert found.low is not None and found.high is not None
        widths.append(found.high - found.low)
    assert max(widths) < 1.15 * min(widths)
