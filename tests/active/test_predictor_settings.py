"""What settings mean for predictors, and what is refused before anything is embedded."""

from pathlib import Path

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.encoders.features import run_features
from tiltmeter.active.predictor_settings import encoder_training_of, needs_features, settled
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput, UnknownName


@pytest.fixture(scope="module")
def roberta(tmp_path_factory) -> Path:
    pytest.importorskip("torch")
    return build("roberta", tmp_path_factory.mktemp("masked") / "roberta")


def test_a_finetuned_predictor_is_trained_as_in_the_paper(roberta: Path):
    settings = settled(LoopSettings(predictor="finetuned", encoder=str(roberta)), None)
    assert (settings.every, settings.pool_sample) == (100, 2_000)
    assert (settings.epochs, settings.patience, settings.entropy_predictor) == (50, 1, "finetuned")
    assert encoder_training_of(settings) == EncoderTraining() and not needs_features(settings)
    assert run_features(["one", "two"], settings).shape == (2, 0)  # no encoder was asked
    given = LoopSettings(
        predictor="finetuned", encoder=str(roberta), epochs=3, precision="bfloat16", pooling="start",
        entropy_predictor="ridge",
    )  # fmt: skip
    how = encoder_training_of(settled(given, 10, 0))
    assert how == EncoderTraining(epochs=3, precision="bfloat16", pooling="start")
    assert needs_features(settled(given, 10, 0))


def test_the_last_layer_keeps_its_own_training(roberta: Path):
    settings = settled(LoopSettings(predictor="finetuned_top", encoder=str(roberta)), None)
    assert (settings.epochs, settings.max_tokens, settings.entropy_predictor) == (3, 32, "ridge")
    assert encoder_training_of(settings).layers == 1


def test_options_of_a_training_are_left_open_where_none_is_made():
    settings = settled(LoopSettings(encoder="tf-idf"), None)
    assert (settings.every, settings.epochs, settings.entropy_predictor) == (10, None, "ridge")
    assert needs_features(settings)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"epochs": 3, "batch_size": 8, "encoder": "tf-idf"},
         "--epochs, --batch-size: --predictor softmax reads frozen vectors.*no encoder is trained"),
        ({"predictor": "finetuned", "encoder": "tf-idf"}, "--predictor finetuned trains an encoder"),
        ({"entropy_predictor": "finetuned", "encoder": "tf-idf"}, "--entropy-predictor finetuned"),
        ({"predictor": "finetuned", "encoder": "fake:causal"}, "fake:causal is a model of kind fake"),
        ({"encoder": "lexicon:afinn"}, "No "),
        ({"encoder": "tf-idf", "pooling": "start"}, "--pooling start is for encoders"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(given, why):
    with pytest.raises((BadInput, UnknownName), match=why):
        settled(LoopSettings(**given), None)


def test_a_model_without_a_start_token_has_no_state_of_it(tmp_path: Path):
    folder = build("gpt2", tmp_path / "gpt2")
    with pytest.raises(BadInput, match=r"puts no start token.*use --pooling mean"):
        settled(LoopSettings(encoder=str(folder), pooling="start"), None)
    with pytest.raises(BadInput, match="gpt2 is a model of kind causal"):
        settled(LoopSettings(encoder=str(folder), predictor="finetuned"), None)


def test_frozen_vectors_of_a_masked_model_are_means_or_start_states(roberta: Path, monkeypatch):
    """They are those of the net that is fine-tuned, before its training."""
    from tiltmeter.active.encoders.encoder_net import EncoderNet

    monkeypatch.setenv("TILTMETER_CACHE", str(roberta.parent / "cache"))
    texts = ("the old car was slow", "he is a nurse")
    for pooling in ("mean", "start"):
        settings = settled(LoopSettings(encoder=str(roberta), pooling=pooling), None)
        net = EncoderNet(str(roberta), texts, encoder_training_of(settings))
        own = net.vectors(net.encoder_weights(), np.arange(2))
        np.testing.assert_allclose(run_features(texts, settings), own, atol=1e-5)
