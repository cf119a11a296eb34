"""How long a row may be in which a causal model reads several texts that begin alike."""

from typing import Any

SHARED = 512
"""Tokens of the longest row in which texts share their beginning: attention grows with its square."""


def longest_shared(config: Any, limit: int | None) -> int:
    """Where layers see only a window, no row may be wider: places in a row are not those in a text."""
    windows = [
        n
        for key, value in config.get_text_config().to_dict().items()
        if ("window" in key or "chunk" in key) and not key.endswith(("layers", "pattern"))
        for n in (value if isinstance(value, list | tuple) else [value])
        if isinstance(n, int) and n > 1
    ]
    turns = [n - 1 for n in switches(config)]
    return min([SHARED, *windows, *turns, *([] if limit is None else [limit])])


def switches(config: Any) -> list[int]:
    """Lengths beyond which a text is read with other positions, and with it all in its batch."""
    found, inside = [], [getattr(config.get_text_config(), "rope_parameters", None) or {}]
    for said in inside:
        inside += [value for value in said.values() if isinstance(value, dict)]
        if said.get("rope_type") == "longrope":  # the last token of a text is not read
            found.append(int(said["original_max_position_embeddings"]) + 1)
    return found
