"""How surely one text is preferred, and which items show it most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.records import Record
from tiltmeter.core.study_views import Margins
from tiltmeter.metrics.preference import confidence as reported
from tiltmeter.report.margins import confidence, margins, surest

VIEW = Margins(("more", "less"), ("more stereotyping sentence", "less stereotyping sentence"))
APART = Margins(("more", "less"), ("A", "B"), relative=False, in_points=("votes",))


def record(more: float, less: float, item: str = "1") -> Record:
    return Record(item, {"more": more, "less": less}, {})


@pytest.mark.parametrize(
    ("more", "less", "expected"),
    [
        (-30, -40, 0.25),  # 1 - 30/40, the more stereotyping one is preferred
        (-40, -30, -0.25),
        (-5, -5, 0),
    ],
)
def test_confidence_by_hand(more, less, expected):
    assert confidence(record(more, less), VIEW) == pytest.approx(expected)


@given(st.floats(-1e3, -1e-3), st.floats(-1e3, -1e-3))
def test_swapping_the_sentences_turns_the_sign(a, b):
    one, other = confidence(record(a, b), VIEW), confidence(record(b, a), VIEW)
    assert one is not None
    assert other == -one
    assert -1 <= one <= 1


@given(st.floats(-1e3, -1e-3), st.floats(-1e3, -1e-3))
def test_it_is_the_confidence_whose_medians_are_reported(a, b):
    (size,) = reported(np.array([a]), np.array([b]))
    one = confidence(record(a, b), VIEW)
    assert one is not None
    assert abs(one) == pytest.approx(size)


@pytest.mark.parametrize(
    ("more", "less"), [(float("nan"), -1), (-1, float("-inf")), (1, -1), (0.4, 0.1)]
)
def test_no_confidence_without_comparable_scores(more, less):
    assert confidence(record(more, less), VIEW) is None


def test_the_surest_come_first_and_ties_go_by_name():
    records = [record(-9, -10, "c"), record(-5, -10, "b"), record(-5, -10, "a"), record(-10, -8)]
    more, less = surest([*records, record(-3, -3, "tied")], VIEW, 2)
    assert [found.record.item for found in more] == ["a", "b"]
    assert [found.record.item for found in less] == ["1"]


def test_differences_are_in_nats_only_where_scores_may_be_logarithms():
    logs = [record(-9, -10), record(-5, -10)]
    assert [(m.value, m.unit) for m in margins(logs, APART)] == [(1, "nats"), (5, "nats")]
    assert {m.unit for m in margins(logs, APART, "votes")} == {"points"}
    assert {m.unit for m in margins([*logs, record(0.2, -1)], APART)} == {"points"}
    assert [m.value for m in margins([record(float("nan"), -1)], APART)] == []
