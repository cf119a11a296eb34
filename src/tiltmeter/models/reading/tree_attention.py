"""Attention for texts that are laid out as a tree: one row of tokens, without padding.

Everything in a transformer but attention treats each token by itself, so that texts can stand in one row,
common beginnings once. Attention is then told which earlier tokens are whose, and is computed for groups of
texts of similar length. Where tokens see keys in several places (a beginning that was read earlier, the
prompt, what was written since), each place is attended to by itself; the parts are put together by their
log-sum-exp, which gives the same as all keys at once.

The library lets others compute attention (`AttentionInterface`); models that do not ask it give other
numbers here, and are then read without this.
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
    """From a layer and the keys and values of the tokens that are read now, (1, heads, tokens, d)."""

NAME = "tiltmeter_tree"
QUERIES = 256
"""Tokens of a text that look at its keys together."""
RAGGED = 0.7
"""A text with fewer keys than this share of a group's most begins a new group."""
NOWHERE = 1 << 30
"""The position of padding: later than every token."""
HIDDEN = -1e30
"""What is added to a score that does not count. Finite, so that what sees nothing stays a number."""


@dataclass(slots=True, eq=False)
class QueryGroup:
    """Queries side by side against keys side by side."""

    places: "torch.Tensor"
    """Of the queries among the tokens that are read, (g, n)."""
    asking: "torch.Tensor"
    """Positions of the queries in their texts, (g, n)."""
    asked: "torch.Tensor"
    """Positions of the keys, (g, m); 1 × m where they are the same for all."""
    source: "Source"
    _masks: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def attend(
        self, layer: int, query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor",
        scale: float, window: int | None,
    ) -> "Both":  # fmt: skip
        """What the queries get, (g × n, heads, d), and the log-sum-exp of their scores, (g × n, heads)."""
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
        """(g, 1, times × n, m); None where every query sees every key."""
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
    """Groups that hold every token that is read as a query once."""

    groups: Sequence[QueryGroup]
    order: "torch.Tensor"
    """Where each token is among the queries of all groups, one after another."""

    def attend(self, *given: Any) -> "Both":
        """What every token gets from these keys, (tokens, heads, d), and the log-sum-exps."""
        import torch

        outs, totals = zip(*(group.attend(*given) for group in self.groups), strict=True)
        both = (torch.cat(outs), torch.cat(totals)) if len(outs) > 1 else (outs[0], totals[0])
        return both[0].index_select(0, self.order), both[1].index_select(0, self.order)


class TreePlan:
    """How the tokens of one forward pass attend, and what is kept of it."""

    def __init__(self, attention_parts: Sequence[AttentionPart], *, keeps: bool = False) -> None:
        self.kept: dict[int, Both] = {}
        """Keys and values of each layer, (1, heads, tokens, d), if they are kept."""
        self.windows: set[int] = set()
        """How far back layers see, where they say so."""
        self._parts = attention_parts
        self._keeps = keeps
        self._layers: dict[int, int] = {}

    def attend(
        self, module: Any, query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor",
        scale: float, window: int | None,
    ) -> "torch.Tensor":  # fmt: skip
        """A layer's attention, (1, tokens, heads, d)."""
        import torch

        layer = self._layers.setdefault(id(module), len(self._layers))
        if window:
            self.windows.add(window)
        if self._keeps:
            self.kept[layer] = key, value
        output, total = self._parts[0].attend(layer, query, key, value, scale, window)
        for part in self._parts[1:]:
            other, others = part.attend(layer, query, key, value, scale, window)
            share = torch.sigmoid(others - total).unsqueeze(-1).to(output.dtype)
            output, total = torch.lerp(output, other, share), torch.logaddexp(total, others)
        return output.unsqueeze(0)


def tree_part(
    tree: PrefixTree, tokens: int, device: "torch.device", begun: int = 0
) -> AttentionPart:
    """Each token of the tree against those before it in its text, from position `begun` on.

    `tokens` are those that are read, padding behind the tree's included.
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
    """Some of a branch's tokens, side by side."""

    seen: int
    """How many keys the last of them sees."""


def _pieces(tree: PrefixTree, begun: int) -> Iterator[_Piece]:
    """The branches in pieces of at most `QUERIES` tokens: most of a long text's see only some of its keys."""
    for branch in tree.branches:
        for start in range(branch.start, branch.stop, QUERIES):
            stop = min(start + QUERIES, branch.stop)
            yield _Piece(branch.text, start, stop, tree.positions[stop - 1] + 1 - begun)


def _alike(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Those that see a similar number of keys together, the most first."""
    group: list[_Piece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.seen):
        if group and piece.seen < RAGGED * group[0].seen:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def fresh(places: "torch.Tensor") -> "Source":
    """Keys and values of tokens that are read now, at these places, (g, m)."""
    return lambda _, key, value: (gathered(key, places), gathered(value, places))


def gathered(rows: "torch.Tensor", places: "torch.Tensor") -> "torch.Tensor":
    """Keys or values, (1, heads, tokens, d), at places (g, m): (g, heads, m, d)."""
    picked = rows[0].transpose(0, 1).index_select(0, places.flatten())  # (g × m, heads, d)
    return picked.view(*places.shape, *picked.shape[1:]).transpose(1, 2)


def kept_part(layers: "Mapping[int, Both]", positions: "torch.Tensor") -> AttentionPart:
    """Every token against the beginning of all texts, which was read before.

    `positions` are those of the tokens that are read, (tokens,), all behind the beginning.
    """
    import torch

    every = torch.arange(len(positions), device=positions.device)
    asked = torch.arange(layers[0][0].shape[2], device=positions.device)
    return AttentionPart(
        [QueryGroup(every[None], positions[None], asked[None], held(layers))], every
    )


def held(layers: "Mapping[int, Both]") -> "Source":
    """Keys and values that were read before."""
    return lambda layer, _, __: layers[layer]


def _attention(
    query: "torch.Tensor", key: "torch.Tensor", value: "torch.Tensor", mask: Any, scale: float
) -> "Both":
    """What the queries get, and the log-sum-exp of their scores, (g, heads, n)."""
    import torch

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
    """As the library asks for attention."""
    del mask
    odd = [name for name in ("softcap", "s_aux", "position_bias") if more.get(name) is not None]
    plan = _now.get()
    if odd or plan is None:
        raise NotImplementedError(f"attention with {odd}")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    return plan.attend(module, query, key, value, float(scale), sliding_window), None


class TreeReading:
    """Has a model attend by a plan."""

    def __init__(self, model: Any) -> None:
        from transformers import AttentionInterface
        from transformers.masking_utils import AttentionMaskInterface

        AttentionInterface.register(NAME, _interface)
        AttentionMaskInterface.register(NAME, lambda *_, **__: None)
        self._configs = list({id(c): c for c in _configs(model)}.values())

    @contextmanager
    def __call__(self, plan: TreePlan) -> Iterator[None]:
        """Attend by the plan within the block."""
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
    """Every configuration that a part of the model reads."""
    configs = (getattr(module, "config", None) for module in chain((model,), model.modules()))
    yield from (config for config in configs if hasattr(config, "_attn_implementation_internal"))
