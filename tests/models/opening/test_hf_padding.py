"""What pads a short text beside a long one changes no number, also where the model does not ignore it."""

import io
import json
from contextlib import redirect_stderr

import numpy as np
import pytest
import torch
import transformers as t

from support.architectures import MASKED, TEXTS, build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 48}
HEADS = {**SIZES, "num_attention_heads": 2}


def convbert(vocabulary):
    return t.ConvBertForMaskedLM(
        t.ConvBertConfig(
            vocab_size=vocabulary, embedding_size=32, max_position_embeddings=64, **HEADS
        )
    )


def fnet(vocabulary):
    return t.FNetForMaskedLM(
        t.FNetConfig(vocab_size=vocabulary, max_position_embeddings=64, **SIZES)
    )


def longformer(vocabulary):
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "sep_token_id": 2}
    config = t.LongformerConfig(
        vocab_size=vocabulary, max_position_embeddings=66, attention_window=8, **HEADS, **ids
    )
    return t.LongformerForMaskedLM(config)


def opened(make, folder, precision="float32"):
    build("bert", folder)
    torch.manual_seed(7)
    model = make(json.loads((folder / "config.json").read_text("utf-8"))["vocab_size"])
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6)
    with redirect_stderr(io.StringIO()):
        model.save_pretrained(folder)
    return open_model(resolve(str(folder)), Options(device="cpu", precision=precision))


def asked_of(model):
    encoded = model.encode([*TEXTS, "She sang.", "He sang well.", "They hate soup."])
    return [Blanked(text.ids, (1,), (1, len(text.ids) - 1)) for text in encoded]


@pytest.mark.parametrize(
    ("make", "precision"), [(convbert, "float32"), (convbert, "bfloat16"), (fnet, "float32")]
)
def test_texts_of_different_lengths_are_read_as_alone(make, precision, tmp_path):
    model = opened(make, tmp_path, precision)
    assert model.about["padding"].startswith("none")
    asked = asked_of(model)
    together = model.blank_logprobs(asked)
    for request, found in zip(asked, together, strict=True):
        (alone,) = model.blank_logprobs([request])
        np.testing.assert_allclose(
            found, alone, rtol=0, atol=1e-5 if precision == "float32" else 0.05
        )


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("kind", MASKED)
def test_padding_that_is_ignored_stays(kind, precision, tmp_path):
    options = Options(device="cpu", precision=precision)
    model = open_model(resolve(str(build(kind, tmp_path))), options)
    assert "padding" not in model.about


def test_attention_within_a_window_is_not_shown(tmp_path):
    model = opened(longformer, tmp_path)
    assert all(np.isfinite(found).all() for found in model.blank_logprobs(asked_of(model)))
    with pytest.raises(CannotAnswer, match="attention"):
        model.attended_logprobs(asked_of(model))
