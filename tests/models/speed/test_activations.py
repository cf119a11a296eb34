"""Activations behind PyTorch's own products are computed in place, and give the same numbers."""

import numpy as np
import pytest
import torch
from transformers.activations import ACT2FN

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, answers, build
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import activations, packed_weights

GATED = {"llama", "qwen2"}
KNOWN = ("gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "silu", "relu")


@pytest.fixture(autouse=True)
def _own_products(monkeypatch):
    """PyTorch's, whether or not they are the fastest here."""
    monkeypatch.setattr(packed_weights, "no_float32", lambda: "as asked")


def opened(folder):
    return open_model(resolve(str(folder)), Options(device="cpu"))


def replaced(model):
    return [type(m).__name__ for m in model._loaded.model.modules() if "forward" in vars(m)]


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_the_numbers_stay_the_same(kind, tmp_path, monkeypatch):
    folder = build(kind, tmp_path)
    model = opened(folder)
    monkeypatch.setattr(packed_weights, "compute_in_place", lambda *_: None)
    plain = opened(folder)
    assert not {"Linear", "Conv1D"} & {*replaced(plain)}
    assert not model._loaded.few_shapes
    np.testing.assert_allclose(answers(model), answers(plain), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "kind", ["bert", "distilbert", "gpt2", "gptneox", "opt", "llama", "qwen2", "t5"]
)
def test_layers_take_their_activation_along(kind, tmp_path):
    model = opened(build(kind, tmp_path))
    assert replaced(model)
    idle = [m for m in model._loaded.model.modules() if type(m) is torch.nn.Identity]
    assert bool(idle) == (kind not in GATED)
    assert ("LlamaMLP" in replaced(model)) == (kind == "llama")


def test_where_it_says_something_else_all_is_put_back(tmp_path, monkeypatch):
    folder = build("llama", tmp_path)
    before = answers(opened(folder))
    monkeypatch.setattr(activations, "in_place", lambda _: torch.relu_)  # not the same at all
    spoilt = opened(folder)
    assert not replaced(spoilt)
    np.testing.assert_allclose(answers(spoilt), before, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", KNOWN)
def test_each_is_what_the_library_computes(name):
    theirs = ACT2FN[name]
    values = torch.linspace(-9, 9, 4001)
    ours = values[None].clone()
    activations.in_place(theirs)(ours)
    np.testing.assert_allclose(ours[0], theirs(values), rtol=1e-5, atol=2e-6)
    whole = torch.nn.Sequential(theirs)
    activations.compute_in_place(whole, setattr)
    turned = (
        values[:4000].view(20, 2, 100).transpose(0, 1)
    )  # rows that are not one behind the other
    np.testing.assert_allclose(whole(turned), theirs(turned), rtol=1e-5, atol=2e-6)


def test_an_unknown_activation_is_left_alone():
    assert activations.in_place(torch.nn.Softplus()) is None
    assert activations.in_place(None) is None


def test_layers_take_rows_of_any_shape_and_number():
    torch.manual_seed(3)
    mlp = torch.nn.Module()
    mlp.fc1, mlp.activation_fn = torch.nn.Linear(5, 7, bias=False), torch.nn.ReLU()
    given = [torch.randn(*shape, 5) for shape in ((3,), (2, 3), (0,), (2, 40_000), (1, 0))]
    with torch.inference_mode():
        expected = [mlp.activation_fn(mlp.fc1(rows)) for rows in given]
        activations.compute_in_place(mlp, setattr)
        for rows, want in zip(given, expected, strict=True):
            found = mlp.activation_fn(mlp.fc1(rows))
            assert found.shape == want.shape
            np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-6)
