"""Correlations over points, by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analyses.correlate.examples import found, run, values
from tiltmeter.analyses.correlate import relations
from tiltmeter.analyses.correlate.points import points_of
from tiltmeter.analyses.correlate.relations import correlate, what_points_show
from tiltmeter.analyses.correlate.run_points import of_runs
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval


def test_five_models_by_hand():
    """x = 1 … 5, y = 1, 3, 2, 5, 4: Σ(x − 3)(y − 3) = 8 of 10, Spearman the same, tau (8 − 2) / 10."""
    points = points_of(
        [*values("x", a=1, b=2, c=3, d=4, e=5), *values("y", a=1, b=3, c=2, d=5, e=4)], "models"
    )
    made = correlate(points)
    r = found(made, "pearson", "x", "y")
    assert (r.value, r.n, r.neutral) == (0.8, 5, 0.0)
    assert (r.low, r.high) == (None, None) and "at least 8 points" in r.why
    # Σd² = 4, and of 120 orders 1, 4 and 3 have 0, 2 and 4: twice 8 / 120
    assert r.p == pytest.approx(16 / 120) and r.p_adjusted == r.p
    assert "all orders" in r.test
    assert found(made, "spearman", "x", "y").value == 0.8
    tau = found(made, "kendall", "x", "y")
    assert tau.value == pytest.approx(0.6) and tau.low is None
    assert tau.p == pytest.approx(2 * (1 + 4 + 9) / 120)  # 0, 1 or 2 inversions
    assert made.reliabilities == () and made.of("pearson_corrected") == []


def test_holm_runs_over_all_pairs_of_one_method():
    some = [*values("x", a=1, b=2, c=3, d=4, e=5), *values("y", a=1, b=2, c=3, d=4, e=6)]
    made = correlate(points_of([*some, *values("z", a=5, b=1, c=4, d=2, e=2)], "models"))
    first = found(made, "pearson", "x", "y")
    assert first.p == pytest.approx(1 / 60) and first.p_adjusted == pytest.approx(3 / 60)
    assert first.adjustment == "Holm"


def test_missing_numbers_leave_a_point_out_of_their_pairs_only():
    points = points_of(
        [*values("x", a=1, b=2, c=3, d=9), *values("y", a=1, b=2, c=3), *values("z", a=3, b=2)],
        "models",
    )
    made = correlate(points)
    assert (found(made, "pearson", "x", "y").n, found(made, "pearson", "x", "y").value) == (3, 1.0)
    none = found(made, "pearson", "x", "z")
    assert (none.value, none.p, none.n) == (None, None, 2)
    assert none.why == "a correlation needs at least three points; there are 2"
    assert "z: 2 of 4 models remain, no value for c, d." in made.notes
    assert any("3 models: no p can be below 2 / 3! = 0.333" in note for note in made.notes)


MODELS = [f"{family}-{size}" for family in ("aaa", "bbb", "ccc", "ddd", "eee") for size in (1, 2)]


def test_models_of_one_family_are_left_out_together():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 10))
    observations = [
        *values("x", **dict(zip(MODELS, x, strict=True))),
        *values("y", **dict(zip(MODELS, x + y, strict=True))),
    ]
    made = correlate(points_of(observations, "models"))
    for name, ranked in (("pearson", False), ("spearman", True)):
        e = found(made, name, "x", "y")
        right = correlation_interval(x, x + y, np.repeat(np.arange(5), 2), ranked=ranked)
        assert (e.low, e.high, e.p) == right[:3]
        assert "families" in e.test
        assert "over 5 families" in e.interval if ranked else "(35 are needed)" in e.why
    assert found(made, "kendall", "x", "y").p is None
    assert any("10 models are of 5 families (aaa 2, bbb 2" in note for note in made.notes)
    apart = {model: model for model in MODELS}
    made = correlate(points_of(observations, "models"), families=apart)
    e = found(made, "spearman", "x", "y")
    assert "over 10 points" in e.interval and "random orders" in e.test
    assert (e.low, e.high) == correlation_interval(x, x + y, np.arange(10), ranked=True)[:2]
    with pytest.raises(UnknownName, match="No model named 'zzz'"):
        correlate(points_of(observations, "models"), families={"zzz": "a"})


def test_an_interval_without_noise_is_divided_like_r():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 40))
    names = [f"m{i}" for i in range(40)]
    points = [
        *values("x", **dict(zip(names, x, strict=True))),
        *values("y", **dict(zip(names, x + y, strict=True))),
    ]
    given = {"x": 0.8, "y": 0.8}
    made = correlate(points_of(points, "models"), reliabilities=given)
    r, corrected = (found(made, name, "x", "y") for name in ("pearson", "pearson_corrected"))
    assert (corrected.low, corrected.high) == pytest.approx((1.25 * r.low, 1.25 * r.high))
    few = correlate(
        points_of([o for o in points if int(o.model[1:]) < 20], "models"), reliabilities=given
    )
    r, corrected = (found(few, name, "x", "y") for name in ("pearson", "pearson_corrected"))
    assert r.low is None and corrected.low is None and corrected.interval == ""
    assert r.why == corrected.why and "(35 are needed)" in r.why


def test_three_points_have_no_interval_and_say_why():
    made = correlate(
        points_of([*values("x", a=1, b=2, c=3), *values("y", a=1, b=2, c=9)], "models")
    )
    r = found(made, "pearson", "x", "y")
    assert (r.low, r.high, r.interval) == (None, None, "")
    assert "at least 8 points of 5 families; there are 3" in r.why
    assert r.p == pytest.approx(1 / 3)


def test_equal_numbers_are_undefined_and_not_zero():
    made = correlate(
        points_of([*values("x", a=1, b=2, c=3), *values("y", a=4, b=4, c=4)], "models")
    )
    for name in ("pearson", "spearman", "kendall"):
        assert found(made, name, "x", "y").value is None
        assert "equal" in found(made, name, "x", "y").why


def test_only_between_sources():
    some = [*values("x", a=1, b=2, c=3), *values("y", a=1, b=2, c=9)]
    alike = [replace(one, source="one") for one in some]
    three = points_of([*alike, *values("z", a=3, b=1, c=2)], "models")
    assert len(correlate(three).of("pearson")) == 3
    made = correlate(three, between=True)
    assert [e.groups["y"] for e in made.of("pearson")] == ["z", "z"]
    with pytest.raises(BadInput, match="all measures are from one source, one"):
        correlate(points_of(alike, "models"), between=True)


def test_more_orders_are_drawn_where_there_are_more_pairs(monkeypatch):
    """With 999 draws p is at least .002, which 28 pairs would make .056."""
    monkeypatch.setattr(relations, "DRAWS", 999)
    rng = np.random.default_rng(1)
    labels = [f"m{i}" for i in range(12)]
    base = rng.normal(size=12)
    some = [
        one
        for k in range(8)
        for one in values(
            f"x{k}", **dict(zip(labels, base + (k > 1) * rng.normal(size=12) * 9 + k, strict=True))
        )
    ]
    made = correlate(points_of(some, "models"))
    first = found(made, "pearson", "x0", "x1")
    assert first.value == 1.0 and first.p_adjusted < 0.05


@pytest.mark.parametrize(
    ("n", "pairs", "said"),
    [
        (3, 1, "no correlation, however strong"),
        (5, 1, "a rank correlation of ±1.00 or more is significant"),
        (5, 10, "but after Holm’s adjustment for 10 pairs none can be"),
        (6, 2, "the strongest must reach ±0.94"),
        (20, 1, "20 models: a rank correlation of ±0.44 or more is significant"),
    ],
)
def test_what_points_can_show(n, pairs, said):
    assert said in what_points_show(n, "models", pairs)


def test_two_fingerprints_of_one_name_are_told():
    one, other = run("a", 51.0), run("a", 52.0, study="winobias")
    card = replace(other[1].card, model={"name": "a", "fingerprint": "else"})
    runs = [one, (Path("runs/else"), replace(other[1], card=card))]
    notes = correlate(points_of(of_runs(runs, "models"), "models")).notes
    assert any("a has 2 different fingerprints in these runs" in note for note in notes)
