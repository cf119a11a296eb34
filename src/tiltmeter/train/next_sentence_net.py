"""A language model without its own head, and a linear head on its representation of a pair of sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import place_of, resolve
from tiltmeter.models.reading import next_head
from tiltmeter.models.reading.next_head import plain
from tiltmeter.models.reading.next_pairs import EncodedPair, PairReader
from tiltmeter.train.pairs import LabelledPair, NextSentenceExample
from tiltmeter.train.steps import fresh_head

if TYPE_CHECKING:
    import torch

READS = {"masked": next_head.PAIRS, "causal": next_head.RUNNING, "permutation": next_head.CLOSED}
"""How a pair is read, by kind of model."""
CHUNK = 2048
"""How many held-out pairs are tokenised at once."""


@dataclass(slots=True)
class Judging:
    """A language model's trunk with a next-sentence head on it."""

    loaded: Loaded
    trunk: Any
    """The model without its own head."""
    head: "torch.nn.Linear"
    reader: PairReader
    reads: str
    """How a pair is read, one of the values of READS."""
    frozen: bool
    """Whether the trunk is left as it is, and only the head is trained."""
    kind: str
    name: str

    def logits(self, rows: Sequence[EncodedPair]) -> "torch.Tensor":
        """Logits of the two classes in single precision, shape (b, 2)."""
        import torch

        inputs = self.reader.inputs(rows)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            states = self.trunk(**inputs).last_hidden_state.float()  # (b, t, d)
            read = next_head.pooled(states, inputs["attention_mask"], self.reads)  # (b, d)
        logits: torch.Tensor = self.head(read)
        return logits

    def said(self) -> dict[str, Any]:
        """What the description says of how the head reads a pair."""
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

    def in_batches(
        self, examples: Sequence[NextSentenceExample], most: int
    ) -> Iterator[list[LabelledPair]]:
        """Batches of pairs as at most `most` tokens, with their labels; pairs of similar length share one."""
        for start in range(0, len(examples), CHUNK):
            chunk = examples[start : start + CHUNK]
            rows = self.reader.read([(e.first, e.second) for e in chunk], most=most)
            lengths = [len(row.ids) for row in rows]
            for batch in batches_by_length(lengths, self.loaded.batch_tokens):
                yield [(rows[i], chunk[i].label) for i in batch]


def open_trunk(reference: str, options: Options, *, freeze: bool, seed: int) -> Judging:
    """Load a masked, causal or permutation language model and put a new head on its trunk.

    Raises:
        CannotAnswer: The model is of another kind, or its trunk cannot be saved by itself.
    """
    where = resolve(reference, options)
    if where.scheme not in READS:
        has_one = where.scheme == "next_sentence"
        why = "is a next-sentence model already" if has_one else "carries no head here"
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) {why}: give a masked, causal or permutation language "
            "model"
        )
    reads = READS[where.scheme]
    loaded = hf.load(place_of(where, options), options, name=where.name, scheme=where.scheme)
    reader = PairReader(loaded, reads=reads)
    trunk = _trunk(loaded, where.name)
    if reads == next_head.CLOSED:
        plain(trunk)
    head = fresh_head(int(trunk.config.hidden_size), 2, seed).to(loaded.device)
    if freeze:
        trunk.requires_grad_(False)  # noqa: FBT003 (torch's signature)
    return Judging(loaded, trunk, head, reader, reads, freeze, where.scheme, where.name)


def _trunk(loaded: Loaded, name: str) -> Any:
    """The model without its head.

    Raises:
        CannotAnswer: The trunk alone could not be saved and opened again.
    """
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
