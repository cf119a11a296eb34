"""Logits of the next token after texts that are read as a tree, so that each beginning is read and kept once.

The keys and values of the common beginning of all texts, of the rest of each text, and of what each branch
has added since are kept separately. The branches of one text attend to its keys together, so that nothing is
copied for them, and a step computes only one token for each branch. Texts may join others that are already
being continued.
"""

from collections.abc import Iterator, Mapping, Sequence
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
    kept_part,
    tree_part,
)
from tiltmeter.models.reading.tree_texts import TreeTexts
from tiltmeter.models.writing.cohort import Cohort, HeldTexts
from tiltmeter.models.writing.next_tokens import NextTokens

if TYPE_CHECKING:
    import torch


class TreeNextTokens(NextTokens):
    """Reads texts as a tree, then continues any of them by one token at a time."""

    joins = True

    def __init__(self, loaded: Loaded, texts: TreeTexts, reader: Reader) -> None:
        super().__init__(loaded)
        self._texts = texts
        self._reader = reader
        self._clear()

    def _clear(self) -> None:
        self._begun = 0
        self._branches: list[tuple[Cohort, int]] = []  # for each row, with its slot

    def _begin(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        self._clear()
        whole = [tuple(text) for text in (*texts, *self._later)]
        most = min(beginning(whole), min(map(len, whole)) - 1)
        self._begun = most if most >= LONG and len(whole) > 1 else 0
        if self._begun:
            self._texts.read_beginning(whole[0][: self._begun])
        return self._join(texts)

    def _join(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        whole = [tuple(text) for text in texts]
        by_text: dict[int, torch.Tensor] = {}
        kept: list[HeldTexts] = []
        for members, _ in tree_batches(whole, self._loaded.batch_tokens):
            logits = self._read_some([whole[i] for i in members], members, kept)
            by_text |= dict(zip(members, logits, strict=True))
        cohort = Cohort(len(whole), kept)
        self._branches += [(cohort, slot) for slot in range(len(whole))]
        return torch.stack([by_text[i] for i in range(len(whole))])

    def _read_some(
        self, texts: Sequence[tuple[int, ...]], members: Sequence[int], kept: list[HeldTexts]
    ) -> "torch.Tensor":
        """The logits after each text, (texts, vocabulary); its keys and values are added to `kept`."""
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
            kept.append(self._hold(tree, some, plan, [members[i] for i in some]))
        return logits

    def _hold(
        self, tree: PrefixTree, some: Sequence[int], plan: TreePlan, texts: list[int]
    ) -> HeldTexts:
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
        return HeldTexts(texts, positions, layers)

    def _go_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        queries = self._continued(rows)
        inputs = self._texts.inputs([text[-1] for text in texts], [len(text) - 1 for text in texts])
        positions = inputs["position_ids"][0]
        plan = TreePlan([*self._parts(queries, positions), *self._kept(positions)])
        last = torch.arange(len(rows), device=self._loaded.device)
        with self._texts.attending(plan):
            return self._reader.logits(inputs, (torch.zeros_like(last), last))

    def _continued(self, rows: Sequence[int]) -> dict[Cohort, list[int]]:
        """The new rows of each cohort, which continue these of the last ones."""
        queries: dict[Cohort, list[int]] = {}
        for query, row in enumerate(rows):
            queries.setdefault(self._branches[row][0], []).append(query)
        branches: dict[int, tuple[Cohort, int]] = {}
        for cohort, asking in queries.items():
            slots = cohort.continue_with([self._branches[rows[query]][1] for query in asking])
            branches |= {q: (cohort, slot) for q, slot in zip(asking, slots, strict=True)}
        self._branches = [branches[query] for query in range(len(rows))]
        return queries

    def _parts(
        self, queries: Mapping[Cohort, Sequence[int]], positions: "torch.Tensor"
    ) -> Iterator[AttentionPart]:
        """Attention of each branch to what it has added, and to the text that it continues."""
        own: list[tuple[QueryGroup, Mapping[int, int]]] = []
        before: list[tuple[QueryGroup, Mapping[int, int]]] = []
        for cohort, asking in queries.items():
            slots = [self._branches[query][1] for query in asking]
            own.append(cohort.added_group(asking, slots, positions))
            before += cohort.text_groups(asking, slots, positions)
        yield attention_part(own, positions)
        yield attention_part(before, positions)

    def _kept(self, positions: "torch.Tensor") -> list[AttentionPart]:
        """Attention to the common beginning of all texts, if it is kept separately; otherwise []."""
        return [kept_part(self._texts.kept(self._begun), positions)] if self._begun else []


def attention_part(
    groups: Sequence[tuple[QueryGroup, Mapping[int, int]]], positions: "torch.Tensor"
) -> AttentionPart:
    """Groups of queries, each given with the places of tokens among its queries, as one part.

    Padding, which is in no group, gets the output of the first query.
    """
    import torch

    order, count = [0] * len(positions), 0
    for group, places in groups:
        for token, place in places.items():
            order[token] = count + place
        count += group.places.numel()
    return AttentionPart([g for g, _ in groups], torch.tensor(order, device=positions.device))
