"""Softmax regression on votes, against scikit-learn's."""

import numpy as np
import pytest

from tiltmeter.active.heads import chosen_penalty, fit_head, majority_counts


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


def test_majority_labels_keep_the_number_of_votes():
    assert majority_counts(np.array([[3, 1, 0], [2, 2, 0]])).tolist() == [[4, 0, 0], [2, 2, 0]]
