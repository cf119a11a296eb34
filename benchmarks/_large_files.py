"""Files of random weights in the shapes of large models, written in blocks without being held in memory.

Time, memory and messages do not depend on the weights. One block of random numbers is written again and
again.
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 1 << 20
"""Numbers that are drawn."""
SPREAD = 0.02
"""The standard deviation of the weights."""
MERGE = "h e"
"""Letters that are one token; readers of GGUF files want at least one merge."""
SHARD = 4 << 30
"""The most bytes of one of several weight files."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a Llama."""

    name: str
    width: int
    inner: int
    layers: int
    heads: int
    key_heads: int
    vocabulary: int


LLAMA_8B = Shape("Llama-3-8B's shape", 4096, 14336, 32, 32, 8, 128_256)
LLAMA_3B = Shape("a Llama of 3.6 billion weights", 3072, 8192, 28, 24, 8, 128_256)
SMALL = Shape("a small Llama", 64, 160, 2, 4, 2, 512)


def tensors(shape: Shape, names: dict[str, str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The tensors of a Llama, by these names for its parts; "#" stands for the number of a layer."""
    width, inner = shape.width, shape.inner
    keys = width // shape.heads * shape.key_heads
    layer = {
        "q": (width, width), "k": (keys, width), "v": (keys, width), "o": (width, width),
        "gate": (inner, width), "up": (inner, width), "down": (width, inner),
        "norm": (width,), "other_norm": (width,),
    }  # fmt: skip
    yield names["words"], (shape.vocabulary, width)
    for number in range(shape.layers):
        yield from ((names[part].replace("#", str(number)), size) for part, size in layer.items())
    yield names["last_norm"], (width,)
    yield names["output"], (shape.vocabulary, width)


IN_GGUF = {
    "words": "token_embd.weight", "last_norm": "output_norm.weight", "output": "output.weight",
    "norm": "blk.#.attn_norm.weight", "other_norm": "blk.#.ffn_norm.weight",
    **{part: f"blk.#.attn_{part}.weight" for part in "qkv"}, "o": "blk.#.attn_output.weight",
    **{part: f"blk.#.ffn_{part}.weight" for part in ("gate", "up", "down")},
}  # fmt: skip
IN_FOLDER = {
    "words": "model.embed_tokens.weight", "last_norm": "model.norm.weight",
    "output": "lm_head.weight",
    "norm": "model.layers.#.input_layernorm.weight",
    "other_norm": "model.layers.#.post_attention_layernorm.weight",
    **{part: f"model.layers.#.self_attn.{part}_proj.weight" for part in "qkvo"},
    **{part: f"model.layers.#.mlp.{part}_proj.weight" for part in ("gate", "up", "down")},
}  # fmt: skip


def write_gguf(path: Path, shape: Shape) -> Path:
    """Write a GGUF file in 4 bits (Q4_0), with norms in float32 and a byte-level tokenizer."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.key_heads)
    writer.add_rope_freq_base(500_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    words = pieces(shape.vocabulary)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list(words)
    writer.add_token_types([gguf.TokenType.CONTROL, *[gguf.TokenType.NORMAL] * (len(words) - 1)])
    writer.add_token_merges([MERGE])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    kind = gguf.GGMLQuantizationType.Q4_0
    sizes = list(tensors(shape, IN_GGUF))
    for name, size in sizes:
        if len(size) == 1:
            writer.add_tensor_info(name, size, np.dtype(np.float32), 4 * size[0])
        else:
            of_bytes = gguf.quant_shape_to_byte_shape(size, kind)
            total = of_bytes[0] * of_bytes[1]
            writer.add_tensor_info(name, of_bytes, np.dtype(np.uint8), total, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    block = _in_four_bits()
    for _, size in sizes:
        if len(size) == 1:
            writer.write_tensor_data(np.ones(size, dtype=np.float32))
        else:
            of_bytes = gguf.quant_shape_to_byte_shape(size, kind)
            writer.write_tensor_data(np.resize(block, of_bytes))
    writer.close()
    return path


def write_folder(folder: Path, shape: Shape) -> Path:
    """Write a folder as the hub has it: bfloat16 in safetensors files with an index, and a tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    shards: list[list[tuple[str, tuple[int, ...]]]] = [[]]
    held = 0
    for name, size in tensors(shape, IN_FOLDER):
        count = 2 * int(np.prod(size))
        if shards[-1] and held + count > SHARD:
            shards.append([])
            held = 0
        shards[-1].append((name, size))
        held += count
    where = {}
    for number, shard in enumerate(shards, 1):
        file = f"model-{number:05d}-of-{len(shards):05d}.safetensors"
        where |= {name: file for name, _ in shard}
        _write_shard(folder / file, shard)
    index = {"metadata": {}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": shape.width,
        "intermediate_size": shape.inner, "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads, "num_key_value_heads": shape.key_heads,
        "vocab_size": shape.vocabulary, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5,
        "rope_theta": 500_000.0, "tie_word_embeddings": False, "dtype": "bfloat16",
        "bos_token_id": 0, "eos_token_id": 0,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    _tokenizer(shape.vocabulary).save_pretrained(folder)
    return folder


def pieces(count: int) -> list[str]:
    """The vocabulary: one special token, every byte, one merge, and words that no text has."""
    from tokenizers import pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    known = ["<|end|>", *alphabet, MERGE.replace(" ", "")]
    return [*known, *(f"unused{k}" for k in range(count - len(known)))]


def _tokenizer(count: int) -> Any:
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    model = models.BPE(
        {piece: at for at, piece in enumerate(pieces(count))}, [tuple(MERGE.split())]
    )
    raw = Tokenizer(model)
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, model_max_length=8192, bos_token="<|end|>", eos_token="<|end|>"
    )


def _in_four_bits() -> Any:
    """Blocks of Q4_0: a scale in float16, then 32 numbers of four bits, which mean −8 to 7."""
    rng = np.random.default_rng(0)
    blocks = rng.integers(0, 256, (BLOCK // 32, 18), dtype=np.uint8)
    scale = np.float16(SPREAD / np.sqrt((16**2 - 1) / 12))
    blocks[:, :2] = np.frombuffer(scale.tobytes(), dtype=np.uint8)
    return blocks.ravel()


def _write_shard(path: Path, shard: list[tuple[str, tuple[int, ...]]]) -> None:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, size in shard:
        start, end = end, end + 2 * int(np.prod(size))
        header[name] = {"dtype": "BF16", "shape": size, "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    drawn = (np.random.default_rng(0).standard_normal(BLOCK) * SPREAD).astype(np.float32)
    # bfloat16 is the upper half of float32.
    block = memoryview((drawn.view(np.uint32) >> 16).astype(np.uint16).tobytes())
    one = memoryview(struct.pack("<H", 0x3F80) * BLOCK)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, size in shard:
            left = 2 * int(np.prod(size))
            for part in cycle([one if len(size) == 1 else block]):
                file.write(part[:left])
                left -= len(part)
                if left <= 0:
                    break
