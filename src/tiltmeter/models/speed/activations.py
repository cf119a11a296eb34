"""Computes activations in place, block by block after a matrix product, while its output is in the cache.

The library computes them in one to nine steps, each over a tensor that is too large for any cache, and
allocates memory for the result of each step. This is for PyTorch's own products; oneDNN computes activations
with its own.
"""

from collections.abc import Callable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import torch

    InPlace: TypeAlias = Callable[[torch.Tensor], object]
    """A function that changes the numbers of a tensor in place."""

NUMBERS = 2**17
"""How many numbers a block has: half a megabyte, which fits into a processor's inner cache."""
FOLLOWED = (
    ("dense", "intermediate_act_fn"),  # BERT and similar models
    ("dense", "transform_act_fn"),
    ("ffn", "activation"),  # ALBERT
    ("lin1", "activation"),  # DistilBERT
    ("fc1", "activation_fn"),  # BART, OPT
    ("c_fc", "act"),  # GPT-2
    ("dense_h_to_4h", "act"),  # GPT-NeoX
    ("gate_proj", "act_fn"),  # Llama, Qwen, Gemma
    ("wi", "act"),  # T5
    ("wi_0", "act"),
)
"""Names of (linear layer, activation) in one module, where the activation takes the output of the layer."""
TANH = frozenset({"NewGELUActivation", "FastGELUActivation", "GELUTanh"})
"""Classes that compute GELU's approximation by the hyperbolic tangent, and do so slowly."""
FACTOR, CUBIC = 1.5957691216057308, 0.044715
"""2 √(2/π), and the coefficient of the cube, in GELU's approximation."""


def compute_in_place(model: Any, put: Callable[[Any, str, Any], None]) -> None:
    """Replace layers with the activations after them, and slow activations, by `put(module, name, ours)`."""
    import torch

    for module in list(model.modules()):
        activate = in_place(getattr(module, "act_fn", None))
        if activate and _is_gated(module):
            put(module, "forward", _gated(module, activate))
    for module, linear, name in followed(model):
        layer, after = getattr(module, linear), getattr(module, name)
        activate = in_place(after)
        if activate and _is_linear(layer) and "forward" not in vars(module):
            put(layer, "forward", _with_activation(layer, activate))
            put(module, name, torch.nn.Identity())
    for module in model.modules():
        if type(module).__name__ in TANH:
            put(module, "forward", gelu_tanh)


def followed(model: Any) -> Iterator[tuple[Any, str, str]]:
    """Yields modules in which an activation follows a layer, with the names of both."""
    for module in list(model.modules()):
        for linear, activation in FOLLOWED:
            if hasattr(module, linear) and hasattr(module, activation):
                yield module, linear, activation


def in_place(activation: Any) -> "InPlace | None":
    """A function that computes this activation in place; None for an unknown activation."""
    import torch
    from torch.nn import functional

    name = type(activation).__name__
    if name in TANH:
        return _gelu_tanh_in_place
    if name in {"GELU", "GELUActivation"}:
        how = getattr(activation, "approximate", "none")
        if how == "tanh":
            return _gelu_tanh_in_place
        return torch.ops.aten.gelu_
    if name in {"SiLU", "SiLUActivation"}:
        return lambda values: functional.silu(values, inplace=True)
    return torch.relu_ if name == "ReLU" else None


def gelu_tanh(values: "torch.Tensor") -> "torch.Tensor":
    """GELU's approximation, x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2, as a new tensor."""
    import torch

    activated = values.clone(memory_format=torch.contiguous_format)
    for block in _blocks(activated):
        _gelu_tanh_in_place(block)
    return activated


def _gelu_tanh_in_place(values: "torch.Tensor") -> None:
    """GELU's approximation in place, as x σ(2 y) for the argument y of the hyperbolic tangent.

    This is the same, since (1 + tanh y) / 2 = σ(2 y), and σ is computed about three times as fast.
    """
    import torch

    factor = torch.addcmul(values.new_full((1, 1), FACTOR), values, values, value=FACTOR * CUBIC)
    values.mul_(factor.mul_(values).sigmoid_())


def _blocks(values: "torch.Tensor") -> "tuple[torch.Tensor, ...]":
    """The rows of a tensor of any shape in blocks, (rows, d), that fit into a cache."""
    import torch

    width = values.shape[-1]
    return torch.split(values.view(-1, width), max(1, NUMBERS // max(1, width)))


def _is_linear(layer: Any) -> bool:
    """Whether it is a linear layer, or GPT-2's kind of one, whose forward has not been replaced."""
    import torch

    known = type(layer) is torch.nn.Linear or type(layer).__name__ == "Conv1D"
    return known and "forward" not in vars(layer)


def _with_activation(layer: Any, activate: "InPlace") -> "Callable[[torch.Tensor], torch.Tensor]":
    """A forward that computes the layer and then, block by block in place, the activation after it."""
    import torch

    turned = type(layer).__name__ == "Conv1D"

    def forward(rows: "torch.Tensor") -> "torch.Tensor":
        weight = layer.weight if turned else layer.weight.t()
        outputs = torch.mm(rows.reshape(-1, rows.shape[-1]), weight)
        for block in _blocks(outputs):
            if layer.bias is not None:
                block.add_(layer.bias)
            activate(block)
        return outputs.view(*rows.shape[:-1], weight.shape[1])

    return forward


def _is_gated(module: Any) -> bool:
    """Whether it is a gated feed-forward layer like Llama's, an activated projection times another one."""
    layers = [getattr(module, name, None) for name in ("gate_proj", "up_proj", "down_proj")]
    return all(map(_is_linear, layers)) and len(signature(module.forward).parameters) == 1


def _gated(module: Any, activate: "InPlace") -> "Callable[[torch.Tensor], torch.Tensor]":
    def forward(rows: "torch.Tensor") -> "torch.Tensor":
        gate, up = module.gate_proj(rows), module.up_proj(rows)
        for block, other in zip(_blocks(gate), _blocks(up), strict=True):
            activate(block)
            block.mul_(other)
        outputs: torch.Tensor = module.down_proj(gate)
        return outputs

    return forward
