"""Counts of rows that are alike: exact where scores are few, and draws like those of single rows."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tiltmeter.stats.ranks.weighted_ranking import weighted_areas
from tiltmeter.stats.resampling.alike_rows import alike_rows, bins_for
from tiltmeter.stats.resampling.bootstrap import resamples_within

RNG = np.random.default_rng(4)
N = 3_000
LABELS = (RNG.random(N) < 0.3).astype(np.int64)
SCORES = np.clip(0.4 + 0.2 * LABELS + RNG.normal(0, 0.2, N), 0, 1)
GROUPS = RNG.integers(0, 2, N)


def area(alike, scores):
    """The area of the rows from their kinds."""
    return weighted_areas(alike.labels > 0, scores, alike.times[None].astype(float))[0]


def test_neighbours_of_one_label_are_alike_and_areas_stay_equal():
    """To the last digit: counts are whole numbers."""
    for decimals in (1, 3):
        scores = SCORES.round(decimals)
        alike = alike_rows(LABELS, scores, GROUPS, bins=10**6)
        assert alike.times.sum() == N
        assert area(alike, alike.scores) == pytest.approx(roc_auc_score(LABELS, scores), abs=1e-14)
        for group in (0, 1):
            mine = GROUPS[alike.first] == group
            found = weighted_areas(
                alike.labels[mine] > 0, alike.scores[mine], alike.times[None, mine].astype(float)
            )
            of = group == GROUPS
            assert found[0] == pytest.approx(roc_auc_score(LABELS[of], scores[of]), abs=1e-14)
    perfect = alike_rows(LABELS, LABELS + SCORES / 2, GROUPS * 0)
    assert len(perfect.times) == 2 and area(perfect, perfect.scores) == 1


def test_few_bins_move_an_area_by_little_of_its_standard_deviation():
    alike = alike_rows(LABELS, SCORES, GROUPS)
    assert len(alike.times) <= 4 * bins_for(N)
    exact = roc_auc_score(LABELS, SCORES)
    assert area(alike, alike.scores) == pytest.approx(
        exact, abs=0.05 * (exact * (1 - exact) / 900) ** 0.5
    )


def test_resamples_vary_as_those_of_single_rows_do():
    alike = alike_rows(LABELS, SCORES, GROUPS)
    kinds = np.concatenate(list(alike.resamples(np.random.default_rng(0), 2_000)))
    assert (kinds @ alike.labels == LABELS.sum()).all() and (kinds.sum(axis=1) == N).all()
    counted = weighted_areas(alike.labels > 0, alike.scores, kinds)
    single = np.concatenate(
        [weighted_areas(LABELS > 0, SCORES, times)
         for times in resamples_within(LABELS, np.random.default_rng(1), draws=2_000)]
    )  # fmt: skip
    # four standard errors of the mean and of the spread of 2,000 draws
    assert counted.mean() == pytest.approx(single.mean(), abs=4 * single.std() / 1_000**0.5)
    assert counted.std() == pytest.approx(single.std(), rel=4 / 2_000**0.5)


def test_deals_are_all_equally_likely_splits():
    """Two of the five rows of a label to one side: each kind as often as among all ten splits."""
    labels = np.array([0, 0, 0, 0, 0, 1])
    scores = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 0.5])
    sides = np.array([0, 1, 1, 0, 1, 0])
    alike = alike_rows(labels, scores, sides)
    own = sides[alike.first] == 0
    dealt = np.concatenate(list(alike.deals(own, np.random.default_rng(0), 20_000)))
    assert (dealt[:, alike.labels == 0].sum(axis=1) == 2).all()
    assert (dealt[:, alike.labels == 1].sum(axis=1) == 1).all() and (dealt <= alike.times).all()
    low = dealt[:, (alike.labels == 0) & (alike.scores == alike.scores.min())].sum(axis=1)
    wanted = [sum(i < 3 for i in pair) for pair in combinations(range(5), 2)]
    for count in range(3):
        assert np.mean(low == count) == pytest.approx(wanted.count(count) / 10, abs=0.015)


def test_rows_without_scores_are_alike_by_label_and_group():
    alike = alike_rows(LABELS, np.full(N, np.nan), GROUPS)
    assert len(alike.times) == 4 and np.isnan(alike.scores).all()
