"""Random deals of groups: who changes places with whom."""

import numpy as np

from tiltmeter.studies.fairness_gaps.group_sides import dealt_sides, few_texts, sides_from


def test_groups_are_dealt_within_templates_where_templates_name_both():
    made = sides_from([np.zeros(20)], np.array([0, 1] * 10), np.repeat(np.arange(10), 2))
    (dealt,) = dealt_sides(made, np.random.default_rng(0), 50)
    assert (dealt.reshape(50, 10, 2).sum(axis=2) == 1).all()
    assert len(np.unique(dealt, axis=0)) > 40


def test_texts_that_stand_alone_are_dealt_beside_those_that_share_a_template():
    """A text that names both groups must not keep all others in their place."""
    clusters = np.array([0, 0, 1, 2, 3, 4])
    labels = np.array([0.0, 0, 0, 0, 1, 1])
    made = sides_from([labels], np.array([0, 1, 0, 1, 0, 1]), clusters)
    (dealt,) = dealt_sides(made, np.random.default_rng(0), 200)
    for pair in ((0, 1), (2, 3), (4, 5)):
        assert (dealt[:, pair].sum(axis=1) == 1).all()
        assert 70 < dealt[:, pair[0]].sum() < 130


def test_few_texts_of_a_group_are_counted():
    """The first group has one negative text, the second nine."""
    made = sides_from([np.zeros(10)], np.array([0] + [1] * 9), np.arange(10))
    assert few_texts(made, [0]) == "a group counts with only 1 text: the interval is rough"
    assert few_texts(sides_from([np.zeros(80)], np.arange(80) % 2, np.arange(80)), [0]) == ""
