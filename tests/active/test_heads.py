"""Softmax regression on votes, against scikit-learn's."""

import numpy as np
import pytest

from tiltmeter.active import heads
from tiltmeter.active.heads import FOLDS, PENALTIES, chosen_penalty, fit_head, majority_counts


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 6))
    logits = x @ rng.normal(size=(6, 3))
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return x, np.array([rng.multinomial(4, row) for row in p]), p


def test_the_head_is_that_of_logistic_regression_on_single_votes(votes):
    linear_model = pytest.importorskip("sklearn.linear_model")
    x, counts, _ = votes
    item, label = (part.ravel() for part in np.meshgrid(range(150), range(3), indexing="ij"))
    rows, labels = np.repeat(item, counts.ravel()), np.repeat(label, counts.ravel())
    theirs = linear_model.LogisticRegression(C=1 / 4, tol=1e-8, max_iter=2000).fit(x[rows], labels)
    ours = fit_head(x, counts, 4.0).probabilities(x)
    np.testing.assert_allclose(ours, theirs.predict_proba(x), atol=2e-3)
    # a warm start from elsewhere ends at the same place
    start = fit_head(x[:20], counts[:20], 1.0)
    np.testing.assert_allclose(fit_head(x, counts, 4.0, start).probabilities(x), ours, atol=2e-3)


def test_the_penalty_is_strong_where_features_say_nothing(votes):
    x, counts, _ = votes
    shuffled = counts[np.random.default_rng(1).permutation(len(counts))]
    assert chosen_penalty(x, counts) < chosen_penalty(x, shuffled) == 30


def folds_apart(x, counts):
    """Cross-validated losses of all penalties, every fold and penalty fitted by itself."""
    fold, losses = np.arange(len(x)) % FOLDS, np.zeros(len(PENALTIES))
    for left_out in range(FOLDS):
        inside, outside = fold != left_out, fold == left_out
        losses += heads.path_losses(x[inside], counts[inside], x[outside], counts[outside])
    return losses


@pytest.mark.parametrize(
    ("items", "features", "labels", "steep"),
    [(150, 6, 3, 1.0), (60, 100, 2, 6.0), (90, 40, 5, 4.0), (12, 3, 4, 1.0), (200, 30, 2, 0.5)],
)
def test_the_penalty_is_that_of_folds_fitted_apart(items, features, labels, steep, monkeypatch):
    """Also where votes are weighted, some items have none, and nobody chose the last label."""
    rng = np.random.default_rng(items)
    x = rng.normal(size=(items, features)) / np.sqrt(features)
    logits = steep * x @ rng.normal(size=(features, labels))
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    counts = np.array([[*rng.multinomial(rng.integers(1, 5), row), 0] for row in p]) * 1.5
    losses = folds_apart(x, counts)
    expected = PENALTIES[int(losses.argmin())]
    inside = np.arange(items) % FOLDS != np.arange(FOLDS)[:, None]
    quick = heads._quick_losses(x, counts, inside)
    np.testing.assert_allclose(quick, losses, rtol=2e-3)
    assert chosen_penalty(x, counts) == expected
    unbought = np.insert(counts, items // 2, 0.0, axis=0)
    assert chosen_penalty(np.insert(x, items // 2, 9.0, axis=0), unbought) == expected
    monkeypatch.setattr(heads, "CLOSE", np.inf)  # the longer computation alone decides
    assert chosen_penalty(x, counts) == expected


def test_equal_losses_give_the_strongest_penalty():
    """Features that are all zero leave nothing to penalise."""
    counts = np.array([[2, 1], [0, 3]] * 10)
    assert chosen_penalty(np.zeros((20, 4)), counts) == PENALTIES[0]


def test_majority_labels_keep_the_number_of_votes():
    assert majority_counts(np.array([[3, 1, 0], [2, 2, 0]])).tolist() == [[4, 0, 0], [2, 2, 0]]
