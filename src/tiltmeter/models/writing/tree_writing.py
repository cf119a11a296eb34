"""Logits of the next token after texts that are read as a tree, so that each beginning is read and kept once.

The keys and values of the common beginning of all texts, of the rest of each text, and of what each branch
has added since are kept separately. The branches of one text attend to its keys together, so that nothing is
copied for them, and a step computes only one token for each branch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiltmeter.core.model.prefix_trees import LONG, PrefixTree, beginning, tree_batches
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.reading.token_logprobs import Reader
from tiltmeter.models.reading.tree_attention import (
    NOWHERE,
    RAGGED,
    AttentionPart,
    QueryGroup,
    TreePlan,
    gathered,
    held,
    kept_part,
    tree_part,
)
from tiltmeter.models.reading.tree_texts import TreeTexts
from tiltmeter.models.writing.next_tokens import NextTokens

if TYPE_CHECKING:
    import torch

    from tiltmeter.models.reading.tree_attention import Both, Source

SPARE = 16
"""For how many tokens of the branches' own keys and values room is made at first."""


@dataclass(slots=True, eq=False)
class _Held:
    """The keys and values of texts of similar length."""

    texts: list[int]
    positions: "torch.Tensor"
    """The positions of the keys, (texts, keys)."""
    layers: "dict[int, Both]"

    def only(self, texts: Sequence[int]) -> "_Held":
        """Only some of the texts, if these are less than half of them; otherwise all, to save a copy."""
        import torch

        if 2 * len(texts) > len(self.texts):
            return self
        at = torch.tensor([self.texts.index(text) for text in texts], device=self.positions.device)
        layers = {layer: (key[at], value[at]) for layer, (key, value) in self.layers.items()}
        return _Held([*texts], self.positions[at], layers)


class TreeNextTokens(NextTokens):
    """Reads texts as a tree, then continues any of them by one token at a time."""

    def __init__(self, loaded: Loaded, texts: TreeTexts, reader: Reader) -> None:
        super().__init__(loaded)
        self._texts = texts
        self._reader = reader
        self._clear()

    def _clear(self) -> None:
        self._begun = 0
        self._roots: list[int] = []  # for each branch, the text that it continues
        self._held: list[_Held] = []
        self._own: dict[int, Both] = {}  # (branches, heads, room, d)
        self._added = 0

    def _begin(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        self._clear()
        whole = [tuple(text) for text in texts]
        most = min(beginning(whole), min(map(len, whole)) - 1)
        self._begun = most if most >= LONG and len(whole) > 1 else 0
        if self._begun:
            self._texts.read_beginning(whole[0][: self._begun])
        by_text: dict[int, torch.Tensor] = {}
        for members, _ in tree_batches(whole, self._loaded.batch_tokens):
            logits = self._read_some([whole[i] for i in members], members)
            by_text |= dict(zip(members, logits, strict=True))
        self._roots = [*range(len(whole))]
        return torch.stack([by_text[i] for i in range(len(whole))])

    def _read_some(
        self, texts: Sequence[tuple[int, ...]], members: Sequence[int]
    ) -> "torch.Tensor":
        """The logits after each text, (texts, vocabulary); its keys and values are kept."""
        import torch

        device = self._loaded.device
        tree = PrefixTree(texts, self._begun)
        inputs = self._texts.inputs(tree.ids, tree.positions)
        tokens = inputs["input_ids"].shape[1]
        attention_parts = [tree_part(tree, tokens, device, self._begun)]
        plan = TreePlan([*attention_parts, *self._kept(inputs["position_ids"][0])], keeps=True)
        last = torch.tensor([path[-1] for path in tree.paths], device=device)
        with self._texts.attending(plan):
            logits = self._reader.logits(inputs, (torch.zeros_like(last), last))
        order = sorted(range(len(texts)), key=lambda i: -len(tree.paths[i]))
        while order:
            longest = len(tree.paths[order[0]])
            some = [i for i in order if len(tree.paths[i]) >= RAGGED * longest]
            order = order[len(some) :]
            self._held.append(self._hold(tree, some, plan, [members[i] for i in some]))
        return logits

    def _hold(
        self, tree: PrefixTree, some: Sequence[int], plan: TreePlan, texts: list[int]
    ) -> _Held:
        import torch

        device, paths = self._loaded.device, [tree.paths[i] for i in some]
        width = max(map(len, paths))
        places = torch.tensor([[*p, *[p[0]] * (width - len(p))] for p in paths], device=device)
        columns = torch.arange(self._begun, self._begun + width, device=device)
        positions = columns.repeat(len(some), 1)
        for row, path in enumerate(paths):
            positions[row, len(path) :] = NOWHERE
        layers = {
            layer: (gathered(key, places).contiguous(), gathered(value, places).contiguous())
            for layer, (key, value) in plan.kept.items()
        }
        return _Held(texts, positions, layers)

    def _go_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        device = self._loaded.device
        if [*rows] != [*range(len(self._roots))]:
            self._choose(rows)
        inputs = self._texts.inputs([text[-1] for text in texts], [len(text) - 1 for text in texts])
        positions = inputs["position_ids"][0]
        own_part = self._own_part(len(rows), positions)
        plan = TreePlan([own_part, self._text_part(positions), *self._kept(positions)])
        last = torch.arange(len(rows), device=device)
        with self._texts.attending(plan):
            logits = self._reader.logits(inputs, (torch.zeros_like(last), last))
        self._added += 1
        return logits

    def _choose(self, rows: Sequence[int]) -> None:
        """Keep only the branches of these rows, and the texts that they continue."""
        import torch

        self._roots = [self._roots[row] for row in rows]
        at = torch.tensor([*rows], device=self._loaded.device)
        self._own = {layer: (key[at], value[at]) for layer, (key, value) in self._own.items()}
        used = set(self._roots)
        kept = [(some, [text for text in some.texts if text in used]) for some in self._held]
        self._held = [some.only(texts) for some, texts in kept if texts]

    def _kept(self, positions: "torch.Tensor") -> list[AttentionPart]:
        """Attention to the common beginning of all texts, if it is kept separately; otherwise []."""
        return [kept_part(self._texts.kept(self._begun), positions)] if self._begun else []

    def _text_part(self, positions: "torch.Tensor") -> AttentionPart:
        """Attention of each branch to the text that it continues."""
        import torch

        branches: dict[int, list[int]] = {}
        for branch, root in enumerate(self._roots):
            branches.setdefault(root, []).append(branch)
        groups, order, count = [], [0] * len(positions), 0
        for held_texts in self._held:
            asking = [branches.get(text, []) for text in held_texts.texts]
            n = max(map(len, asking))
            for asking_branches in asking:
                for k, branch in enumerate(asking_branches):
                    order[branch] = count + k
                count += n
            # Rows are padded with a branch that is in them already; its further outputs are ignored.
            filled = [[*some, *[(some or [0])[0]] * (n - len(some))] for some in asking]
            places = torch.tensor(filled, device=positions.device)
            source = held(held_texts.layers)
            groups.append(QueryGroup(places, positions[places], held_texts.positions, source))
        return AttentionPart(groups, torch.tensor(order, device=positions.device))

    def _own_part(self, count: int, positions: "torch.Tensor") -> AttentionPart:
        """Attention of each branch to the tokens that it has added, including the current one."""
        import torch

        every = torch.arange(count, device=positions.device)
        back = torch.arange(-self._added, 1, device=positions.device)
        asked = positions[:count, None] + back
        group = QueryGroup(every[:, None], positions[:count, None], asked, self._grown(count))
        more = torch.zeros(len(positions) - count, dtype=torch.long, device=positions.device)
        return AttentionPart([group], torch.cat([every, more]))

    def _grown(self, count: int) -> "Source":
        """A source of the branches' own keys and values, to which those of the current token are added."""

        def grown(layer: int, key: "torch.Tensor", value: "torch.Tensor") -> "Both":
            at = self._added
            # each of shape (branches, heads, d)
            new = [rows[0, :, :count].transpose(0, 1) for rows in (key, value)]
            if layer not in self._own or self._own[layer][0].shape[2] <= at:
                self._own[layer] = self._roomier(layer, new[0])
            for kept, added in zip(self._own[layer], new, strict=True):
                kept[:, :, at] = added
            keys, values = self._own[layer]
            return keys[:, :, : at + 1], values[:, :, : at + 1]

        return grown

    def _roomier(self, layer: int, like: "torch.Tensor") -> "Both":
        """The branches' keys and values copied into tensors with room for twice as many tokens."""
        old = self._own.get(layer)
        room = 2 * old[0].shape[2] if old else SPARE
        made = [like.new_empty((*like.shape[:2], room, like.shape[2])) for _ in range(2)]
        for new, before in zip(made, old or (), strict=False):
            new[:, :, : before.shape[2]] = before
        return made[0], made[1]
