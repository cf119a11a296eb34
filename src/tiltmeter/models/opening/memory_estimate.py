"""How much memory a model will take, from its files and its configuration, before it is loaded."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import PLANNED
from tiltmeter.models.opening.model_kinds import config_of
from tiltmeter.models.opening.precision_choice import SIZES, weights_bytes
from tiltmeter.models.opening.weight_files import tensors
from tiltmeter.models.reading.tree_attention import RAGGED
from tiltmeter.models.speed.machine_limits import bytes_a_token, key_bytes, tokens_in_cache
from tiltmeter.models.writing.cohort import FILLED, GROWTH, SPARE

LOGITS = 4
"""Copies of the logits of all replies, in float32, while their next tokens are drawn."""


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """The most memory that each part of a model takes, in bytes."""

    precision: str
    weights: int
    """While the model is opened."""
    activations: int
    """What the largest batch needs in a layer, and the logits of replies that are written together."""
    cache: int
    """Keys and values of the texts that are continued together; 0 where the model keeps none."""

    @property
    def whole(self) -> int:
        """Bytes of weights, activations and cache together."""
        return self.weights + self.activations + self.cache


@dataclass(slots=True)
class TextSizes:
    """The lengths of the texts that a model is asked about, in tokens."""

    batch: int
    """The most in a forward pass."""
    longest: int = 0
    """Of the longest text, with its reply."""
    replies: int = 0
    written: int = 0
    """The most that all replies have."""
    cells: int = 0
    """The most places for keys and values that all replies take, with the spare ones."""
    prompts: dict[Hashable, int] = field(default_factory=dict)
    """The length of each prompt that is replied to."""

    def add_reply(self, prompt: Hashable, length: int, most: int) -> None:
        """Count a reply of at most so many tokens to a prompt of a length."""
        self.prompts[prompt] = length
        self.replies += 1
        self.written += most
        self.cells += most + max(SPARE, most // GROWTH)

    def held(self, most: int) -> int:
        """The most places for keys and values, where texts of so many tokens are continued together.

        A batch of prompts is there twice while it is read, shorter prompts are padded to longer ones beside
        them, and replies have spare places. Where not all replies are written together, those that have ended
        leave theirs empty for a while.
        """
        lengths = self.prompts.values()
        padded = min(len(lengths) * max(lengths, default=0), int(sum(lengths) / RAGGED))
        every = padded + self.cells
        share = max(most, self.longest) / max(1, sum(lengths) + self.written)
        return min(every, int(share * every / FILLED)) + min(self.batch, padded)

    def together(self, most: int) -> int:
        """How many replies are written together, where texts of so many tokens are."""
        mean = sum(self.prompts.values()) // max(1, len(self.prompts))
        usual = min(PLANNED, self.written // max(1, self.replies))
        return min(self.replies, max(1, most // max(1, mean + usual)))


def estimate_memory(
    folder: Path, precision: str, device: str, texts: TextSizes
) -> MemoryEstimate | None:
    """The memory for the model in a folder; None where its files do not say it.

    Args:
        folder: The model's folder, with its weights.
        precision: The one in which it is opened, such as "float32".
        device: The kind of device, such as "cpu".
        texts: The texts that it is asked about.
    """
    stored = tensors(folder)
    if not stored or precision not in SIZES:
        return None
    try:
        config = _config(folder)
    except BadInput:
        return None
    size = SIZES[precision]
    most = tokens_in_cache(config, size, texts.batch)
    logits = 4 * LOGITS * texts.together(most) * int(getattr(config, "vocab_size", 0))
    return MemoryEstimate(
        precision, weights_bytes(stored, precision, device),
        texts.batch * bytes_a_token(config, size) + logits,
        key_bytes(config, size) * texts.held(most) if texts.replies else 0,
    )  # fmt: skip


def _config(folder: Path) -> Any:
    """The configuration of the part that writes, with attributes as transformers has them."""
    config = config_of(folder)
    inner = config.get("text_config")
    return SimpleNamespace(**(inner if isinstance(inner, dict) else config))
