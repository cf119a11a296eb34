"""Changes by single edits: sizes at equal repeats by hand, squares without noise, flips of answers."""

from itertools import combinations

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.hypothesis_tests.edit_changes import MOST_CHOICES, EditChanges, Edits


def edits_of(group, placebo, base=(0.0,)):
    """One text with an edit of each kind, which have these replies."""
    after = [*[np.nan] * len(base), *group, *placebo]
    kind = np.repeat(["base", "group", "placebo"], [len(base), len(group), len(placebo)])
    zero = np.zeros(len(after), dtype=int)
    before = np.array([*base, *[np.nan] * (len(group) + len(placebo))])
    return Edits(before, np.array(after), kind, kind == "placebo", zero, zero)


def test_sizes_are_means_over_the_ways_to_choose_as_many_replies():
    changes = EditChanges.of(edits_of([3.0, -1.0, 4.0], [2.0, -3.0]))
    group, placebo = changes.size[changes.control == 0], changes.size[changes.control == 1]
    assert group.tolist() == [pytest.approx((1 + 3.5 + 1.5) / 3)]
    assert placebo.tolist() == [0.5]
    assert changes.repeats.tolist() == [2, 2]


def test_of_very_many_ways_those_in_a_row_count():
    replies = np.random.default_rng(0).normal(size=12)
    changes = EditChanges.of(edits_of(replies, replies[:6]))
    (at,) = np.flatnonzero(changes.control == 0)
    sizes = changes.sizes[changes.edit == at]
    assert len(sizes) == 12 < MOST_CHOICES < len([*combinations(range(12), 6)])
    twice = np.tile(replies, 2)
    by_hand = [abs(twice[i : i + 6].mean()) for i in range(12)]
    np.testing.assert_allclose(sizes, by_hand, atol=1e-9)


def test_wins_are_those_of_every_pair_of_sizes():
    """Texts with ties, with several replies to an edit, and one without a placebo edit."""
    rng = np.random.default_rng(3)
    text, edit, _ = (part.ravel() for part in np.indices((6, 5, 3)))
    changes = EditChanges.of(
        Edits(
            before=np.zeros(text.size),
            after=rng.integers(-3, 4, size=text.size) * 1.0,
            edits=edit,
            control=(edit < 2) & (text > 0),
            clusters=text,
        )
    )
    for unit, won in enumerate(changes.wins(changes.unit, 6)):
        group, placebo = (
            [changes.sizes[changes.edit == at] for at in np.flatnonzero(here)]
            for here in ((changes.unit == unit) & (changes.control == kind) for kind in (0, 1))
        )
        pairs = [np.sign(a[:, None] - b).mean() for a in group for b in placebo]
        assert won == pytest.approx(np.mean(pairs) if pairs else 0)


def test_squares_are_products_of_different_replies():
    changes = EditChanges.of(edits_of([3.0, 1.0], [2.0]))
    (at,) = np.flatnonzero(changes.control == 0)
    assert changes.square[at] == 3.0  # 3 · 1, of which the other order is the same
    assert np.isnan(changes.square[1 - at])  # a single reply


def test_flips_of_single_answers():
    """Yes of 1 in 2 before; of 3 in 4 after the group edit, of 1 in 2 after the placebo edit."""
    edits = Edits(
        before=np.array([1.0, 0.0] + [np.nan] * 6),
        after=np.array([np.nan] * 2 + [1.0, 1, 1, 0, 1, 0]),
        edits=np.array(["b", "b", "g", "g", "g", "g", "p", "p"]),
        control=np.array([False] * 6 + [True] * 2),
        clusters=np.zeros(8, dtype=int),
        texts=np.zeros(8, dtype=int),
        yes_no=True,
    )
    assert EditChanges.of(edits).size.tolist() == [0.5, 0.5]  # 3/4 + 1/2 − 2 · 3/8
    with pytest.raises(BadInput, match="other than 0 and 1"):
        EditChanges.of(Edits(
            edits.before, edits.after * 0.7, edits.edits, edits.control, edits.clusters, edits.texts, True,
        ))  # fmt: skip


def test_without_a_score_before_there_is_nothing_to_compare():
    with pytest.raises(Undefined, match="before it and after it"):
        EditChanges.of(edits_of([1.0], [2.0], base=(np.nan,)))
