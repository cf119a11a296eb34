"""An encoder that is fine-tuned on votes."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import LABELS, opinions, run_items, votes_of
from tiltmeter.active.label_distributions import LabelNet, LabelTraining, VotedTexts
from tiltmeter.active.loop import simulate_run
from tiltmeter.active.predictor import TrainingVotes
from tiltmeter.active.predictors.finetuned import FinetunedTraining, inner_split
from tiltmeter.active.run_files import load_points
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.votes import NamedVote, vote_pool
from tiltmeter.core.errors import CannotAnswer


def test_only_bought_votes_decide_when_training_stops():
    pool, _ = opinions()
    votes = votes_of(pool, pool.item < 40)
    front, back = inner_split(votes, 0)
    assert sorted([*front.texts, *back.texts]) == list(range(40)) and 0 < len(back.texts) < 20
    more = inner_split(votes_of(pool, pool.item < 80), 0)
    assert set(back.texts) <= set(more[1].texts)  # an item keeps its part
    aside = votes.counts * 0
    aside[50] = 1, 2
    chosen = TrainingVotes(votes.counts, aside, votes.item, votes.label, votes.annotator)
    assert inner_split(chosen, 0)[1].texts.tolist() == [50]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    """A tiny encoder with random weights."""
    pytest.importorskip("torch")
    from transformers import AutoModel

    from support.architectures import build

    folder = tmp_path_factory.mktemp("encoder") / "bert"
    build("bert", folder)
    trunk = AutoModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    trunk.save_pretrained(folder)
    return folder


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


@pytest.mark.slow
def test_a_run_with_a_finetuned_encoder(encoder: Path, tmp_path: Path):
    pool, x = opinions()
    settings = LoopSettings(
        budget=90, every=30, entropy_items=10, votes_each=3, pool_sample=20, encoder=str(encoder),
        predictor="finetuned",
    ).for_pool(pool)  # fmt: skip
    simulate_run(pool, x, "daal", 0, settings, tmp_path)
    points = load_points(tmp_path, "daal", 0)
    assert [point.votes for point in points] == [30, 60, 90]
    assert all(np.isfinite(point.measures["log_loss"]) for point in points)


def test_only_an_encoder_is_finetuned():
    pool, x = opinions()
    with pytest.raises(CannotAnswer, match="no encoder"):
        FinetunedTraining(run_items(pool, x, "fake:causal"))
