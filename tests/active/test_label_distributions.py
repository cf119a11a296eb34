"""A fine-tuned encoder learns distributions of labels."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import LABELS, run_items, votes_of
from tiltmeter.active.label_distributions import LabelNet, LabelTraining, VotedTexts
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.active.votes import NamedVote, vote_pool
from tiltmeter.core.errors import CannotAnswer


def test_a_finetuned_encoder_learns_what_its_texts_say_and_repeats_itself(encoder: Path):
    texts = {f"i{n:03}": ("the old car was slow" if n % 2 else "he is a nurse") for n in range(60)}
    votes = [
        NamedVote(i, None, LABELS[t.startswith("the")]) for i, t in texts.items() for _ in range(3)
    ]
    pool = vote_pool("told", texts, votes, labels=LABELS)
    items = run_items(pool, np.zeros((60, 1)), str(encoder))
    given = votes_of(pool, pool.item < 40)
    training = FinetunedTraining(items, LabelTraining(epochs=6, learning_rate=5e-3))
    first = training.fit(given, None)
    predicted = first.of_held_out()
    assert predicted.shape == (60, 2) and (predicted.argmax(axis=1) == np.arange(60) % 2).all()
    again = training.fit(given, first)
    np.testing.assert_array_equal(again.of_training(np.arange(60)), predicted)


def test_the_last_layer_alone_is_trained_on_what_the_lower_ones_give(encoder: Path):
    """Before any training both ways predict alike; afterwards only the last layer and the head differ."""
    texts = ["the old car was slow", "he is a nurse", "no", "she is old and slow and old"]
    whole = LabelNet(str(encoder), texts, 2, LabelTraining())
    upper = LabelNet(str(encoder), texts, 2, LabelTraining(layers=1, learning_rate=1e-2, epochs=2))
    places = np.arange(4)
    before = {name: value.detach().clone() for name, value in whole.weights().items()}
    shown = upper.weights()
    assert 0 < len(shown) < len(before)
    np.testing.assert_allclose(
        upper.probabilities({name: v.detach().clone() for name, v in shown.items()}, places),
        whole.probabilities(before, places), atol=1e-6,
    )  # fmt: skip
    votes = VotedTexts(places, np.array([[3.0, 0], [0, 3], [3, 0], [0, 3]]))
    trained = upper.fit(votes, votes, 0)
    assert trained.keys() == shown.keys()
    assert not np.allclose(
        upper.probabilities(trained, places), whole.probabilities(before, places)
    )
    with pytest.raises(CannotAnswer, match="no layers below the last 9"):
        LabelNet(str(encoder), texts, 2, LabelTraining(layers=9))
