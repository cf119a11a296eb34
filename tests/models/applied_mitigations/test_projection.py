"""Directions are taken out of every state."""

import numpy as np
import pytest

from models.applied_mitigations.directions import BASIS, RNG, opened, saved
from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, SIZE, build
from support.architectures import opened as shared
from tiltmeter.core.model.requests import Blanked, Continuation, Passage
from tiltmeter.models.applied_mitigations.projection import Projection, without


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_nothing_of_the_directions_is_left_in_any_state(kind, tmp_path):
    place = build(kind, tmp_path / kind)
    plain = shared(kind)
    last = opened(f"mitigated:{saved(tmp_path / 'm', place)}")
    every = opened(f"mitigated:{saved(tmp_path / 'n', place, point='every')}")
    texts = [Passage("He is a nurse and she is a pilot."), Passage("Nobody knows why.")]
    before, after, all_along = (m.embed(texts, pooling="mean") for m in (plain, last, every))
    assert np.abs(before @ BASIS.T).max() > 0.01
    np.testing.assert_allclose(after @ BASIS.T, 0, atol=1e-5)
    np.testing.assert_allclose(after, before - before @ BASIS.T @ BASIS, atol=1e-4)
    np.testing.assert_allclose(all_along @ BASIS.T, 0, atol=1e-5)
    assert np.abs(all_along - after).max() > 1e-3
    assert len({m.fingerprint for m in (plain, last, every)}) == 3
    assert last.about["mitigation"] == "sentence_debias"
    assert last.about["made from"] == kind


@pytest.mark.parametrize("point", ["last", "every"])
@pytest.mark.parametrize("kind", ["deberta-v2", "roberta-prelayernorm", "openai-gpt"])
def test_also_of_models_that_give_out_other_states_than_their_encoders(kind, point):
    """DeBERTa gathers the states of its layers, and a layer norm may stand behind the encoder."""
    import torch
    import transformers

    sizes = {"hidden_size": SIZE, "num_hidden_layers": 2, "num_attention_heads": 2, "n_embd": SIZE,
             "n_layer": 2, "n_head": 2, "intermediate_size": 48, "vocab_size": 50}  # fmt: skip
    config = transformers.AutoConfig.for_model(kind)
    config.update({key: value for key, value in sizes.items() if hasattr(config, key)})
    auto = "AutoModelForCausalLM" if "gpt" in kind else "AutoModelForMaskedLM"
    model = getattr(transformers, auto).from_config(config).eval()
    Projection(BASIS, point, {}).install(model, kind)
    with torch.inference_mode():
        states = model.base_model(torch.tensor([[3, 5, 9, 4]]))[0]
    assert states.abs().max() > 0.1
    np.testing.assert_allclose(states.numpy() @ BASIS.T, 0, atol=1e-5)


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_answers_are_those_of_the_projected_states(kind, tmp_path):
    """Against transformers alone, with the projection between trunk and head by hand."""
    import torch
    import transformers

    place = build(kind, tmp_path / kind)
    changed = opened(f"mitigated:{saved(tmp_path / 'm', place)}")
    (tokens,) = changed.encode(["He is a nurse and she is a pilot."])
    if kind == "bert":
        model = transformers.AutoModelForMaskedLM.from_pretrained(place).eval()
        ids = torch.tensor([[*tokens.ids]])
        ids[0, 3] = changed.encode([changed.mask])[0].ids[1]
        with torch.no_grad():
            states = model.bert(ids).last_hidden_state
            logits = model.cls(_without(states))[0, 3].double()
        expected = (logits - logits.logsumexp(-1))[tokens.ids[3]].item()
        found = changed.blank_logprobs([Blanked(tokens.ids, (3,), (3,))])[0][0]
    else:
        model = transformers.AutoModelForCausalLM.from_pretrained(place).eval()
        start = model.config.bos_token_id
        with torch.no_grad():
            states = model.transformer(torch.tensor([[start, *tokens.ids]])).last_hidden_state
            logits = model.lm_head(_without(states))[0].double()
        expected = (logits[2] - logits[2].logsumexp(-1))[tokens.ids[2]].item()
        found = changed.continuation_logprobs([Continuation((), tokens.ids)])[0][2]
    assert found == pytest.approx(expected, abs=1e-4)


def _without(states):
    import torch

    basis = torch.from_numpy(BASIS).float()
    return states - states @ basis.T @ basis


def test_projections_are_computed_in_single_precision_whatever_the_model_s(tmp_path):
    import torch

    states, basis = torch.from_numpy(RNG.normal(size=(3, SIZE))), torch.from_numpy(BASIS).float()
    found = without(states.bfloat16(), basis)
    assert found.dtype == torch.bfloat16
    assert torch.equal(found, without(states.bfloat16().float(), basis).bfloat16())
    place = build("bert", tmp_path / "bert")
    half = opened(f"mitigated:{saved(tmp_path / 'm', place)}", precision="bfloat16")
    vectors = half.embed([Passage("He is a nurse.")], pooling="mean")
    np.testing.assert_allclose(vectors @ BASIS.T, 0, atol=0.02)
