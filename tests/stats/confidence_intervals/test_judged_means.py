"""Means of people's judgments with a judge beside them: by hand, and how often intervals hold the truth."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.intervals import difference_interval
from tiltmeter.stats.confidence_intervals.judged_means import JudgedItems

NOBODY = np.nan


def judged(judge, votes, people=None, codes=None, least=-1.0):
    votes = np.asarray(votes, dtype=float).reshape(len(judge), -1)
    people = np.zeros(votes.shape) if people is None else np.asarray(people).reshape(votes.shape)
    codes = np.arange(len(judge)) if codes is None else np.asarray(codes)
    return JudgedItems(np.asarray(judge, dtype=float), votes, people * 1.0, codes, least)


def test_the_judge_is_corrected_by_what_people_say_of_a_sample():
    """The judge says +1 of 16 of 20; people judged ten, of which the judge calls 8 +1 and they call 4 so."""
    judge = [1] * 8 + [-1] * 2 + [1] * 8 + [-1] * 2
    votes = [1] * 4 + [-1] * 6 + [NOBODY] * 10
    items = judged(judge, votes)
    assert items.weight == 0.5  # covariance .2 + .2 · .6, variance of the judge 1 − .6²
    assert items.mean == pytest.approx(-0.2 + 0.5 * (0.6 - 0.6))
    more = judged(np.where(np.arange(20) < 10, judge, 1), votes)
    assert more.mean == pytest.approx(-0.2 + 0.5 * (0.8 - 0.6))


def test_without_a_judge_and_with_one_person_it_is_the_interval_of_people_alone():
    votes = [1, 1, 0, -1, 1, 1, 0, 0, 1, 1, -1, 1]
    items = judged([NOBODY] * 12, votes)
    assert items.mean == pytest.approx(np.mean(votes)) and items.weight == 0
    assert items.interval() == pytest.approx(
        difference_interval(np.array(votes) * 1.0, np.arange(12), 1)
    )
    assert judged([0.0] * 12, votes).interval() == items.interval()
    with pytest.raises(Undefined, match="judged none"):
        judged([1.0, 0.0], [NOBODY, NOBODY]).mean  # noqa: B018


def test_equal_judgments_leave_an_interval_and_shares_stay_within_their_limits():
    low, high = judged([1.0] * 12, [1.0] * 12).interval()
    assert 0 < low < 0.9 and high == 1
    low, high = judged([1.0] * 12, [0.0] * 6 + [NOBODY] * 6, least=0.0).interval()
    assert low == 0 and 0.1 < high < 0.9


def test_people_who_differ_widen_it_and_a_judge_who_is_right_narrows_it():
    rng = np.random.default_rng(0)
    judge = rng.choice([-1.0, 0, 1], size=200)
    few = np.where(np.arange(200) < 50, judge, NOBODY)
    alone = judged([NOBODY] * 200, few)
    helped = judged(judge, few)
    assert np.subtract(*helped.interval()) > 0.85 * np.subtract(*alone.interval())
    votes = np.stack([np.ones(60), -np.ones(60), np.ones(60)], axis=1)
    votes[::4] = 0
    people = np.tile([0.0, 1.0, 2.0], (60, 1))
    apart = judged([NOBODY] * 60, votes, people)
    mixed = replace(apart, people=rng.permuted(np.arange(180.0)).reshape(60, 3))
    assert np.subtract(*apart.interval()) < 2 * np.subtract(*mixed.interval())


@pytest.mark.parametrize("agreeing", [0.0, 0.7, 1.0])
def test_it_contains_the_truth_whatever_the_judge_is_worth(agreeing):
    """24 requests with 8 pairs; 8 people judge a third, 3 each. 300 trials: two standard errors are 2.5 %."""
    rng, inside = np.random.default_rng(7), 0
    for _ in range(300):
        lean = (0.2 + 0.3 * rng.normal(size=24)).repeat(8) + 0.7 * rng.normal(size=192)
        person = 0.3 * rng.normal(size=8)

        def said(mean):
            mean = mean + rng.normal(size=mean.shape)
            return np.where(np.abs(mean) < 0.4, 0.0, np.sign(mean))

        judge = np.where(rng.random(192) < agreeing, said(lean), rng.choice([-1.0, 0, 1], size=192))
        votes, people = np.full((2, 192, 3), NOBODY)
        for item in rng.permutation(192)[:64]:
            people[item] = rng.choice(8, 3, replace=False)
            votes[item] = said(lean[item] + person[people[item].astype(int)])
        low, high = JudgedItems(judge, votes, people, np.arange(24).repeat(8)).interval()
        inside += low <= 0.1185 <= high  # of two million items
    assert inside >= 300 * 0.925


def test_asking_more_often_of_flagged_texts_does_not_move_the_estimate():
    """People call 6 of 10 flagged texts so, and 1 of 10 of the others; of all texts 30 % are flagged."""
    flagged = np.repeat([1.0, 0.0], [300, 700])
    votes = np.full(1000, NOBODY)
    votes[:200] = np.tile([1, 1, 1, 0, 1, 0, 1, 0, 1, 0], 20)
    votes[300:400] = np.tile([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 10)
    items = judged(flagged, votes, least=0.0)
    assert items.is_uneven and items.weight == pytest.approx(0.5)
    assert items.mean == pytest.approx(0.3 * 0.6 + 0.7 * 0.1)
    low, high = items.interval()
    assert low < 0.25 < high < 0.35
    even = np.where(np.arange(1000) % 2, NOBODY, np.arange(1000) % 3 == 0)
    assert not judged(flagged, even, least=0.0).is_uneven


@pytest.mark.parametrize("whole", [True, False], ids=["whole prompts", "flagged texts more often"])
def test_rare_leans_and_uneven_samples_are_covered(whole):
    rng, held = np.random.default_rng(3), 0
    for _ in range(100):
        code = np.repeat(np.arange(30), 10)
        lean = np.where(rng.random(30) < 0.1, 0.9, 0.05)[code]
        said = (rng.random(300) < lean) * 1.0
        flagged = np.where(rng.random(300) < 0.8, said, 1 - said)
        chance = 0.4 if whole else np.where(flagged > 0, 0.7, 0.15)
        asked = (rng.random(30) < 0.4)[code] if whole else rng.random(300) < chance
        low, high = judged(flagged, np.where(asked, said, NOBODY), codes=code, least=0.0).interval()
        held += low <= 0.1 * 0.9 + 0.9 * 0.05 <= high
    assert held >= 91
