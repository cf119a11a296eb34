"""One model before and after: which runs belong together, what is nearer, and what is refused."""

from dataclasses import replace

import pytest

from report.documents.changed import pairs, text, triples
from tiltmeter.analyses.before_after.changes import Change, before_after
from tiltmeter.core.estimates import Estimate


def change(before, after, neutral=50.0):
    one, other = (
        Estimate("r", value, None, None, None, 9, neutral, "%") for value in (before, after)
    )
    return Change(one, other, replace(one, value=None, neutral=0.0))


@pytest.mark.parametrize(
    ("before", "after", "way", "crossed"),
    [
        (60, 55, "closer", False),
        (45, 30, "farther", False),  # a lower rate is not a better one
        (40, 45, "closer", False),
        (60, 45, "closer", True),
        (52, 40, "farther", True),
        (57, 43, "same", True),
        (57, 57, "same", False),
        (50, 50, "same", False),
        (50, 51, "farther", False),
        (None, 51, "", False),
    ],
)
def test_closer_is_to_the_neutral_value(before, after, way, crossed):
    found = change(before, after)
    assert (found.way, found.crossed) == (way, crossed)


def test_by_hand():
    kinds = ["age"] * 8 + ["race"] * 8
    before = pairs("base", [1] * 8 + [1, 1, 1, 1, -1, -1, -1, -1], kinds=kinds)
    after = pairs("done", [1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, -1, -1, -1, -1], kinds=kinds)
    made = before_after([before], [after])
    (part,) = made.studies
    rows = {tuple(c.difference.groups.values()): c for c in part.leanings}
    assert list(rows) == [(), ("age",), ("race",)]
    all_ = rows[()]
    assert part.overall is all_
    assert (all_.before.value, all_.after.value, all_.difference.value) == (75, 37.5, -37.5)
    assert (all_.way, all_.crossed) == ("closer", True)  # 25 away, then 12.5
    assert all_.difference.p == pytest.approx(2 / 2**6)  # six changed, all one way
    age, race = rows["age",], rows["race",]
    assert (age.before.value, age.after.value, age.way) == (100, 25, "closer")
    assert age.difference.p_adjusted == pytest.approx(2 / 2**6)  # the only one that has a test
    assert race.way == "same"
    assert race.difference.p is None
    assert "no difference to test" in race.difference.why
    assert made.missing == () == made.costs
    assert (made.before, made.after) == ("base", "done")


def test_what_it_cost():
    before = [triples("base", [1, 1, 1, -1, 1, 1] * 3), text("base", 2.0)]
    after = [triples("done", [1, 2, -1, -1, 1, 1] * 3), text("done", 2.1)]
    made = before_after(before, after)
    costs = {c.before.name: c for c in made.costs}
    assert set(costs) == {"lms", "icat", "perplexity", "bits_per_byte"}
    ratio = costs["perplexity"]
    assert ratio.difference.value == pytest.approx(2.718281828**0.1)
    assert ratio.worse is True
    assert ratio.after.value / ratio.before.value == pytest.approx(ratio.difference.value)
    lms = costs["lms"]
    assert lms.before.value == 100
    assert lms.difference.value == pytest.approx(lms.after.value - 100)
    assert lms.difference.value < 0
    assert lms.worse is None  # one context of 18: not significant
    assert [part.card.study for part in made.studies if part.leanings] == ["stereoset"]


def test_what_is_not_significant_is_not_worse():
    """Language became worse in the same context of each of forty terms, or in one context of one."""
    before = triples("base", [1, -1, 1] * 40)
    every = before_after([before], [triples("done", [1, -1, 2] * 40)])
    once = before_after([before], [triples("done", [1, -1, 2] + [1, -1, 1] * 39)])
    worse = [{c.before.name: c.worse for c in made.costs} for made in (every, once)]
    assert worse[1] == {"lms": None, "icat": None}
    assert worse[0]["lms"] is True


def test_better_is_less_perplexity_and_more_lms():
    made = before_after([text("base", 2.0)], [text("done", 1.9)])
    assert {c.worse for c in made.costs} == {False}
    same = before_after([text("base", 2.0)], [text("done", 2.0)])
    assert {c.worse for c in same.costs} == {None}


def test_the_published_t_test_takes_groups_as_samples():
    kinds = ["a", "b", "c"] * 8
    before = pairs("base", [1, 1, 1, 1, 1, -1, 1, -1, -1] + [1] * 15, kinds=kinds)
    after = pairs("done", [-1, 1, 1, -1, 1, -1, 1, -1, -1] + [1, -1, 1] * 5, kinds=kinds)
    (part,) = before_after([before], [after], scores=True).studies
    rows = [c for c in part.leanings if c.difference.groups]
    from scipy.stats import ttest_ind

    known = ttest_ind([c.before.value for c in rows], [c.after.value for c in rows])
    assert (part.t_test.groups["axis"], part.t_test.n) == ("bias_type", 3)
    assert part.t_test.value == pytest.approx(known.statistic)
    assert part.t_test.p == pytest.approx(known.pvalue)
    (alone,) = before_after([pairs("base", [1, -1])], [pairs("done", [1, 1])], scores=True).studies
    assert alone.t_test.value is None
    assert alone.t_test.why == "no scores of groups"


def test_an_item_of_one_side_is_left_out_and_named():
    made = before_after([pairs("base", [1, -1, 1])], [pairs("done", [1, 1, 1, 1])])
    difference = made.studies[0].overall.difference
    assert difference.n == 3
    assert "left out: 1 pair that done answers and base does not (p3)" in difference.why
