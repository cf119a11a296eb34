"""What correlate says of pairs that are significant, that are not, and of none."""

import numpy as np

from analyses.correlate.examples import FOUR, SEVEN, correlated


def said(result):
    return [paragraph.text for paragraph in result.card.finding]


def test_the_finding_in_words(tmp_path):
    assert said(correlated(tmp_path, FOUR))[0] == (
        "No significant correlation among 3 pairs of measures (Pearson’s r, after Holm’s adjustment). 3 more "
        "have no value."
    )
    seven = said(correlated(tmp_path, SEVEN))
    assert seven[0] == "A significant correlation of these two measures (Pearson’s r)."
    assert seven[1].startswith("x and y: 0.99 over 7 points (no interval, p = ")
    (none,) = said(correlated(tmp_path, {"x": [1, 2], "y": [1, 2]}))
    assert none.startswith("No two of these measures have")


def test_several_significant_pairs_are_counted(tmp_path):
    rng = np.random.default_rng(1)
    line = np.arange(30.0)
    columns = {"a": line.tolist(), "b": (2 * line).tolist(), "c": rng.normal(size=30).tolist()}
    result = correlated(tmp_path, columns)
    head, strongest = said(result)
    assert head == (
        "1 of 3 pairs of measures correlates significantly (Pearson’s r, p < .05 after Holm’s adjustment)."
    )
    assert strongest.startswith("Strongest, a and b: 1.00 over 30 points")
    assert result.headline.value == 1
    pairs = [e.groups for e in result.estimates if e.name == "pearson"]
    assert pairs[0] == {"x": "a", "y": "b"}  # the strongest first
