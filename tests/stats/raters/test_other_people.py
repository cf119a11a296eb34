"""What a person is compared with, against slow obvious code."""

import numpy as np
import pytest

from tiltmeter.stats.raters.other_people import OtherMeans, OtherShares, correlations

_ = np.nan


def table(seed=0):
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, 3, (12, 5)).astype(float)
    answers[rng.random(answers.shape) < 0.2] = _
    return answers


def test_shares_are_those_of_all_others():
    answers = table()
    part = OtherShares(answers).part(2)
    assert part is not None
    rows = [row for row in answers if not np.isnan(row[2]) and (~np.isnan(row)).sum() > 1]
    shares = np.array([[np.mean(np.delete(row, 2)[~np.isnan(np.delete(row, 2))] == label)
                        for label in range(3)] for row in rows])  # fmt: skip
    centred = shares - shares.mean(axis=0)
    given = np.array([[float(row[2] == label) for label in range(3)] for row in rows])
    assert part.others == pytest.approx(centred)
    assert part.observed == pytest.approx(float((centred * given).sum()) / 2)
    assert part.squares.sum() == pytest.approx(float(((given - given.mean(axis=0)) ** 2).sum()) / 2)
    assert part.others_squares.sum() == pytest.approx(float((centred**2).sum()) / 2)


@pytest.mark.parametrize("kind", [OtherMeans, OtherShares])
def test_a_simulated_person_answers_as_one_of_the_others_and_is_compared_with_the_rest(kind):
    """With three people, the answer is that of one of the other two, and the rest is the third."""
    answers = np.random.default_rng(1).integers(0, 2, (9, 3)).astype(float)
    typical = correlations([kind(answers).typical(0, np.random.default_rng(0), 4)])
    # Whichever is drawn on each item, one column is drawn and the other is left.
    rng = np.random.default_rng(0)
    place = (rng.random((4, 9)) * 2).astype(int)
    for drawn, r in zip(place, typical, strict=True):
        own = np.where(drawn == 0, answers[:, 1], answers[:, 2])
        rest = np.where(drawn == 0, answers[:, 2], answers[:, 1])
        assert r == pytest.approx(np.corrcoef(own, rest)[0, 1])


def test_items_of_two_people_have_no_typical_third():
    assert OtherMeans(table()[:, :2]).typical(0, np.random.default_rng(0), 4) is None
    assert len(correlations([None])) == 0


def test_means_and_pooled_variance_by_hand():
    answers = np.array([[0, 1, _], [1, 1, 1], [_, 0.5, 0], [1, _, _]])
    means = OtherMeans(answers)
    given, others = means.of(1)
    assert given.tolist() == [1, 1, 0.5] and others.tolist() == [0, 1, 0]
    # Differences: −1, 0 of the first; 1, 0, .5 of the second; 0, −.5 of the third.
    assert means.pooled_variance() == pytest.approx((0.5 + 0.5 + 0.125) / (1 + 2 + 1))
