"""Computes matrix products on a CPU through oneDNN, with the weights rearranged for it once.

PyTorch's own linear layers on a CPU with AVX-512 reach less than half of the machine's speed in float32, and
rearrange the weights at every call in bfloat16. oneDNN is part of PyTorch, whose compiler uses it in the same
way; here it replaces the layers one by one, without a compiler and without changing the library. An
activation directly after a layer is computed with it. Without AVX-512, PyTorch's own products in float32 and
its activations are faster, and are kept.

In bfloat16, only the products of the layers are computed in it: their inputs are rounded, and everything
between the layers, and the layer of the vocabulary, is computed in float32. That is as fast as bfloat16
throughout and two to three times as close to float32.

When a model is opened, its answers before and after are compared; if they differ, everything is restored.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tiltmeter.models.speed.activations import compute_in_place, followed
from tiltmeter.models.speed.instructions import Bfloat16, bfloat16, no_float32
from tiltmeter.models.speed.vocabulary_blocks import WIDTH

if TYPE_CHECKING:
    import torch

    from tiltmeter.models.opening.loaded import Loaded

CLOSE = {"float32": 1e-3, "bfloat16": 5e-2}
"""How far a logit may change, as a share of the largest, by precision."""
NONE = ("none", "")
TOGETHER = frozenset({
    "query", "key", "value", "q_proj", "k_proj", "v_proj", "q_lin", "k_lin", "v_lin", "q", "k", "v",
})  # fmt: skip
"""Names of layers that read the same tensor one directly after the other."""
INTO_A_LAYER = frozenset({"intermediate_act_fn", "activation", "activation_fn", "act"})
"""Names of activations whose output goes directly into a linear layer, or is multiplied by another's."""
FUSED = {
    "GELUActivation": ("gelu", "none"),
    "GELU": ("gelu", "none"),
    "NewGELUActivation": ("gelu", "tanh"),
    "GELUTanh": ("gelu", "tanh"),
    "FastGELUActivation": ("gelu", "tanh"),
    "SiLUActivation": ("swish", ""),
    "ReLU": ("relu", ""),
}
"""oneDNN's names of activations and their variants, by class."""


def pack(loaded: "Loaded", probe: Callable[[], "torch.Tensor"], *, blocks: bool = False) -> None:
    """Make oneDNN compute the linear layers, if the device is a CPU and the model's answers stay the same.

    `probe` asks the model something, before and after. With `blocks`, the output layer is packed in the way
    in which `VocabularyBlocks` reads it. The card says what was done.
    """
    import torch

    model, precision = loaded.model, str(loaded.about.get("precision"))
    if loaded.device.type != "cpu":
        return
    if why := _why_not(precision):
        loaded.about["matrix products"] = f"PyTorch's own: {why}"
        if precision == "float32":
            loaded.few_shapes = False  # only oneDNN makes a kernel for each shape
            _in_place(model, probe)
        return
    changed, check = _Changed(), f"packed weights, blocks: {blocks}"
    same = loaded.verdict(check)
    with torch.inference_mode():
        before = probe().float() if same is None else None
        try:
            mixed = _pack_layers(loaded, precision, changed, blocks=blocks)
            if before is not None:
                bound = CLOSE[precision] * max(1.0, before.abs().max().item())
                same = torch.allclose(before, probe().float(), rtol=0, atol=bound)
        except (AttributeError, NotImplementedError, RuntimeError, TypeError):
            same = False
    if before is not None:
        loaded.remember(check, same)
    if not same:
        changed.undo()
        loaded.about["matrix products"] = "PyTorch's own: oneDNN gives other numbers for this model"
        return
    fact = "oneDNN, in bfloat16; all else in float32" if mixed else "oneDNN"
    loaded.about["matrix products"] = fact


def _pack_layers(loaded: "Loaded", precision: str, changed: "_Changed", *, blocks: bool) -> bool:
    """Make oneDNN compute the layers; returns whether everything else is in float32 from now on."""
    model = loaded.model
    layers = list(_layers(model))
    following = {
        layer: (kind, name in INTO_A_LAYER)
        for layer, kind, name in _activations(model, {*layers}, changed)
    }
    mixed = precision == "bfloat16" and _is_all(model, {*layers})
    rounded = _rounders(model)
    held = Counter(id(p) for m in model.modules() for p in m.parameters(recurse=False))
    for layer in layers:
        wide = mixed and layer is model.get_output_embeddings()
        kind, narrow = following.get(layer, (NONE, False))
        cut = blocks and layer is model.get_output_embeddings()
        if cut:
            changed.put(layer, "in_blocks", _in_blocks(layer, loaded, wide=wide))
            ours, unpacked = _joined(layer.in_blocks), _rejoined(layer.in_blocks)
        else:
            product = _Product(layer, kind, loaded, wide=wide)
            ours, unpacked = product, product.unpacked
        if mixed and not wide:
            ours = _rounding(ours, rounded[layer], narrow=narrow)
        changed.put(layer, "forward", ours)
        # The original is let go at once, or the model would be in memory twice; not what others hold anyway.
        recover = unpacked if held[id(layer.weight)] == 1 else None
        changed.put_weight(layer, _unread(layer.weight, wide=mixed), recover)
    if mixed:
        _widen(model, {*layers}, changed)
    return mixed


def _in_place(model: Any, probe: Callable[[], "torch.Tensor"]) -> None:
    """Make activations be computed in place, if the model's answers stay the same."""
    import torch

    changed = _Changed()
    with torch.inference_mode():
        before = probe()
        compute_in_place(model, changed.put)
        try:
            bound = CLOSE["float32"] * max(1.0, before.abs().max().item())
            same = torch.allclose(before, probe(), rtol=0, atol=bound)
        except (AttributeError, NotImplementedError, RuntimeError, TypeError):
            same = False
    if not same:
        changed.undo()


def is_used(device: str, precision: str) -> bool:
    """Whether models on this device and in this precision are packed, if their answers stay the same."""
    return device == "cpu" and not _why_not(precision)


class _Changed:
    """Changes attributes of modules so that the changes can be undone."""

    def __init__(self) -> None:
        self._steps: list[Callable[[], None]] = []

    def put(self, module: Any, name: str, value: Any) -> None:
        registries = [module.__dict__, module._modules, module._parameters, module._buffers]  # noqa: SLF001
        # What comes from the class is uncovered again by deleting what hides it.
        if any(name in registry for registry in registries):
            old = getattr(module, name)
            self._steps.append(lambda: setattr(module, name, old))
        else:
            self._steps.append(lambda: delattr(module, name))
        setattr(module, name, value)

    def put_weight(
        self, layer: Any, weight: Any, recover: Callable[[], "torch.Tensor"] | None
    ) -> None:
        """Change a layer's weight; `recover` gives the old values back, so that the old one is not kept."""
        import torch

        if recover is None:
            self.put(layer, "weight", weight)
            return
        kind, is_trained = layer.weight.dtype, layer.weight.requires_grad

        def restore() -> None:
            layer.weight = torch.nn.Parameter(recover().to(kind), requires_grad=is_trained)

        self._steps.append(restore)
        layer.weight = weight

    def undo(self) -> None:
        for step in reversed(self._steps):
            step()


def _why_not(precision: str) -> str:
    """Why oneDNN is not used in this precision; "" if it is used."""
    import torch

    if precision not in CLOSE:
        return f"oneDNN is not used in {precision}"
    ours = ("_reorder_linear_weight", "_linear_pointwise")
    if not all(hasattr(torch.ops.mkldnn, op) for op in ours):
        return "this PyTorch has no oneDNN products"
    if precision == "float32":
        return no_float32()
    support = bfloat16()
    return "" if support.level > Bfloat16.ABSENT else support.why


def _layers(model: Any) -> Iterator[Any]:
    """Yields linear layers, including those of GPT-2, whose weights are transposed."""
    import torch

    for module in model.modules():
        if type(module) is torch.nn.Linear or type(module).__name__ == "Conv1D":
            yield module


def _activations(
    model: Any, layers: Collection[Any], changed: _Changed
) -> Iterator[tuple[Any, tuple[str, str], str]]:
    """Yields layers with oneDNN's name for the activation that follows and its attribute, and removes it."""
    import torch

    for module, linear, activation in followed(model):
        layer, after = getattr(module, linear), getattr(module, activation)
        kind = FUSED.get(type(after).__name__)
        if kind and layer in layers:
            kind = (kind[0], getattr(after, "approximate", kind[1]))  # as torch's own GELU says
            changed.put(module, activation, torch.nn.Identity())
            yield layer, kind, activation


def _is_all(model: Any, layers: Collection[Any]) -> bool:
    """Whether all matrices of the model belong to its linear layers or are embeddings."""
    import torch

    return all(
        parameter.dim() < 2 or isinstance(module, torch.nn.Embedding)  # noqa: PLR2004
        for module in model.modules()
        if module not in layers
        for parameter in module.parameters(recurse=False)
    )


def _widen(model: Any, layers: Collection[Any], changed: _Changed) -> None:
    """Convert everything except the layers' weights to float32; modules keep sharing what they shared."""
    import torch

    wide: dict[int, Any] = {}
    for module in model.modules():
        if module in layers:
            continue
        for name, held in (*module._parameters.items(), *module._buffers.items()):  # noqa: SLF001
            if held is not None and held.dtype == torch.bfloat16:
                new = held.detach().float()
                if isinstance(held, torch.nn.Parameter):
                    new = torch.nn.Parameter(new, requires_grad=False)
                changed.put(module, name, wide.setdefault(id(held), new))


def _unread(weight: Any, *, wide: bool) -> Any:
    """A placeholder for a packed weight, with its shape and type but without its memory, and filled with NaN.

    If a module uses the weight itself and not the layer, as Mamba's does, NaN reveals that to the check.
    """
    import torch

    nothing = torch.full((), torch.nan, dtype=torch.float32 if wide else weight.dtype)
    return torch.nn.Parameter(nothing.expand(weight.shape), requires_grad=False)


class _Product:
    """A linear layer computed by oneDNN, with its activation."""

    def __init__(
        self, layer: Any, activation: tuple[str, str], loaded: "Loaded", *, wide: bool = False
    ) -> None:
        """`wide` computes in float32, whatever the type of the layer's weights."""
        import torch

        weight, bias = layer.weight.detach(), None if layer.bias is None else layer.bias.detach()
        if wide:
            weight, bias = weight.float(), None if bias is None else bias.float()
        self._transposed = type(layer).__name__ == "Conv1D"
        if self._transposed:
            weight = weight.t().contiguous()
        self._bias, self._width, self._activation = bias, weight.shape[0], activation
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight, loaded.batch_tokens)  # noqa: SLF001

    def __call__(self, rows: "torch.Tensor") -> "torch.Tensor":
        import torch

        if not rows.numel():
            return rows.new_empty((*rows.shape[:-1], self._width))
        kind, algorithm = self._activation
        made: torch.Tensor = torch.ops.mkldnn._linear_pointwise(  # noqa: SLF001
            rows, self._weight, self._bias, kind, [], algorithm
        )
        return made

    def unpacked(self) -> "torch.Tensor":
        """The layer's weight as it was, to the last bit: packing only rearranges it."""
        weight: torch.Tensor = self._weight.to_dense()
        return weight.t().contiguous() if self._transposed else weight


def _in_blocks(layer: Any, loaded: "Loaded", *, wide: bool) -> list[_Product]:
    """Products that each compute `WIDTH` of the layer's outputs."""
    import torch

    products = []
    for start in range(0, layer.weight.shape[0], WIDTH):
        # A minimal layer whose weight is replaced by rows of the original one, which are not copied.
        part = torch.nn.Linear(1, 1, bias=layer.bias is not None)
        part.weight = torch.nn.Parameter(layer.weight[start : start + WIDTH], requires_grad=False)
        if layer.bias is not None:
            part.bias = torch.nn.Parameter(layer.bias[start : start + WIDTH], requires_grad=False)
        products.append(_Product(part, NONE, loaded, wide=wide))
    return products


def _joined(blocks: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    import torch

    return lambda rows: torch.cat([block(rows) for block in blocks], dim=-1)


def _rejoined(blocks: Sequence[_Product]) -> Callable[[], "torch.Tensor"]:
    import torch

    return lambda: torch.cat([block.unpacked() for block in blocks])


def _rounders(model: Any) -> dict[Any, Callable[[Any], Any]]:
    """A function for each module that rounds its input to bfloat16.

    Queries, keys and values are computed from the same tensor, which is then rounded only once.
    """
    import torch

    last: list[Any] = [None, None]

    def once(rows: "torch.Tensor") -> Any:
        if rows is not last[0]:
            last[:] = rows, rows.bfloat16()
        return last[1]

    return {
        module: once if name.rpartition(".")[2] in TOGETHER else torch.Tensor.bfloat16
        for name, module in model.named_modules()
    }


def _rounding(
    forward: Callable[[Any], Any], rounded: Callable[[Any], Any], *, narrow: bool
) -> Callable[[Any], Any]:
    """A forward of which only the product is in bfloat16; `narrow` keeps the output in bfloat16 too."""

    def computed(rows: "torch.Tensor") -> "torch.Tensor":
        outputs: torch.Tensor = forward(rounded(rows))
        return outputs if narrow else outputs.float()

    return computed
