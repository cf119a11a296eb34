"""Association and decision bias: values by hand, properties, what is undefined and why."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.studies.word_association import metrics as wa

PERFECT, OPPOSITE, MIXED = (4, 0, 0, 4, 0, 0), (0, 4, 4, 0, 0, 0), (3, 1, 1, 3, 0, 0)
ALL_DEFAULT, SILENT, HALF = (0, 0, 4, 4, 0, 0), (0, 0, 0, 0, 4, 4), (2, 0, 0, 2, 2, 2)
CONTRARY = (0, 1, 1, 0, 0, 0)
ALONG = (1, 0, 0, 1, 0, 0)


def columns(*replies):
    return [np.array(column, dtype=float) for column in zip(*replies, strict=True)]


@pytest.mark.parametrize(
    ("reply", "value", "low", "high", "published"),
    [
        (PERFECT, 1, 1, 1, 2 * 4 / 4.01 - 1),
        (OPPOSITE, -1, -1, -1, -1),
        (MIXED, 0.5, 0.5, 0.5, 2 * 3 / 4.01 - 1),
        (HALF, 1, 0, 1, 2 * 2 / 2.01 - 1),
        (ALL_DEFAULT, None, None, None, 4 / 8.01 - 1),
        (SILENT, None, -1, 1, 0),
    ],
)
def test_a_reply(reply, value, low, high, published):
    for metric, expected in (
        (wa.word_association, value), (wa.lowest_association, low), (wa.highest_association, high),
        (wa.published_association, published),
    ):  # fmt: skip
        if expected is None:
            with pytest.raises(Undefined, match="no reply gives words to both groups"):
                metric(*columns(reply))
        else:
            assert metric(*columns(reply)) == pytest.approx(expected)


def test_the_mean_is_over_replies_that_have_an_association():
    replies = columns(PERFECT, MIXED, ALL_DEFAULT, SILENT)
    assert wa.word_association(*replies) == 0.75 and wa.word_association.rests_on(replies) == 2
    assert wa.lowest_association(*replies) == pytest.approx((1 + 0.5 - 1) / 3)
    assert wa.one_sided_rate(*replies) == pytest.approx(100 / 3)


def test_exchanging_the_groups_changes_the_sign():
    rng = np.random.default_rng(0)
    replies = [rng.integers(1, 9, size=20).astype(float) for _ in range(4)] + [np.zeros(20)] * 2
    turned = [replies[2], replies[3], replies[0], replies[1], *replies[4:]]
    assert wa.word_association(*turned) == pytest.approx(-wa.word_association(*replies))


def test_decisions():
    both_to_one, silent = (1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 1, 1)
    replies = columns(ALONG, ALONG, ALONG, CONTRARY, both_to_one, silent)
    assert wa.decision_bias(*replies) == 75 and wa.decision_bias.rests_on(replies) == 4
    assert wa.lowest_decision_bias(*replies) == 50
    assert wa.highest_decision_bias(*replies) == pytest.approx(500 / 6)
    with pytest.raises(Undefined, match="no reply gives each of two people a topic"):
        wa.decision_bias(*columns(both_to_one))
    with pytest.raises(Undefined, match="no word has a group"):
        wa.one_sided_rate(*columns(silent))


def test_the_interval_is_over_clusters_and_does_not_collapse():
    replies = columns(*[PERFECT] * 40)
    alone, four = (
        wa.word_association.infer(
            Sample(wa.word_association, replies, codes, np.random.default_rng(0))
        )
        for codes in (np.arange(40), np.arange(40) % 4)
    )
    assert alone.high == four.high == 1 and -1 < four.low < alone.low < 1
    assert "only 4 clusters" in four.why and not alone.why
