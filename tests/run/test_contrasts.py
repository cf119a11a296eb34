"""Parts of one result held against each other."""

import numpy as np
import pytest

from tiltmeter.core.results import Inference, Record
from tiltmeter.core.study import Contrast, Measure
from tiltmeter.metrics.labels import infer_nothing
from tiltmeter.run.columns import columns_of
from tiltmeter.run.contrasts import contrasts
from tiltmeter.run.estimates import estimates


def mean(values):
    return float(np.mean(values))


def apart(metric, a, clusters_a, b, clusters_b, rng):
    """The difference, with the clusters of both sides as the interval."""
    del rng
    return metric(*a) - metric(*b), Inference(float(min(clusters_a)), float(max(clusters_b)), 0.5)


KINDS = ("even", "odd")
RECORDS = [
    Record(f"{setting}{i}", {"x": float(value)}, {"setting": setting, "kind": KINDS[i % 2]}, f"c{i}")
    for setting, values in {"a": (1, 2, 3), "b": (5, 5, 5), "c": (0, 0, 6)}.items()
    for i, value in enumerate(values)
]  # fmt: skip
COLUMNS = columns_of(RECORDS, ["x"])


def made(over=((),), *, axis="setting", rest=False, columns=COLUMNS):
    measure = Measure(
        "difference",
        mean,
        ("x",),
        infer_nothing,
        "",
        0,
        over=over,
        contrast=Contrast(axis, apart, rest),
    )
    found = list(contrasts(measure, measure.contrast, columns, 0))
    assert found == list(estimates([measure], columns, "half", 0))
    return {tuple(e.groups.values()): e for e in found}


def test_each_pair_of_values():
    found = made()
    assert {groups: e.value for groups, e in found.items()} == {
        ("a − b",): -3, ("a − c",): 0, ("b − c",): 3,
    }  # fmt: skip
    first = found["a − b",]
    assert (first.n, first.p, first.low, first.high, first.neutral) == (6, 0.5, 0, 2, 0)


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
