"""Measures of labels by hand, against scikit-learn, and on the published replies of GPT-3."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as oracle

from support import gpt3_hate
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.labels import (
    CONFUSION,
    RepeatError,
    accuracy,
    by_repeat,
    f1,
    macro_f1,
    opposite_rate,
    precision,
    rate,
    recall,
    specificity,
    strict_accuracy,
    unanswered,
)

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 1)), min_size=1, max_size=40)
THREE = st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 2)), min_size=1, max_size=60)


def columns(rows):
    truth, said = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    return truth, said


def value(metric, *given_columns):
    try:
        return metric(*given_columns)
    except Undefined:
        return None


@given(ROWS)
def test_two_labels_against_scikit_learn(rows):
    truth, said = columns(rows)
    kept = said >= 0
    t, s = truth[kept], said[kept]
    none = np.full(len(truth), -1.0)
    assert value(accuracy, none, none, truth, said) == (
        pytest.approx(100 * oracle.accuracy_score(t, s)) if kept.any() else None
    )
    assert strict_accuracy(none, none, truth, said) == pytest.approx(100 * np.mean(truth == said))
    for metric, theirs, there in (
        (precision, oracle.precision_score, (s == 1).any()),
        (recall, oracle.recall_score, (t == 1).any()),
        (f1, oracle.f1_score, (t == 1).any() and (s == 1).any()),
    ):
        wanted = pytest.approx(100 * theirs(t, s)) if there else None
        assert value(metric, truth, said) == wanted
    negatives = pytest.approx(100 * oracle.recall_score(1 - t, 1 - s)) if (t == 0).any() else None
    assert value(specificity, truth, said) == negatives


@given(THREE)
def test_three_labels_against_scikit_learn(rows):
    truth, said = columns(rows)
    kept = said >= 0
    t, s = truth[kept], said[kept]
    none = np.full(len(truth), -1.0)
    whole = kept.any() and set(t) == set(s)
    wanted = pytest.approx(100 * oracle.f1_score(t, s, average="macro")) if whole else None
    assert value(macro_f1, truth, said, none) == wanted
    assert value(accuracy, truth, said, none, none) == (
        pytest.approx(100 * oracle.accuracy_score(t, s)) if kept.any() else None
    )


@pytest.mark.parametrize(
    ("metric", "truth", "said", "why"),
    [
        (precision, [1, 0], [0, 0], "no text was said to be of the category"),
        (recall, [0, 0], [1, 0], "no answered text is of the category"),
        (recall, [1, 0], [-1, 1], "no answered text is of the category"),
        (f1, [1, 0], [0, 0], "no text was said to be of the category"),
        (specificity, [1, 1], [1, 0], "all answered texts are of the category"),
        (recall, [1, 0], [-1, -1], "no reply has an answer"),
        (recall, [-1, -1], [1, 0], "no text has a known label"),
    ],
)
def test_what_has_no_value_has_a_reason(metric, truth, said, why):
    with pytest.raises(Undefined, match=why):
        metric(*columns(zip(truth, said, strict=True)))


def test_all_wrong_is_a_value():
    assert f1(*columns([(1, 0), (0, 1)])) == 0


def test_macro_f1_says_which_labels_are_missing():
    none = np.full(3, -1.0)
    with pytest.raises(Undefined, match="1 of 3 labels was never said"):
        macro_f1(*columns([(0, 0), (1, 1), (2, 1)]), none)
    with pytest.raises(Undefined, match="a label was said that no answered text has"):
        macro_f1(*columns([(0, 0), (1, 1), (1, 2)]), none)
    with pytest.raises(Undefined, match="no reply to a text"):
        macro_f1(*columns([(0, -1), (1, -1), (1, -1)]), none)


def test_macro_f1_is_of_labels_on_a_par_where_there_are_some():
    truth, said = columns([(0, 0), (1, 1), (0, 1)])
    on_a_par = np.array([-1.0, -1.0, 1.0])
    assert macro_f1(truth, said, on_a_par) == 100
    assert macro_f1(truth, said, np.ones(3)) == pytest.approx(200 / 3)


def test_the_category_asked_about_counts_and_not_the_label():
    """Of three labels, racist for neither is right where the question is what is sexist."""
    truth, said = columns([(2, 1)])
    asked = np.zeros(1)
    assert accuracy(truth, said, asked, asked) == 100
    assert strict_accuracy(truth, said, np.full(1, -1.0), np.full(1, -1.0)) == 0
    with pytest.raises(Undefined, match="no text has a known label"):
        accuracy(*(np.full(1, -1.0) for _ in range(4)))


def test_rates_of_flags():
    flags = np.array([1.0, 0.0, 0.0, np.nan, -1.0])
    assert (rate(flags), opposite_rate(flags)) == pytest.approx((100 / 3, 200 / 3))
    with pytest.raises(Undefined, match="known of none"):
        rate(np.array([-1.0]))


def test_intervals_of_rates_do_not_collapse():
    rng, text = np.random.default_rng(0), np.repeat(np.arange(20), 5)
    never = rate.infer(Sample(rate, (np.zeros(100),), text, rng))
    assert (never.low, never.high) == pytest.approx((0, 16.11), abs=0.01)  # Wilson, 0 of 20
    always = opposite_rate.infer(Sample(opposite_rate, (np.zeros(100),), text, rng))
    assert (always.low, always.high) == pytest.approx((83.89, 100), abs=0.01)
    alike = rate.infer(Sample(rate, ((text < 5).astype(float),), text, rng))
    alone = rate.infer(Sample(rate, ((text < 5).astype(float),), np.arange(100), rng))
    assert alike.low < alone.low < 25 < alone.high < alike.high


def test_the_error_over_repeats_is_a_standard_error():
    truth, said = np.tile([1.0, 0.0], 3), np.array([1.0, 0, 1, 1, 0, 1])
    repeat, none = np.array([0.0, 0, 1, 1, 2, 2]), np.full(6, -1.0)
    both = (none, none, truth, said, repeat)
    assert by_repeat(accuracy, *both).tolist() == [100, 50, 0]
    assert RepeatError(accuracy)(*both) == pytest.approx(50 / 3**0.5)
    with pytest.raises(Undefined, match="each text was asked once"):
        RepeatError(accuracy)(*(column[:2] for column in both))
    with pytest.raises(
        Undefined, match="in 1 of 2 repeats, no text was said to be of the category"
    ):
        RepeatError(precision)(truth[:4], np.array([1.0, 0, 0, 0]), repeat[:4])
    assert (
        infer_nothing(Sample(RepeatError(accuracy), both, none, np.random.default_rng(0))).low
        is None
    )


@pytest.mark.parametrize(
    ("category", "of_accuracy", "of_f1"),
    [("racist", (53.9, 62.1), (50.5, 66.3)), ("sexist", (47.5, 61.4), (53.1, 72.2))],
)
def test_intervals_over_texts_of_the_published_replies(category, of_accuracy, of_f1):
    replies = gpt3_hate.zero_shot().of(category)
    none = np.full(len(replies.truth), -1.0)
    read = (none, none, replies.truth, replies.said)
    rng = np.random.default_rng(0)
    found = accuracy.infer(Sample(accuracy, read, replies.text, rng))
    assert (found.low, found.high) == pytest.approx(of_accuracy, abs=0.8)
    found = f1.infer(Sample(f1, read[2:], replies.text, rng))
    assert (found.low, found.high) == pytest.approx(of_f1, abs=0.8)


def test_both_uncertainties_of_the_published_replies():
    replies = gpt3_hate.zero_shot().of("racist")
    none = np.full(len(replies.truth), -1.0)
    read = (none, none, replies.truth, replies.said, replies.repeat)
    values = by_repeat(accuracy, *read)
    assert len(values) == 100
    assert (values.mean(), values.std(ddof=1)) == pytest.approx((58.04, 6.46), abs=0.006)
    assert RepeatError(accuracy)(*read) == pytest.approx(0.65, abs=0.005)


@pytest.mark.parametrize(
    ("category", "cells"),
    [
        ("racist", (1688, 1295, 1209, 1775, 33)),
        ("sexist", (923, 2072, 619, 2308, 78)),
        ("overall", (2611, 3367, 1828, 4083, 111)),
    ],
)
def test_tables_9_to_11(category, cells):
    replies = gpt3_hate.zero_shot().of(category)
    made = tuple(
        metric(replies.truth, replies.said) for metric in (*CONFUSION.values(), unanswered)
    )
    assert made == cells
