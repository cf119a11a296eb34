"""Which run after belongs to which run before, and what is refused."""

import pytest

from report.documents.changed import pairs, text
from tiltmeter.analyses.before_after.changes import before_after
from tiltmeter.analyses.before_after.matched_runs import sides
from tiltmeter.core.errors import BadInput


def test_studies_of_one_side_are_told():
    made = before_after(
        [pairs("base", [1, -1, 1]), text("base", 2.0)],
        [pairs("done", [1, 1, 1])],
        missing=[("seat", "it cannot")],
    )
    assert made.missing == (
        ("seat", "it cannot"),
        ("perplexity", "there is no run of it after (pll_all on made up)"),
    )


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"rule": "pll_all"}, "rule pll_shared before, pll_all after"),
        ({"data": "f" * 64}, "data abc before, …ffffffff after"),
        ({"settings": {"prior": "noun"}}, "settings none before, prior=noun after"),
    ],
)
def test_other_rules_data_and_settings_are_refused(other, why):
    with pytest.raises(BadInput, match=why):
        before_after([pairs("base", [1, -1, 1])], [pairs("done", [1, 1, 1], **other)])


def test_nothing_in_common_is_refused():
    with pytest.raises(BadInput, match="no study was run before and after"):
        before_after([pairs("base", [1, -1, 1])], [text("done", 2.0)])
    with pytest.raises(BadInput, match="two runs of crows_pairs before with the same data"):
        before_after([pairs("base", [1, -1])] * 2, [pairs("done", [1, 1])])


def test_one_study_in_two_ways_is_matched_way_by_way():
    ways = [{"rule": "pll_all"}, {}]
    before = [pairs("base", [1, -1, 1], **way) for way in ways]
    after = [pairs("done", [1, 1, 1], **way) for way in reversed(ways)]
    made = before_after(before, after)
    assert [(s.leanings[0].before.rule, s.leanings[0].after.rule) for s in made.studies] == [
        ("pll_all", "pll_all"), ("pll_shared", "pll_shared"),
    ]  # fmt: skip


def test_which_side_is_which():
    base, done = pairs("base", [1]), pairs("done", [1], mitigation="inlp")
    more = text("base", 2.0)
    assert sides([done, base, more]) == ([base, more], [done])  # the card says it
    plain = pairs("other", [1])
    assert sides([plain, base]) == ([plain], [base])  # else the first
    with pytest.raises(BadInput, match="runs of 3 models instead of two: base, other, done"):
        sides([base, plain, done])
    with pytest.raises(BadInput, match="runs of 1 model instead"):
        sides([base, more])


def test_two_checkpoints_of_one_name():
    one, other = pairs("bert", [1], fingerprint="a"), pairs("bert", [-1], fingerprint="b")
    assert sides([one, other]) == ([one], [other])
    made = before_after([one], [other])
    assert (made.before, made.after) == ("bert (before)", "bert (after)")
