"""An encoder learns distributions of labels, and entropies, from what texts say."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import LABELS, run_items, votes_of
from support.architectures import build
from tiltmeter.active.encoders.encoder_net import (
    SQUARED_ERROR,
    VOTES,
    EncoderNet,
    OrderByLength,
    TextTargets,
    encoder_net,
)
from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.heads import softmax
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.active.votes import NamedVote, vote_pool
from tiltmeter.core.errors import CannotAnswer

TEXTS = ("the old car was slow", "he is a nurse", "no", "she is old and slow and old")
PLACES = np.arange(len(TEXTS))
QUICK = EncoderTraining(epochs=6, patience=2, learning_rate=5e-3)


def test_a_finetuned_encoder_learns_what_its_texts_say_and_repeats_itself(encoder: Path):
    texts = {f"i{n:03}": ("the old car was slow" if n % 2 else "he is a nurse") for n in range(60)}
    votes = [
        NamedVote(i, None, LABELS[t.startswith("the")]) for i, t in texts.items() for _ in range(3)
    ]
    pool = vote_pool("told", texts, votes, labels=LABELS)
    items = run_items(pool, np.zeros((60, 1)), str(encoder), QUICK)
    given = votes_of(pool, pool.item < 40)
    training = FinetunedTraining(items)
    first = training.fit(given, None)
    predicted = first.of_held_out()
    assert predicted.shape == (60, 2) and (predicted.argmax(axis=1) == np.arange(60) % 2).all()
    again = training.fit(given, first)  # made anew, not remembered
    np.testing.assert_array_equal(again.of_training(np.arange(60)), predicted)


@pytest.mark.parametrize("kind", ["roberta", "distilbert", "albert", "modernbert"])
def test_the_trunk_of_a_masked_model_is_trained_and_its_head_on_the_vocabulary_is_not(
    kind: str, tmp_path: Path
):
    net = EncoderNet(str(build(kind, tmp_path / kind)), TEXTS, QUICK)
    assert not any(name.startswith(("lm_head", "cls", "vocab", "predictions", "decoder"))
                   for name in net.encoder_weights())  # fmt: skip
    votes = TextTargets(PLACES, np.array([[3.0, 0], [0, 3], [3, 0], [0, 3]]))
    weights = net.fit(votes, votes, VOTES, 0)
    shares = softmax(weights.outputs(net.vectors(weights.encoder, PLACES)))
    assert shares.argmax(axis=1).tolist() == [0, 1, 0, 1]
    assert any((value != net._own[name]).any() for name, value in weights.encoder.items())


@pytest.mark.parametrize("pooling", ["mean", "start"])
def test_a_vector_is_that_of_transformers_own_trunk(pooling: str, tmp_path: Path):
    """The obvious way: a text at a time, without padding."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = build("roberta", tmp_path / "roberta")
    net = EncoderNet(str(folder), TEXTS, EncoderTraining(pooling=pooling))
    vectors = net.vectors(net.encoder_weights(), PLACES)
    tokenizer, trunk = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    for text, vector in zip(TEXTS, vectors, strict=True):
        with torch.no_grad():
            (states,) = trunk.eval()(**tokenizer(text, return_tensors="pt")).last_hidden_state
        slow = states.mean(0) if pooling == "mean" else states[0]
        np.testing.assert_allclose(vector, slow.numpy(), atol=1e-5)


def test_the_loss_of_votes_and_of_entropies_are_those_of_the_obvious_formulas():
    import torch

    outputs, votes = torch.tensor([[0.2, -1.0], [2.0, 0.5]]), np.array([[3.0, 1.0], [0.0, 2.0]])
    slow = -sum(
        n * np.log(np.exp(row[k]) / np.exp(row).sum())
        for row, given in zip(outputs.double().numpy(), votes, strict=True)
        for k, n in enumerate(given)
    )
    assert float(VOTES.loss(outputs, torch.tensor(votes))) == pytest.approx(slow)
    assert VOTES.weight(votes) == 6
    values = np.array([[0.5], [1.5]])
    squares = (0.2 - 0.5) ** 2 + (2.0 - 1.5) ** 2
    assert float(SQUARED_ERROR.loss(outputs[:, :1], torch.tensor(values))) == pytest.approx(squares)
    assert SQUARED_ERROR.weight(values) == 2


def test_a_training_that_all_runs_of_a_seed_begin_with_is_made_once(encoder: Path, monkeypatch):
    net = EncoderNet(str(encoder), TEXTS, EncoderTraining(epochs=1))
    votes = TextTargets(PLACES, np.array([[3.0, 0], [0, 3], [3, 0], [0, 3]]))
    made = []
    monkeypatch.setattr(EncoderNet, "fit", lambda _, *given: made.append(given) or given)
    first = net.fit_once(votes, votes, VOTES, 0)
    assert net.fit_once(votes, votes, VOTES, 0) is first and len(made) == 1
    net.fit_once(votes, votes, SQUARED_ERROR, 0)  # another objective does not take its place
    assert net.fit_once(votes, votes, VOTES, 0) is first and len(made) == 2
    fewer = TextTargets(PLACES, votes.values * 2)
    assert net.fit_once(fewer, votes, VOTES, 0) is not first
    assert net.fit_once(votes, votes, VOTES, 1) is not first


def test_runs_with_the_same_texts_share_a_net(encoder: Path):
    first = encoder_net(str(encoder), TEXTS, QUICK)
    assert encoder_net(str(encoder), TEXTS, QUICK) is first
    assert encoder_net(str(encoder), TEXTS[:3], QUICK) is not first


def test_an_epoch_has_every_text_once_in_batches_of_about_one_length():
    lengths = np.random.default_rng(0).integers(5, 128, size=203)
    order = OrderByLength(lengths, 16, seed=4)
    epochs = [[order.step(e * order.per_epoch + i) for i in range(13)] for e in range(2)]
    for batches in epochs:
        assert sorted(row for batch in batches for row in batch) == list(range(203))
        assert [len(batch) for batch in batches] == [16] * 12 + [11]
        padded = sum(lengths[batch].max() * len(batch) for batch in batches)
        assert padded < 1.5 * lengths.sum() < 203 * 0.9 * lengths.max()
    assert {frozenset(b) for b in epochs[0]} != {frozenset(b) for b in epochs[1]}
    assert OrderByLength(lengths, 16, seed=4).step(14) == order.step(14)


def test_the_last_layer_alone_is_trained_on_what_the_lower_ones_give(encoder: Path):
    """Before any training both ways predict alike; afterwards only the last layer and the head differ."""
    whole = EncoderNet(str(encoder), TEXTS, EncoderTraining())
    upper = EncoderNet(str(encoder), TEXTS, EncoderTraining(layers=1, learning_rate=1e-2, epochs=2))
    before = whole.vectors(whole.encoder_weights(), PLACES)
    shown = upper.encoder_weights()
    assert 0 < len(shown) < len(whole.encoder_weights())
    np.testing.assert_allclose(upper.vectors(shown, PLACES), before, atol=1e-6)
    votes = TextTargets(PLACES, np.array([[3.0, 0], [0, 3], [3, 0], [0, 3]]))
    trained = upper.fit(votes, votes, VOTES, 0)
    assert trained.encoder.keys() == shown.keys()
    assert not np.allclose(upper.vectors(trained.encoder, PLACES), before)
    with pytest.raises(CannotAnswer, match="no layers below the last 9"):
        EncoderNet(str(encoder), TEXTS, EncoderTraining(layers=9))
