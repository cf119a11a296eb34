"""How much memory a model will take, from its files and its configuration, before it is loaded."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.models.opening.model_kinds import config_of
from tiltmeter.models.opening.precision_choice import SIZES, weights_bytes
from tiltmeter.models.opening.weight_files import tensors
from tiltmeter.models.speed.machine_limits import bytes_a_token, bytes_held


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """The most memory that each part of a model takes, in bytes."""

    precision: str
    weights: int
    """While the model is opened."""
    activations: int
    """What the largest batch needs in a layer."""
    cache: int
    """Keys and values of the texts that are continued together; 0 where the model writes nothing."""


def estimate_memory(
    folder: Path, precision: str, device: str, tokens: int, *, writes: bool
) -> MemoryEstimate | None:
    """The memory for the model in a folder; None where its files do not say it.

    Args:
        folder: The model's folder, with its weights.
        precision: The one in which it is opened, such as "float32".
        device: The kind of device, such as "cpu".
        tokens: How many tokens a forward pass reads at most.
        writes: Whether the model writes replies.
    """
    stored = tensors(folder)
    if not stored or precision not in SIZES:
        return None
    try:
        config = _config(folder)
    except BadInput:
        return None
    size = SIZES[precision]
    cache = bytes_held(config, size, tokens) if writes else 0
    return MemoryEstimate(
        precision, weights_bytes(stored, precision, device), tokens * bytes_a_token(config, size), cache
    )  # fmt: skip


def _config(folder: Path) -> Any:
    """The configuration of the part that writes, with attributes as transformers has them."""
    config = config_of(folder)
    inner = config.get("text_config")
    return SimpleNamespace(**(inner if isinstance(inner, dict) else config))
