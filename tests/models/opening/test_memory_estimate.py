"""What a model takes is computed from its files, before it is loaded."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from tiltmeter.models.opening.memory_estimate import MemoryEstimate, estimate_memory


@pytest.fixture
def folder(tmp_path):
    """Two layers of width 8 with two heads, of which one has keys and values; 100 numbers."""
    config = {
        "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 1,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", **config}))
    save_file({"a": np.zeros((10, 10), np.float32)}, tmp_path / "model.safetensors")
    return tmp_path


def test_weights_batches_and_keys(folder):
    """A token has 16 × 8 + 4 × 16 numbers in a layer; its keys and values are 2 × 4 in each of two."""
    made = estimate_memory(folder, "float32", "cpu", 1024, writes=True)
    assert made == MemoryEstimate("float32", 4 * 100 + 4 * 100, 1024 * 192 * 4, 16_384 * 16 * 4)
    made = estimate_memory(folder, "bfloat16", "cuda", 65_536, writes=False)
    assert made == MemoryEstimate("bfloat16", 2 * 100, 65_536 * 192 * 2, 0)


def test_a_model_within_another_counts_as_the_one_that_writes(folder):
    config = json.loads((folder / "config.json").read_text())
    plain = estimate_memory(folder, "float32", "cpu", 1024, writes=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "x", "text_config": config}))
    assert estimate_memory(folder, "float32", "cpu", 1024, writes=True) == plain


def test_where_files_do_not_say_there_is_none(folder):
    assert estimate_memory(folder, "not told by the server", "cpu", 1024, writes=True) is None
    (folder / "config.json").unlink()
    assert estimate_memory(folder, "float32", "cpu", 1024, writes=True) is None
    (folder / "model.safetensors").unlink()
    assert estimate_memory(folder, "float32", "cpu", 1024, writes=True) is None
