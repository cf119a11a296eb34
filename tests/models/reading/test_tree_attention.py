"""Texts that begin alike are read once, with the numbers of each read alone."""

import io
import json
from contextlib import redirect_stderr

import numpy as np
import pytest
import torch
import transformers as t

from models.beginnings import TEXTS, opened, requests_of
from support.architectures import CAUSAL, build
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import tree_texts


@pytest.mark.parametrize("kind", CAUSAL)
def test_shared_equals_alone(kind, tmp_path):
    model = opened(kind, tmp_path)
    assert model.shared_row > 0
    asked = requests_of(model)
    together = model.continuation_logprobs(asked)
    model.shared_row = 0
    for request, found in zip(asked, together, strict=True):
        (alone,) = model.continuation_logprobs([request])
        assert found.shape == (len(request.ids),)
        np.testing.assert_allclose(found, alone, rtol=0, atol=1e-5)


def test_fewer_tokens_are_read(tmp_path, monkeypatch):
    model = opened("gpt2", tmp_path)
    read = []
    real = tree_texts.PrefixTree.__init__

    def counting(self, *given):
        real(self, *given)
        read.append(len(self.ids))

    monkeypatch.setattr(tree_texts.PrefixTree, "__init__", counting)
    asked = requests_of(model)[:7]
    model.continuation_logprobs(asked)
    texts = [(-1, *request.ids)[:-1] for request in asked]  # no last token is read
    assert sum(read) == len({text[: i + 1] for text in texts for i in range(len(text))})


@pytest.mark.parametrize("kind", CAUSAL)
def test_a_long_beginning_is_read_once_for_several_batches(kind, tmp_path, monkeypatch):
    model = opened(kind, tmp_path)
    monkeypatch.setattr(model, "batch_tokens", 12)
    kept = []
    real = tree_texts.TreeTexts._read_and_keep
    monkeypatch.setattr(
        tree_texts.TreeTexts,
        "_read_and_keep",
        lambda self, tree: kept.append(len(tree.ids)) or real(self, tree),
    )
    long = tuple(token for t in model.encode(TEXTS) for token in t.ids)[:40]
    ends = [tuple(t.ids[:5]) for t in model.encode(TEXTS)]
    asked = [Continuation((*long, *end[:k]), end[k:]) for end in ends for k in (0, 1)]
    together = model.continuation_logprobs(asked)
    assert kept[0] >= len(long)
    assert len(kept) <= 2
    monkeypatch.setattr(model, "shared_row", 0)
    for request, found in zip(asked, together, strict=True):
        (alone,) = model.continuation_logprobs([request])
        np.testing.assert_allclose(found, alone, rtol=0, atol=1e-5)


def test_reduced_precision_shares_too(tmp_path):
    assert opened("llama", tmp_path, "bfloat16").shared_row > 0


LAYERS = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}


LONGROPE = {"rope_type": "longrope", "rope_theta": 1e4, "original_max_position_embeddings": 24}


def mistral(size):
    return t.MistralForCausalLM(t.MistralConfig(vocab_size=size, **LAYERS, sliding_window=20))


def gemma3(size):
    """The whole model, whose configuration has that of its language part inside."""
    text = {**LAYERS, "vocab_size": size, "head_dim": 16, "sliding_window": 20}
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1}
    sees = {**small, "intermediate_size": 16, "image_size": 28, "patch_size": 14}
    config = t.Gemma3Config(text_config=text, vision_config=sees, mm_tokens_per_image=4)
    return t.Gemma3ForConditionalGeneration(config)


def phi3(size):
    """Reads texts of more than 24 tokens with other positions, and whatever is beside one."""
    rope = LONGROPE | {"long_factor": [3.0] * 8, "short_factor": [1.0] * 8, "factor": 2.0}
    said = {"original_max_position_embeddings": 24, "rope_parameters": rope}
    return t.Phi3ForCausalLM(t.Phi3Config(vocab_size=size, **LAYERS, **said))


def lfm2(size):
    """Its convolutions read what stands before a token in its row, whatever it is."""
    layers = ["conv", "full_attention"]
    return t.Lfm2ForCausalLM(t.Lfm2Config(vocab_size=size, **LAYERS, layer_types=layers))


def mpt(size):
    """Its attention fades with the distance in the row."""
    ids = {name: LAYERS[name] for name in ("bos_token_id", "pad_token_id", "eos_token_id")}
    config = t.MptConfig(vocab_size=size, d_model=32, n_layers=2, n_heads=2, max_seq_len=64, **ids)
    return t.MptForCausalLM(config)


def saved(make, folder):
    """A model of any architecture, with the tokenizer of the small GPT-2."""
    build("gpt2", folder)
    torch.manual_seed(7)
    model = make(json.loads((folder / "config.json").read_text("utf-8"))["vocab_size"])
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6)
    with redirect_stderr(io.StringIO()):
        model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("make", [mistral, gemma3, phi3])
def test_long_texts_beside_shared_ones_are_read_as_alone(make, tmp_path):
    model = open_model(resolve(str(saved(make, tmp_path))), Options(device="cpu"))
    assert model.shared_row > 0
    ids = [token for text in model.encode(TEXTS) for token in text.ids]
    texts = [
        ids[:8],
        [*ids[:7], 9],
        ids[10:22],
        ids[10:35],
        ids[5:45],
    ]  # two alike, longer, longest
    asked = [Continuation((), tuple(text)) for text in texts]
    together = model.continuation_logprobs(asked)
    for request, found in zip(asked, together, strict=True):
        whole = torch.tensor([[model._start, *request.ids]])
        with torch.inference_mode():
            said = model._loaded.model(input_ids=whole).logits[0, :-1].log_softmax(-1)
        alone = said[range(len(request.ids)), request.ids].numpy()
        np.testing.assert_allclose(found, alone, rtol=0, atol=1e-4)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("make", [lfm2, mpt])
def test_models_that_see_their_row_do_not_share_it(make, precision, tmp_path):
    where = resolve(str(saved(make, tmp_path)))
    options = Options(device="cpu", precision=precision)
    assert open_model(where, options).shared_row == 0
