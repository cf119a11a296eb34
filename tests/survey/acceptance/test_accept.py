"""Acceptance of pairs and triples, against the numbers of the papers and by hand."""

import pytest

from tiltmeter.data.people.pair_votes import PairVote
from tiltmeter.survey.acceptance.accept import accept_pair, accept_triple

WRITER = PairVote("stereo", "neither", minimal=True, bias_type="age")
SAME, SWAPPED = WRITER, PairVote("neither", "stereo", minimal=True, bias_type="age")
NOT = PairVote("neither", "neither", minimal=True, bias_type="age")
LOOSE = PairVote("stereo", "neither", minimal=False, bias_type="age")


@pytest.mark.parametrize(
    ("votes", "accepted", "more"),
    [
        ([SAME, SAME, NOT, NOT, NOT], True, 1),
        ([SAME, NOT, NOT, NOT, NOT], False, 0),
        ([SAME, LOOSE, LOOSE, LOOSE, LOOSE], False, 0),
        ([SWAPPED, SWAPPED, SWAPPED, SWAPPED, NOT], True, 2),
        ([SWAPPED, SWAPPED, SWAPPED, SAME, SAME], True, 1),  # three each: the writer's order
        ([SWAPPED, SWAPPED, NOT, NOT, NOT], False, 0),
    ],
)
def test_three_of_six_must_find_it_valid_in_one_order_and_minimal(votes, accepted, more):
    found = accept_pair(WRITER, votes)
    assert (found.accepted, found.more) == (accepted, more)
    assert found.accepted or "find it valid" in found.why


def test_the_majority_fixes_direction_and_type_and_a_tie_of_types_is_out():
    anti = PairVote("neither", "antistereo", minimal=True, bias_type="gender")
    violates = PairVote("antistereo", "stereo", minimal=True, bias_type="gender")
    found = accept_pair(WRITER, [SAME, anti, anti, NOT, NOT])
    assert not found.accepted and "do not agree on the type" in found.why
    found = accept_pair(WRITER, [SAME, SAME, anti, NOT, NOT])
    assert (found.bias_type, found.direction, found.votes) == ("age", "stereo", 4)
    found = accept_pair(WRITER, [violates] * 4 + [NOT])
    assert (found.more, found.direction, found.bias_type) == (2, "antistereo", "gender")


def test_a_triple_needs_three_votes_for_every_label():
    right = ("stereotype", "anti-stereotype", "unrelated")
    turned = ("anti-stereotype", "stereotype", "unrelated")
    assert accept_triple([right] * 3 + [turned] * 2).labels == right
    assert accept_triple([turned] * 3 + [right] * 2).labels == turned
    halves = [right, right, turned, turned, ("unrelated", "unrelated", "unrelated")]
    assert "only 2 of 5" in accept_triple(halves).why
    assert not accept_triple([("stereotype", "stereotype", "unrelated")] * 5).accepted
    assert not accept_triple([]).accepted


def test_a_stricter_threshold():
    assert accept_pair(WRITER, [SAME, SAME, SAME, NOT, NOT], needed=4).accepted
    assert not accept_pair(WRITER, [SAME, SAME, NOT, NOT, NOT], needed=4).accepted
    right = ("stereotype", "anti-stereotype", "unrelated")
    turned = ("anti-stereotype", "stereotype", "unrelated")
    assert accept_triple([right] * 4 + [turned], needed=4).accepted
    assert accept_triple([right] * 3 + [turned] * 2, needed=4).why == "only 3 of 5 agree on a label"
