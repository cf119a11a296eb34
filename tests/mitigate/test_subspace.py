"""Directions against values a person can derive, whole decompositions, and what must not matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.mitigate.subspace import nullspace, principal


def test_two_sets_by_hand():
    """Within sets: ±(3, 0) twice and ±(0, 1) once: 4 · 9 = 36 and 2 of 38."""
    vectors = np.array([[3.0, 5], [-3, 5], [4, 0], [-2, 0], [7, 8], [7, 6]])
    found = principal(vectors, np.array([0, 0, 1, 1, 2, 2]), 2)
    np.testing.assert_allclose(np.abs(found.basis), np.eye(2), atol=1e-12)
    np.testing.assert_allclose(found.explained, [36 / 38, 2 / 38])
    assert found.rank == 2


@given(st.integers(0, 9999))
def test_against_a_whole_decomposition(seed):
    rng = np.random.default_rng(seed)
    sets = rng.integers(4, size=15)
    vectors = rng.normal(size=(15, 6))
    left = np.array(
        [v - vectors[sets == s].mean(axis=0) for v, s in zip(vectors, sets, strict=True)]
    )
    _, sizes, directions = np.linalg.svd(left, full_matrices=False)
    found = principal(vectors, sets, 3)
    np.testing.assert_allclose(np.abs(np.sum(found.basis * directions[:3], axis=1)), 1, atol=1e-6)
    np.testing.assert_allclose(found.explained, (sizes**2 / (sizes**2).sum())[:3], atol=1e-9)
    np.testing.assert_allclose(found.basis @ found.basis.T, np.eye(3), atol=1e-9)
    order = rng.permutation(15)
    moved = principal((vectors + rng.normal(size=6))[order], sets[order], 3)
    np.testing.assert_allclose(moved.basis, found.basis, atol=1e-6)


def test_what_cannot_be_fitted():
    vectors, sets = np.eye(4), np.array([0, 0, 1, 1])
    with pytest.raises(BadInput, match=r"3 directions were requested, .* differ in only 2"):
        principal(vectors, sets, 3)
    with pytest.raises(BadInput, match="directions is 0"):
        principal(vectors, sets, 0)
    with pytest.raises(Undefined, match="same representation"):
        principal(np.ones((4, 3)), sets, 1)
    with pytest.raises(Undefined, match="not a finite number"):
        principal(np.full((4, 3), np.nan), sets, 1)


def told_apart(vectors, labels):
    """By the difference of the class means, at best."""
    means = [vectors[labels == label].mean(axis=0) for label in (0, 1)]
    return np.linalg.norm(means[0] - means[1])


def test_inlp_takes_out_what_tells_the_groups_apart():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 300)
    vectors = rng.normal(size=(600, 8))
    vectors[:, 2] += 3 * labels
    vectors[:, 5] -= 2 * labels
    vectors -= vectors.mean(axis=0)
    found = nullspace(vectors, labels, rounds=20, rng=np.random.default_rng(1))
    assert found.accuracy[0] > 0.9
    assert found.accuracy[-1] < 0.6
    assert found.chance == pytest.approx(0.5)
    np.testing.assert_allclose(found.basis @ found.basis.T, np.eye(len(found.basis)), atol=1e-9)
    left = vectors - vectors @ found.basis.T @ found.basis
    assert told_apart(left, labels) < 0.1 * told_apart(vectors, labels)
    assert np.linalg.norm(left) > 0.5 * np.linalg.norm(vectors)  # not everything went
    one = nullspace(vectors, labels, rounds=1, rng=np.random.default_rng(1))
    assert len(one.basis) == 1


def test_inlp_says_where_there_is_nothing_to_do():
    rng = np.random.default_rng(0)
    with pytest.raises(Undefined, match="cannot tell"):
        nullspace(rng.normal(size=(4000, 3)), rng.integers(2, size=4000), rounds=3, rng=rng)
    with pytest.raises(Undefined, match="one class"):
        nullspace(rng.normal(size=(40, 3)), np.zeros(40, dtype=np.int64), rounds=3, rng=rng)
    with pytest.raises(BadInput, match="has only 3 texts"):
        nullspace(rng.normal(size=(40, 3)), np.repeat([0, 1], [37, 3]), rounds=3, rng=rng)
    with pytest.raises(BadInput, match="rounds is 0"):
        nullspace(rng.normal(size=(40, 3)), np.repeat([0, 1], 20), rounds=0, rng=rng)
