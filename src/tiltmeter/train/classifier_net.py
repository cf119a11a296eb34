"""A language model with a classification head of transformers, and the `Learner` that trains it on texts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.types import Array, Integers
from tiltmeter.models.applied_mitigations.projection import Projection, fold
from tiltmeter.models.mitigated import projected
from tiltmeter.models.opening import hf, model_files
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.train.batch_learner import BatchLearner, Computing
from tiltmeter.train.blocks import Order
from tiltmeter.train.training_config import most_tokens

if TYPE_CHECKING:
    import torch

KINDS = frozenset({"masked", "causal", "permutation", "seq2seq", "encoder"})
"""Kinds of models from which a classifier can be made."""
TextsAndLabels = tuple[list[str], Integers]
"""Texts, and the position of each text's label among the labels."""
LabelledText = tuple[str, int]
"""A text, and the position of its label."""


class ClassifierNet:
    """A language model with a new classification head, whose first weights depend on the seed alone."""

    def __init__(
        self,
        reference: str,
        where: Resolved,
        options: Options,
        labels: Sequence[str],
        most: int,
        seed: int,
    ) -> None:
        """Load the model's weights and put a new head on them.

        Raises:
            CannotAnswer: No classifier can be made from this kind of model or of mitigation.
            Unavailable: The model does not load.
        """
        self._projection: Projection | None = None
        self.name = where.name  # as in the results of studies on the model itself
        if where.scheme == "mitigated":
            self._projection, base = projected(where.location)
            where = base
        if where.scheme not in KINDS:
            raise CannotAnswer(
                f"{reference} is a model of kind {where.scheme}; a classifier is trained on a masked, "
                "causal, permutation, sequence-to-sequence or headless encoder model, or on mitigated: one"
            )
        folder = Path(model_files.folder_of(where.location, options))
        loaded = self._load(folder, options, where, labels, seed)
        self.model, self.tokenizer, self.device = loaded.model, loaded.tokenizer, loaded.device
        self._batch_tokens = loaded.batch_tokens
        self.kind, self.labels = where.scheme, tuple(labels)
        self.most = most_tokens(most, self.model, self.tokenizer)
        self.fingerprint = self._digest(folder)
        if self._projection:
            self._projection.install(self.model, self.name)

    def _load(
        self, folder: Path, options: Options, where: Resolved, labels: Sequence[str], seed: int
    ) -> Loaded:
        import torch

        torch.manual_seed(seed)  # the library draws the new head's weights while it loads
        names = dict(enumerate(labels))
        configured = {
            "num_labels": len(labels), "id2label": names, "label2id": {v: k for k, v in names.items()},
            "problem_type": "single_label_classification",
        }  # fmt: skip
        loaded = hf.load(
            str(folder), replace(options, precision="float32"), name=where.name,
            scheme="classifier", configured=configured,
        )  # fmt: skip
        if loaded.tokenizer.pad_token_id is None:
            loaded.tokenizer.pad_token = loaded.tokenizer.eos_token
        loaded.tokenizer.split_special_tokens = True  # as the trained classifier reads texts
        loaded.model.config.pad_token_id = loaded.tokenizer.pad_token_id
        return loaded

    def _digest(self, folder: Path) -> str:
        change = self._projection.digest if self._projection else ""
        return model_files.files_digest(str(folder)) + change[:16]

    def said(self) -> dict[str, Any]:
        """What the description says of the model that the classifier was trained from."""
        description = {"name": self.name, "kind": self.kind, "digest": self.fingerprint}
        if self._projection:
            for key in ("mitigation", "mitigation of", "made from"):
                description[key] = str(self._projection.about.get(key, ""))
        return description

    def logits(self, texts: Sequence[str]) -> "torch.Tensor":
        """Logits of the labels in single precision, shape (texts, labels)."""
        inputs = self.tokenizer(
            [*texts], padding=True, truncation=True, max_length=self.most, return_tensors="pt"
        )
        logits: torch.Tensor = self.model(**inputs.to(self.device)).logits
        return logits.float()

    def batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Batches of positions in `texts`; texts of similar length share a batch."""
        rows = self.tokenizer([*texts], truncation=True, max_length=self.most)["input_ids"]
        yield from batches_by_length([len(row) for row in rows], self._batch_tokens)

    def probabilities(self, texts: Sequence[str]) -> Array:
        """Probabilities of the labels, computed without dropout; shape (texts, labels)."""
        import torch

        self.model.eval()
        probabilities = np.zeros((len(texts), len(self.labels)))
        with torch.no_grad():
            for batch in self.batches(texts):
                logits = self.logits([texts[i] for i in batch]).double()
                probabilities[batch] = logits.softmax(-1).cpu().numpy()
        return probabilities

    def settle(self) -> None:
        """Fold the projection of a mitigated model, if there is one, into the weights of the head.

        The saved checkpoint then needs no hooks.

        Raises:
            CannotAnswer: The projection cannot be folded into the head.
        """
        self.model.eval()
        if self._projection:
            probe = ["He sang.", "She was late again."]
            fold(self.model, self._projection, lambda: self.logits(probe))

    def save(self, folder: Path) -> None:
        """Write model and tokenizer to a folder in the format of transformers."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


class TextLearner(BatchLearner[LabelledText]):
    """Trains a `ClassifierNet` on labelled texts and judges it on others."""

    def __init__(
        self,
        net: ClassifierNet,
        front: TextsAndLabels,
        back: TextsAndLabels,
        order: Order,
        computing: Computing,
    ) -> None:
        self._net, self._front, self._back, self._order = net, front, back, order
        self.model, self.device, self.per_epoch = net.model, net.device, order.per_epoch
        self.computing = computing
        self.examples, self.held_out = len(front[0]), len(back[0])
        self.judged = self.held_out

    def batch(self, step: int) -> list[LabelledText]:
        """The texts of a step with their labels."""
        texts, labels = self._front
        return [(texts[i], int(labels[i])) for i in self._order.step(step)]

    def held_out_portions(self) -> Iterator[list[LabelledText]]:
        """The validation texts with their labels."""
        texts, labels = self._back
        for batch in self._net.batches(texts):
            yield [(texts[i], int(labels[i])) for i in batch]

    def length(self, example: LabelledText) -> int:
        """The number of characters."""
        return len(example[0])

    def logits(self, portion: Sequence[LabelledText]) -> tuple["torch.Tensor", "torch.Tensor"]:
        """Logits of the labels, shape (texts, labels), and each text's label."""
        import torch

        texts, labels = zip(*portion, strict=True)
        return self._net.logits(texts), torch.tensor(labels, device=self.device)
