"""What a model takes is computed from its files, before it is loaded."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from benchmarks import _large_files
from safetensors.numpy import save_file

from tiltmeter.models.opening.memory_estimate import MemoryEstimate, TextSizes, estimate_memory


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


def replies(count=0, prompt=10, most=40):
    """The sizes of replies to different prompts of equal length; batches have 1,024 tokens."""
    texts = TextSizes(1024)
    texts.longest = prompt + most
    for number in range(count):
        texts.add_reply(number, prompt, most)
    return texts


def test_weights_batches_and_keys(folder):
    """A token has 16 × 8 + 4 × 16 numbers in a layer; its keys and values are 2 × 4 in each of two.

    A reply of 40 tokens has 16 spare places, its prompt of 10 is there twice while it is read.
    """
    made = estimate_memory(folder, "float32", "cpu", replies(3))
    assert made == MemoryEstimate("float32", 800, 1024 * 192 * 4, 3 * (10 + 40 + 16 + 10) * 16 * 4)
    assert made.whole == made.weights + made.activations + made.cache
    made = estimate_memory(folder, "bfloat16", "cuda", replies())
    assert made == MemoryEstimate("bfloat16", 2 * 100, 1024 * 192 * 2, 0)


def test_replies_that_are_not_written_together_leave_a_quarter_of_the_places_empty():
    """1,000 replies of 50 tokens have 66 places each, and 16,384 of their 50,000 tokens are held."""
    assert replies(1000).held(16_384) == int(16_384 / 50_000 * 66_000 / 0.75) + 1024
    assert replies(1000).together(16_384) == 16_384 // 50


def test_prompts_are_padded_to_longer_ones():
    """At most to the longest, or by three sevenths."""
    texts = replies(1, prompt=10, most=40)
    texts.add_reply("longer", 12, 40)
    assert texts.held(16_384) == 24 + 2 * 56 + 24


def test_a_model_within_another_counts_as_the_one_that_writes(folder):
    config = json.loads((folder / "config.json").read_text())
    plain = estimate_memory(folder, "float32", "cpu", replies(3))
    (folder / "config.json").write_text(json.dumps({"model_type": "x", "text_config": config}))
    assert estimate_memory(folder, "float32", "cpu", replies(3)) == plain


def test_where_files_do_not_say_there_is_none(folder):
    assert estimate_memory(folder, "not told by the server", "cpu", replies(3)) is None
    (folder / "config.json").unlink()
    assert estimate_memory(folder, "float32", "cpu", replies(3)) is None
    (folder / "model.safetensors").unlink()
    assert estimate_memory(folder, "float32", "cpu", replies(3)) is None


MEASURE = """import sys, threading, time
from tiltmeter.core.model.conversations import Message, Prompt, Writing
from tiltmeter.models.opening.open_model import open_model, resolve

def anonymous():
    # Without weight files that are mapped, which the system takes back.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))

def requests(count):
    texts = [f"{number:02} he is here" for number in range(count)]
    prompts = [Prompt((Message("user", text),), chat=False) for text in texts]
    return [Writing(prompt, max_tokens=48, temperature=1.0) for prompt in prompts]

def measure():
    while True:
        peak[0] = max(peak[0], anonymous())
        time.sleep(0.005)

open_model(resolve(sys.argv[1])).write(requests(1))  # which loads the libraries
before, peak = anonymous(), [0]
threading.Thread(target=measure, daemon=True).start()
open_model(resolve(sys.argv[2])).write(requests(48))
print(peak[0] - before)
"""
WRITES = _large_files.Shape("a Llama of 12 million weights", 512, 1024, 4, 8, 8, 1024)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_the_estimate_is_what_a_process_takes_or_up_to_half_more(tmp_path):
    """48 replies of 48 tokens; libraries are loaded before by a model that takes next to nothing."""
    small = _large_files.write_folder(tmp_path / "small", _large_files.SMALL)
    large = _large_files.write_folder(tmp_path / "large", WRITES)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(small), str(large)], capture_output=True, text=True,
        check=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    made = estimate_memory(large, "float32", "cpu", replies(48, prompt=13, most=48))
    assert int(done.stdout) <= made.whole <= 1.5 * int(done.stdout)
