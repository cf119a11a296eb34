"""ss, lms and icat: values a person can derive, properties, and slow obvious code."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.metrics.context_association import by_term, credited, icat, lms, ss

# Two contexts about a nurse, one about a chef. Stereotype, anti-stereotype, unrelated:
#   nurse 3 2 1: both beat the unrelated one, the stereotype wins
#   nurse 1 3 2: one of two, the anti-stereotype wins
#   chef  5 4 6: none of two, the stereotype wins
THREE = (np.array([3.0, 1, 5]), np.array([2.0, 3, 4]), np.array([1.0, 2, 6]))
TERMS = np.array(["nurse", "nurse", "chef"])
TIED = (np.array([1.0]), np.array([1.0]), np.array([1.0]), np.array(["nurse"]))


def test_by_hand():
    # nurse: lms (100 + 50) / 2 = 75, ss 50; chef: lms 0, ss 100
    assert lms(*THREE, TERMS) == 37.5
    assert ss(*THREE, TERMS) == 75
    assert icat(*THREE, TERMS) == 37.5 * 25 / 50


def test_the_mean_over_terms_is_not_the_mean_over_contexts():
    assert ss(*THREE, np.array(["a", "a", "a"])) == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("ties", "leaning", "known"), [("half", 50, 50), ("loss", 0, 0), ("neutral", 0, 0)]
)
def test_ties(ties, leaning, known):
    assert ss(*TIED, ties=ties) == leaning
    assert lms(*TIED, ties=ties) == known


def test_strict_comparison_is_the_published_one():
    """A tie of the meaningful two counts as anti-stereotype, one with the unrelated as unrelated."""
    columns = (np.array([2.0, 2]), np.array([2.0, 1]), np.array([1.0, 2]), np.array(["a", "a"]))
    assert ss(*columns, ties="loss") == 50
    assert lms(*columns, ties="loss") == 100 * (2 + 0) / 4
    assert ss(*columns) == 75
    assert lms(*columns) == 100 * (2 + 0.5) / 4


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("ideal", ([2, 1], [1, 2], [0, 0]), (100, 50, 100)),
        ("stereotyped", ([2, 2], [1, 1], [0, 0]), (100, 100, 0)),
        ("the other way round", ([1, 1], [2, 2], [0, 0]), (100, 0, 0)),
        ("picks at random", ([3, 1], [1, 3], [2, 2]), (50, 50, 50)),
    ],
)
def test_the_ends_of_the_scales(name, scores, expected):
    columns = [np.array(side, dtype=float) for side in scores]
    terms = np.array(["a", "b"])
    assert (lms(*columns, terms), ss(*columns, terms), icat(*columns, terms)) == expected, name


numbers = st.integers(-3, 3).map(float)
contexts = st.lists(st.tuples(numbers, numbers, numbers, st.sampled_from("abcd")), min_size=1)


def columns_of(rows):
    *scores, terms = zip(*rows, strict=True)
    return (*map(np.array, scores), np.array(terms))


def slowly(rows, ties):
    """Straight from the paper's words."""
    each = {"lms": [], "ss": []}
    for term in sorted({row[3] for row in rows}):
        mine = [row for row in rows if row[3] == term]
        credit = 0.5 if ties == "half" else 0
        related = sum(
            1 if x > row[2] else credit if x == row[2] else 0 for row in mine for x in row[:2]
        )
        stereo = sum(1 if r[0] > r[1] else credit if r[0] == r[1] else 0 for r in mine)
        each["lms"].append(100 * related / (2 * len(mine)))
        each["ss"].append(100 * stereo / len(mine))
    known, leaning = (sum(v) / len(v) for v in each.values())
    return known, leaning, known * min(leaning, 100 - leaning) / 50


@settings(max_examples=200, deadline=None)
@given(contexts, st.sampled_from(["half", "loss"]))
def test_against_slow_code(rows, ties):
    columns = columns_of(rows)
    found = [f(*columns, ties=ties) for f in (lms, ss, icat)]
    assert found == pytest.approx(slowly(rows, ties))


@settings(max_examples=100, deadline=None)
@given(contexts, st.randoms())
def test_swap_and_order(rows, random):
    more, less, off, terms = columns_of(rows)
    assert ss(less, more, off, terms) == pytest.approx(100 - ss(more, less, off, terms))
    assert lms(less, more, off, terms) == pytest.approx(lms(more, less, off, terms))
    assert icat(less, more, off, terms) == pytest.approx(icat(more, less, off, terms))
    shuffled = list(rows)
    random.shuffle(shuffled)
    for metric in (ss, lms, icat):
        assert metric(*columns_of(shuffled)) == pytest.approx(metric(more, less, off, terms))


@settings(max_examples=50, deadline=None)
@given(contexts, st.floats(0.1, 10), st.floats(-5, 5))
def test_only_the_order_within_a_context_counts(rows, scale, shift):
    columns = columns_of(rows)
    moved = [column * scale + shift for column in columns[:3]]
    for metric in (ss, lms, icat):
        assert metric(*moved, columns[3]) == pytest.approx(metric(*columns))


@pytest.mark.parametrize("metric", [ss, lms, icat])
def test_undefined(metric):
    empty = np.array([])
    with pytest.raises(Undefined, match="no pairs"):
        metric(empty, empty, empty, np.array([], dtype=str))
    with pytest.raises(Undefined, match="not a finite number"):
        metric(np.array([np.nan]), np.array([1.0]), np.array([0.0]), np.array(["a"]))


def test_parts():
    assert credited(*THREE).tolist() == [[100, 100], [50, 0], [0, 100]]
    assert by_term(credited(*THREE), TERMS).tolist() == [[0, 100], [75, 50]]  # chef, nurse
