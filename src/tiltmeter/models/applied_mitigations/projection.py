"""Removes directions from the states that a model's encoder computes.

A direction v of length 1 is removed from a state x by x − (x·v) v, and several, as they are orthogonal, each
in this way. Nothing of them is left: whatever reads the states, such as a language-modelling head, a pooler
or a mean over tokens, cannot distinguish states that differed only along these directions.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array

if TYPE_CHECKING:
    import torch

Point: TypeAlias = Literal["last", "every"]
"""Where directions are removed: from the states that leave the encoder, or after every layer."""


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Directions to remove from a model's states, and where.

    A model is opened with them as `models.opening.model_options.Options.change`.
    """

    basis: Array
    """Orthonormal directions, shape (k, d)."""
    point: Point
    about: Mapping[str, Fact]
    """Facts for the card on how the directions were found."""

    @property
    def digest(self) -> str:
        """A digest of everything that affects the model's answers, and of nothing else."""
        basis = np.ascontiguousarray(self.basis, dtype="<f8").tobytes()
        return sha256(basis + json.dumps([*self.basis.shape, self.point]).encode()).hexdigest()

    def install(self, model: Any, name: str) -> Mapping[str, Fact]:
        """Install hooks that project the model's states from now on; returns facts for the card.

        Raises:
            CannotAnswer: The model's states have another size, or its layers cannot be found.
        """
        import torch

        modules = places(model, self.point)
        if not modules:
            raise CannotAnswer(
                f"{name}: its architecture is not supported, so "
                f"directions cannot be removed after {self.point} layer"
            )
        d = self.basis.shape[1]
        width = hidden_size(model)
        if width is not None and width != d:
            raise CannotAnswer(
                f"{name} has states of {counted(width, 'numbers')}, and the subspace was fitted on states of "
                f"{d:,}: it belongs to another model. Fit one on this model: tiltmeter mitigate fit"
            )
        first = next(model.parameters())
        basis = torch.from_numpy(self.basis).to(device=first.device, dtype=torch.float32)
        for module in modules:
            module.register_forward_hook(_taking_out(basis))
        return {**self.about, "mitigation applied": POINTS[self.point]}


POINTS: Mapping[Point, str] = {
    "last": "as the states leave the encoder",
    "every": "behind every layer",
}


def hidden_size(model: Any) -> int | None:
    """The size of the states that leave the encoder; None where the configuration does not say."""
    config = getattr(model.config, "get_text_config", lambda: model.config)()
    size = getattr(config, "hidden_size", None) or getattr(config, "d_model", None)
    return None if size is None else int(size)


def places(model: Any, point: Point) -> list[Any]:
    """The modules whose output is projected: encoders, and the module that returns their states.

    Both are needed: a pooler inside the model reads the encoder's own output, while some models (DeBERTa)
    return states that they collect from single layers. With "every", the outputs are projected besides the
    layers, as a layer norm after the last layer would bring the directions back. [] where no layers are
    found.
    """
    import torch

    base = model.base_model
    if getattr(model.config, "is_encoder_decoder", False):
        inner = [model.get_encoder(), model.get_decoder()]
    else:
        inner = [getattr(base, "encoder", None)]
    inner = [module for module in inner if isinstance(module, torch.nn.Module)]
    gives_out = base is not model or model.get_output_embeddings() is None
    outputs = [*inner, *([base] if gives_out else [])]
    if point == "last":
        return outputs
    layers = [layer for module in inner or outputs for layer in layers_of(module)]
    return [*layers, *outputs] if layers else []


def layers_of(module: Any) -> Any:
    """The layers of a module, taken to be its longest list of modules of one class; [] if there is none."""
    import torch

    lists = [m for m in module.modules() if isinstance(m, torch.nn.ModuleList) and len(m)]
    alike = [m for m in lists if len({type(layer) for layer in m}) == 1]
    return max(alike, key=len, default=[])


def _taking_out(basis: "torch.Tensor") -> Callable[[Any, Any, Any], Any]:
    def hook(_: Any, __: Any, output: Any) -> Any:
        if not isinstance(output, tuple | list | dict):
            return without(output, basis)
        if not isinstance(output, dict):
            both = [without(output[0], basis), *output[1:]]
            return both if isinstance(output, list) else tuple(both)
        key = next(iter(output))
        output[key] = without(output[key], basis)
        return output

    return hook


def without(states: "torch.Tensor", basis: "torch.Tensor") -> "torch.Tensor":
    """The states, shape (…, d), without their component in the span of the rows of `basis`."""
    wide = states.float()
    return (wide - (wide @ basis.T) @ basis).to(states.dtype)


CLOSE = 1e-4
"""How far logits may change when a projection becomes part of the weights, as a share of the largest."""


def fold(model: Any, change: Projection, probe: Callable[[], "torch.Tensor"]) -> None:
    """Fold a projection of the last states, which hooks apply, into the weights of the layer that reads them.

    Since W (P x) + b is (W P) x + b, the model needs no hooks afterwards and gives the same answers. If this
    layer shares its weights with the embeddings, it gets a copy of its own. `probe` computes some logits.

    Raises:
        CannotAnswer: The projection is applied after every layer, the states are not first read by a linear
            layer, or the logits would differ.
    """
    import torch

    if change.point != "last":
        raise CannotAnswer(
            "directions that are taken out behind every layer cannot become weights of the head; fit the "
            "mitigation without --every-layer"
        )
    outputs = places(model, change.point)
    readers: list[torch.nn.Linear] = []
    # The reader is the first linear layer that runs after the states have left the encoder.
    state = {"left": False}

    def left(*_: Any) -> None:
        state["left"] = True

    def reads(module: Any, _: Any) -> None:
        if state["left"]:
            readers.append(module)

    linear = [m for m in model.modules() if isinstance(m, torch.nn.Linear)]
    hooks = [outputs[0].register_forward_hook(left)]
    hooks += [m.register_forward_pre_hook(reads) for m in linear]
    with torch.no_grad():
        before = probe()
    for hook in hooks:
        hook.remove()
    for output in outputs:
        output._forward_hooks.clear()  # noqa: SLF001  (torch gives no other way to take back all)
    if not readers:
        raise CannotAnswer(
            "no linear layer reads the states, so the projection cannot become weights"
        )
    basis = torch.from_numpy(change.basis).float().to(readers[0].weight.device)
    embeddings = model.get_input_embeddings()
    # Words are read by the embeddings as before; only the head's copy of their weights is projected.
    if embeddings is not None and readers[0].weight is embeddings.weight:
        model.config.tie_word_embeddings = False
        model.config.get_text_config().tie_word_embeddings = False
    with torch.no_grad():
        readers[0].weight = torch.nn.Parameter(without(readers[0].weight, basis))
        far = float((probe() - before).abs().max() / before.abs().max().clamp(min=1))
    if not far <= CLOSE:  # also of NaN
        raise CannotAnswer(
            f"with the projection in its weights it would not answer as with the projection itself (logits "
            f"differ by {far:.2g} of the largest)"
        )
