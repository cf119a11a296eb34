"""How long a text may be that a causal model reads beside others, common beginnings once."""

from collections.abc import Collection
from typing import Any

SHARED = 512
"""Tokens of such a text on a device without flash attention for it: scores grow with its square."""


def longest_in_tree(config: Any, device: str, seen: Collection[int]) -> int | None:
    """The most tokens of a text that is read as a part of a tree; None for any number.

    Layers that see only a window must have said so (`seen`), or no text may be longer than it.
    """
    windows = [
        n
        for key, value in config.get_text_config().to_dict().items()
        if ("window" in key or "chunk" in key) and not key.endswith(("layers", "pattern"))
        for n in (value if isinstance(value, list | tuple) else [value])
        if isinstance(n, int) and n > 1 and n not in seen
    ]
    turns = [n - 1 for n in switches(config)]
    return min([*windows, *turns, *([] if device == "cpu" else [SHARED])], default=None)


def switches(config: Any) -> list[int]:
    """Lengths beyond which a text is read with other positions, and with it all in its batch."""
    lengths, inside = [], [getattr(config.get_text_config(), "rope_parameters", None) or {}]
    for parameters in inside:
        inside += [value for value in parameters.values() if isinstance(value, dict)]
        if parameters.get("rope_type") == "longrope":  # the last token of a text is not read
            lengths.append(int(parameters["original_max_position_embeddings"]) + 1)
    return lengths
