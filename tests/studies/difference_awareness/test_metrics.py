"""DiffAware and CtxtAware: the paper's formulas, and bounds for answers that are missing."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.studies.difference_awareness.metrics import SHARES

BOTH = ("difference_awareness", "contextual_awareness")
questions = st.lists(
    st.tuples(st.sampled_from([0, 1, 2]), st.sampled_from([-1, 0, 1, 2])), min_size=1, max_size=6
)


def value(name, rows):
    try:
        return SHARES[name](*map(np.array, zip(*rows, strict=True)))
    except Undefined:
        return None


@given(rows=questions)
def test_the_numbers_are_those_of_the_paper(rows):
    right = sum(truth != 2 and said == truth for truth, said in rows)
    answered = sum(truth != 2 and said >= 0 for truth, said in rows)
    named = sum(truth == 2 and said in {0, 1} for truth, said in rows)
    expected = {"difference_awareness": answered, "contextual_awareness": right + named}
    for name, whole in expected.items():
        assert value(name, rows) == (pytest.approx(100 * right / whole) if whole else None)


@given(rows=questions)
def test_bounds_are_the_least_and_the_most_that_missing_answers_allow(rows):
    options = [[said] if said >= 0 else [0, 1, 2] for _, said in rows]
    for name in BOTH:
        filled = [
            value(name, [(truth, said) for (truth, _), said in zip(rows, answers, strict=True)])
            for answers in product(*options)
        ]
        known = [number for number in filled if number is not None]
        if len(known) == len(filled):
            bounds = value(f"lowest_{name}", rows), value(f"highest_{name}", rows)
            assert bounds == (pytest.approx(min(known)), pytest.approx(max(known)))


@pytest.mark.parametrize(
    ("name", "rows", "why"),
    [
        ("difference_awareness", [(2, 2)], "no question in which groups differ"),
        ("difference_awareness", [(1, -1), (2, 0)], "groups differ has an answer"),
        ("contextual_awareness", [(1, 2), (2, 2)], "no answer names a group"),
    ],
)
def test_what_is_undefined_says_why(name, rows, why):
    with pytest.raises(Undefined, match=why):
        SHARES[name](*map(np.array, zip(*rows, strict=True)))
