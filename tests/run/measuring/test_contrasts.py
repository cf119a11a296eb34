"""Parts of one result held against each other."""

import numpy as np
import pytest

from tiltmeter.core.estimates import Inference
from tiltmeter.core.measures import Contrast, Measure
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.contrasts import contrasts, sides_of
from tiltmeter.run.measuring.estimates import estimates


def mean(values):
    return float(np.mean(values))


def apart(sample):
    """The difference, with an interval that reaches by the clusters of both sides below and above it."""
    sides = sample.sides
    value = sample.metric(*sides.a) - sample.metric(*sides.b)
    low, high = value - float(min(sides.clusters_a)), value + float(max(sides.clusters_b))
    return value, Inference(low, high, 0.5)


KINDS = ("even", "odd")
RECORDS = [
    Record(f"{setting}{i}", {"x": float(value)}, {"setting": setting, "kind": KINDS[i % 2]}, f"c{i}")
    for setting, values in {"a": (1, 2, 3), "b": (5, 5, 5), "c": (0, 0, 6)}.items()
    for i, value in enumerate(values)
]  # fmt: skip
COLUMNS = columns_of(RECORDS, ["x"])


def made(over=((),), *, axis="setting", rest=False, columns=COLUMNS):
    measure = Measure(
        "difference", mean, ("x",), "", 0, over=over, contrast=Contrast(axis, apart, rest)
    )
    (found,) = contrasts([measure], columns, 0)
    assert found == list(estimates([measure], columns, "half", 0))
    return {tuple(e.groups.values()): e for e in found}


def test_each_pair_of_values():
    found = made()
    assert {groups: e.value for groups, e in found.items()} == {
        ("a − b",): -3, ("a − c",): 0, ("b − c",): 3,
    }  # fmt: skip
    first = found["a − b",]
    assert (first.n, first.p, first.low, first.high, first.neutral) == (6, 0.5, -3, -1, 0)


def test_very_many_pairs_are_not_compared_and_the_reason_stands_there():
    records = [Record(f"i{i}", {"x": float(i)}, {"setting": f"s{i}"}, f"c{i}") for i in range(46)]
    (only,) = made(columns=columns_of(records, ["x"])).values()
    assert (only.value, only.n, dict(only.groups)) == (None, 46, {"setting": "every pair"})
    assert only.why == "46 values make 1,035 pairs, and at most 1,000 are compared"
    assert len(made(columns=columns_of(records[:45], ["x"]))) == 990


def test_each_value_against_the_others():
    found = made(rest=True)
    assert {groups: e.value for groups, e in found.items()} == {
        ("a − the others",): pytest.approx(2 - 21 / 6), ("b − the others",): 5 - 2,
        ("c − the others",): pytest.approx(2 - 21 / 6),
    }  # fmt: skip


def test_within_subsets():
    found = made((("kind",),))
    assert found["odd", "a − b"].value == 2 - 5
    assert found["even", "a − b"].value == 2 - 5
    assert found["even", "b − c"].value == 5 - 3
    assert len(found) == 6


def test_nothing_is_compared_where_there_is_one_value_or_no_such_axis():
    assert made(axis="nothing") == {}
    assert made(columns=columns_of(RECORDS[:3], ["x"])) == {}


def test_what_has_no_value_says_why():
    bare = columns_of([Record(r.item, {}, r.groups, r.cluster) for r in RECORDS], ["x"])
    assert {e.why for e in made(columns=bare).values()} == {"some items have no x"}


def test_measures_of_the_same_sides_share_what_is_drawn():
    def drawn(sample):
        shared = sample.sides.once("draw", lambda rng: float(rng.random()))
        return shared, Inference(None, None, sample.rng.random())

    measures = [
        Measure(name, mean, ("x",), "", 0, contrast=Contrast("setting", drawn))
        for name in ("one", "two")
    ]
    one, two = contrasts(measures, COLUMNS, 0)
    assert [e.value for e in one] == [e.value for e in two]
    assert {e.p for e in one}.isdisjoint(e.p for e in two)


def test_the_others_are_items_without_the_value_each_once():
    """Of six texts one names black and white people, one white and Asian ones, one nobody."""
    texts = {
        "1": "black",
        "2": "black|white",
        "3": "white|Asian",
        "4": "Asian",
        "5": "",
        "6": "white",
    }
    records = [
        Record(
            f"{text}:{value}", {"x": float(text)},
            {"group": value or "none", **({"all": named} if "|" in named else {})}, text,
        )
        for text, named in texts.items() for value in named.split("|")
    ]  # fmt: skip
    columns = columns_of(records, ["x"])
    contrast = Contrast("group", apart, against_rest=True, background="none", several="all")
    sides = {
        name: [sorted(columns.scores["x"][rows].tolist()) for rows in both]
        for name, *both in sides_of(contrast, columns, np.arange(len(columns)))
    }
    assert sides == {
        "black − the others": [[1, 2], [3, 4, 5, 6]],
        "white − the others": [[2, 3, 6], [1, 4, 5]],
        "Asian − the others": [[3, 4], [1, 2, 5, 6]],
    }


def test_each_other_value_is_held_against_the_one_that_is_named():
    records = [
        Record(f"{value}", {"x": x}, {"version": value})
        for value, x in (("b", 1.0), ("original", 2.0), ("a", 3.0))
    ]
    columns = columns_of(records, ["x"])
    contrast = Contrast("version", apart, against="original")
    sides = {
        name: [columns.scores["x"][rows].tolist() for rows in both]
        for name, *both in sides_of(contrast, columns, np.arange(len(columns)))
    }
    assert sides == {"a − original": [[3], [2]], "b − original": [[1], [2]]}


def test_nothing_is_held_against_a_value_that_is_not_there():
    columns = columns_of([Record(v, {"x": 1.0}, {"version": v}) for v in ("a", "b")], ["x"])
    contrast = Contrast("version", apart, against="original")
    assert not [*sides_of(contrast, columns, np.arange(len(columns)))]
