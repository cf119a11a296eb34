"""Which rows have what a measure needs: conditions, finite scores, optional columns, the metric's word."""

import numpy as np
import pytest

from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.answered_rows import answered_rows
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.studies.bbq.metrics import MISSING, OTHER, TARGET, UNKNOWN, lowest_score, right_rate

nan = float("nan")


def answered(measure, rows, **further):
    """Of records with these scores."""
    names = {*measure.reads, *further.get("further", ())}
    records = [Record(str(i), scores, {"kind": "odd"}) for i, scores in enumerate(rows)]
    return answered_rows(measure, columns_of(records, names), **further).tolist()


def mean(column, *_):
    return float(np.mean(column))


def test_a_row_needs_a_finite_number_in_every_column_that_is_not_optional():
    rows = [{"x": 1.0, "y": 2.0}, {"x": 1.0}, {"x": nan, "y": 1.0}, {"x": float("inf"), "y": 1.0}]
    two = Measure("m", mean, ("x", "y"), "", None)
    assert answered(two, rows) == [True, False, False, False]
    optional = Measure("m", mean, ("x", "y"), "", None, optional=("y",))
    assert answered(optional, rows) == [True, True, False, False]
    assert (
        answered(Measure("m", mean, ("x",), "", None), rows, further=["y"]) == [True] + [False] * 3
    )


def test_conditions_are_met_by_labels_and_by_scores():
    rows = [{"x": 1.0, "asked": 1.0}, {"x": 1.0, "asked": 0.0}, {"x": 1.0}]
    assert answered(Measure("m", mean, ("x",), "", None, where={"asked": 1.0}), rows) == [
        True, False, False,
    ]  # fmt: skip
    assert (
        answered(Measure("m", mean, ("x",), "", None, where={"kind": "even"}), rows) == [False] * 3
    )


def test_a_column_that_no_record_has_is_answered_nowhere():
    assert answered(Measure("m", mean, ("z",), "", None), [{"x": 1.0}]) == [False]


@pytest.mark.parametrize(("metric", "expected"), [(right_rate, False), (lowest_score, True)])
def test_no_answer_is_one_only_to_a_metric_that_counts_it(metric, expected):
    """The lowest score takes every missing answer as one of the other person."""
    rows = [{"truth": float(UNKNOWN), "said": float(said)} for said in (TARGET, OTHER, UNKNOWN, -1)]
    assert answered(Measure("m", metric, ("truth", "said"), "%", None), rows) == [
        True, True, True, expected,
    ]  # fmt: skip
    assert MISSING == 3


def test_a_measure_may_say_itself_which_rows_count():
    measure = Measure("m", mean, ("x",), "", None, answered=lambda columns: columns[0] >= 0)
    assert answered(measure, [{"x": 1.0}, {"x": -1.0}]) == [True, False]
