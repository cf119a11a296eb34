"""Attention for texts that are laid out as a tree: in one row of tokens without padding.

Everything in a transformer except attention treats each token by itself, so that texts can share one row,
with common beginnings once. Attention then has to know which earlier tokens belong to which text, and is
computed for groups of texts of similar length. Where tokens see keys in several places (a beginning that was
read earlier, the prompt, the reply so far), each place is attended to separately; the parts are combined by
their log-sum-exps, which gives the same as attending to all keys at once.

The library lets other code compute attention (`AttentionInterface`). Models that do not use this interface
give other numbers here, and are then read without trees.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tiltmeter.core.model.prefix_trees import Branch, PrefixTree

if TYPE_CHECKING:
    import torch

    Both: TypeAlias = tuple[torch.Tensor, torch.Tensor]
    """Keys and values, each of shape (groups, heads, keys, d)."""
    Source: TypeAlias = Callable[[int, torch.Tensor, torch.Tensor], Both]
    """A function that returns the keys and values to attend to, given the number of the layer and the keys
    and values of the tokens being read, (1, heads, tokens, d)."""

NAME = "tiltmeter_tree"
QUERIES = 256
"""How many tokens of a text attend to its keys together."""
RAGGED = 0.7
"""A text with fewer keys than this share of the most in a group begins a new group."""
NOWHERE = 1 << 30
"""The position of padding, which is later than that of every token."""
HIDDEN = -1e30
"""What is added to the score of an invisible key; it is finite, so that a query without keys does not give
NaN."""


@dataclass(slots=True, eq=False)
class QueryGroup:
    """A batch of g texts of similar length, each with n queries and m keys."""

    places: "torch.Tensor"
    """The indices of the queries among the tokens that are read, (g, n)."""
    asking: "torch.Tensor"
    """The positions of the queries in their texts, (g, n)."""
    asked: "torch.Tensor"
    """The positions of the keys, (g, m), or (1, m) where they are the same for all texts."""
    source: "Source"
    """Returns the keys and values."""
    _masks: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def attend(
        self, layer: int, query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor",
        scale: float, window: int | None,
    ) -> "Both":  # fmt: skip
        """The attention's output, (g × n, heads, d), and the log-sum-exps of its scores, (g × n, heads)."""
        g, n = self.places.shape
        keys, values = self.source(layer, key, value)
        q = query[0].transpose(0, 1)  # (tokens, heads, d)
        q = q.index_select(0, self.places.flatten()).view(g, n, *q.shape[1:]).transpose(1, 2)
        times = q.shape[1] // keys.shape[1]  # query heads for one head of keys
        if times > 1:
            q = q.reshape(g, -1, times * n, q.shape[3])  # (g, heads, times × n, d)
        out, total = _attention(q, keys, values, self._mask(q.dtype, times, window), scale)
        if times > 1:
            out = out.reshape(g, -1, n, out.shape[3])
            total = total.reshape(g, -1, n)
        return out.transpose(1, 2).flatten(0, 1), total.transpose(1, 2).flatten(0, 1)

    def _mask(self, dtype: "torch.dtype", times: int, window: int | None) -> Any:
        """The mask added to scores, (g, 1, times × n, m); None where every query sees every key."""
        import torch

        if (dtype, times, window) not in self._masks:
            asking, asked = self.asking.unsqueeze(2), self.asked.unsqueeze(1)
            unseen = asked > asking
            if window:
                unseen |= asked <= asking - window
            mask = None
            if unseen.any():
                least = max(HIDDEN, torch.finfo(dtype).min)
                mask = torch.zeros(unseen.shape, dtype=dtype, device=unseen.device)
                mask = mask.masked_fill_(unseen, least).repeat(1, times, 1).unsqueeze(1)
            self._masks[dtype, times, window] = mask
        return self._masks[dtype, times, window]


@dataclass(slots=True, eq=False)
class AttentionPart:
    """Groups in which together every token that is read is a query exactly once."""

    groups: Sequence[QueryGroup]
    order: "torch.Tensor"
    """The index of each token among the concatenated queries of all groups."""

    def attend(self, *given: Any) -> "Both":
        """The output for every token from these keys, (tokens, heads, d), and the log-sum-exps."""
        import torch

        outs, totals = zip(*(group.attend(*given) for group in self.groups), strict=True)
        both = (torch.cat(outs), torch.cat(totals)) if len(outs) > 1 else (outs[0], totals[0])
        return both[0].index_select(0, self.order), both[1].index_select(0, self.order)


class TreePlan:
    """How the tokens of one forward pass attend, and what is kept for later passes."""

    def __init__(self, attention_parts: Sequence[AttentionPart], *, keeps: bool = False) -> None:
        self.kept: dict[int, Both] = {}
        """The keys and values of each layer, (1, heads, tokens, d), if they are kept."""
        self.windows: set[int] = set()
        """The sizes of the attention windows that layers have asked for."""
        self._parts = attention_parts
        self._keeps = keeps
        self._layers: dict[int, int] = {}

    def attend(
        self, module: Any, query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor",
        scale: float, window: int | None,
    ) -> "torch.Tensor":  # fmt: skip
        """The output of a layer's attention, (1, tokens, heads, d)."""
        import torch

        layer = self._layers.setdefault(id(module), len(self._layers))
        if window:
            self.windows.add(window)
        if self._keeps:
            self.kept[layer] = key, value
        output, total = self._parts[0].attend(layer, query, key, value, scale, window)
        for part in self._parts[1:]:
            other, others = part.attend(layer, query, key, value, scale, window)
            # The weight of the other part is e^others / (e^total + e^others), the sigmoid of the difference.
            share = torch.sigmoid(others - total).unsqueeze(-1).to(output.dtype)
            output, total = torch.lerp(output, other, share), torch.logaddexp(total, others)
        return output.unsqueeze(0)


def tree_part(
    tree: PrefixTree, tokens: int, device: "torch.device", begun: int = 0
) -> AttentionPart:
    """Attention of each token of the tree to those before it in its text, from position `begun` on.

    `tokens` is the number of tokens that are read, including padding after those of the tree.
    """
    import torch

    groups, order = [], [0] * tokens
    count = 0
    for some in _alike(_pieces(tree, begun)):
        n = max(piece.stop - piece.start for piece in some)
        m = some[0].seen
        places, asking, keys, asked = [], [], [], []
        for piece in some:
            piece_tokens, path = (
                range(piece.start, piece.stop),
                tree.paths[piece.text][: piece.seen],
            )
            order[piece.start : piece.stop] = range(count, count + len(piece_tokens))
            places.append([*piece_tokens, *([piece.start] * (n - len(piece_tokens)))])
            asking.append([tree.positions[at] for at in places[-1]])
            keys.append([*path, *([path[0]] * (m - len(path)))])
            asked.append([*range(begun, begun + len(path)), *([NOWHERE] * (m - len(path)))])
            count += n
        at, by, of, among = (
            torch.tensor(lists, device=device) for lists in (places, asking, asked, keys)
        )
        groups.append(QueryGroup(at, by, of, fresh(among)))
    return AttentionPart(groups, torch.tensor(order, device=device))


@dataclass(frozen=True, slots=True)
class _Piece(Branch):
    """Some consecutive tokens of a branch."""

    seen: int
    """How many keys the last of these tokens sees."""


def _pieces(tree: PrefixTree, begun: int) -> Iterator[_Piece]:
    """The branches in pieces of at most `QUERIES` tokens.

    In a long text most tokens see only some of its keys, so that its pieces need fewer than the whole.
    """
    for branch in tree.branches:
        for start in range(branch.start, branch.stop, QUERIES):
            stop = min(start + QUERIES, branch.stop)
            yield _Piece(branch.text, start, stop, tree.positions[stop - 1] + 1 - begun)


def _alike(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces in groups that see similar numbers of keys, the most first."""
    group: list[_Piece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.seen):
        if group and piece.seen < RAGGED * group[0].seen:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def fresh(places: "torch.Tensor") -> "Source":
    """A source of keys and values at these places, (g, m), of the tokens being read."""
    return lambda _, key, value: (gathered(key, places), gathered(value, places))


def gathered(rows: "torch.Tensor", places: "torch.Tensor") -> "torch.Tensor":
    """The keys or values, from (1, heads, tokens, d), at places (g, m), with shape (g, heads, m, d)."""
    picked = rows[0].transpose(0, 1).index_select(0, places.flatten())  # (g × m, heads, d)
    return picked.view(*places.shape, *picked.shape[1:]).transpose(1, 2)


def kept_part(layers: "Mapping[int, Both]", positions: "torch.Tensor") -> AttentionPart:
    """Attention of every token to the common beginning of all texts, which was read before.

    `positions` are those of the tokens being read, (tokens,), all after the beginning.
    """
    import torch

    every = torch.arange(len(positions), device=positions.device)
    asked = torch.arange(layers[0][0].shape[2], device=positions.device)
    return AttentionPart(
        [QueryGroup(every[None], positions[None], asked[None], held(layers))], every
    )


def held(layers: "Mapping[int, Both]") -> "Source":
    """A source of keys and values that were computed before."""
    return lambda layer, _, __: layers[layer]


def _attention(
    query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor", mask: Any, scale: float
) -> "Both":
    """The output of attention, and the log-sum-exps of its scores, (g, heads, n)."""
    import torch

    # The public function does not return log-sum-exps, without which parts cannot be combined.
    if query.device.type == "cpu":
        out = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(  # noqa: SLF001
            query, key, value, attn_mask=mask, scale=scale
        )
        return out[0], out[1]
    scores = (query @ key.transpose(-1, -2)).float() * scale
    scores = scores if mask is None else scores + mask
    total = scores.logsumexp(-1)
    return (scores - total.unsqueeze(-1)).exp().to(value.dtype) @ value, total


_now: ContextVar[TreePlan | None] = ContextVar("tiltmeter_tree", default=None)


def _interface(
    module: Any, query: Any, key: Any, value: Any, mask: Any, scaling: float | None = None,
    sliding_window: int | None = None, **more: Any,
) -> tuple[Any, None]:  # fmt: skip
    """The function that the library calls for attention; it follows the current plan.

    Raises:
        NotImplementedError: The model asks for a variant of attention that is not supported here.
    """
    del mask
    odd = [name for name in ("softcap", "s_aux", "position_bias") if more.get(name) is not None]
    plan = _now.get()
    if odd or plan is None:
        raise NotImplementedError(f"attention with {odd}")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    return plan.attend(module, query, key, value, float(scale), sliding_window), None


class TreeReading:
    """Makes a model attend by a plan."""

    def __init__(self, model: Any) -> None:
        from transformers import AttentionInterface
        from transformers.masking_utils import AttentionMaskInterface

        AttentionInterface.register(NAME, _interface)
        AttentionMaskInterface.register(NAME, lambda *_, **__: None)
        self._configs = list({id(c): c for c in _configs(model)}.values())

    @contextmanager
    def __call__(self, plan: TreePlan) -> Iterator[None]:
        """Makes the model attend by the plan within the block."""
        before = [config._attn_implementation for config in self._configs]  # noqa: SLF001
        token = _now.set(plan)
        try:
            for config in self._configs:
                config._attn_implementation_internal = NAME  # noqa: SLF001
            yield
        finally:
            _now.reset(token)
            for config, name in zip(self._configs, before, strict=True):
                config._attn_implementation_internal = name  # noqa: SLF001


def _configs(model: Any) -> Iterator[Any]:
    """All configurations that parts of the model read."""
    configs = (getattr(module, "config", None) for module in chain((model,), model.modules()))
    yield from (config for config in configs if hasattr(config, "_attn_implementation_internal"))
