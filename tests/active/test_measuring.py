"""Measures of held-out items, and shares of what was asked, by hand."""

import numpy as np
import pytest

from tiltmeter.active.measuring import HeldOutItems, window_shares
from tiltmeter.active.run_files import VoteQuery
from tiltmeter.active.votes import NamedVote, vote_pool


def query(h=None, f_ent=None, *, repeated=False):
    return VoteQuery(0, "daal", 1, "i", None, "no", "why", 0.5, h, f_ent, repeated)


def test_shares_are_of_the_votes_that_a_model_chose():
    asked = [query(repeated=True), query(0.5), query(0.5, 0.6, repeated=True), query(0.5, 0.4)]
    assert window_shares(asked) == {"reannotated": 1 / 3, "f_ent_above_h": 0.5}
    assert window_shares(asked[:1]) == {"reannotated": None, "f_ent_above_h": None}


def measured(held_out, predicted):
    return held_out.measures(predicted, held_out.losses(predicted))


def test_the_true_distribution_has_no_excess_loss():
    """Ten items with two votes for "no" and two for "yes", by four people; one of them always says yes."""
    names = [f"i{n}" for n in range(10)]
    given = [
        NamedVote(item, f"p{person}", "yes" if person == 3 or n % 3 == person else "no")
        for n, item in enumerate(names)
        for person in range(4)
    ]
    pool = vote_pool("even", dict.fromkeys(names, "text"), given, labels=("no", "yes"))
    held_out = HeldOutItems.of(pool)
    even = measured(held_out, np.full((10, 2), 0.5))
    assert even["excess_log_loss"] == pytest.approx(0.0, abs=1e-12)
    assert even["log_loss"] == even["worst_off_log_loss"] == pytest.approx(np.log(2))
    skewed = measured(held_out, np.tile([0.9, 0.1], (10, 1)))
    assert skewed["excess_log_loss"] == pytest.approx(skewed["log_loss"] - np.log(2))
    assert skewed["worst_off_log_loss"] == pytest.approx(-np.log(0.1))
