"""Where float32 does not fit into free memory, a model is opened in the precision of its files."""

import pytest
import torch
from safetensors.torch import load_file, save_file

from tiltmeter.core.errors import Unavailable
from tiltmeter.models.opening import precision_choice
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.opening.precision_choice import choose_precision, weights_bytes
from tiltmeter.models.opening.weight_files import StoredTensor, tensors
from tiltmeter.run.asking.model_openers import LocalOpener


@pytest.fixture
def stored_as(built):
    """`stored_as(precision)`: a folder with a model in it, and the bytes it takes in float32 on a CPU."""

    def get(precision):
        folder = built("llama")
        weights = load_file(folder / "model.safetensors")
        narrow = {name: w.to(getattr(torch, precision)) for name, w in weights.items()}
        save_file(narrow, folder / "model.safetensors", metadata={"format": "pt"})
        return folder, weights_bytes(tensors(folder), "float32", "cpu")

    return get


@pytest.fixture
def memory(monkeypatch):
    def of(*, free, whole=10**12):
        monkeypatch.setattr(precision_choice, "free_bytes", lambda _: free)
        monkeypatch.setattr(precision_choice, "whole_bytes", lambda _: whole)

    return of


def test_the_memory_that_weights_take():
    """Six numbers, of which a CPU may hold the largest four once more in float32, and in bfloat16 twice."""
    stored = {"a": StoredTensor("BF16", (2, 2), 4), "b": StoredTensor("F32", (2,), 2)}
    by_precision = {"float32": (24 + 16, 24), "bfloat16": (12 + 32, 12), "float16": (12, 12)}
    for precision, (cpu, cuda) in by_precision.items():
        assert weights_bytes(stored, precision, "cpu") == cpu
        assert weights_bytes(stored, precision, "cuda") == cuda


@pytest.mark.parametrize("own", ["bfloat16", "float16"])
def test_narrow_files_are_opened_as_they_are_where_float32_does_not_fit(stored_as, memory, own):
    folder, needed = stored_as(own)
    memory(free=needed)
    assert choose_precision(folder, Options(), "cpu", "m").options.precision == "float32"
    memory(free=needed - 1)
    choice = choose_precision(folder, Options(), "cpu", "m")
    assert choice.options.precision == own
    assert choice.reason.startswith(f"{own}, as in its files: that takes ")
    assert choice.reason.endswith(" are free")


def test_a_precision_that_the_user_names_is_kept(stored_as, memory):
    folder, needed = stored_as("bfloat16")
    memory(free=needed - 1)
    choice = choose_precision(folder, Options(precision="float32"), "cpu", "m")
    assert choice.options.precision == "float32"
    assert choice.reason.startswith("float32: that takes ")
    memory(free=10**12)
    choice = choose_precision(folder, Options(precision="bfloat16"), "cpu", "m")
    assert (choice.options.precision, choice.reason) == ("bfloat16", "")


def test_files_in_float32_stay_in_float32(stored_as, memory):
    folder, _ = stored_as("float32")
    memory(free=1)
    choice = choose_precision(folder, Options(), "cpu", "m")
    assert choice.options.precision == "float32"
    assert choice.reason.startswith("float32: that takes ")


def test_where_free_memory_is_not_known_it_is_float32(stored_as, memory):
    folder, _ = stored_as("bfloat16")
    memory(free=None, whole=None)
    choice = choose_precision(folder, Options(), "mps", "m")
    assert (choice.options.precision, choice.reason) == ("float32", "")


def test_more_than_the_machine_has_is_refused_with_what_would_fit(stored_as, memory):
    folder, needed = stored_as("float32")
    memory(free=1, whole=needed - 1)
    with pytest.raises(
        Unavailable, match=r"m: opening it in float32 takes .* use --precision float16 "
    ):
        choose_precision(folder, Options(), "cpu", "m")
    memory(free=1, whole=1)
    with pytest.raises(Unavailable, match="; use a smaller model or a machine with more memory"):
        choose_precision(folder, Options(), "cpu", "m")


def test_card_and_fingerprint_say_the_precision(stored_as, memory):
    folder, needed = stored_as("bfloat16")
    where = resolve(str(folder))
    memory(free=10**12)
    usual, named = (
        open_model(where, options) for options in (Options(), Options(precision="float32"))
    )
    assert usual.about["precision"] == "float32"
    assert usual.fingerprint == named.fingerprint
    memory(free=needed - 1)
    narrow, asked = (
        open_model(where, options) for options in (Options(), Options(precision="bfloat16"))
    )
    assert narrow.about["precision"] == "bfloat16"
    assert narrow.fingerprint == asked.fingerprint != usual.fingerprint


class Steps:
    def __init__(self):
        self.texts = []

    def step(self, text):
        self.texts.append(text)

    def download(self, _):
        from contextlib import nullcontext

        return nullcontext()


def test_it_is_said_before_the_model_is_loaded_and_not_mixed_up_with_what_is_remembered(
    stored_as, memory
):
    folder, needed = stored_as("bfloat16")
    where, steps = resolve(str(folder)), Steps()
    for free, precision in ((10**12, "float32"), (needed - 1, "bfloat16"), (10**12, "float32")):
        memory(free=free)
        with LocalOpener(steps).open(where, Options()) as model:
            assert model.about["precision"] == precision
    said = [text for text in steps.texts if "bfloat16" in text]
    assert len(said) == 1
    assert said[0].startswith(f"loading {folder} in bfloat16, as in its files: that takes ")


def test_a_header_is_enough(stored_as):
    folder, _ = stored_as("bfloat16")
    weights = load_file(folder / "model.safetensors")
    assert {n: t.count for n, t in tensors(folder).items()} == {
        n: w.numel() for n, w in weights.items()
    }
