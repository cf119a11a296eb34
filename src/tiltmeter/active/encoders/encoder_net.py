"""An encoder trained with a linear head on values of texts: distributions of votes, or their entropy.

The whole encoder is trained, or its upper layers alone, from its own weights each time, and the weights with
the lowest loss on held-out texts are kept. Of a masked model, the trunk below the vocabulary head is the
encoder.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.active.encoders.encoder_training import EncoderTraining, check_encoder
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

TokenIds: TypeAlias = tuple[int, ...]
SORTED: Final = 8
"""Batches of a training whose texts are sorted by length together."""
UNSORTED: Final = 0.25
"""How far lengths are changed at random before texts are sorted, so that batches differ between epochs."""


@dataclass(frozen=True, slots=True)
class TextTargets:
    """Texts with what is to be predicted of them."""

    texts: Integers
    """Positions among the texts of the net."""
    values: Array
    """The targets of each text, shape (texts, outputs)."""


@dataclass(frozen=True, slots=True)
class Objective:
    """What a net is trained to make small."""

    loss: "Callable[[torch.Tensor, torch.Tensor], torch.Tensor]"
    """The loss summed over texts, from what the net puts out and the targets, each of shape (b, outputs)."""
    weight: Callable[[Array], float]
    """By what the sum over texts with these targets is divided."""


def _log_loss(logits: "torch.Tensor", votes: "torch.Tensor") -> "torch.Tensor":
    return -(votes * logits.log_softmax(-1)).sum()


def _squared_error(predicted: "torch.Tensor", values: "torch.Tensor") -> "torch.Tensor":
    return ((predicted - values) ** 2).sum()


VOTES: Final = Objective(_log_loss, lambda votes: float(votes.sum()))
"""Log loss of single votes: outputs are logits of the labels, targets the votes for each."""
SQUARED_ERROR: Final = Objective(_squared_error, lambda values: float(values.size))


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """The weights of an encoder and its head after a training."""

    encoder: "dict[str, torch.Tensor]"
    """The encoder's trained weights, by name."""
    head: Array
    """Weight of each part of a text's vector, shape (outputs, d)."""
    bias: Array

    def outputs(self, vectors: Array) -> Array:
        """What the head makes of texts' vectors, shape (texts, outputs)."""
        return np.asarray(vectors @ self.head.T + self.bias, dtype=np.float64)


class EncoderNet:
    """An encoder that makes one vector of the token states of a text, and a linear head on it."""

    def __init__(self, encoder: str, texts: Sequence[str], how: EncoderTraining) -> None:
        """Load an encoder and tokenise all texts that it will be asked for.

        Raises:
            BadInput: It cannot be trained.
            MissingExtra: The libraries are not installed.
            Unavailable: It does not load.
        """
        need_hf()
        check_encoder(encoder, how.pooling, "a fine-tuned predictor")
        where = resolve(encoder)
        place = place_of(where, DEFAULTS)
        self._loaded = hf.load(place, DEFAULTS, name=where.name, scheme="encoder", unread="pooler.")
        self.encoder, self.device = self._loaded.model, self._loaded.device
        self._how = how
        self._rows = self._tokenised(texts)
        self._upper = _UpperLayers(self._loaded, how.layers, self._rows) if how.layers else None
        self._own = {k: v.detach().clone() for k, v in self.encoder.state_dict().items()}
        self._remembered: dict[Objective, tuple[str, TrainedWeights]] = {}

    def encoder_weights(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights of the encoder that are trained, by name."""
        named = self.encoder.named_parameters()
        return {name: value for name, value in named if value.requires_grad}

    def fit(
        self,
        learned: TextTargets,
        held_out: TextTargets,
        objective: Objective,
        seed: int,
        patience: int | None = None,
    ) -> TrainedWeights:
        """Train from the encoder's own weights; gives the weights with the lowest held-out loss.

        Args:
            learned: What is learned from.
            held_out: What decides when to stop.
            objective: The loss.
            seed: Of the head's first weights, the order of texts and dropout.
            patience: Epochs without a lower held-out loss after which it stops; None as in the training
                with which the net was made.
        """
        how = self._how
        with drawn_from(seed, self.device):
            self.encoder.load_state_dict(self._own)
            width, outputs = self.encoder.config.hidden_size, learned.values.shape[1]
            head = fresh_head(width, outputs, seed).to(self.device)
            order = self._order(learned.texts, seed)
            steps = how.epochs * order.per_epoch
            plan = Plan(
                steps=steps, warm_up=warming_up(None, steps, "epochs"), learning_rate=how.learning_rate,
                evaluate_every=order.per_epoch, patience=patience or how.patience,
                checkpoint_every=steps,
            )  # fmt: skip
            learner = _ValueLearner(self, head, learned, held_out, objective, order)
            Loop(learner, plan, None, TrainingProgress()).run()
        weights, bias = (value.detach().cpu().numpy() for value in (head.weight, head.bias))
        trained = {name: value.detach().clone() for name, value in self.encoder_weights().items()}
        return TrainedWeights(trained, weights.astype(np.float64), bias.astype(np.float64))

    def fit_once(
        self,
        learned: TextTargets,
        held_out: TextTargets,
        objective: Objective,
        seed: int,
        patience: int | None = None,
    ) -> TrainedWeights:
        """Like `fit`; keeps the weights until others are requested in this way for the objective.

        The runs of one seed begin with the same votes, and so with the same trainings.
        """
        digest = sha256(repr((seed, patience)).encode())
        for array in (learned.texts, learned.values, held_out.texts, held_out.values):
            digest.update(repr(array.shape).encode() + array.tobytes())
        key, weights = self._remembered.get(objective, ("", None))
        if weights is None or key != digest.hexdigest():
            weights = self.fit(learned, held_out, objective, seed, patience)
            self._remembered[objective] = digest.hexdigest(), weights
        return weights

    def vectors(self, weights: Mapping[str, "torch.Tensor"], texts: Integers) -> Array:
        """The vectors of texts that the encoder with these weights makes, shape (texts, d)."""
        import torch

        for name, value in self.encoder_weights().items():
            value.data.copy_(weights[name])
        self.encoder.eval()
        vectors = np.zeros((len(texts), self.encoder.config.hidden_size))
        with torch.no_grad():
            for batch in self.batches(texts):
                vectors[batch] = self.pooled(texts[batch]).cpu().double().numpy()
        return vectors

    def batches(self, texts: Integers) -> Iterator[list[int]]:
        """Places among these texts, those of about one length together."""
        lengths = [len(self._rows[i]) for i in texts]
        yield from batches_by_length(lengths, self._loaded.batch_tokens)

    def pooled(self, texts: Integers) -> "torch.Tensor":
        """A vector for each text, shape (texts, d), in single precision."""
        import torch

        rows = [self._rows[i] for i in texts]
        inputs = self._loaded.padded(rows)  # (b, t)
        if self._upper:
            self._upper.enter(rows)
        mixed = self._how.precision == "bfloat16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=mixed):
            states = self.encoder(**inputs).last_hidden_state.float()  # (b, t, d)
        mask = inputs["attention_mask"][..., None].to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        vectors: torch.Tensor = states[:, 0] if self._how.pooling == "start" else mean
        return vectors

    def _order(self, texts: Integers, seed: int) -> Order:
        if self._upper:  # the layers below were asked once: padding costs little
            return Order(len(texts), self._how.batch_size, seed)
        lengths = np.array([len(self._rows[i]) for i in texts])
        return OrderByLength(lengths, self._how.batch_size, seed)

    def _tokenised(self, texts: Sequence[str]) -> list[TokenIds]:
        """The first tokens of each text, and the one that closes it."""
        longest = hf.longest(self._loaded.model, self._loaded.tokenizer)
        most = min(n for n in (self._how.max_tokens, longest) if n)
        encoded = [row.ids for row in self._loaded.encode([t or "-" for t in texts], special=True)]
        return [row if len(row) <= most else (*row[: most - 1], row[-1]) for row in encoded]


@lru_cache(maxsize=1)
def encoder_net(encoder: str, texts: tuple[str, ...], how: EncoderTraining) -> EncoderNet:
    """The net for these texts, which all runs with the same texts share."""
    return EncoderNet(encoder, texts, how)


class OrderByLength(Order):
    """An order in which the texts of a batch have about one length, so that little of it is padding.

    As in `Order`, each epoch has every text once, in batches and an order of its own.
    """

    def __init__(self, lengths: Integers, size: int, seed: int) -> None:
        self._lengths = lengths
        super().__init__(len(lengths), size, seed)

    def _shuffled(self, epoch: int) -> npt.NDArray[np.int64]:
        rng = np.random.default_rng([self._seed, 2, epoch])
        rows, together = rng.permutation(self._rows), SORTED * self._size
        about = self._lengths * rng.uniform(1 - UNSORTED, 1 + UNSORTED, len(rows))
        pools = (rows[first : first + together] for first in range(0, len(rows), together))
        ordered = np.concatenate([pool[np.argsort(about[pool], kind="stable")] for pool in pools])
        batches = [ordered[i : i + self._size] for i in range(0, len(rows), self._size)]
        *whole, last = batches  # only the last may have fewer texts, so it stays the last
        return np.concatenate([*(whole[i] for i in rng.permutation(len(whole))), last])


class _UpperLayers:
    """The last layers of an encoder, which alone are left to be trained, and what goes into them."""

    def __init__(self, loaded: Loaded, count: int, rows: Sequence[TokenIds]) -> None:
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

    def enter(self, rows: Sequence[TokenIds]) -> None:
        """What goes into the layers next are the states of these rows."""
        import torch

        states = [self._states[row] for row in rows]
        self._entered = torch.nn.utils.rnn.pad_sequence(states, batch_first=True)

    def _compute(self, loaded: Loaded, rows: Sequence[TokenIds]) -> None:
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
def _kept_states(fingerprint: str, count: int) -> "dict[TokenIds, torch.Tensor]":  # noqa: ARG001
    """By row of tokens what goes into the last layers, for all nets of one encoder in this process."""
    return {}


class _ValueLearner(Learner):
    """A net and a head that learn values of texts."""

    bounds = "use a smaller --batch-size or --max-tokens, or --precision bfloat16"

    def __init__(
        self,
        net: EncoderNet,
        head: "torch.nn.Linear",
        front: TextTargets,
        back: TextTargets,
        objective: Objective,
        order: Order,
    ) -> None:
        self._net, self._head, self._objective = net, head, objective
        self._front, self._back, self._order = front, back, order
        self.model, self.device, self.per_epoch = net.encoder, net.device, order.per_epoch
        self.examples, self.held_out = len(front.texts), len(back.texts)
        self.judged = self.held_out

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights that are trained: those of encoder and head, by name."""
        head = {f"head.{name}": value for name, value in self._head.named_parameters()}
        encoder = {f"encoder.{name}": v for name, v in self._net.encoder_weights().items()}
        return head | encoder

    def learn(self, step: int) -> float:
        """Mean loss of the texts of the step; adds its gradients."""
        rows = self._order.step(step)
        loss, _ = self._loss(self._front, rows)
        return add_gradients(loss / self._objective.weight(self._front.values[rows]))

    def judge(self) -> tuple[float, int]:
        """Mean loss of the held-out texts, and at how many the largest output is right."""
        import torch

        loss, right = 0.0, 0
        with torch.no_grad():
            for batch in self._net.batches(self._back.texts):
                of_batch, right_in_batch = self._loss(self._back, batch)
                loss += float(of_batch)
                right += right_in_batch
        return loss / self._objective.weight(self._back.values), right

    def _loss(self, of: TextTargets, rows: Sequence[int]) -> tuple["torch.Tensor", int]:
        import torch

        outputs = self._head(self._net.pooled(of.texts[rows]))
        values = torch.from_numpy(of.values[rows]).to(outputs)
        right = int((outputs.argmax(-1) == values.argmax(-1)).sum())
        return self._objective.loss(outputs, values), right
