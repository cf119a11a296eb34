"""A model seen through a projection: nothing of the direction is left, and every question is answered."""

import json

import numpy as np
import pytest
import safetensors.numpy

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, SIZE, build
from support.architectures import opened as shared
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.requests import Blanked, Continuation, Passage
from tiltmeter.mitigate.export import export
from tiltmeter.models.mitigated import projected
from tiltmeter.models.mitigations.projection import Projection, without
from tiltmeter.models.opening.model_files import files_digest
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

RNG = np.random.default_rng(5)
BASIS = np.linalg.qr(RNG.normal(size=(SIZE, 2)))[0].T


def saved(folder, model, basis=BASIS, **said):
    folder.mkdir(parents=True)
    safetensors.numpy.save_file(
        {"basis": np.ascontiguousarray(basis)}, folder / "directions.safetensors"
    )
    about = {"format": 1, "method": "sentence_debias", "attribute": "gender", "point": "last",
             "model": {"reference": str(model)}, "fitted": {"k": len(basis)}, **said}  # fmt: skip
    (folder / "mitigation.json").write_text(json.dumps(about))
    return folder


def opened(reference, **options):
    where = resolve(reference, Options(**options))
    return open_model(where, Options(**options))


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


def test_directions_of_another_model_are_refused(tmp_path):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", place, np.eye(SIZE + 8)[:1])
    with pytest.raises(
        CannotAnswer, match=f"states of {SIZE} numbers.*fitted on states of {SIZE + 8}"
    ):
        opened(f"mitigated:{folder}")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: (f / "mitigation.json").unlink(), "contains no mitigation.json"),
        (lambda f: (f / "mitigation.json").write_text("{"), "cannot be read"),
        (lambda f: (f / "mitigation.json").write_text('{"format": 1}'), "not the description"),
        (
            lambda f: (f / "mitigation.json").write_text(
                (f / "mitigation.json").read_text().replace('{"k": 2}', '"k"')
            ),
            "not the description",
        ),
        (lambda f: (f / "directions.safetensors").unlink(), "directions cannot be read"),
        (lambda f: (f / "directions.safetensors").write_bytes(b"\x00" * 9), "cannot be read"),
    ],
)
def test_damaged_folders_are_told(tmp_path, spoil, message):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", place)
    spoil(folder)
    with pytest.raises(BadInput, match=message):
        opened(f"mitigated:{folder}")


def test_directions_must_be_orthonormal(tmp_path):
    place = build("bert", tmp_path / "bert")
    with pytest.raises(BadInput, match="not orthonormal"):
        opened(f"mitigated:{saved(tmp_path / 'm', place, 2 * BASIS)}")


def test_a_model_that_moved_is_named_beside(tmp_path):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", "somewhere/else")
    assert opened(f"mitigated:{folder},{place}").name == "mitigated:m,bert"
    assert opened(f"mitigated:{saved(tmp_path / 'n', place)}").name == "mitigated:n"
    with pytest.raises(CannotAnswer, match="no states"):
        opened(f"mitigated:{folder},fake")


def test_a_model_that_changed_since_is_refused_unless_it_is_named(tmp_path):
    place = build("bert", tmp_path / "bert")
    model = {"reference": str(place), "sha256": files_digest(str(place))}
    folder = saved(tmp_path / "m", place)
    about = json.loads((folder / "mitigation.json").read_text()) | {"model": model}
    (folder / "mitigation.json").write_text(json.dumps(about))
    (place / "README.md").write_text("Only about it.")
    assert "note" not in opened(f"mitigated:{folder}").about
    weights = safetensors.numpy.load_file(place / "model.safetensors")
    name = next(name for name in weights if weights[name].ndim == 2)
    safetensors.numpy.save_file(weights | {name: weights[name] + 1}, place / "model.safetensors")
    for use in (opened, projected, lambda _: export(folder, tmp_path / "plain")):
        with pytest.raises(
            BadInput, match=r"has changed since the mitigation was made \(other files\)"
        ):
            use(f"mitigated:{folder}" if use is opened else str(folder))
    assert projected(f"{folder},{place}")[1].note
    assert "another version" in opened(f"mitigated:{folder},{place}").about["note"]


def test_the_digest_of_an_encoder_knows_all_its_parts(tmp_path):
    place = build("bert", tmp_path / "bert")
    plain = files_digest(str(place))
    parts = [{"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
             for n, (path, kind) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling")])]  # fmt: skip
    (place / "modules.json").write_text(json.dumps(parts))
    (place / "1_Pooling").mkdir()
    (place / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    first = files_digest(str(place))
    (place / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": false}')
    assert len({plain, first, files_digest(str(place))}) == 3


def test_a_folder_with_a_comma_in_its_name_is_opened(tmp_path):
    folder = saved(tmp_path / "a, b", build("bert", tmp_path / "bert"))
    assert opened(f"mitigated:{folder}").about["mitigation"] == "sentence_debias"


def test_a_mitigation_of_a_mitigation_is_refused_also_of_itself(tmp_path):
    folder = saved(tmp_path / "m", f"mitigated:{tmp_path / 'm'}")
    with pytest.raises(CannotAnswer, match="is mitigated already"):
        opened(f"mitigated:{folder}")
