from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from derived.comparisons.examples import named, random_sides, result
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EVERY, Comparison, Measure
from tiltmeter.derived.comparisons.compare import compare, compare_all, compared_over
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.studies.crows_pairs import STUDY


def test_by_hand():
    a = result("A", [1, 1, 1, 1, -1, 1])
    b = result("B", [1, -1, -1, -1, -1, 0])
    rate = named(compare(a, b), "stereotype_rate_difference")
    assert rate.value == pytest.approx(100 * 3.5 / 6)  # 5 of 6 against 1.5 of 6
    assert rate.p == pytest.approx(2 / 16)  # A more in favour on 4 pairs, B on none
    assert (rate.n, rate.tied, rate.neutral, rate.model) == (6, 1, 0, "A − B")
    assert rate.low <= rate.value <= rate.high
    assert named(compare(a, b), "same_preference").value == pytest.approx(100 * 2 / 6)


def test_the_test_is_scipys_on_what_differs():
    a, b = random_sides(1), random_sides(2, chance=0.45)
    rate = named(compare(result("A", a), result("B", b)), "stereotype_rate_difference")
    above, below = (
        sum(f(x, y) for x, y in zip(a, b, strict=True)) for f in (int.__gt__, int.__lt__)
    )
    assert rate.p == pytest.approx(binomtest(above, above + below).pvalue)
    assert rate.value == pytest.approx(50 * (np.mean(a) - np.mean(b)))


def test_turned_round_it_changes_its_sign():
    a, b = result("A", random_sides(1)), result("B", random_sides(2, chance=0.4))
    there, back = (named(compare(*pair), "stereotype_rate_difference") for pair in ((a, b), (b, a)))
    assert (there.value, there.p) == pytest.approx((-back.value, back.p))
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1.5)


def test_the_interval_is_paired():
    """Two models that differ on few items: far narrower than for models asked apart."""
    a = random_sides(1, n=400)
    b = [*[-s for s in a[:8]], *a[8:]]
    paired = named(compare(result("A", a), result("B", b)), "stereotype_rate_difference")
    shuffled = np.random.default_rng(0).permutation(b).tolist()
    apart = named(compare(result("A", a), result("B", shuffled)), "stereotype_rate_difference")
    assert paired.high - paired.low < (apart.high - apart.low) / 3


def test_whole_clusters_are_tested():
    """Three clusters of four pairs that A prefers, one of four that B does: 4 - 12 of 16 are no 16 items."""
    a, b = [1] * 12 + [-1] * 4, [-1] * 12 + [1] * 4
    clusters = [f"w{i // 4}" for i in range(16)]
    rate = named(
        compare(result("A", a, clusters=clusters), result("B", b, clusters=clusters)),
        "stereotype_rate_difference",
    )
    assert rate.p == pytest.approx(2 * (1 + 4) / 16)
    assert rate.test == (
        "sign-flip test of whole clusters on the items on which the models differ, against 0"
    )
    same = result("A", a, clusters=clusters)
    equal = named(compare(same, same), "stereotype_rate_difference")
    assert "no test: both models agree on every item" in equal.why
    alone = named(compare(result("A", a), result("B", b)), "stereotype_rate_difference")
    assert alone.p == pytest.approx(binomtest(4, 16).pvalue)
    assert alone.test == "exact McNemar test against 0"


def test_whole_clusters_are_resampled():
    a, b = [np.repeat(random_sides(s, n=30), 10).tolist() for s in (1, 2)]
    writers = np.repeat([f"w{i}" for i in range(30)], 10).tolist()
    wide = named(compare(result("A", a, clusters=writers), result("B", b)), "same_preference")
    slim = named(compare(result("A", a), result("B", b)), "same_preference")
    assert wide.high - wide.low > 2.5 * (slim.high - slim.low)


def test_one_item():
    rate = named(compare(result("A", [1]), result("B", [-1])), "stereotype_rate_difference")
    assert (rate.value, rate.low, rate.p) == (100, None, 1)
    assert "one item" in rate.why


def test_a_difference_in_every_item_is_uncertain_too():
    rate = named(compare(result("A", [1] * 8), result("B", [-1] * 8)), "stereotype_rate_difference")
    assert (rate.value, rate.high) == (100, 100)
    assert 40 < rate.low < 70
    assert rate.p == pytest.approx(2 / 256)


def test_more_items_without_a_difference_say_more():
    """As CrowS-Pairs' thirteen pairs on nationality and seven on age did not."""
    same = [
        named(compare(result("A", [1] * n), result("B", [1] * n)), "stereotype_rate_difference")
        for n in (7, 13, 100)
    ]
    assert [rate.value for rate in same] == [0, 0, 0]
    assert same[0].high > same[1].high > 20
    assert same[2].high < 7


def test_categories_with_holm():
    kinds = ["age", "race", "gender"] * 60
    a, b = (result(m, random_sides(s, n=180, chance=c), kinds=kinds)
            for m, s, c in (("A", 1, 0.7), ("B", 2, 0.4)))  # fmt: skip
    parts = [e for e in compare(a, b) if e.groups]
    assert [e.groups["bias_type"] for e in parts] == ["age", "gender", "race"]
    assert [e.p_adjusted for e in parts] == pytest.approx(holm([e.p for e in parts]))
    assert named(compare(a, b), "stereotype_rate_difference").p_adjusted is None


def test_results_of_one_model_are_named_by_their_folders():
    facts = {"data": {"name": "pairs", "sha256": "abc"}, "counts": {"scored": 3}}
    a, b = (
        replace(r, card=replace(r.card, **facts))
        for r in (result("A", [1, 1, -1]), result("A", [1, 1, -1], study="winobias"))
    )
    with pytest.raises(BadInput, match=rf"^{a.card.study}-A-\S+ and winobias-A-\S+ have different"):
        compare(a, b)


def test_a_result_of_no_single_model_is_named_by_its_study():
    analysis = result("", [1, 1, -1], study="agreement")
    with pytest.raises(BadInput, match=r"^agreement and B have different studies"):
        compare(analysis, result("B", [1, 1, -1]))


def test_different_rules_are_said():
    rate = named(compare(result("A", [1, -1]), result("A", [1, 1], rule="aula")),
                 "stereotype_rate_difference")  # fmt: skip
    assert rate.model == "A (aul) − A (aula)"
    assert rate.rule == "aul − aula"
    assert "different rules, aul and aula" in rate.why


def test_scores_are_compared_as_the_convention_rounds_them():
    """To 3 decimals A's first pair is a tie; unrounded, or by another rule, it is not."""
    close, other = [(-2.00011, -2.00012), (-1.0, -2.0)], [(-2.0, -1.0), (-1.0, -2.0)]
    how = {"ties": "neutral", "convention": "nangia2020"}
    for rule, tied in (("pll_shared", 1), ("aul", 0)):
        a, b = (result(m, [0, 0], scores=s, rule=rule, **how)
                for m, s in (("A", close), ("B", other)))  # fmt: skip
        rate = named(compare(a, b), "stereotype_rate_difference")
        assert (rate.tied, rate.value) == (tied, 50 * (1 - tied))


def test_every_two_of_few_and_each_with_the_first_of_many():
    kinds = ["age", "race"] * 60
    models = [result(f"M{i}", random_sides(i, n=120, chance=0.4 + i / 10), kinds=kinds)
              for i in range(5)]  # fmt: skip
    few, many = compare_all(models[:3]).estimates, compare_all(models).estimates
    assert list(dict.fromkeys(e.model for e in few)) == ["M0 − M1", "M0 − M2", "M1 − M2"]
    assert list(dict.fromkeys(e.model for e in many)) == [f"M0 − M{i}" for i in range(1, 5)]
    for groups in (False, True):
        family = [e for e in few
                  if e.name == "stereotype_rate_difference" and bool(e.groups) == groups]  # fmt: skip
        assert len(family) == (6 if groups else 3)
        assert [e.p_adjusted for e in family] == pytest.approx(holm([e.p for e in family]))


@pytest.mark.parametrize("missing", [(), (0,), (0, 1, 2)])
def test_columns_that_several_pairs_share_change_nothing(missing):
    """All pairs of models together, and each two alone: the same, also where some items are missing."""
    kinds, names = ["age", "race", "race"] * 40, [f"p{i}" for i in range(120)]
    models = [
        result(f"M{i}", random_sides(i, n=120 - 7 * i * (i in missing)), kinds=kinds,
               items=names[7 * i * (i in missing):])
        for i in range(3)
    ]  # fmt: skip
    together = [
        replace(e, p_adjusted=None, adjustment="") for e in compare_all(models, seed=2).estimates
    ]
    alone = [replace(e, p_adjusted=None, adjustment="")
             for a, b in ((0, 1), (0, 2), (1, 2)) for e in compare(models[a], models[b], seed=2)]  # fmt: skip
    assert [e for e in together if e.model.count("−") == 1] == alone


def test_order_of_records_and_repetition_change_nothing():
    a, b = result("A", random_sides(1)), result("B", random_sides(2))
    back = replace(b, records=list(reversed(b.records)))
    assert compare(a, b, seed=3) == compare(a, back, seed=3)
    assert compare(a, b, seed=3) != compare(a, b, seed=4)


def test_a_category_of_all_items_does_not_repeat_them():
    a, b = (result(n, random_sides(s), kinds=["age"] * 200) for n, s in (("A", 1), ("B", 2)))
    assert not [e for e in compare(a, b) if e.groups]
    mixed = ["age"] * 199 + ["race"]
    a, b = (result(n, random_sides(s), kinds=mixed) for n, s in (("A", 1), ("B", 2)))
    assert [e.groups["bias_type"] for e in compare(a, b) if e.groups] == ["age", "race"]


@pytest.mark.parametrize(
    ("over", "categories", "expected"),
    [
        (((), ("order",), ("kind",)), "kind", [(), ("kind",), ("order",)]),
        (((), ("order",), ("kind",)), "", [(), ("order",)]),
        (((), ("order",), ("kind",)), "order", [(), ("order",)]),
        (((), ("order",)), "kind", [(), ("order",)]),
        (((), EVERY), "kind", [(), ("kind",)]),
        ((("kind", "order"),), "kind", []),
    ],
)
def test_what_is_compared_over_are_all_items_the_categories_and_the_first_axis(
    over, categories, expected
):
    measure = Measure("m", np.mean, ("more",), "%", None, over=over)
    assert compared_over(measure, Comparison(), categories) == expected
    assert compared_over(measure, Comparison(over=((),)), categories) == [()]


def test_a_measure_that_counts_some_items_is_compared_on_them(monkeypatch):
    sides, kinds = (random_sides(1, 40), random_sides(2, 40)), ["age", "race"] * 20
    a, b = (result(name, of, kinds=kinds) for name, of in zip("AB", sides, strict=True))
    whole = named(compare(a, b), "stereotype_rate_difference", bias_type="race")
    narrow = replace(STUDY.measures[0], where={"bias_type": "race"})
    nothing = replace(narrow, name="nothing", where={"bias_type": "looks"})
    monkeypatch.setattr(
        "tiltmeter.derived.comparisons.compare.measures_of", lambda _: [narrow, nothing]
    )
    found = compare(a, b)
    rate = named(found, "stereotype_rate_difference")
    assert (rate.value, rate.n, rate.p) == (whole.value, 20, whole.p)
    empty = named(found, "nothing_difference")
    assert (empty.value, empty.n) == (None, 0)
    assert empty.why == "no item is one of those that it counts"
