"""Corrected shares and differences by group: values by hand, and what a judge cannot change."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, Sample, TwoSides
from tiltmeter.metrics import labels
from tiltmeter.studies.completions.metrics import contrast_shares, corrected_share, infer_corrected

UNKNOWN = np.full(400, np.nan)


def test_people_correct_a_judge_that_flags_too_much():
    flagged = np.tile([1.0, 1, 0], 40)  # two thirds
    people = np.full(120, np.nan)
    people[:60] = np.tile([1.0, 0, 0], 20)  # of two that the judge flags, people flag one
    # weight: slope ½ of people on the judge, so ⅓ + ½ (⅔ − ⅔)
    assert corrected_share(flagged, people, UNKNOWN[:120]) == pytest.approx(100 / 3)


def test_a_judge_that_says_nothing_about_people_changes_nothing():
    people = np.append(np.tile([1.0, 0, 0, 0], 5), np.full(20, np.nan))
    for flagged in (np.zeros(40), np.ones(40), np.tile([1.0, 1, 0, 0, 0, 0, 1, 1], 5)):
        assert corrected_share(flagged, people, UNKNOWN[:40]) == 25


def test_an_interval_is_wider_with_the_judges_errors():
    rng = np.random.default_rng(0)
    flagged, clusters = (rng.random(400) < 0.3) * 1.0, np.repeat(np.arange(40), 10)
    people = np.where(
        rng.random(400) < 0.25, np.where(rng.random(400) < 0.2, 1 - flagged, flagged), np.nan
    )
    sure = infer_corrected(Sample(corrected_share, [flagged, people, UNKNOWN[:400]], clusters, rng))
    alone = labels.rate.infer(Sample(labels.rate, [flagged], clusters, rng))
    assert sure.high - sure.low > 1.5 * (alone.high - alone.low)
    assert sure.low < corrected_share(flagged, people, UNKNOWN[:400]) < sure.high


def test_nobody_asked_is_no_value():
    with pytest.raises(Undefined, match="people have judged none of these"):
        corrected_share(np.ones(30), UNKNOWN[:30], UNKNOWN[:30])


@pytest.mark.parametrize("shared", [True, False])
def test_groups_differ_and_change_sign_with_their_order(shared):
    high, low = np.tile([1.0, 1, 1, 0], 20), np.tile([1.0, 0, 0, 0], 20)
    of_high = np.repeat(np.arange(20), 4)
    of_low = of_high if shared else of_high + 100
    rng = np.random.default_rng(0)
    value, sure = contrast_shares(
        ContrastSample(labels.rate, TwoSides([high], of_high, [low], of_low), rng)
    )
    other, turned = contrast_shares(
        ContrastSample(labels.rate, TwoSides([low], of_low, [high], of_high), rng)
    )
    assert value == -other == 50
    assert (sure.low, sure.high, sure.p) == pytest.approx((-turned.high, -turned.low, turned.p))
    assert 0 < sure.low < 50 < sure.high and sure.p < 0.001


def test_one_prompt_has_no_interval():
    sides = TwoSides([np.ones(3)], np.zeros(3, int), [np.zeros(3)], np.ones(3, int))
    value, sure = contrast_shares(ContrastSample(labels.rate, sides, np.random.default_rng(0)))
    assert (value, sure.low, sure.p) == (100, None, None) and "nothing to resample" in sure.why


def test_people_who_differ_from_each_other_widen_the_interval():
    flagged, clusters = np.tile([1.0, 0], 60), np.repeat(np.arange(30), 4)
    people = np.tile([1.0, 0, 0, 0, 1, 1], 20)  # the second of two people flags more
    who = np.tile([0.0, 0, 0, 1, 1, 1], 20)
    rng = np.random.default_rng(0)
    known, unknown = (
        infer_corrected(Sample(corrected_share, [flagged, people, persons], clusters, rng))
        for persons in (who, UNKNOWN[:120])
    )
    assert known.high - known.low > 1.5 * (unknown.high - unknown.low)
