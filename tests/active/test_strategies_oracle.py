"""Entropy sampling and BADGE against scikit-activeml (BSD licence), where it is installed."""

import numpy as np
import pytest

from tiltmeter.active import badge
from tiltmeter.active.strategies import model_entropy
from tiltmeter.active.strategy import PoolState

pytestmark = pytest.mark.long
COUNT = 12


@pytest.fixture(scope="module")
def trained():
    """Their classifier on some labelled items, and what ours would see of the others."""
    from sklearn.linear_model import LogisticRegression

    classifier = pytest.importorskip("skactiveml.classifier")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 5))
    labels = np.where(np.arange(80) < 20, rng.integers(3, size=80), np.nan)
    model = classifier.SklearnClassifier(LogisticRegression(), classes=[0, 1, 2])
    with_bias = np.hstack([x, np.ones((80, 1))])
    model.fit(with_bias, labels)
    state = PoolState(
        x, model.predict_proba(with_bias), np.zeros((80, 3), dtype=int), np.arange(20, 80), 5, rng
    )
    return with_bias, labels, model, state


@pytest.fixture
def pool():
    return pytest.importorskip("skactiveml.pool")


class Following:
    """Random numbers that draw what the other library drew, and keep the probabilities they get."""

    def __init__(self, drawn):
        self.drawn, self.asked = list(drawn), []

    def choice(self, _, p):
        self.asked.append(p)
        return self.drawn.pop(0)


def test_entropies_are_theirs(trained, pool):
    state = trained[-1]
    theirs = pool.uncertainty_scores(state.probabilities, method="entropy")
    np.testing.assert_allclose(model_entropy(state), theirs, rtol=1e-12)


def test_badge_draws_as_theirs_but_for_the_origin(trained, pool):
    """Their first step keeps the squared lengths as distances, as if the origin had been chosen too.

    Neither k-means++ nor the authors' code does that, so ours must be theirs without that bound.
    """
    x, labels, model, state = trained
    drawn, theirs = pool.Badge(random_state=0).query(
        x, labels, model, fit_clf=False, batch_size=COUNT, return_utilities=True
    )
    places = np.array(drawn) - 20
    rng = Following(places[1:])
    residual, features = badge.gradients(state)
    assert badge.seeding(residual, features, COUNT, rng).tolist() == places.tolist()
    gradients = np.einsum("nk,nd->nkd", residual, features).reshape(len(residual), -1)
    lengths = (gradients**2).sum(axis=1)
    for step in range(1, COUNT):
        far = ((gradients[:, None] - gradients[places[:step]]) ** 2).sum(axis=2).min(axis=1)
        np.testing.assert_allclose(rng.asked[step - 1], far / far.sum(), atol=1e-9)
        bounded = np.minimum(far, lengths)
        np.testing.assert_allclose(
            np.nan_to_num(theirs[step, 20:]), bounded / bounded.sum(), atol=1e-6
        )
