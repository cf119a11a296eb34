"""An encoder trained with a linear head to predict how people's labels of a text are distributed.

Votes are soft labels: the loss of a text is that of all its votes. The whole encoder is trained, or its upper
layers alone, from its own weights each time, and the weights with the lowest loss on held-out texts are kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.types import Array, Integers
from tiltmeter.models.applied_mitigations.projection import layers_of
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_kinds import need_hf
from tiltmeter.models.opening.model_options import DEFAULTS
from tiltmeter.models.opening.open_model import place_of, resolve
from tiltmeter.train.blocks import Order
from tiltmeter.train.steps import (
    Learner,
    Loop,
    Plan,
    TrainingProgress,
    add_gradients,
    drawn_from,
    fresh_head,
    warming_up,
)

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class LabelTraining:
    """How an encoder is trained on votes."""

    epochs: int = 10
    """Epochs, at most."""
    batch_size: int = 16
    """Texts that one step learns from."""
    learning_rate: float = 5e-5
    patience: int = 2
    """Epochs without a lower held-out loss after which it stops."""
    max_tokens: int = 128
    """Of a text; longer ones are cut."""
    layers: int = 0
    """Upper layers that are trained, with a head; 0 for the whole encoder. What goes into them is computed
    once for each text and kept: tokens × width × 4 bytes."""


@dataclass(frozen=True, slots=True)
class VotedTexts:
    """Texts with the votes on them."""

    texts: Integers
    """Positions among the texts of the net."""
    votes: Array
    """For each label, shape (texts, K); each text has at least one."""


class LabelNet:
    """An encoder whose token states are averaged, and a linear head on them."""

    def __init__(self, encoder: str, texts: Sequence[str], labels: int, how: LabelTraining) -> None:
        """Load an encoder and tokenise all texts that it will be asked for.

        Raises:
            CannotAnswer: It is no encoder.
            MissingExtra: The libraries are not installed.
            Unavailable: It does not load.
        """
        need_hf()
        where = resolve(encoder)
        if where.scheme != "encoder":
            raise CannotAnswer(
                f"{encoder} (kind {where.scheme}) is no encoder; name one, as minilm"
            )
        place = place_of(where, DEFAULTS)
        self._loaded = hf.load(place, DEFAULTS, name=where.name, scheme="encoder", unread="pooler.")
        self.encoder, self.device = self._loaded.model, self._loaded.device
        self.labels, self._how = labels, how
        self._rows = self._tokenised(texts)
        self._upper = _UpperLayers(self._loaded, how.layers, self._rows) if how.layers else None
        self._own = {k: v.detach().clone() for k, v in self.encoder.state_dict().items()}
        self._head = self._fresh_head(0)

    def weights(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights of encoder and head that are trained, by name."""
        weights = {f"head.{name}": value for name, value in self._head.named_parameters()}
        encoder = self.encoder.named_parameters(prefix="encoder")
        return weights | {name: value for name, value in encoder if value.requires_grad}

    def fit(self, votes: VotedTexts, held_out: VotedTexts, seed: int) -> dict[str, "torch.Tensor"]:
        """Train from the encoder's own weights; gives the weights with the lowest held-out loss.

        Args:
            votes: What is learned from.
            held_out: What decides when to stop.
            seed: Of the head's first weights, the order of texts and dropout.
        """
        how = self._how
        with drawn_from(seed, self.device), TemporaryDirectory() as work:
            self.encoder.load_state_dict(self._own)
            self._head = self._fresh_head(seed)
            order = Order(len(votes.texts), how.batch_size, seed)
            steps = how.epochs * order.per_epoch
            plan = Plan(
                steps=steps, warm_up=warming_up(None, steps, "epochs"), learning_rate=how.learning_rate,
                evaluate_every=order.per_epoch, patience=how.patience, checkpoint_every=steps,
            )  # fmt: skip
            learner = _VoteLearner(self, votes, held_out, order)
            Loop(learner, plan, Path(work), TrainingProgress()).run()
        return {name: value.detach().clone() for name, value in self.weights().items()}

    def probabilities(self, weights: Mapping[str, "torch.Tensor"], texts: Integers) -> Array:
        """The distributions that the net with these weights predicts, shape (texts, K)."""
        import torch

        for name, value in self.weights().items():
            value.data.copy_(weights[name])
        self.encoder.eval()
        probabilities = np.zeros((len(texts), self.labels))
        with torch.no_grad():
            for batch in self.batches(texts):
                logits = self.logits(texts[batch]).double()  # (b, K)
                probabilities[batch] = logits.softmax(-1).cpu().numpy()
        return probabilities

    def batches(self, texts: Integers) -> Iterator[list[int]]:
        """Places among these texts, those of about one length together."""
        lengths = [len(self._rows[i]) for i in texts]
        yield from batches_by_length(lengths, self._loaded.batch_tokens)

    def logits(self, texts: Integers) -> "torch.Tensor":
        """Logits of the labels, shape (texts, K)."""
        import torch

        inputs = self._loaded.padded([self._rows[i] for i in texts])  # (b, t)
        if self._upper:
            self._upper.enter([self._rows[i] for i in texts])
        states = self.encoder(**inputs).last_hidden_state  # (b, t, d)
        mask = inputs["attention_mask"][..., None].to(states.dtype)
        logits: torch.Tensor = self._head((states * mask).sum(1) / mask.sum(1))
        return logits

    def _tokenised(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The first tokens of each text, and the one that closes it."""
        longest = hf.longest(self._loaded.model, self._loaded.tokenizer)
        most = min(n for n in (self._how.max_tokens, longest) if n)
        encoded = [row.ids for row in self._loaded.encode([t or "-" for t in texts], special=True)]
        return [row if len(row) <= most else (*row[: most - 1], row[-1]) for row in encoded]

    def _fresh_head(self, seed: int) -> "torch.nn.Linear":
        return fresh_head(self.encoder.config.hidden_size, self.labels, seed).to(self.device)


class _UpperLayers:
    """The last layers of an encoder, which alone are left to be trained, and what goes into them."""

    def __init__(self, loaded: Loaded, count: int, rows: Sequence[tuple[int, ...]]) -> None:
        """Compute what goes into the layers for these rows of tokens, and take the layers below away.

        Raises:
            CannotAnswer: The encoder has no more layers than are to be trained.
        """
        layers = layers_of(loaded.model)
        if len(layers) <= count:
            raise CannotAnswer(
                f"{loaded.folder.name} has no layers below the last {count}, which alone are trained"
            )
        loaded.model.requires_grad_(requires_grad=False)
        self._entry = layers[-count]
        self._states = _kept_states(loaded.fingerprint, count)
        self._compute(loaded, sorted({*rows} - {*self._states}, key=len))
        del layers[:-count]
        layers.requires_grad_(requires_grad=True)
        self._entry.register_forward_pre_hook(lambda _, given: (self._entered, *given[1:]))

    def enter(self, rows: Sequence[tuple[int, ...]]) -> None:
        """What goes into the layers next are the states of these rows."""
        import torch

        states = [self._states[row] for row in rows]
        self._entered = torch.nn.utils.rnn.pad_sequence(states, batch_first=True)

    def _compute(self, loaded: Loaded, rows: Sequence[tuple[int, ...]]) -> None:
        import torch

        entered: list[torch.Tensor] = []
        hook = self._entry.register_forward_pre_hook(lambda _, given: entered.append(given[0]))
        with torch.no_grad():
            for batch in batches_by_length([*map(len, rows)], loaded.batch_tokens):
                loaded.model(**loaded.padded([rows[i] for i in batch]))
                for i, states in zip(batch, entered.pop(), strict=True):
                    self._states[rows[i]] = states[: len(rows[i])].clone()
        hook.remove()


@lru_cache(maxsize=1)
def _kept_states(fingerprint: str, count: int) -> "dict[tuple[int, ...], torch.Tensor]":  # noqa: ARG001
    """By row of tokens what goes into the last layers, for all nets of one encoder in this process."""
    return {}


class _VoteLearner(Learner):
    """A net that learns from votes on texts."""

    bounds = "use a smaller --encoder"

    def __init__(self, net: LabelNet, votes: VotedTexts, back: VotedTexts, order: Order) -> None:
        self._net, self._votes, self._back, self._order = net, votes, back, order
        self.model, self.device, self.per_epoch = net.encoder, net.device, order.per_epoch
        self.examples, self.held_out = len(votes.texts), len(back.texts)
        self.judged = self.held_out

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights that are trained: those of encoder and head, by name."""
        return self._net.weights()

    def learn(self, step: int) -> float:
        """Mean log loss of the votes on the texts of the step; adds its gradients."""
        rows = self._order.step(step)
        loss, _ = self._loss(self._votes, rows)
        return add_gradients(loss / float(self._votes.votes[rows].sum()))

    def judge(self) -> tuple[float, int]:
        """Mean log loss of the held-out votes, and texts whose most frequent label is predicted."""
        import torch

        loss, right = 0.0, 0
        with torch.no_grad():
            for batch in self._net.batches(self._back.texts):
                of_batch, right_in_batch = self._loss(self._back, batch)
                loss += float(of_batch)
                right += int(right_in_batch.sum())
        return loss / float(self._back.votes.sum()), right

    def _loss(self, of: VotedTexts, rows: Sequence[int]) -> tuple["torch.Tensor", "torch.Tensor"]:
        """The log loss of all votes, and at which texts the most frequent label is predicted."""
        import torch

        logits = self._net.logits(of.texts[rows])
        votes = torch.from_numpy(of.votes[rows]).to(logits)
        right = logits.argmax(-1) == votes.argmax(-1)
        return -(votes * logits.log_softmax(-1)).sum(), right
