"""Areas of many weightings, computed for some of them at a time."""

import numpy as np
import pytest

from tiltmeter.stats.ranks import weighted_ranking
from tiltmeter.stats.ranks.weighted_ranking import weighted_areas, weighted_precisions

POSITIVE = np.array([True, True, False, False])
SCORES = np.array([0.9, 0.4, 0.4, 0.1])
WEIGHTS = np.array([[1, 1, 1, 1], [2, 0, 1, 1], [0, 0, 1, 1]])
"""All texts; the first twice and the second never; no positive text."""


@pytest.mark.parametrize("cells", [1, 8, 1000])
def test_each_weighting_is_computed_alone(cells, monkeypatch):
    """Of 2 × 2 pairs of a positive and a negative text, 3 are in order and one is a tie.

    The first text is retrieved with precision 1, the second together with a negative one: 2 of 3.
    """
    monkeypatch.setattr(weighted_ranking, "CELLS", cells)
    areas = weighted_areas(POSITIVE, SCORES, WEIGHTS)
    assert areas == pytest.approx([3.5 / 4, 1, np.nan], nan_ok=True)
    precisions = weighted_precisions(POSITIVE, SCORES, WEIGHTS, np.arange(4))
    assert precisions == pytest.approx([(1 + 2 / 3) / 2, 1, np.nan], nan_ok=True)
    assert len(weighted_areas(POSITIVE, SCORES, WEIGHTS[:0])) == 0
