"""Lays out texts for a causal model: as a tree where that does not change answers, else in padded rows."""

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from tiltmeter.core.model.prefix_trees import LONG, PrefixTree, beginning
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.reading.tree_attention import TreePlan, TreeReading, kept_part, tree_part

if TYPE_CHECKING:
    import torch

    from tiltmeter.models.reading.tree_attention import Both


class LaidTexts(NamedTuple):
    """Texts in the form in which the model reads them."""

    inputs: dict[str, Any]
    """The model's inputs, each of shape (b, t)."""
    places: list[tuple[int, list[int]]]
    """For each text its row and the positions of its tokens, without those that were read before."""
    plan: TreePlan | None
    """How the tokens attend; None for the library's own attention."""


class TreeTexts:
    """Reads texts as a tree, and keeps the common beginning of a batch's texts for the next batch."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._reading = TreeReading(loaded.model)
        self._takes = inspect.signature(loaded.model.forward).parameters
        self._begun: tuple[int, ...] = ()
        self._kept: Mapping[int, Both] = {}
        self._windows: set[int] = set()
        self._longest: int | None = None

    @property
    def windows(self) -> list[int]:
        """The attention windows that layers have asked for so far, sorted."""
        return sorted(self._windows)

    def settle(self, windows: Collection[int]) -> None:
        """Find out how long texts may be, given the attention windows that layers have asked for."""
        config, device = self._loaded.model.config, self._loaded.device.type
        self._longest = longest_in_tree(config, device, windows)

    def fits(self, length: int) -> bool:
        """Whether a text of this many tokens may be part of a tree."""
        return self._longest is None or length <= self._longest

    def lay(self, texts: Sequence[tuple[int, ...]], unread: int = 0) -> LaidTexts:
        """The texts as one tree.

        The predictions after the first `unread` tokens of each text are not needed, so that a common
        beginning among these may be read separately.
        """
        begun = self._shared(texts, unread)
        if begun:
            self.read_beginning(texts[0][:begun])
        tree = PrefixTree(texts, begun)
        inputs = self.inputs(tree.ids, tree.positions)
        tokens, device = inputs["input_ids"].shape[1], self._loaded.device
        attention_parts = [tree_part(tree, tokens, device, begun)]
        if begun:
            attention_parts.append(kept_part(self.kept(begun), inputs["position_ids"][0]))
        return LaidTexts(inputs, [(0, path) for path in tree.paths], TreePlan(attention_parts))

    def kept(self, begun: int) -> "Mapping[int, Both]":
        """The keys and values, in each layer, of the first `begun` tokens of the last beginning read."""
        return {k: (a[:, :, :begun], b[:, :, :begun]) for k, (a, b) in self._kept.items()}

    @contextmanager
    def attending(self, plan: TreePlan | None) -> Iterator[None]:
        """Makes the model attend by the plan within the block; None keeps the library's attention."""
        with nullcontext() if plan is None else self._reading(plan):
            yield
        if plan is not None:
            self._windows |= plan.windows

    def run(self, inputs: Mapping[str, Any], plan: TreePlan) -> "torch.Tensor":
        """The model's logits, which may be those of the last token only, if the model can omit the others."""
        import torch

        last = {"logits_to_keep": 1} if "logits_to_keep" in self._takes else {}
        with torch.inference_mode(), self.attending(plan):
            logits: torch.Tensor = self._loaded.model(**inputs, **last).logits
        return logits

    def inputs(self, ids: Sequence[int], positions: Sequence[int]) -> dict[str, Any]:
        """The inputs for one row of tokens, padded to one of few lengths where that is faster."""
        import torch

        more = max(1, self._loaded.filled(len(ids))) - len(ids)
        rows = {
            "input_ids": [*ids, *[0] * more],
            "position_ids": [*positions, *[max(positions, default=0)] * more],
            "attention_mask": [1] * (len(ids) + more),
        }
        to = self._loaded.device
        made = {key: torch.tensor([row], device=to) for key, row in rows.items()}
        return made | {"use_cache": False}

    def _shared(self, texts: Sequence[tuple[int, ...]], unread: int) -> int:
        """The length of the texts' common beginning if it is worth reading separately; otherwise 0."""
        most = min(unread, *(len(text) - 1 for text in texts))
        if len(texts) == 1 or most < LONG:
            return 0
        begun = min(most, beginning(texts))
        return begun if begun >= LONG else 0

    def read_beginning(self, tokens: tuple[int, ...]) -> None:
        """Read the common beginning of texts and keep its keys and values, unless they are kept already."""
        if self._begun[: len(tokens)] == tokens:
            return
        self._begun, self._kept = (), {}
        self._kept = self._read_and_keep(PrefixTree([tokens]))
        self._begun = tokens

    def _read_and_keep(self, tree: PrefixTree) -> "Mapping[int, Both]":
        """The keys and values of a tree's tokens in each layer, (1, heads, tokens, d)."""
        inputs = self.inputs(tree.ids, tree.positions)
        tokens = inputs["input_ids"].shape[1]
        plan = TreePlan([tree_part(tree, tokens, self._loaded.device)], keeps=True)
        self.run(inputs, plan)
        count = len(tree.ids)
        return {
            layer: (key[:, :, :count].contiguous(), value[:, :, :count].contiguous())
            for layer, (key, value) in plan.kept.items()
        }


def padded(texts: Sequence[tuple[int, ...]], loaded: Loaded) -> LaidTexts:
    """The texts with each in a row of its own, padded on the right; equal texts share a row."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    given = loaded.padded([*rows], pad=0) | {"use_cache": False}
    return LaidTexts(given, [(rows[text], [*range(len(text))]) for text in texts], None)


SHARED = 512
"""The most tokens of a text in a tree on devices other than a CPU, where no flash attention is available for
it, so that the memory for scores grows with the square of its length."""


def longest_in_tree(config: Any, device: str, seen: Collection[int]) -> int | None:
    """The most tokens of a text that is read as a part of a tree; None for no limit.

    A window in the configuration limits the length, unless layers have been `seen` to ask for it.
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
    """The lengths from which on a model with "longrope" reads texts with other positions.

    It then reads all texts of a batch so, including shorter ones.
    """
    lengths, inside = [], [getattr(config.get_text_config(), "rope_parameters", None) or {}]
    for parameters in inside:
        inside += [value for value in parameters.values() if isinstance(value, dict)]
        if parameters.get("rope_type") == "longrope":  # the last token of a text is not read
            lengths.append(int(parameters["original_max_position_embeddings"]) + 1)
    return lengths
