"""How much attention each token of a text receives."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import CannotAnswer

if TYPE_CHECKING:
    import torch


@contextmanager
def shown(model: Any) -> Iterator[None]:
    """Switches a model to the eager implementation of attention, the only one that returns attention weights.

    It is slower, and therefore only used within the block.
    """
    usual = model.config._attn_implementation  # noqa: SLF001 (no public way to read it)
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(usual)


def received(maps: Sequence[Any], mask: "torch.Tensor", name: str) -> "torch.Tensor":
    """The attention that each token receives, averaged over layers, heads and the text's tokens, (b, t).

    Args:
        maps: One attention map for each layer, shape (b, heads, t, t).
        mask: 1 for tokens of the text and 0 for padding, shape (b, t).
        name: The model's name, for messages.

    Raises:
        CannotAnswer: The model does not return attention for every layer, between all tokens, as shares of 1.
    """
    import torch

    if not maps or any(layer is None for layer in maps):
        raise CannotAnswer(f"{name} does not show its attention in every layer")
    seen = mask.double()  # (b, t)
    if any(layer.shape[2:] != (seen.shape[1],) * 2 for layer in maps):
        raise CannotAnswer(f"{name} does not show the attention of each token to each")
    # Layer by layer, so that the maps of all layers are never in memory twice.
    paid = sum(layer.double().mean(1) for layer in maps)  # (b, t, t)
    shares = torch.einsum("bq,bqk->bk", seen, paid / len(maps))  # (b, t)
    shares /= seen.sum(1, keepdim=True)
    if not torch.allclose(shares.sum(1), torch.ones(len(seen)).to(shares), atol=1e-2):
        raise CannotAnswer(
            f"{name} does not give its attention as shares of 1, so none can be reported"
        )
    return shares
