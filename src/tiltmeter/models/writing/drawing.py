"""Draws the next token of replies, each by a number from 0 to 1.

A number draws the token at its place on a line on which each token is as wide as its probability, in the
order of the vocabulary. At temperature 0 the likeliest token is taken.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

BLOCK = 256
"""Tokens whose probabilities are summed up first: then one block is looked through."""


def drawn_tokens(
    logits: "torch.Tensor",
    rows: Sequence[int],
    numbers: Sequence[float],
    *,
    temperature: float,
    top_p: float,
) -> list[int]:
    """The token that each number draws by its row of the logits, (rows, vocabulary)."""
    import torch

    used = sorted(set(rows))
    used_logits = (
        logits if len(used) == len(logits) else logits[torch.tensor(used, device=logits.device)]
    )
    if not temperature:
        likeliest = dict(zip(used, used_logits.argmax(dim=1).tolist(), strict=True))
        return [likeliest[row] for row in rows]
    widths = _widths(used_logits, temperature, top_p)  # (used, blocks, BLOCK)
    place = {row: k for k, row in enumerate(used)}
    at = torch.tensor([place[row] for row in rows], device=logits.device)
    block_ends = widths.sum(2, dtype=torch.double).cumsum(1)  # (used, blocks)
    wanted = (
        torch.tensor(numbers, dtype=torch.double, device=logits.device)[:, None]
        * block_ends[at, -1:]
    )
    block = torch.searchsorted(block_ends[at], wanted, right=True)
    block = block.minimum(
        torch.searchsorted(block_ends[at], block_ends[at, -1:].contiguous())
    )  # the last of any width
    before = block_ends[at].gather(1, (block - 1).clamp(min=0)).where(block > 0, 0.0)
    inner = widths[at, block.squeeze(1)].double().cumsum(1) + before  # (draws, BLOCK)
    token = torch.searchsorted(inner, wanted, right=True)
    token = token.minimum(torch.searchsorted(inner, inner[:, -1:].contiguous()))
    return [int(number) for number in (block * BLOCK + token).squeeze(1).tolist()]


def _widths(logits: "torch.Tensor", temperature: float, top_p: float) -> "torch.Tensor":
    """Each token's width on the line, (rows, blocks, BLOCK); 0 outside the likeliest `top_p`."""
    import torch

    widths = ((logits - logits.amax(1, keepdim=True)) / temperature).exp_()
    if top_p < 1:
        chances = widths.double() / widths.sum(1, keepdim=True, dtype=torch.double)
        falling, order = torch.sort(chances, dim=1, descending=True, stable=True)
        outside = falling.cumsum(1) - falling >= top_p
        widths = chances.scatter(1, order, falling.masked_fill(outside, 0.0))
    more = -widths.shape[1] % BLOCK
    return torch.nn.functional.pad(widths, (0, more)).view(len(widths), -1, BLOCK)
