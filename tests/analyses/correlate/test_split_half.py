"""How reliable measures are: halves of items, by hand and against slow code."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.correlate.examples import found, run, scored, values
from tiltmeter.analyses.correlate.points import points_of
from tiltmeter.analyses.correlate.relations import correlate
from tiltmeter.analyses.correlate.run_points import of_runs
from tiltmeter.analyses.correlate.split_half import SPLITS, reliability
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.records import Record
from tiltmeter.stats.correlations.reliability import spearman_brown


def test_halves_of_items_that_are_all_alike_are_wholly_reliable():
    """Each model prefers all or none or, on every item twice, half: every half has the model's rate."""
    sides = {"a": [1] * 8, "b": [0] * 8, "c": [1] * 8, "d": [0] * 8}
    points = points_of([*of_runs([scored(m, s) for m, s in sides.items()], "models"),
                        *values("f1", a=1, b=2, c=3, d=5)], "models")  # fmt: skip
    made = correlate(points)
    (one,) = made.reliabilities
    assert (one.name, one.value, one.n) == ("reliability", 1.0, 4)
    assert "rough" in one.why
    assert made.of("pearson_corrected") == []  # nobody knows how reliable f1 is
    name = points.names[0]
    made = correlate(points, reliabilities={"f1": 0.25})
    corrected = found(made, "pearson_corrected", name, "f1")
    assert corrected.value == pytest.approx(2 * found(made, "pearson", name, "f1").value)
    with pytest.raises(UnknownName, match="No measure named 'f2'"):
        correlate(points, reliabilities={"f2": 0.25})


def test_reliability_against_slow_code():
    """Of shares of 40 items with chances p, the noise is known: the reliability is 1 − noise / variance."""
    rng = np.random.default_rng(7)
    chances = rng.uniform(0.3, 0.7, size=300)
    runs = [scored(f"m{i}", rng.random(40) < p) for i, p in enumerate(chances)]
    rates = {f"m{i}": float(p) for i, p in enumerate(chances)}
    points = points_of([*of_runs(runs, "models"), *values("f1", **rates)], "models")
    one = reliability(points, 0)
    seen = points.values[:, 0] / 100
    noise = float(np.mean(chances * (1 - chances) / 40))
    assert one.value == pytest.approx(1 - noise / seen.var(), abs=0.06)
    assert reliability(points, 0) == one and reliability(points, 1) is None
    assert reliability(points, 0, seed=1).value != one.value


def test_halves_by_trying_all_splits():
    """Four items, three models: three ways to halve, each as likely; the mean r stepped up."""
    sides = {"a": [0, 0, 0, 0], "b": [0, 0, 0, 1], "c": [0, 1, 1, 1]}
    points = points_of([*of_runs([scored(m, s) for m, s in sides.items()], "models"),
                        *values("f1", a=1, b=2, c=4)], "models")  # fmt: skip
    table = np.array(list(sides.values()), dtype=float)
    rs = []
    for half in ([0, 1], [0, 2], [0, 3]):
        rest = [i for i in range(4) if i not in half]
        one, other = table[:, half].mean(axis=1), table[:, rest].mean(axis=1)
        if np.ptp(one) == 0 or np.ptp(other) == 0:
            pytest.fail("choose other sides")
        rs.append(np.corrcoef(one, other)[0, 1])
    low, high = (
        spearman_brown(np.mean(rs) + way * 4 * np.std(rs) / SPLITS**0.5) for way in (-1, 1)
    )
    assert low < reliability(points, 0).value < high


@pytest.mark.parametrize(
    ("sides", "card", "said"),
    [
        ([1, 1, 1, 1], {}, "all values on one side are equal"),
        ([1], {}, "a point has one item"),
        ([1, 0, 1, 0], {"study": "nowhere"}, "the study 'nowhere' is not installed"),
    ],
)
def test_reliability_that_is_undefined(sides, card, said):
    runs = [scored(m, sides, **card) for m in ("a", "b", "c")]
    points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
    assert reliability(points, 0).value is None
    assert said in reliability(points, 0).why


def test_numbers_without_records_are_told():
    runs = [scored("a", [1, 0, 1]), scored("b", [0, 0, 1])]
    some = [replace(o, facts=()) for o in of_runs(runs, "models")]
    table = [replace(o, measure=some[0].measure, facts=()) for o in values("x", c=1.0)]
    points = points_of([*some, *table, *values("f1", a=1, b=2, c=3)], "models")
    assert reliability(points, 0).why == "1 of its 3 models have no records of items"


def test_no_correction_where_both_are_of_the_same_items():
    """The one has the noise of the other: what is odd in an item moves both."""
    rng = np.random.default_rng(2)
    runs = {m: (rng.random(30) < p) for m, p in (("a", 0.2), ("b", 0.5), ("c", 0.6), ("d", 0.9))}
    first = [scored(m, s) for m, s in runs.items()]
    same = [scored(m, s, rule="aula") for m, s in runs.items()]
    made = correlate(points_of(of_runs([*first, *same], "models"), "models"))
    assert found(made, "pearson_corrected", *made.points.names).value is None
    assert "from the same items" in found(made, "pearson_corrected", *made.points.names).why
    other = [scored(m, s, rule="aula", sha="xyz") for m, s in runs.items()]
    made = correlate(points_of(of_runs([*first, *other], "models"), "models"))
    corrected = found(made, "pearson_corrected", *made.points.names)
    assert corrected.value > 1 and "above 1" in corrected.why  # and not cut


def test_clusters_are_never_parted():
    """Two writers with the same five answers: halves are the writers and agree wholly; items do not."""
    found = {}
    for cluster in ("writer", ""):
        runs = []
        for m, wins in (("a", 1), ("b", 2), ("c", 4)):
            records = [
                Record(
                    f"p{i}", {"more": float(i % 5 < wins), "less": 0.5}, {},
                    f"{cluster} {i // 5}" if cluster else "",
                )
                for i in range(10)
            ]  # fmt: skip
            runs.append(run(m, 20.0 * wins, records=records))
        points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
        found[cluster] = reliability(points, 0).value
    assert found["writer"] == 1
    assert found[""] < 0.99


@pytest.mark.parametrize(
    ("card", "less"),
    [
        ({"ties": "loss"}, 1.0),  # ties and losses: none is a win
        ({"rule": "pll_shared", "convention": "nangia2020"}, 0.9999),  # ties to three decimals
    ],
)
def test_halves_count_ties_and_round_as_the_run_did(card, less):
    """Else the first `wins` of eight would be wins, or half of one, and no half alike for all three."""
    runs = []
    for m, wins in (("a", 1), ("b", 4), ("c", 7)):
        records = [
            Record(f"p{i}", {"more": 1.0, "less": less if i < wins else 1.0 + ("ties" in card)}, {})
            for i in range(8)
        ]
        runs.append(run(m, 50.0, records=records, **card))
    points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
    assert "all values on one side are equal" in reliability(points, 0).why
