"""The first measure without one template at a time, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import Undefined
from tiltmeter.core.finder import find
from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.core.scope import Scope
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.run.measuring.left_out import left_out

STUDY = replace(find("studies", "sos", "STUDY"), scope=Scope(left_out="template"))
DATA = Dataset("made up", "1", (), "", "")


def mean(x):
    if len(x) < 2:
        raise Undefined("there is one value")
    return float(np.mean(x))


def found(values, *, study=STUDY, axis="template", labels=None):
    """Of records with these values, one for each template."""
    measure = Measure("mean", mean, ("x",), "nats", 0)
    records = [
        Record(f"{i}", {"x": x}, {axis: name} if name else {}) for i, (name, x) in enumerate(values)
    ]
    columns = columns_of(records, ["x"])
    numbers = list(estimates([measure], columns, "half", 0))
    data = replace(DATA, labels={"template": labels} if labels else {})
    return left_out(study, [measure], numbers, columns, "half", data)


def test_the_range_and_the_template_that_counts_most():
    """The mean of 1, 2 and 9 is 4; without one of them 5.5, 5 or 1.5."""
    one = found([("a", 1.0), ("b", 2.0), ("c", 9.0)])
    assert (one.measure, one.axis, one.count) == ("mean", "template", 3)
    assert (one.low, one.high) == (1.5, 5.5)
    assert (one.farthest, one.without) == ("c", 1.5)
    assert one.error == pytest.approx(np.std([1, 2, 9], ddof=1) / 3**0.5)  # as of any mean


def test_a_template_without_which_nothing_is_defined_does_not_count():
    assert found([("a", 1.0), ("a", 3.0), ("b", 2.0)]) is None  # without a, one value is left
    one = found([("a", 1.0), ("a", 3.0), ("b", 2.0), ("c", 2.0)])
    assert one.count == 3


def test_items_without_a_template_stay():
    one = found([("a", 0.0), ("b", 6.0), ("", 3.0)])
    assert (one.low, one.high, one.count) == (1.5, 4.5, 2)


def test_templates_have_their_plain_names():
    assert (
        found([("a", 1.0), ("b", 2.0), ("c", 9.0)], labels={"c": "They are …"}).farthest
        == "They are …"
    )


@pytest.mark.parametrize(
    "none",
    [
        {"values": [("a", 1.0), ("a", 2.0)]},
        {"values": [("a", 1.0), ("b", 2.0), ("c", 2.0)], "axis": "job"},
        {"values": [("a", 1.0), ("b", 2.0), ("c", 2.0)], "study": replace(STUDY, scope=Scope())},
    ],
    ids=["one template", "no templates", "not declared"],
)
def test_nothing_is_left_out(none):
    assert found(**none) is None
