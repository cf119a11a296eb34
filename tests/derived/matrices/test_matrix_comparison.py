"""Two matrices: pairing over templates, orders, what is left out, and when nothing is subtracted."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_1samp, ttest_ind

from report import cells
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.derived.matrices.matrix import layers_of
from tiltmeter.derived.matrices.matrix_comparison import compare_cells


def named(found, name):
    return {tuple(e.groups.values()): e for e in found if e.name == name}


@pytest.fixture(scope="module")
def both() -> tuple[Result, Result]:
    """What a template does to a cell is the same in both, and much larger than the planted leanings."""
    planted = dict.fromkeys(cells.PLANTED, 0.3)
    a = cells.result("a", seed=1, common=2.0, noise=0.05, planted=planted)
    return a, cells.result("b", seed=2, common=2.0, noise=0.05, planted={})


def test_each_difference_is_the_mean_of_the_templates_differences(both):
    one, other = (layers_of(result) for result in both)
    found = named(compare_cells(*both), "association_difference")
    assert len(found) == 30
    apart = one.values - other.values
    for (group, pair), e in found.items():
        values = apart[:, one.rows.index(group), one.columns.index(pair)]
        if np.isnan(values).any():
            assert e.value is None
            assert "in 1 of 7 templates" in e.why
            continue
        assert e.value == pytest.approx(values.mean())
        tested = ttest_1samp(values, 0)
        assert e.p == pytest.approx(tested.pvalue)
        assert (e.low, e.high) == pytest.approx(tuple(tested.confidence_interval()))


def test_pairing_finds_what_unpaired_tests_cannot(both):
    """Fails where templates are not paired: their common effects then drown what was planted."""
    one, other = (layers_of(result) for result in both)
    found = named(compare(*both), "association_difference")
    told = {key for key, e in found.items() if e.p_adjusted is not None and e.p_adjusted < 0.05}
    assert told >= set(cells.PLANTED)
    for group, pair in cells.PLANTED:
        place = (slice(None), one.rows.index(group), one.columns.index(pair))
        assert ttest_ind(one.values[place], other.values[place]).pvalue > 0.2
        assert found[group, pair].value == pytest.approx(0.3, abs=0.1)


def test_templates_are_paired_by_name_whatever_order_they_came_in(both):
    a, b = both
    turned = replace(b, records=list(b.records)[::-1])
    for one, other in zip(compare_cells(a, b), compare_cells(a, turned), strict=True):
        assert (one.name, one.groups) == (other.name, other.groups)
        assert (one.value, one.low, one.p) == pytest.approx(
            (other.value, other.low, other.p), nan_ok=True
        )


def test_orders_are_those_of_the_mean_matrices(both):
    found = compare_cells(*both)
    x, y = (layers_of(result).averaged().values for result in both)
    there = np.isfinite(x) & np.isfinite(y)
    whole = named(found, "matrix_tau")
    assert whole[()].value == pytest.approx(kendalltau(x[there], y[there]).statistic)
    assert whole[()].n == 29
    assert whole[()].low < whole[()].value < whole[()].high
    groups = layers_of(both[0]).rows
    assert whole["bakers",].value == pytest.approx(
        kendalltau(x[groups.index("bakers")], y[groups.index("bakers")]).statistic
    )
    same = 100 * np.mean(np.sign(x[there]) == np.sign(y[there]))
    assert named(found, "same_lean")[()].value == pytest.approx(same)


def test_the_jackknife_leaves_out_one_group_at_a_time(both):
    x, y = (layers_of(result).averaged().values for result in both)

    def tau(kept):
        there = np.isfinite(x[kept]) & np.isfinite(y[kept])
        return kendalltau(x[kept][there], y[kept][there]).statistic

    without = np.array([tau([j for j in range(6) if j != i]) for i in range(6)])
    error = np.sqrt(5 / 6 * np.square(without - without.mean()).sum())
    e = named(compare_cells(*both), "matrix_tau")[()]
    assert e.value - e.low == pytest.approx(2.5705818 * error)  # t with 5 degrees of freedom


def test_what_all_groups_share_counts_in_one_correlation_and_not_in_the_other():
    """Both models move a pair for every group alike; what is particular to groups has no relation."""
    shared = {(g, p): 3.0 * j for gs in cells.DOMAINS.values() for g in gs
              for j, p in enumerate(p for ps in cells.DIMENSIONS.values() for p in ps)}  # fmt: skip
    a, b = (cells.result(f"m{s}", seed=s, planted=shared, noise=0.3) for s in (3, 4))
    found = compare_cells(a, b)
    assert named(found, "matrix_tau")[()].value > 0.75
    within = named(found, "matrix_tau_within")[()]
    assert abs(within.value) < 0.4
    assert within.low < 0 < within.high


def test_the_difference_of_strengths_is_of_products_of_different_templates(both):
    x, y = (layers_of(result).values.reshape(7, -1) for result in both)
    whole = np.isfinite(x).all(axis=0) & np.isfinite(y).all(axis=0)

    def strength(some):
        pairs = itertools.combinations(some[:, whole], 2)
        return np.mean([(first * second).mean() for first, second in pairs]) ** 0.5

    e = named(compare_cells(*both), "strength_difference")[()]
    assert e.value == pytest.approx(strength(x) - strength(y))
    assert e.low < e.value < e.high
    assert (e.p < 0.05) == (not e.low <= 0 <= e.high)


def test_two_templates_show_no_difference_of_strengths():
    a, b = (cells.result(name, seed=seed, templates=2) for name, seed in (("a", 1), ("b", 2)))
    e = named(compare_cells(a, b), "strength_difference")[()]
    assert (e.low, e.why) == (None, "no interval: there are fewer than 3 templates")


def test_what_only_one_has_is_left_out_and_told():
    a = cells.result("a", names={"bakers": "only in a"})
    b = cells.result("b", seed=2, templates=5)
    found = compare_cells(a, b)
    tau = named(found, "matrix_tau")[()]
    assert (
        "2 templates (plural 2, plural 3), 2 groups (only in a, bakers) that only one of them has"
        in tau.why
    )
    assert {key[0] for key in named(found, "association_difference")} == {
        "sailors", "pianists", "anglers", "chess players", "people who whistle"
    }  # fmt: skip
    assert all(e.n == 5 for e in named(found, "association_difference").values())


def test_nothing_in_common_is_an_error():
    a = cells.result("a", names={g: f"a {g}" for gs in cells.DOMAINS.values() for g in gs})
    with pytest.raises(BadInput, match="no groups in common"):
        compare_cells(a, cells.result("b"))


@pytest.mark.parametrize(
    "other",
    [
        cells.result("b", seed=2, rule="ilps_star"),
        cells.result("b", seed=2, settings={"margin": "2"}),
    ],
    ids=["rule", "setting"],
)
def test_on_another_scale_nothing_is_subtracted(other):
    names = {e.name for e in compare_cells(cells.result("a"), other)}
    assert names == {"matrix_tau", "matrix_tau_within", "same_lean"}


def test_models_with_other_vocabularies_are_told_apart():
    a, b = (
        replace(r, card=replace(r.card, model={**r.card.model, "vocabulary": size}))
        for r, size in ((cells.result("a"), 30_522), (cells.result("b", seed=2), 50_265))
    )
    tau = named(compare_cells(a, b), "matrix_tau")[()]
    assert tau.why == "whose vocabularies differ in size (30,522 and 50,265)"


def test_a_choice_of_groups_is_no_other_scale():
    other = cells.result("b", seed=2, settings={"groups": "bakers"})
    assert named(compare_cells(cells.result("a"), other), "association_difference")


def test_a_result_beside_itself_differs_nowhere_and_says_that_nothing_varies():
    a = cells.result("a")
    found = compare_cells(a, a)
    assert named(found, "matrix_tau")[()].value == pytest.approx(1)
    assert named(found, "same_lean")[()].value == 100
    for e in named(found, "association_difference").values():
        assert e.value in {0.0, None}
        assert e.p is None
        assert e.why


def test_cells_are_adjusted_by_benjamini_and_hochberg_over_all_comparisons(both):
    third = cells.result("c", seed=9)
    found = compare_all([*both, third]).estimates
    cells_ = [e for e in found if e.name == "association_difference" and e.p is not None]
    assert {e.adjustment for e in cells_} == {"Benjamini–Hochberg"}
    ps = np.array([e.p for e in cells_])
    order = np.argsort(ps)
    ranked = ps[order] * len(ps) / np.arange(1, len(ps) + 1)
    wanted = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1)
    assert np.array([e.p_adjusted for e in cells_])[order] == pytest.approx(wanted)
    taus = [e for e in found if e.name == "matrix_tau" and not e.groups]
    assert {e.adjustment for e in taus} == {"Holm"}
