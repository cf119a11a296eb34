"""SeT against slow obvious code on whole matrices, derived values, and properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import nnls

from support import least_logit_changes
from support.least_logit_changes import logit_change
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.studies.group_traits.sensitivity import (
    association,
    published_score,
    weight_change,
    word_change,
)

LOGITS = arrays(
    np.float64, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.integers(-9, 9)
)
DERIVED = np.array([0, 0.141421356237, 0.177951304201, 0.294745653064])
"""Δ of each of the logits 2, 1, ½, −1 where ‖h‖² = 100 and γ = 1.

For the second: u = (2, ½, −1), a = 2 / 2 = 1, Δ = √(1² + 1²) / 10. For the last: u = (4, 3, 2.5) and
a = 9.5 / 4, so Δ² = (2.375² + 1.625² + .625² + .125²) / 100.
"""


def one(logits, target, margin=1.0):
    return float(
        logit_change(np.array([logits], dtype=float), np.array([target]), margin=margin)[0]
    )


def alternating(weights, state, target, margin, rounds=4000):
    """The nearest matrix in all half-spaces (A′h)_t − (A′h)_j ≥ γ, by Dykstra's algorithm: project
    onto one after the other, each time giving back what that one took the time before."""
    size = len(weights)
    new, taken = weights.copy(), [np.zeros_like(weights) for _ in range(size)]
    for _ in range(rounds):
        for j in (j for j in range(size) if j != target):
            start = new + taken[j]
            lacks = margin - (start[target] - start[j]) @ state
            step = np.zeros_like(weights)
            if lacks > 0:
                step[target] += lacks * state / (2 * state @ state)
                step[j] -= lacks * state / (2 * state @ state)
            new = start + step
            taken[j] = -step
    return new


def test_the_derived_values():
    logits = np.tile([2.0, 1.0, 0.5, -1.0], (4, 1))
    distance = logit_change(logits, np.arange(4))
    np.testing.assert_allclose(
        weight_change(distance, np.full(4, 10.0), bias="kept"), DERIVED, atol=1e-12
    )
    extended = np.full(4, np.sqrt(99.0))  # h, before a 1 is appended
    np.testing.assert_allclose(weight_change(distance, extended), DERIVED, atol=1e-12)
    assert DERIVED[3] ** 2 * 100 == pytest.approx(2.375**2 + 1.625**2 + 0.625**2 + 0.125**2)


def test_two_words():
    """Both move half of what is lacking: u / √2."""
    assert one([0, 5], 0) == pytest.approx(6 / np.sqrt(2))
    assert one([5, 0], 0) == 0
    assert one([0.25, 0], 0, margin=1) == pytest.approx(0.75 / np.sqrt(2))


def test_equal_logits():
    """u_j = γ for each of V − 1 others, so a = γ (V − 1) / V and Δ‖h‖ = γ √((V − 1) / V)."""
    for size in (2, 3, 100):
        assert one([7.0] * size, size - 1, margin=3) == pytest.approx(
            3 * np.sqrt((size - 1) / size)
        )


def test_a_vocabulary_of_one_word_needs_no_change():
    assert one([-3.0], 0) == 0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("bias", ["changed", "kept"])
def test_no_nearer_matrix_exists(seed, bias):
    """Against projections of the whole matrix, which know nothing of logits."""
    rng = np.random.default_rng(seed)
    size, width, margin = rng.integers(2, 7), rng.integers(1, 5), rng.choice([0.1, 1.0, 3.0])
    weights, state, offset = (
        rng.normal(size=(size, width)),
        rng.normal(size=width),
        rng.normal(size=size),
    )
    target = int(rng.integers(size))
    length = np.linalg.norm(state)
    logits = weights @ state + offset
    # with the bias kept, what A h has to reach differs by b: append b's share as a fixed column
    if bias == "changed":
        weights, state = np.column_stack([weights, offset]), np.append(state, 1)
        new = alternating(weights, state, target, margin)
    else:
        over = offset[:, None] * state / (state @ state)  # (A + over) h = logits
        new = alternating(weights + over, state, target, margin) - over
    least = np.linalg.norm(new - weights)
    distance = logit_change(logits[None], np.array([target]), margin=margin)
    assert weight_change(distance, np.array([length]), bias=bias)[0] == pytest.approx(
        least, abs=1e-6
    )


@settings(max_examples=25)
@given(
    st.integers(0, 9999), st.integers(2, 12), st.integers(1, 6), st.sampled_from([0.1, 1.0, 3.0])
)
def test_a_generic_solver_finds_no_nearer_matrix(seed, size, width, margin):
    """The problem as it is stated, over all of A′ − A, as Lawson and Hanson solve "least distance".

    The shortest x with G x ≥ h is −r / r_last without its last entry, where r is what the nonnegative
    least squares of (Gᵀ over hᵀ) u = (0, …, 0, 1) leave (Solving Least Squares Problems, 23.4).
    """
    rng = np.random.default_rng(seed)
    weights, state = rng.normal(size=(size, width)), rng.normal(size=width)
    target = int(rng.integers(size))
    ahead = np.delete(np.eye(size)[target] - np.eye(size), target, axis=0)
    lacking = margin - ahead @ weights @ state
    system = np.vstack([np.kron(ahead, state).T, lacking])
    wanted = np.eye(len(system))[-1]
    left = system @ nnls(system, wanted)[0] - wanted
    change = -left[:-1] / left[-1]
    assert (np.kron(ahead, state) @ change >= lacking - 1e-9).all()
    distance = logit_change((weights @ state)[None], np.array([target]), margin=margin)
    found = weight_change(distance, np.array([np.linalg.norm(state)]), bias="kept")[0]
    assert found == pytest.approx(np.linalg.norm(change), abs=1e-9)


@given(LOGITS, st.integers(0, 99), st.floats(0.1, 5))
def test_what_must_not_matter_does_not(logits, seed, margin):
    rng = np.random.default_rng(seed)
    rows, size = logits.shape
    targets = rng.integers(size, size=rows)
    found = logit_change(logits, targets, margin=margin)
    shifted = logit_change(logits + rng.normal(), targets, margin=margin)
    np.testing.assert_allclose(shifted, found, atol=1e-9)
    order = rng.permutation(size)
    moved = logit_change(logits[:, order], np.argsort(order)[targets], margin=margin)
    np.testing.assert_allclose(moved, found, atol=1e-12)
    far = logits.min() - 2 * margin - 99
    for more in (far, -np.inf):  # words that never come near, and impossible ones
        padded = np.column_stack([logits, np.full((rows, 3), more)])
        np.testing.assert_allclose(logit_change(padded, targets, margin=margin), found, atol=1e-12)
    factor = rng.uniform(0.1, 9)
    scaled = logit_change(factor * logits, targets, margin=factor * margin)
    np.testing.assert_allclose(scaled, factor * found, atol=1e-9)


@given(LOGITS, st.integers(0, 99))
def test_it_is_the_nearest_point_of_the_cone(logits, seed):
    """At least what each other word alone asks for, and no more than lifting the target alone."""
    rng = np.random.default_rng(seed)
    for row in logits:
        target = int(rng.integers(len(row)))
        over = np.delete(row - row[target] + 1, target)
        found = one(row, target)
        alone = max([0.0, *over])
        assert alone / np.sqrt(2) - 1e-12 <= found <= alone + 1e-12
        assert (found == 0) == (alone == 0)
        assert one(row, target, margin=2) >= found


def test_blocks_change_nothing(monkeypatch):
    logits = np.random.default_rng(0).normal(size=(7, 11))
    targets = np.arange(7)
    whole = logit_change(logits, targets)
    monkeypatch.setattr(least_logit_changes, "_CELLS", 23)
    np.testing.assert_array_equal(logit_change(logits, targets), whole)
    assert logit_change(logits[:0], targets[:0]).shape == (0,)


def test_numbers_in_single_precision_are_taken_as_they_are():
    logits = np.random.default_rng(0).normal(size=(2, 9)).astype(np.float32)
    expected = logit_change(logits.astype(np.float64), np.array([1, 2]))
    np.testing.assert_array_equal(logit_change(logits, np.array([1, 2])), expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_logits_that_are_no_numbers(bad):
    logits = np.zeros((3, 4))
    logits[1, 2] = bad
    with pytest.raises(Undefined, match="1 of 3 rows"):
        logit_change(logits, np.zeros(3, dtype=int))


def test_what_cannot_be_asked():
    logits = np.zeros((2, 3))
    logits[0, 1] = -np.inf
    with pytest.raises(Undefined, match="1 of 2 targets"):
        logit_change(logits, np.array([1, 1]))
    for margin in (0, -1, np.nan, np.inf):
        with pytest.raises(BadInput, match="not above 0"):
            logit_change(logits, np.array([0, 0]), margin=margin)
    for targets in ([0, 3], [-1, 0]):
        with pytest.raises(BadInput, match="not among the 3"):
            logit_change(logits, np.array(targets))
    with pytest.raises(BadInput, match="do not fit"):
        logit_change(logits, np.array([0]))


def test_a_state_of_zero():
    with pytest.raises(Undefined, match="1 of 2 positions"):
        weight_change(np.ones(2), np.array([0.0, 1.0]), bias="kept")
    assert weight_change(np.ones(1), np.zeros(1)).tolist() == [1]  # the bias alone does it
    with pytest.raises(Undefined, match="distance"):
        weight_change(np.array([np.nan]), np.ones(1))
    with pytest.raises(Undefined, match="length of h"):
        weight_change(np.ones(1), np.array([-1.0]))


def test_the_score_is_a_log_ratio_that_is_never_nan():
    change, prior = np.array([0.5, 2, 0.3, 0, 0.4, 0]), np.array([1, 1, 0.3, 0.2, 0, 0])
    expected = [np.log(2), -np.log(2), 0, np.inf, -np.inf, 0]
    np.testing.assert_allclose(association(change, prior), expected)
    np.testing.assert_allclose(association(prior, change), -np.array(expected))
    with pytest.raises(Undefined, match="1 of 2"):
        association(np.array([1, np.nan]), np.ones(2))


def test_twice_the_change_everywhere_is_the_same_score():
    change, prior = np.random.default_rng(0).uniform(0.1, 1, size=(2, 9))
    np.testing.assert_allclose(association(3 * change, 3 * prior), association(change, prior))


def test_words_of_several_pieces():
    changes, starts = np.array([0.1, 0.4, 0.2, 0.3]), np.array([0, 3])
    assert word_change(changes, starts).tolist() == [0.4, 0.3]
    lowest = published_score(changes, starts)
    np.testing.assert_allclose(lowest, np.log(1 - word_change(changes, starts)))
    total = published_score(changes, starts, pieces="sum")
    np.testing.assert_allclose(total, [np.log(0.9 * 0.6 * 0.8), np.log(0.7)])
    for wrong in ([], [1], [0, 0], [0, 4]):
        with pytest.raises(BadInput, match="do not split 4 pieces"):
            word_change(changes, np.array(wrong, dtype=int))


def test_the_published_score_of_the_derived_values():
    expected = [0, -0.152476996827, -0.195955645049, -0.349196765438]
    np.testing.assert_allclose(published_score(DERIVED, np.arange(4)), expected, atol=1e-11)


def test_the_published_score_ends_at_one():
    assert published_score(np.ones(1), np.array([0])).tolist() == [-np.inf]
    with pytest.raises(Undefined, match="1 of 2 changes is above 1"):
        published_score(np.array([0.5, 1.1]), np.array([0, 1]))
