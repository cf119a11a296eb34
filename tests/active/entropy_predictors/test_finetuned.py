"""f_ent as an encoder that is trained as a regressor."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import run_items
from tiltmeter.active.encoders.encoder_net import SQUARED_ERROR, EncoderNet, TextTargets
from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.entropy_predictors.finetuned import PATIENCE, finetuned_entropy
from tiltmeter.active.human_entropy import EntropyVotes
from tiltmeter.active.votes import NamedVote, vote_pool

NONE = np.empty(0, dtype=np.int64)
NO_COUNTS = np.empty((0, 2), dtype=np.int64)


def split_pool(items=40):
    """People agree on nurses and are divided about cars."""
    texts = {f"i{n:03}": ("the old car" if n % 2 else "he is a nurse") for n in range(items)}
    votes = [
        NamedVote(item, None, label)
        for item, text in texts.items()
        for label in (("no", "yes") * 2 if "car" in text else ("no",) * 4)
    ]
    return vote_pool("split", texts, votes, labels=("no", "yes"))


def test_the_regressor_learns_where_people_are_divided(encoder: Path):
    pool = split_pool()
    how = EncoderTraining(epochs=20, learning_rate=5e-3)
    items = run_items(pool, np.zeros((40, 0)), str(encoder), how)
    first = np.arange(20)
    given = EntropyVotes(first, pool.counts[first], NONE, NO_COUNTS)
    found = finetuned_entropy(items, given, 4)
    assert found.votes == 4 and found.mean == pytest.approx(np.log(2) / 2)
    assert (found.training[1::2] > 0.5).all() and (found.training[::2] < 0.2).all()
    np.testing.assert_array_equal(found.held_out, found.training)  # the same texts
    assert found.errors(pool.counts).skill > 0.8
    again = finetuned_entropy(items, given, 4)
    np.testing.assert_array_equal(again.training, found.training)


def test_it_is_trained_on_centred_entropies_and_stops_by_items_that_were_set_aside(
    encoder: Path, monkeypatch
):
    """What the net is given is what a reader works out: four votes, two on either side, ln 2."""
    pool, seen = split_pool(), []
    fit = EncoderNet.fit

    def noted(self, learned, held_out, objective, seed, patience=None):
        seen.append((learned, held_out, objective, patience))
        return fit(self, learned, held_out, objective, seed, patience)

    monkeypatch.setattr(EncoderNet, "fit", noted)
    items = run_items(pool, np.zeros((40, 0)), str(encoder), EncoderTraining(epochs=1))
    first, aside = np.array([1, 3, 4, 6]), np.array([11, 12])
    given = EntropyVotes(first, pool.counts[first], aside, pool.counts[aside])
    finetuned_entropy(items, given, 4)
    (learned, held_out, objective, patience) = seen[0]
    half = np.log(2) / 2
    np.testing.assert_allclose(learned.values[:, 0], [half, half, -half, -half])
    np.testing.assert_allclose(held_out.values[:, 0], [half, -half])
    assert learned.texts.tolist() == [1, 3, 4, 6] and held_out.texts.tolist() == [11, 12]
    assert objective is SQUARED_ERROR and patience == PATIENCE == 5
    assert isinstance(learned, TextTargets)
