"""Batches padded with repeated rows, where few shapes are better."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tiltmeter.models.opening.loaded import Loaded

if TYPE_CHECKING:
    import torch


def filled(inputs: Mapping[str, Any], loaded: Loaded) -> dict[str, Any]:
    """With the first row again, and again, until the batch has one of few shapes, where these are better."""
    import torch

    rows = inputs["input_ids"].shape[0]
    more = loaded.filled(rows) - rows
    if not more:
        return dict(inputs)
    return {
        key: again(value, more) if isinstance(value, torch.Tensor) else value
        for key, value in inputs.items()
    }


def again(rows: "torch.Tensor", more: int) -> "torch.Tensor":
    """With the first of them so many times more at the end."""
    import torch

    return torch.cat([rows, rows[:1].expand(more, *rows.shape[1:])])
