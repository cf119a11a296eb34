"""A GGUF file gives what the same weights give elsewhere, and nothing that it lacks is made up."""

import numpy as np
import pytest
import torch
from benchmarks import _large_files

from servers.hub_fixtures import client, hub
from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models import gguf as gguf_models
from tiltmeter.models import llama as llama_models
from tiltmeter.models.opening.memory_estimate import TextSizes
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

__all__ = ["client", "hub"]

gguf = pytest.importorskip("gguf")
pytest.importorskip("accelerate")
HEADS = 2
NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def interleaved(weight):
    """llama.cpp keeps the two halves of each head's rotary dimensions next to each other."""
    rows, columns = weight.shape
    return (
        weight.reshape(HEADS, 2, rows // HEADS // 2, columns).swapaxes(1, 2).reshape(rows, columns)
    )


def tensors(weights):
    for name, weight in weights.items():
        if name.startswith("model.layers."):
            _, _, layer, *middle, _ = name.split(".")
            inner = ".".join(middle)
            turned = interleaved(weight) if inner[-6:] in {"q_proj", "k_proj"} else weight
            yield f"blk.{layer}.{NAMES[inner]}.weight", turned
        else:
            outer = {"model.embed_tokens.weight": "token_embd", "model.norm.weight": "output_norm"}
            yield f"{outer.get(name, 'output')}.weight", weight


def in_blocks(weight):
    return weight.ndim == 2 and weight.shape[1] % 32 == 0


def write(folder, file, *, quantised=None, leave_out=""):
    """The small Llama in `folder` as a GGUF file."""
    from safetensors.numpy import load_file
    from transformers import AutoConfig, AutoTokenizer

    config = AutoConfig.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(config.vocab_size)
    pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([-float(i) for i in range(len(pieces))])
    writer.add_token_types([2 if i == 0 else 3 if i < 3 else 1 for i in range(len(pieces))])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for name, weight in tensors(load_file(folder / "model.safetensors")):
        if leave_out and leave_out in name:
            continue
        if quantised is not None and in_blocks(weight):
            packed = gguf.quantize(weight.astype(np.float32), quantised)
            writer.add_tensor(name, packed, raw_dtype=quantised)
        else:
            writer.add_tensor(name, weight.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    return build("llama", tmp_path_factory.mktemp("gguf") / "llama")


REQUESTS = [
    Continuation((), (5, 6, 7, 8)),
    Continuation((9, 10), (11, 12)),
    Continuation((), (13,)),
]


def test_the_numbers_are_those_of_the_same_weights(llama, tmp_path):
    file = write(llama, tmp_path / "small.gguf")
    model = open_model(resolve(str(file)))
    expected = open_model(resolve(str(llama))).continuation_logprobs(REQUESTS)
    for answer, right in zip(model.continuation_logprobs(REQUESTS), expected, strict=True):
        np.testing.assert_allclose(answer, right, atol=1e-5)
    assert model.about["quantised"] == "F32"


def test_rounded_weights_are_taken_as_the_file_has_them(llama, tmp_path):
    """Each matrix, rounded to 8 bits in blocks of 32 and back, by the reference arithmetic."""
    from safetensors.torch import load_file, save_file

    kind = gguf.GGMLQuantizationType.Q8_0
    file = write(llama, tmp_path / "small.gguf", quantised=kind)
    model = open_model(resolve(f"gguf:{file}"))
    path = llama / "model.safetensors"
    rounded = tmp_path / "rounded"
    rounded.mkdir()
    for other in llama.iterdir():
        (rounded / other.name).write_bytes(other.read_bytes())
    weights = {
        name: torch.from_numpy(gguf.dequantize(gguf.quantize(w.numpy(), kind), kind)).contiguous()
        if in_blocks(w)
        else w
        for name, w in load_file(path).items()
    }
    save_file(weights, rounded / "model.safetensors", metadata={"format": "pt"})
    expected = open_model(resolve(str(rounded))).continuation_logprobs(REQUESTS)
    exact = open_model(resolve(str(llama))).continuation_logprobs(REQUESTS)
    for answer, right, other in zip(
        model.continuation_logprobs(REQUESTS), expected, exact, strict=True
    ):
        np.testing.assert_allclose(answer, right, atol=1e-5)
        assert np.abs(answer - other).max() > 1e-3
    assert str(model.about["quantised"]).startswith("Q8_0")
    assert "quantised weights (Q8_0" in str(model.about["note"])


def test_it_is_converted_once(llama, tmp_path):
    file = write(llama, tmp_path / "small.gguf")
    first = open_model(resolve(str(file)))
    (folder,) = (tmp_path / "cache" / "converted").iterdir()
    before = {f.name: f.stat().st_mtime_ns for f in folder.iterdir()}
    again = open_model(resolve(str(tmp_path / "small.gguf")))
    assert {f.name: f.stat().st_mtime_ns for f in folder.iterdir()} == before
    assert again.fingerprint == first.fingerprint
    alone = tmp_path / "alone"
    alone.mkdir()
    file.rename(alone / "small.gguf")
    assert open_model(resolve(f"gguf:{alone}")).fingerprint == first.fingerprint


def test_weights_that_are_not_in_the_file_are_never_made_up(llama, tmp_path):
    file = write(llama, tmp_path / "part.gguf", leave_out="blk.1.ffn_up")
    with pytest.raises(CannotAnswer, match=r"1 weight is not in the file \(model\.layers\.1\.mlp"):
        open_model(resolve(str(file)))
    assert not list((tmp_path / "cache" / "converted").iterdir())


def test_it_is_refused_as_another_kind(tmp_path):
    file = tmp_path / "x.gguf"
    file.write_bytes(b"GGUF" + bytes(4))
    with pytest.raises(CannotAnswer, match=r"GGUF file\. Use gguf:"):
        resolve(f"masked:{file}")
    with pytest.raises(Unavailable, match=r"x\.gguf: the file is cut off or damaged"):
        open_model(resolve(str(file)))


@pytest.mark.usefixtures("client")
def test_a_file_of_a_hub_repository(llama, hub, tmp_path):
    file = write(llama, tmp_path / "small.gguf")
    made = hub.repo("models", "org/packed")
    older = made.commit({"q8/small.gguf": b"GGUF: damaged"}, "v1")
    newer = made.commit({"q8/small.gguf": file.read_bytes(), "README.md": b"a"}, "main")
    model = open_model(resolve("gguf:org/packed/q8/small.gguf"))
    here = open_model(resolve(str(file)))
    assert (model.about["folder"], model.about["revision"]) == ("small.gguf", newer)
    assert model.fingerprint == here.fingerprint
    named = Options(revision="v1")
    with pytest.raises(Unavailable, match="cut off or damaged"):
        open_model(resolve("org/packed/q8/small.gguf", named), named)
    assert older != newer
    with pytest.raises(BadInput, match=r"has no file 'x\.gguf'; its GGUF files are q8/small\.gguf"):
        open_model(resolve("gguf:org/packed/x.gguf"))
    with pytest.raises(BadInput, match=r"no config\.json; use gguf:org/packed/FILE, of q8/small"):
        resolve("org/packed")
    with pytest.raises(BadInput, match="a file has no revisions"):
        open_model(resolve(str(file), named), named)


def test_memory_of_a_file_in_its_own_bits_is_known_from_its_header(tmp_path):
    """Two layers with 2 heads of 16 numbers for keys: 512 bytes a token, 16 texts of 256 tokens."""
    file = _large_files.write_gguf(tmp_path / "small.gguf", _large_files.SMALL)
    assert gguf_models.header_sizes(file) == gguf_models.HeaderSizes(64, 160, 2, 4, 2, 16, 512)
    made = llama_models.memory(str(file), "", "cpu", TextSizes(512, longest=20))
    assert (made.weights, made.cache) == (file.stat().st_size, 16 * 256 * 512)
    assert made.activations == 4 * (512 * (16 * 64 + 4 * 160 + 2 * 4 * 256) + 2 * 512 * 512)
    longer = llama_models.memory(str(file), "", "cpu", TextSizes(512, longest=5000))
    assert longer.cache == 16 * 8192 * 512
