"""oneDNN's matrix products stand in for the library's, and give the same numbers."""

import weakref

import numpy as np
import pytest
import torch

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, answers, build
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import packed_weights

needs_onednn = pytest.mark.skipif(
    not torch.backends.mkldnn.is_available(), reason="this PyTorch has no oneDNN"
)


@pytest.fixture(autouse=True)
def _any_processor(monkeypatch):
    """oneDNN is used whether or not it is the fastest way here."""
    monkeypatch.setattr(packed_weights, "no_float32", lambda: "")


def opened(folder, precision="float32"):
    return open_model(resolve(str(folder)), Options(device="cpu", precision=precision))


@needs_onednn
@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_the_numbers_stay_the_same(kind, tmp_path, monkeypatch):
    folder = build(kind, tmp_path)
    packed = opened(folder)
    assert packed.about["matrix products"] == "oneDNN"
    monkeypatch.setattr(packed_weights, "_why_not", lambda _: "as asked")
    plain = opened(folder)
    assert plain.about["matrix products"] == "PyTorch's own: as asked"
    np.testing.assert_allclose(answers(packed), answers(plain), rtol=1e-4, atol=1e-4)


@needs_onednn
@pytest.mark.parametrize(
    ("kind", "activation"), [("bert", "gelu"), ("gpt2", "gelu"), ("opt", "relu")]
)
def test_an_activation_is_computed_with_its_layer(kind, activation, tmp_path, monkeypatch):
    asked = []
    real = packed_weights._Product
    monkeypatch.setattr(
        packed_weights,
        "_Product",
        lambda layer, kind, *given, **named: (
            asked.append(kind[0]) or real(layer, kind, *given, **named)
        ),
    )
    opened(build(kind, tmp_path))
    assert activation in asked
    assert "none" in asked


@needs_onednn
def test_where_it_says_something_else_all_is_put_back(tmp_path, monkeypatch):
    folder = build("bert", tmp_path)
    monkeypatch.setitem(packed_weights.FUSED, "GELUActivation", ("relu", ""))  # not the same at all
    spoilt = opened(folder)
    assert "other numbers" in spoilt.about["matrix products"]
    monkeypatch.setattr(packed_weights, "_why_not", lambda _: "as asked")
    plain = opened(folder)
    np.testing.assert_array_equal(answers(spoilt), answers(plain))
    for name, weight in plain._loaded.model.state_dict().items():
        assert torch.equal(spoilt._loaded.model.state_dict()[name], weight)
    layer = spoilt._loaded.model.bert.encoder.layer[0].intermediate
    assert type(layer.intermediate_act_fn).__name__ == "GELUActivation"
    assert "forward" not in vars(layer.dense)
    assert layer.dense.weight.device.type == "cpu"


@needs_onednn
def test_weights_are_held_once(tmp_path):
    model = opened(build("bert", tmp_path))._loaded.model
    weight = model.bert.encoder.layer[0].intermediate.dense.weight
    assert weight.shape == (48, 32)
    assert weight.untyped_storage().nbytes() == 4
    assert weight.isnan().all()
    assert not model.get_input_embeddings().weight.isnan().any()


@needs_onednn
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_originals_are_let_go_one_by_one(kind, tmp_path, monkeypatch):
    """Before a layer is packed, all earlier ones are gone: a model is never in memory twice."""
    alive, highest = [], []
    real = packed_weights._Product

    def product(layer, *given, **named):
        alive.append(weakref.ref(layer.weight))
        highest.append(sum(weight() is not None for weight in alive))
        return real(layer, *given, **named)

    monkeypatch.setattr(packed_weights, "_Product", product)
    opened(build(kind, tmp_path))
    assert len(alive) > 4
    assert max(highest) == 1


class Reads(torch.nn.Module):
    """Multiplies by a layer's weight itself, as Mamba does."""

    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(3, 3)

    def forward(self, rows):
        return rows @ self.proj.weight


class Falcon(torch.nn.Module):
    """An activation after a layer of a class that is not packed."""

    def __init__(self):
        super().__init__()
        self.dense_h_to_4h = type("Own", (torch.nn.Linear,), {})(3, 3)
        self.act = torch.nn.GELU()
        self.out = torch.nn.Linear(3, 3)

    def forward(self, rows):
        return self.out(self.act(self.dense_h_to_4h(rows)))


class Fused(torch.nn.Module):
    """torch's own GELU, in its approximation."""

    def __init__(self):
        super().__init__()
        self.c_fc = torch.nn.Linear(3, 3)
        self.act = torch.nn.GELU(approximate="tanh")

    def forward(self, rows):
        return self.act(self.c_fc(rows))


class Loaded:
    def __init__(self, model):
        self.model, self.device, self.batch_tokens = model, torch.device("cpu"), 64
        self.about = {"precision": "float32"}

    def verdict(self, _):
        return None

    def remember(self, _, verdict):
        self.remembered = verdict


@needs_onednn
@pytest.mark.parametrize(
    ("kind", "packed"), [(Reads, False), (Falcon, True), (Fused, True)], ids=str
)
def test_layers_that_are_used_in_ways_of_their_own(kind, packed):
    torch.manual_seed(0)
    model, rows = kind().requires_grad_(False), torch.randn(5, 3) * 3
    before = model(rows)
    loaded = Loaded(model)
    packed_weights.pack(loaded, lambda: model(rows))
    assert (loaded.about["matrix products"] == "oneDNN") == packed == loaded.remembered
    torch.testing.assert_close(model(rows), before, rtol=1e-5, atol=1e-5)


@needs_onednn
def test_nothing_read_is_nothing_computed(tmp_path):
    model = opened(build("gpt2", tmp_path))
    (found,) = model.continuation_logprobs([Continuation((5, 6), ())])
    assert found.shape == (0,)


needs_bfloat16 = pytest.mark.skipif(
    not packed_weights.is_used("cpu", "bfloat16"), reason="this CPU has no bfloat16"
)


@needs_bfloat16
@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_bfloat16_is_for_products_alone(kind, tmp_path):
    folder = build(kind, tmp_path)
    exact = answers(opened(folder))
    mixed = opened(folder, "bfloat16")
    inside = kind not in PERMUTATION  # their attention has matrices outside any layer
    assert mixed.about["matrix products"].endswith("all else in float32") == inside
    assert mixed._loaded.model.dtype == (torch.float32 if inside else torch.bfloat16)
    assert mixed.about["precision"] == "bfloat16"
    assert mixed.fingerprint != opened(folder).fingerprint
    assert 0 < np.abs(answers(mixed) - exact).max() < 0.2


@needs_bfloat16
def test_what_modules_share_they_share_still(tmp_path):
    model = opened(build("t5", tmp_path), "bfloat16")._loaded.model
    assert model.encoder.embed_tokens.weight is model.shared.weight
    assert model.shared.weight.dtype == torch.float32
