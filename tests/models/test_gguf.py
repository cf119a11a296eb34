"""A GGUF file, written here with llama.cpp's own package, read through the back-end."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file

from support.architectures import TEXTS
from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.open_model import open_model, resolve

gguf = pytest.importorskip("gguf")
pytest.importorskip("accelerate")
WIDTH, HIDDEN, HEADS, LAYERS = 32, 64, 2, 2


def vocabulary():
    """Tokens and merges of a byte-level tokenizer."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<|start|>", "<|end|>"]
    raw.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=320,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    state = json.loads(raw.to_str())["model"]
    tokens = sorted(state["vocab"], key=state["vocab"].get)
    return tokens, [" ".join(merge) for merge in state["merges"]]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A two-layer Llama: matrices in 8 bits, norms in float32."""
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    tokens, merges = vocabulary()
    rng = np.random.default_rng(3)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_merges(merges)
    writer.add_token_types([3, 3, *([1] * (len(tokens) - 2))])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)

    def matrix(name, rows, columns):
        values = rng.normal(0, 0.4, size=(rows, columns)).astype(np.float32)
        kind = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)

    def norm(name):
        writer.add_tensor(name, rng.uniform(0.5, 1.5, WIDTH).astype(np.float32))

    matrix("token_embd.weight", len(tokens), WIDTH)
    for layer in range(LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            matrix(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
        matrix(f"blk.{layer}.ffn_gate.weight", HIDDEN, WIDTH)
        matrix(f"blk.{layer}.ffn_up.weight", HIDDEN, WIDTH)
        matrix(f"blk.{layer}.ffn_down.weight", WIDTH, HIDDEN)
        norm(f"blk.{layer}.attn_norm.weight")
        norm(f"blk.{layer}.ffn_norm.weight")
    norm("output_norm.weight")
    matrix("output.weight", len(tokens), WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path_factory.getbasetemp() / "gguf-cache"))


def test_that_it_is_converted_is_said_only_where_it_is(file, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    where = resolve(f"gguf:{file}")
    assert where.preparation == "converting it once, which takes a minute or so"
    open_model(where)
    assert where.preparation == ""


def test_it_is_converted_once_and_exactly(file):
    from tiltmeter.models.gguf import converted

    model = open_model(resolve(str(file)))
    assert model.about["quantised"] == "Q8_0, F32"
    assert model.about["kind"] == "gguf"
    assert model.about["start token"] == "<|start|> (beginning of text)"
    folder = converted(file, "again")
    weights = load_file(folder / "model.safetensors")
    tensors = {t.name: t for t in gguf.GGUFReader(file).tensors}
    for theirs, ours in (
        ("blk.1.ffn_down.weight", "model.layers.1.mlp.down_proj.weight"),
        ("token_embd.weight", "model.embed_tokens.weight"),
        ("output.weight", "lm_head.weight"),
        ("blk.0.attn_v.weight", "model.layers.0.self_attn.v_proj.weight"),
    ):
        exact = gguf.quants.dequantize(tensors[theirs].data, tensors[theirs].tensor_type)
        np.testing.assert_array_equal(weights[ours], exact)
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert converted(file, "again") == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == before


def test_it_answers(file):
    model = open_model(resolve(f"gguf:{file.parent}"))
    tokens = model.encode(["He is a nurse.", "The old driver was slow."])
    answers = model.continuation_logprobs([Continuation((), t.ids) for t in tokens])
    assert [len(a) for a in answers] == [len(t.ids) for t in tokens]
    assert all((a < 0).all() for a in answers)
    assert "".join(TEXTS)  # the tokenizer was trained on these
    assert model._loaded.tokenizer.decode(tokens[0].ids) == "He is a nurse."


def test_files_that_are_none(tmp_path):
    path = tmp_path / "x.gguf"
    with pytest.raises(BadInput, match="no such file"):
        open_model(resolve(f"gguf:{path}"))
    path.write_bytes(b"not a model at all")
    with pytest.raises(BadInput, match="not a GGUF file"):
        open_model(resolve(str(path)))
    path.write_bytes(b"GGUF" + bytes(40))
    with pytest.raises(TiltmeterError, match=r"x\.gguf"):
        open_model(resolve(str(path)))
    (tmp_path / "y.gguf").write_bytes(b"GGUF")
    with pytest.raises(BadInput, match=r"one \.gguf file is needed here, found x\.gguf, y\.gguf"):
        open_model(resolve(f"gguf:{tmp_path}"))


@pytest.mark.parametrize("share", [0.9, 0.6, 0.1])
def test_a_file_that_was_cut_off_is_refused(file, tmp_path, share):
    whole = file.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(
        TiltmeterError, match=r"cut\.gguf: the file is cut off or damaged .*download"
    ):
        open_model(resolve(str(cut)))


def test_a_quantisation_that_nobody_knows_is_refused(file, tmp_path):
    odd, content = tmp_path / "odd.gguf", bytearray(file.read_bytes())
    name = b"blk.0.attn_q.weight"
    kind = content.index(name) + len(name) + 4 + 2 * 8  # behind the number of dimensions and these
    content[kind : kind + 4] = (77).to_bytes(4, "little")
    odd.write_bytes(content)
    says = r"odd\.gguf: its weights are quantised in a way .* does not know \(.*77.*llama:"
    with pytest.raises(TiltmeterError, match=says):
        open_model(resolve(str(odd)))


def test_a_weight_that_is_not_a_number_is_named(file, tmp_path):
    bad, content = tmp_path / "bad.gguf", bytearray(file.read_bytes())
    (tensor,) = (t for t in gguf.GGUFReader(file).tensors if t.name == "blk.1.ffn_up.weight")
    at = int(tensor.data_offset)
    content[at : at + 2] = np.float16(np.nan).tobytes()  # the scale of the first 32 numbers
    bad.write_bytes(content)
    with pytest.raises(TiltmeterError, match=r"bad\.gguf: 32 of .*up_proj\.weight are NaN"):
        open_model(resolve(str(bad)))


def test_what_does_not_fit_in_float32_is_refused_before_it_is_converted(
    file, monkeypatch, tmp_path
):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.setattr("tiltmeter.models.gguf.whole_bytes", lambda _: 100_000)
    says = r"takes .* of memory, and this machine has .*; llama:.*tiny.gguf .*\(extra \[llama\]\)"
    with pytest.raises(TiltmeterError, match=says):
        open_model(resolve(str(file)))
    assert not any(tmp_path.rglob("*.safetensors"))
