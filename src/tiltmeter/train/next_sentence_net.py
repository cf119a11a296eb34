"""A language model without its own head, and a linear layer on what it makes of a pair of sentences."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening import hf, model_files
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.models.reading import next_head
from tiltmeter.models.reading.next_head import plain
from tiltmeter.models.reading.next_pairs import EncodedPair, PairReader
from tiltmeter.train.pairs import NextSentenceExample

if TYPE_CHECKING:
    import torch

AUTO = {
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "permutation": "AutoModelForCausalLM",  # where transformers has XLNetLMHeadModel
}
READS = {"masked": next_head.PAIRS, "causal": next_head.RUNNING, "permutation": next_head.CLOSED}
CHUNK = 2048
"""Held-out pairs that are tokenised at once."""


@dataclass(slots=True)
class Judging:
    """What is trained: the trunk (or not), and the head on it."""

    loaded: Loaded
    trunk: Any
    head: "torch.nn.Linear"
    reader: PairReader
    reads: str
    frozen: bool
    kind: str
    name: str

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights that are trained, by name; those of the trunk are left out where it is frozen."""
        weights = {f"head.{name}": value for name, value in self.head.named_parameters()}
        if not self.frozen:
            weights |= {f"trunk.{name}": value for name, value in self.trunk.named_parameters()}
        return weights

    def learning(self, *, on: bool) -> None:
        """Whether dropout is at work; never in a frozen trunk."""
        self.trunk.train(on and not self.frozen)

    def logits(self, rows: Sequence[EncodedPair]) -> "torch.Tensor":
        """Shape (b, 2), in single precision."""
        import torch

        inputs = self.reader.inputs(rows)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            states = self.trunk(**inputs).last_hidden_state.float()  # (b, t, d)
            read = next_head.pooled(states, inputs["attention_mask"], self.reads)  # (b, d)
        logits: torch.Tensor = self.head(read)
        return logits

    def judge(self, examples: Sequence[NextSentenceExample], *, most: int) -> tuple[float, int]:
        """Mean cross-entropy over these pairs, and how many are judged rightly."""
        import torch

        loss, right = 0.0, 0
        self.learning(on=False)
        with torch.no_grad():
            for rows, labels in self._in_batches(examples, most):
                logprobs = self.logits(rows).double().log_softmax(-1)  # (b, 2)
                of_label = logprobs.gather(1, torch.tensor(labels, device=logprobs.device)[:, None])
                loss -= float(of_label.sum())
                right += int((of_label > math.log(0.5)).sum())
        return loss / len(examples), right

    def said(self) -> dict[str, Any]:
        """How the head reads, for its description."""
        return {
            "format": next_head.FORMAT,
            "reads": self.reads,
            "pooling": next_head.WAYS[self.reads],
            "labels": list(next_head.LABELS),
        }

    def save(self, out: Path) -> None:
        """Write trunk, tokenizer and head to a folder."""
        from safetensors.torch import save_file

        self.trunk.save_pretrained(out)
        self.loaded.tokenizer.save_pretrained(out)
        weights = {name: value.detach().cpu() for name, value in self.head.state_dict().items()}
        save_file(weights, out / next_head.WEIGHTS)

    def _in_batches(
        self, examples: Sequence[NextSentenceExample], most: int
    ) -> Iterator[tuple[list[EncodedPair], list[int]]]:
        for start in range(0, len(examples), CHUNK):
            chunk = examples[start : start + CHUNK]
            rows = self.reader.read([(e.first, e.second) for e in chunk], most=most)
            lengths = [len(row.ids) for row in rows]
            for batch in batches_by_length(lengths, self.loaded.batch_tokens):
                yield [rows[i] for i in batch], [chunk[i].label for i in batch]


def open_trunk(reference: str, options: Options, *, freeze: bool, seed: int) -> Judging:
    """Load a masked, causal or permutation language model and put a fresh head on its trunk.

    Raises:
        CannotAnswer: It is of another kind, or its trunk cannot be saved by itself.
    """
    where = resolve(reference, options)
    if where.scheme not in AUTO:
        has_one = where.scheme == "next_sentence"
        why = "is a next-sentence model already" if has_one else "carries no head here"
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) {why}: give a masked, causal or permutation language "
            "model"
        )
    folder = str(model_files.folder_of(where.location, options))
    auto, reads = AUTO[where.scheme], READS[where.scheme]
    loaded = hf.load(folder, options, auto, name=where.name, scheme=where.scheme)
    reader = PairReader(loaded, reads=reads)
    trunk = _trunk(loaded, where.name)
    if reads == next_head.CLOSED:
        plain(trunk)
    head = _fresh_head(int(trunk.config.hidden_size), seed).to(loaded.device)
    if freeze:
        trunk.requires_grad_(False)  # noqa: FBT003 (torch's signature)
    return Judging(loaded, trunk, head, reader, reads, freeze, where.scheme, where.name)


def _trunk(loaded: Loaded, name: str) -> Any:
    """The model without its head, if that alone can be saved and opened again."""
    import transformers

    trunk = loaded.model.base_model
    config = type(trunk.config)
    mapping: Any = transformers.MODEL_MAPPING
    if trunk is loaded.model or config not in mapping or type(trunk) is not mapping[config]:
        raise CannotAnswer(
            f"{name} ({type(loaded.model).__name__}) has no trunk that can be saved separately, so no head "
            "can be trained on it"
        )
    return trunk


def _fresh_head(width: int, seed: int) -> "torch.nn.Linear":
    """Small weights, no preference: the loss begins near log 2."""
    import torch

    head = torch.nn.Linear(width, 2)
    generator = torch.Generator().manual_seed(seed)
    torch.nn.init.normal_(head.weight, std=0.02, generator=generator)
    torch.nn.init.zeros_(head.bias)
    return head
