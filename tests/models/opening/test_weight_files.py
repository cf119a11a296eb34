"""Weight files that are missing, cut off or quantised in an unknown way are named before loading."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from models.opening.spoilt import edit
from tiltmeter.core.errors import CannotAnswer, Unavailable
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.opening.weight_files import (
    INDEX,
    StoredTensor,
    check_files,
    precision_of_files,
    tensors,
)

FIRST, SECOND = (f"model-0000{n}-of-00002.safetensors" for n in (1, 2))


@pytest.fixture
def sharded(built):
    """A model whose weights are in two files."""
    folder = built("llama")
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    of = {name: FIRST if at % 2 else SECOND for at, name in enumerate(names)}
    for file in (FIRST, SECOND):
        part = {name: weights[name] for name in names if of[name] == file}
        save_file(part, folder / file, metadata={"format": "pt"})
    index = {"metadata": {"total_size": 1}, "weight_map": of}
    (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")
    return folder


def saved(folder, weights):
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_weights_in_two_files_are_read(sharded):
    check_files(sharded, "m")
    assert open_model(resolve(str(sharded))).about["precision"] == "float32"


def test_a_missing_file_is_named(sharded):
    (sharded / SECOND).unlink()
    with pytest.raises(Unavailable, match=rf"1 of its 2 weight files is missing \({SECOND}\)"):
        resolve(str(sharded))
    (sharded / INDEX).unlink()
    with pytest.raises(Unavailable, match=rf"1 of its 2 weight files is missing \({SECOND}\)"):
        resolve(str(sharded))


def test_a_missing_index_is_named(sharded):
    (sharded / INDEX).unlink()
    with pytest.raises(Unavailable, match=f"{INDEX}, which lists them, is missing"):
        resolve(str(sharded))


def test_a_file_that_was_cut_off_is_named(sharded):
    content = (sharded / SECOND).read_bytes()
    (sharded / SECOND).write_bytes(content[:-10])
    size = f"{len(content) - 10:,} of {len(content):,} bytes"
    with pytest.raises(Unavailable, match=f"{SECOND} is cut off: it has {size}"):
        resolve(str(sharded))


@pytest.mark.parametrize(
    ("described", "says"),
    [
        ({"quant_method": "frobnicate"}, "quantised by 'frobnicate', which the installed"),
        ({"bits": 4}, "not by which method"),
        ("4bit", "not by which method"),
    ],
)
def test_a_quantisation_that_nobody_knows_is_refused(built, described, says):
    """transformers would skip it with a warning, and read the bare numbers."""
    with pytest.raises(CannotAnswer, match=says):
        resolve(edit(built("llama"), quantization_config=described))


def test_eight_bits_with_scales_and_no_word_on_them_are_refused(built):
    folder = built("llama")
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("q_proj.weight"))
    weights[name] = weights[name].to(torch.float8_e4m3fn)
    resolve(str(saved(folder, weights)))  # numbers of eight bits that stand for themselves
    weights[f"{name}_scale"] = torch.ones(1)
    with pytest.raises(CannotAnswer, match=r"quantised .F8_E4M3, scaled by .*q_proj.weight_scale"):
        resolve(str(saved(folder, weights)))


def test_a_header_says_what_a_file_holds(tmp_path):
    half = torch.zeros(2, 3, dtype=torch.bfloat16)
    save_file({"a": half, "b": torch.zeros(5), "c": torch.tensor(1)}, tmp_path / "m.safetensors")
    found = tensors(tmp_path)
    assert found["a"] == StoredTensor("BF16", (2, 3), 6)
    assert found["c"] == StoredTensor("I64", (), 1)
    assert precision_of_files(found) == "bfloat16"
    assert precision_of_files({"c": found["c"]}) == "" == precision_of_files({})


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 9, b"\x02\0\0\0\0\0\0\0[]", b"\x01\0\0\0\0\0\0\0{"]
)
def test_what_cannot_be_read_is_left_to_the_library(tmp_path, content):
    (tmp_path / "m.safetensors").write_bytes(content)
    assert tensors(tmp_path) == {}
    check_files(tmp_path, "m")
