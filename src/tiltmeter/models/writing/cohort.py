"""The keys and values of texts that began to be continued at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiltmeter.models.reading.tree_attention import QueryGroup, held

if TYPE_CHECKING:
    import torch

    from tiltmeter.models.reading.tree_attention import Both, Source

SPARE = 16
"""For how many tokens of the branches' own keys and values room is made at least."""
GROWTH = 4
"""Room for more is made by this part of what there is."""

FILLED = 0.75
"""Slots are copied to new ones where no larger share of them is in use."""


@dataclass(slots=True, eq=False)
class HeldTexts:
    """The keys and values of texts of similar length."""

    texts: list[int]
    positions: "torch.Tensor"
    """The positions of the keys, (texts, keys)."""
    layers: "dict[int, Both]"

    def only(self, texts: Sequence[int]) -> "HeldTexts":
        """Only some of the texts, if these are less than half of them; otherwise all, to save a copy."""
        import torch

        if 2 * len(texts) > len(self.texts):
            return self
        at = torch.tensor([self.texts.index(text) for text in texts], device=self.positions.device)
        layers = {layer: (key[at], value[at]) for layer, (key, value) in self.layers.items()}
        return HeldTexts([*texts], self.positions[at], layers)


class Cohort:
    """Texts that began to be continued at the same time, with a slot for each of their branches.

    All branches have added equally many tokens, so their keys and values form one tensor for each layer.
    A branch that has ended leaves its slot empty until there are many such.
    """

    def __init__(self, texts: int, kept: list[HeldTexts]) -> None:
        self._kept = kept
        self._roots = [*range(texts)]
        """For each slot, the text that its branch continues."""
        self._own: dict[int, Both] = {}  # (slots, heads, room, d)
        self._added = 0

    def continue_with(self, slots: Sequence[int]) -> list[int]:
        """Go on with the branches in these slots, any of which may go on several times.

        Returns:
            The slots in which they are from now on.
        """
        import torch

        if len({*slots}) == len(slots) and len(slots) > FILLED * len(self._roots):
            return [*slots]
        self._roots = [self._roots[slot] for slot in slots]
        for layer, (key, value) in self._own.items():
            at = torch.tensor([*slots], device=key.device)
            self._own[layer] = key[at], value[at]
        used = set(self._roots)
        kept = [(some, [text for text in some.texts if text in used]) for some in self._kept]
        self._kept = [some.only(texts) for some, texts in kept if texts]
        return [*range(len(slots))]

    def added_group(
        self, queries: Sequence[int], slots: Sequence[int], positions: "torch.Tensor"
    ) -> tuple[QueryGroup, dict[int, int]]:
        """Attention of branches to the tokens that they have added, including the current one.

        Args:
            queries: The indices of the branches' current tokens among those that are read.
            slots: The slots of the branches.
            positions: The positions of all tokens that are read.

        Returns:
            The group, and the places of the branches' tokens among its queries.
        """
        import torch

        # Empty slots are filled with a branch that is read anyway; their outputs are ignored.
        by_slot = [queries[0]] * len(self._roots)
        for query, slot in zip(queries, slots, strict=True):
            by_slot[slot] = query
        places = torch.tensor(by_slot, device=positions.device)
        back = torch.arange(-self._added, 1, device=positions.device)
        asked = positions[places][:, None] + back
        self._added += 1
        group = QueryGroup(places[:, None], positions[places][:, None], asked, self._grown(places))
        return group, dict(zip(queries, slots, strict=True))

    def text_groups(
        self, queries: Sequence[int], slots: Sequence[int], positions: "torch.Tensor"
    ) -> list[tuple[QueryGroup, dict[int, int]]]:
        """Attention of branches to the texts that they continue; arguments as for `added_group`.

        Returns:
            Groups, each with the places of the branches' tokens among its queries.
        """
        import torch

        by_text: dict[int, list[int]] = {}
        for query, slot in zip(queries, slots, strict=True):
            by_text.setdefault(self._roots[slot], []).append(query)
        groups = []
        for texts in self._kept:
            asking = [by_text.get(text, []) for text in texts.texts]
            n = max(1, *map(len, asking))
            order = {q: n * at + k for at, some in enumerate(asking) for k, q in enumerate(some)}
            # Rows are padded with a token that is in them already; its further outputs are ignored.
            filled = [[*some, *[(some or queries)[0]] * (n - len(some))] for some in asking]
            places = torch.tensor(filled, device=positions.device)
            group = QueryGroup(places, positions[places], texts.positions, held(texts.layers))
            groups.append((group, order))
        return groups

    def _grown(self, places: "torch.Tensor") -> "Source":
        """A source of the branches' own keys and values, to which those of the current tokens are added."""
        at = self._added - 1

        def grown(layer: int, key: "torch.Tensor", value: "torch.Tensor") -> "Both":
            # each of shape (slots, heads, d)
            new = [rows[0].transpose(0, 1).index_select(0, places) for rows in (key, value)]
            if layer not in self._own or self._own[layer][0].shape[2] <= at:
                self._own[layer] = self._roomier(layer, new[0])
            for kept, added in zip(self._own[layer], new, strict=True):
                kept[:, :, at] = added
            keys, values = self._own[layer]
            return keys[:, :, : at + 1], values[:, :, : at + 1]

        return grown

    def _roomier(self, layer: int, like: "torch.Tensor") -> "Both":
        """The branches' keys and values copied into tensors with room for more tokens."""
        old = self._own.get(layer)
        room = old[0].shape[2] if old else 0
        room += max(SPARE, room // GROWTH)
        made = [like.new_empty((*like.shape[:2], room, like.shape[2])) for _ in range(2)]
        for new, before in zip(made, old or (), strict=False):
            new[:, :, : before.shape[2]] = before
        return made[0], made[1]
