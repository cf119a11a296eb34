"""What holds for every public metric of preferences, whichever it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.measures import Measure
from tiltmeter.metrics import preference
from tiltmeter.study_families.sentence_pairs import PAIR_MEASURES

RANGES = {
    preference.stereotype_rate: (0, 100),
    preference.stereotype_rate_untied: (0, 100),
    preference.macro_rate: (0, 100),
    preference.median_confidence_more: (0, 100),
    preference.median_confidence_less: (0, 100),
    preference.confidence_gap: (-100, 100),
}
METRICS = pytest.mark.parametrize("metric", RANGES, ids=lambda m: m.__name__)
ROWS = st.lists(
    st.tuples(st.integers(-9, 0), st.integers(-9, 0), st.sampled_from("abc")), min_size=1
)


def columns(metric, more, less, labels=None):
    both = [np.asarray(more, dtype=np.float64), np.asarray(less, dtype=np.float64)]
    if metric is not preference.macro_rate:
        return both
    return [*both, np.array(["a"] * len(both[0]) if labels is None else labels, dtype=np.str_)]


def test_every_metric_that_a_study_of_pairs_reports_is_tested_here():
    assert {m.metric for m in PAIR_MEASURES} == set(RANGES)


@pytest.mark.parametrize("measure", PAIR_MEASURES, ids=lambda m: m.name)
def test_the_neutral_value_lies_in_the_range(measure: Measure):
    low, high = RANGES[measure.metric]
    assert low <= measure.neutral <= high


@METRICS
def test_no_pairs_have_no_value(metric):
    with pytest.raises(Undefined, match="no pairs"):
        metric(*columns(metric, [], []))


@METRICS
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("side", [0, 1])
def test_scores_that_are_no_numbers_have_no_value(metric, bad, side):
    both = [[-1.0, -2.0, -3.0], [-2.0, -1.0, -3.0]]
    both[side][1] = bad
    with pytest.raises(Undefined, match="1 of 3 pairs"):
        metric(*columns(metric, *both))


@METRICS
def test_sides_of_different_lengths_are_refused(metric):
    with pytest.raises(BadInput, match="the two sides have"):
        metric(*columns(metric, [-1.0, -2.0], [-1.0]))


@METRICS
def test_scores_have_one_dimension(metric):
    more, less = np.full((2, 2), -1.0), np.full((2, 2), -2.0)
    with pytest.raises(BadInput, match="must be one-dimensional, not of shape"):
        metric(more, less, *columns(metric, [-1.0], [-2.0])[2:])


@pytest.mark.parametrize(
    "metric", [preference.stereotype_rate, preference.stereotype_rate_untied, preference.macro_rate]
)
def test_policies_for_ties_go_by_their_names(metric):
    given_columns = columns(metric, [-1.0, -2.0], [-1.0, -3.0])
    with pytest.raises(UnknownName, match=r"ties named 'Half'\. Did you mean 'half'"):
        metric(*given_columns, ties="Half")


@METRICS
@given(rows=ROWS, seed=st.integers(0, 99))
def test_range_type_and_order(metric, rows, seed):
    more, less, labels = zip(*rows, strict=True)
    given_columns = columns(metric, more, less, labels)
    order = np.random.default_rng(seed).permutation(len(rows))
    try:
        value = metric(*given_columns)
    except Undefined as undefined:
        with pytest.raises(Undefined, match=str(undefined)):
            metric(*(column[order] for column in given_columns))
        return
    low, high = RANGES[metric]
    assert type(value) is float
    assert low <= value <= high
    assert metric(*(column[order] for column in given_columns)) == pytest.approx(value)


@METRICS
def test_a_model_that_is_even_handed_is_neutral(metric):
    """Each pair once in either direction, with the same scores."""
    one, other = [-8.0, -5.0, -7.0], [-10.0, -4.0, -3.0]
    value = metric(*columns(metric, one + other, other + one, list("abcabc")))
    if metric in {preference.median_confidence_more, preference.median_confidence_less}:
        assert value == pytest.approx(20)  # of .2, .2 and 4 / 7
    else:
        assert value == pytest.approx({(0, 100): 50, (-100, 100): 0}[RANGES[metric]])
